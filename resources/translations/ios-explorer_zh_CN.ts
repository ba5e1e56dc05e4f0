<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>iosx</name>
    <message>
        <source>%1 → %2, %3</source>
        <translation>%1 → %2，%3</translation>
    </message>
    <message>
        <source>%1 %2 → %3 %4</source>
        <translation>%1 %2 → %3 %4</translation>
    </message>
    <message>
        <source>%1 is a little faster than %2 (%3)</source>
        <translation>%1 比 %2 略快（%3）</translation>
    </message>
    <message>
        <source>%1 is %2 times as fast as %3 (%4)</source>
        <translation>%1 的速度是 %3 的 %2 倍（%4）</translation>
    </message>
    <message>
        <source>Nothing is faster than %1; %2 takes %3 times as long (%4)</source>
        <translation>没有比 %1 更快的；%2 的用时是它的 %3 倍（%4）</translation>
    </message>
    <message>
        <source>%1 is as fast as %2 within the noise (%3)</source>
        <translation>%1 与 %2 一样快，差异在噪声范围内（%3）</translation>
    </message>
    <message>
        <source>%1 is as fast as %2 (%3)</source>
        <translation>%1 与 %2 一样快（%3）</translation>
    </message>
    <message>
        <source>Too few runs to tell %1 from %2 (%3)</source>
        <translation>运行次数太少，无法区分 %1 与 %2（%3）</translation>
    </message>
    <message>
        <source>%1 of %2 parts: %3</source>
        <translation>%2 个部分中的 %1 个：%3</translation>
    </message>
    <message>
        <source>; %1 of the difference lies in %2</source>
        <translation>；差异的 %1 在于 %2</translation>
    </message>
    <message>
        <source>; %1 are won, more than the whole because other parts lose, in %2</source>
        <translation>；在 %2 中共赢得 %1，多于总差异，因为其他部分有所损失</translation>
    </message>
    <message>
        <source>; %1 are lost, more than the whole because other parts win, in %2</source>
        <translation>；在 %2 中共损失 %1，多于总差异，因为其他部分有所赢得</translation>
    </message>
    <message>
        <source>; the networks are not the same</source>
        <translation>；网络不相同</translation>
    </message>
    <message>
        <source>; one number is a model&apos;s, the other a measurement&apos;s</source>
        <translation>；一个数值来自模型，另一个来自测量</translation>
    </message>
    <message>
        <source>; batches of %1 and %2, so a sample is what is compared</source>
        <translation>；批大小为 %1 和 %2，因此按每个样本比较</translation>
    </message>
    <message>
        <source>Nothing to compare yet: choose schedules of one or several runs.</source>
        <translation>尚无可比较的内容：请从一次或多次运行中选择调度。</translation>
    </message>
    <message>
        <source>%1 takes %2 (%3). Add another schedule or run to compare it with.</source>
        <translation>%1 用时 %2（%3）。请再添加一个调度或一次运行来与它比较。</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>moved</source>
        <translation>已移动</translation>
    </message>
    <message>
        <source>joined</source>
        <translation>已并入</translation>
    </message>
    <message>
        <source>split</source>
        <translation>已拆分</translation>
    </message>
    <message>
        <source>merged otherwise</source>
        <translation>合并方式不同</translation>
    </message>
    <message>
        <source>other groups</source>
        <translation>分组不同</translation>
    </message>
    <message>
        <source>added</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>only in B: %1</source>
        <translation>仅在 B 中：%1</translation>
    </message>
    <message>
        <source>only in A: %1</source>
        <translation>仅在 A 中：%1</translation>
    </message>
    <message>
        <source>%1 stages joined into %2</source>
        <translation>%1 个阶段并为 %2 个</translation>
    </message>
    <message>
        <source>split from %1 into %2 stages</source>
        <translation>由 %1 个阶段拆为 %2 个</translation>
    </message>
    <message>
        <source>%1 moved from stage %2 to %3</source>
        <translation>%1 从阶段 %2 移到阶段 %3</translation>
    </message>
    <message>
        <source>%1 more moves</source>
        <translation>另有 %1 处移动</translation>
    </message>
    <message>
        <source>without %1</source>
        <translation>缺少 %1</translation>
    </message>
    <message>
        <source>with %1</source>
        <translation>多出 %1</translation>
    </message>
    <message>
        <source>%1 merged</source>
        <translation>%1 已合并</translation>
    </message>
    <message>
        <source>%1 no longer merged</source>
        <translation>%1 不再合并</translation>
    </message>
    <message>
        <source>faster, beyond the noise (± %1)</source>
        <translation>更快，超出噪声（± %1）</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>更快</translation>
    </message>
    <message>
        <source>slower, beyond the noise (± %1)</source>
        <translation>更慢，超出噪声（± %1）</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>更慢</translation>
    </message>
    <message>
        <source>inside the noise (± %1)</source>
        <translation>在噪声范围内（± %1）</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>无差异</translation>
    </message>
    <message>
        <source>too few samples to tell</source>
        <translation>样本太少，无法判断</translation>
    </message>
    <message>
        <source>Stage latencies are not known of both, so only the whole can be compared: %1 ms.</source>
        <translation>两者的阶段延迟并非都已知，因此只能比较整体：%1 ms。</translation>
    </message>
    <message>
        <source>Stages %1 ms, between stages %2 ms, the run beyond its stages %3 ms: the whole %4 ms.</source>
        <translation>各阶段 %1 ms，阶段之间 %2 ms，运行在阶段之外 %3 ms：整体 %4 ms。</translation>
    </message>
    <message>
        <source>%1 of A&apos;s %2 operators are in B, %3 under another name, %4 changed</source>
        <translation>A 的 %2 个算子中有 %1 个在 B 中，%3 个名称不同，%4 个有改动</translation>
    </message>
    <message>
        <source>; in A alone: %1</source>
        <translation>；仅在 A 中：%1</translation>
    </message>
    <message>
        <source>; in B alone: %1</source>
        <translation>；仅在 B 中：%1</translation>
    </message>
    <message>
        <source>%1, batch %2</source>
        <translation>%1，批大小 %2</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>%1 (not ours)</source>
        <translation>%1（外部数据）</translation>
    </message>
    <message>
        <source> and </source>
        <translation>，并且</translation>
    </message>
    <message>
        <source>End-to-end latency: %1</source>
        <translation>端到端延迟：%1</translation>
    </message>
    <message>
        <source>end-to-end latency (ms), %1</source>
        <translation>端到端延迟 (ms)，%1</translation>
    </message>
    <message>
        <source>a stage, with its number</source>
        <translation>阶段及其编号</translation>
    </message>
    <message>
        <source>merge stage</source>
        <translation>合并阶段</translation>
    </message>
    <message>
        <source>end-to-end latency</source>
        <translation>端到端延迟</translation>
    </message>
    <message>
        <source>%1 stages, sum %2</source>
        <translation>%1 个阶段，合计 %2</translation>
    </message>
    <message>
        <source>%1 stages, %2</source>
        <translation>%1 个阶段，%2</translation>
    </message>
    <message>
        <source>end to end %1</source>
        <translation>端到端 %1</translation>
    </message>
    <message>
        <source>stage latencies, one after another</source>
        <translation>阶段延迟，依次排列</translation>
    </message>
    <message>
        <source>stage latencies</source>
        <translation>阶段延迟</translation>
    </message>
    <message>
        <source>latencies</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>Stage latencies: %1</source>
        <translation>阶段延迟：%1</translation>
    </message>
    <message>
        <source>batch size</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>samples a second, %1</source>
        <translation>每秒样本数，%1</translation>
    </message>
    <message>
        <source>stages whose latency the search needed</source>
        <translation>搜索需要其延迟的阶段数</translation>
    </message>
    <message>
        <source>latency of its schedule (ms), %1</source>
        <translation>其调度的延迟 (ms)，%1</translation>
    </message>
    <message>
        <source>s unlimited</source>
        <translation>s 无限制</translation>
    </message>
    <message>
        <source>s = %1</source>
        <translation>s = %1</translation>
    </message>
    <message>
        <source>r unlimited</source>
        <translation>r 无限制</translation>
    </message>
    <message>
        <source>r = %1</source>
        <translation>r = %1</translation>
    </message>
    <message>
        <source>stages asked for, % of exhaustive search</source>
        <translation>请求的阶段数，占穷举搜索的 %</translation>
    </message>
    <message>
        <source>loss of the best schedule so far (%), %1</source>
        <translation>目前最佳调度的损失 (%)，%1</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>its own</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>%1, within noise</source>
        <translation>%1，在噪声范围内</translation>
    </message>
    <message>
        <source> · best</source>
        <translation> · 最佳</translation>
    </message>
    <message>
        <source>loss 0 %</source>
        <translation>损失 0 %</translation>
    </message>
    <message>
        <source>nothing in its column is better beyond the noise</source>
        <translation>同列中没有超出噪声的更优者</translation>
    </message>
    <message>
        <source>best of its column</source>
        <translation>同列最佳</translation>
    </message>
    <message>
        <source>export it as SVG instead</source>
        <translation>请改为导出 SVG</translation>
    </message>
    <message>
        <source>the figure could not be drawn as PDF</source>
        <translation>无法将该图绘制为 PDF</translation>
    </message>
    <message>
        <source>the figure is too large for a picture</source>
        <translation>该图太大，无法生成图片</translation>
    </message>
    <message>
        <source>the picture could not be encoded</source>
        <translation>无法对图片编码</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG 图形 (*.svg)</translation>
    </message>
    <message>
        <source>PDF document (*.pdf)</source>
        <translation>PDF 文档 (*.pdf)</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG 图片 (*.png)</translation>
    </message>
    <message>
        <source>Data as CSV (*.csv)</source>
        <translation>CSV 数据 (*.csv)</translation>
    </message>
    <message>
        <source>convolution 1×1</source>
        <translation>1×1 卷积</translation>
    </message>
    <message>
        <source>convolution 3×3</source>
        <translation>3×3 卷积</translation>
    </message>
    <message>
        <source>convolution n×1 or 1×n</source>
        <translation>n×1 或 1×n 卷积</translation>
    </message>
    <message>
        <source>convolution, other kernel</source>
        <translation>其他核大小的卷积</translation>
    </message>
    <message>
        <source>depthwise convolution</source>
        <translation>深度卷积</translation>
    </message>
    <message>
        <source>grouped convolution</source>
        <translation>分组卷积</translation>
    </message>
    <message>
        <source>transposed convolution</source>
        <translation>转置卷积</translation>
    </message>
    <message>
        <source>merged convolution</source>
        <translation>合并后的卷积</translation>
    </message>
    <message>
        <source>pooling</source>
        <translation>池化</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>concat, copy</source>
        <translation>拼接、复制</translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation>算术运算</translation>
    </message>
    <message>
        <source>activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>input of the part</source>
        <translation>该部分的输入</translation>
    </message>
    <message>
        <source>not executable</source>
        <translation>不可执行</translation>
    </message>
    <message>
        <source>Graph of %1</source>
        <translation>%1 的计算图</translation>
    </message>
    <message>
        <source>Stages of %1: %2</source>
        <translation>%1 的阶段：%2</translation>
    </message>
    <message>
        <source>group: units in order on one lane</source>
        <translation>组：各单元在一条泳道上依次执行</translation>
    </message>
    <message>
        <source>group</source>
        <translation>组</translation>
    </message>
    <message>
        <source>merged: convolutions run as one</source>
        <translation>合并：多个卷积作为一个执行</translation>
    </message>
    <message>
        <source>merged</source>
        <translation>已合并</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 G%2</source>
        <translation>%1 G%2</translation>
    </message>
    <message>
        <source>%1 M%2</source>
        <translation>%1 M%2</translation>
    </message>
    <message>
        <source>%1 k%2</source>
        <translation>%1 k%2</translation>
    </message>
    <message>
        <source>operator kind</source>
        <translation>算子类型</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>FLOPs</translation>
    </message>
    <message>
        <source>stage latency</source>
        <translation>阶段延迟</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节数</translation>
    </message>
    <message>
        <source>arithmetic intensity</source>
        <translation>计算强度</translation>
    </message>
    <message>
        <source>slack</source>
        <translation>松弛时间</translation>
    </message>
    <message>
        <source>critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>Δ to the baseline</source>
        <translation>与基线之差 Δ</translation>
    </message>
    <message>
        <source>Colour the units by what they compute</source>
        <translation>按单元计算的内容着色</translation>
    </message>
    <message>
        <source>Colour the units by their amount of computation</source>
        <translation>按单元的计算量着色</translation>
    </message>
    <message>
        <source>Colour the units by the latency of their stage</source>
        <translation>按单元所在阶段的延迟着色</translation>
    </message>
    <message>
        <source>Colour the units by how much they read and write</source>
        <translation>按单元读写的数据量着色</translation>
    </message>
    <message>
        <source>Colour the units by FLOPs a byte: memory limits the low, arithmetic the high</source>
        <translation>按单元每字节的 FLOP 数着色：低者受内存限制，高者受算力限制</translation>
    </message>
    <message>
        <source>Colour the units by how much later they could end without delaying the network</source>
        <translation>按单元可以推迟多久结束而不拖慢网络来着色</translation>
    </message>
    <message>
        <source>Show the longest chain of units that must run one after another</source>
        <translation>显示必须依次执行的最长单元链</translation>
    </message>
    <message>
        <source>Colour the units by what they take more or less than with the baseline</source>
        <translation>按单元与基线相比多用或少用的时间着色</translation>
    </message>
    <message>
        <source>work of the unit, one sample</source>
        <translation>单元的计算量，单个样本</translation>
    </message>
    <message>
        <source>bytes read and written, one sample</source>
        <translation>读写的字节数，单个样本</translation>
    </message>
    <message>
        <source>arithmetic intensity, one sample</source>
        <translation>计算强度，单个样本</translation>
    </message>
    <message>
        <source>logarithmic scale</source>
        <translation>对数刻度</translation>
    </message>
    <message>
        <source>stage latency: none is known yet</source>
        <translation>阶段延迟：尚无已知数据</translation>
    </message>
    <message>
        <source>latency of its stage, %1</source>
        <translation>所在阶段的延迟，%1</translation>
    </message>
    <message>
        <source>%1: needs a schedule with latencies</source>
        <translation>%1：需要带延迟的调度</translation>
    </message>
    <message>
        <source>slack before the network takes longer</source>
        <translation>网络用时变长之前的松弛时间</translation>
    </message>
    <message>
        <source>latency of units on the critical path</source>
        <translation>关键路径上各单元的延迟</translation>
    </message>
    <message>
        <source>longest chain: %1 units, %2; the stages take %3</source>
        <translation>最长链：%1 个单元，%2；各阶段用时 %3</translation>
    </message>
    <message>
        <source>costs, %1: %2 units by themselves, %3 by their share of the stage</source>
        <translation>代价，%1：%2 个单元按其自身，%3 个按其在阶段中的占比</translation>
    </message>
    <message>
        <source>Δ to the baseline: choose a baseline with latencies</source>
        <translation>与基线之差 Δ：请选择带延迟的基线</translation>
    </message>
    <message>
        <source>Δ of its stage to %1</source>
        <translation>其阶段与 %1 之差 Δ</translation>
    </message>
    <message>
        <source>Δ of the unit to %1</source>
        <translation>单元与 %1 之差 Δ</translation>
    </message>
    <message>
        <source>left: faster than the baseline, right: slower</source>
        <translation>左：比基线快，右：比基线慢</translation>
    </message>
    <message>
        <source>grey: inside the noise</source>
        <translation>灰色：在噪声范围内</translation>
    </message>
    <message>
        <source>FLOP</source>
        <translation>FLOP</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>%1 FLOP/B</source>
        <translation>%1 FLOP/B</translation>
    </message>
    <message>
        <source>+%1 ms</source>
        <translation>+%1 ms</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>merge · %1 convs</source>
        <translation>合并 · %1 个卷积</translation>
    </message>
    <message>
        <source>concurrent · %1 groups</source>
        <translation>并发 · %1 组</translation>
    </message>
    <message>
        <source>one group · 1 unit</source>
        <translation>单组 · 1 个单元</translation>
    </message>
    <message>
        <source>one group · %1 units</source>
        <translation>单组 · %1 个单元</translation>
    </message>
    <message>
        <source>%1 ms %2</source>
        <translation>%1 ms %2</translation>
    </message>
    <message>
        <source>1 unit</source>
        <translation>1 个单元</translation>
    </message>
    <message>
        <source>%1 units</source>
        <translation>%1 个单元</translation>
    </message>
    <message>
        <source>group %1</source>
        <translation>组 %1</translation>
    </message>
    <message>
        <source>merged: %1 convs run as one</source>
        <translation>已合并：%1 个卷积作为一个执行</translation>
    </message>
    <message>
        <source>merged: %1 convs</source>
        <translation>已合并：%1 个卷积</translation>
    </message>
    <message>
        <source>%1, %2 parameters, one sample</source>
        <translation>%1，%2 个参数，单个样本</translation>
    </message>
    <message>
        <source>stage %1, group %2</source>
        <translation>阶段 %1，组 %2</translation>
    </message>
    <message>
        <source>constant &lt;b&gt;%1&lt;/b&gt; of the model, %2</source>
        <translation>模型的常量 &lt;b&gt;%1&lt;/b&gt;，%2</translation>
    </message>
    <message>
        <source>input &lt;b&gt;%1&lt;/b&gt; of the network, %2</source>
        <translation>网络的输入 &lt;b&gt;%1&lt;/b&gt;，%2</translation>
    </message>
    <message>
        <source>output of &lt;b&gt;%1&lt;/b&gt;, %2, made in part %3; click to select it</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; 的输出，%2，产生于部分 %3；单击可选中它</translation>
    </message>
    <message>
        <source>stage %1, group %2: its units run in order on one lane (stream)</source>
        <translation>阶段 %1，组 %2：其单元在一条泳道（流）上依次执行</translation>
    </message>
    <message>
        <source>click: select its units; double click: fit it into the canvas</source>
        <translation>单击：选中其单元；双击：使其适合画布</translation>
    </message>
    <message>
        <source>show this part alone</source>
        <translation>只显示该部分</translation>
    </message>
    <message>
        <source>show this part alone, or all again</source>
        <translation>只显示该部分，或重新显示全部</translation>
    </message>
    <message>
        <source>Nothing is called “%1” here. Put text with a colon into quotes, or search by %2.</source>
        <translation>这里没有名为“%1”的内容。请给带冒号的文本加上引号，或按 %2 搜索。</translation>
    </message>
    <message>
        <source>After “%1:” something must follow.</source>
        <translation>“%1:”之后必须有内容。</translation>
    </message>
    <message>
        <source>“%1” is no number: write 29, 20-30, &gt;5, &lt;=1.5M.</source>
        <translation>“%1”不是数字：请写成 29、20-30、&gt;5 或 &lt;=1.5M。</translation>
    </message>
    <message>
        <source>“%1” is no regular expression: %2, at character %3.</source>
        <translation>“%1”不是正则表达式：%2，位于第 %3 个字符。</translation>
    </message>
    <message>
        <source>%1 is searching: %2 stages asked for in %3</source>
        <translation>%1 正在搜索：%3 内请求了 %2 个阶段</translation>
    </message>
    <message>
        <source>, best so far %1</source>
        <translation>，目前最佳 %1</translation>
    </message>
    <message>
        <source>, certified bound %1</source>
        <translation>，已证明的下界 %1</translation>
    </message>
    <message>
        <source>, exhaustive: one point</source>
        <translation>，穷举：只有一个点</translation>
    </message>
    <message>
        <source> so far</source>
        <translation>（截至目前）</translation>
    </message>
    <message>
        <source>, bound %1</source>
        <translation>，下界 %1</translation>
    </message>
    <message>
        <source>Searches: %1</source>
        <translation>搜索：%1</translation>
    </message>
    <message>
        <source>stages asked for</source>
        <translation>请求的阶段数</translation>
    </message>
    <message>
        <source>time of the search (s)</source>
        <translation>搜索用时 (s)</translation>
    </message>
    <message>
        <source>best schedule so far (ms), %1</source>
        <translation>目前最佳调度 (ms)，%1</translation>
    </message>
    <message>
        <source>the same as %1 within the noise</source>
        <translation>与%1 相同，差异在噪声范围内</translation>
    </message>
    <message>
        <source>as fast as %1</source>
        <translation>与%1 一样快</translation>
    </message>
    <message>
        <source>about as fast as %1</source>
        <translation>与%1 差不多快</translation>
    </message>
    <message>
        <source>%1 times as fast as %2</source>
        <translation>速度是%2 的 %1 倍</translation>
    </message>
    <message>
        <source> (too few runs to be sure)</source>
        <translation>（运行次数太少，不能确定）</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>same as %1 within the noise</source>
        <translation>与%1 相同，差异在噪声范围内</translation>
    </message>
    <message>
        <source>same as %1</source>
        <translation>与%1 相同</translation>
    </message>
    <message>
        <source>%1 vs. %2</source>
        <translation>%1，对比%2</translation>
    </message>
    <message>
        <source>No schedule has been run yet.</source>
        <translation>尚未运行任何调度。</translation>
    </message>
    <message>
        <source>%1 runs in %2</source>
        <translation>%1 用时 %2</translation>
    </message>
    <message>
        <source>; the fastest is %1, %2</source>
        <translation>；最快的是%1，%2</translation>
    </message>
    <message>
        <source>; its search was stopped early</source>
        <translation>；其搜索被提前停止</translation>
    </message>
    <message>
        <source>the best of the stages that were recorded; others were never measured</source>
        <translation>已记录的阶段中的最佳者；其余从未测量</translation>
    </message>
    <message>
        <source>no schedule is faster within the search&apos;s limits</source>
        <translation>在搜索限制之内没有更快的调度</translation>
    </message>
    <message>
        <source>it was stopped, so how much faster the optimum is is not known</source>
        <translation>搜索已停止，因此不知道最优解还能快多少</translation>
    </message>
    <message>
        <source>how much faster the optimum may be is not known</source>
        <translation>不知道最优解还能快多少</translation>
    </message>
    <message>
        <source>the optimum may be %1 faster by estimate, %2 at most</source>
        <translation>最优解估计还能快 %1，最多 %2</translation>
    </message>
    <message>
        <source>the optimum may be %1 faster at most</source>
        <translation>最优解最多还能快 %1</translation>
    </message>
    <message>
        <source> (if bounds hold, which %1 of %2 stages broke before they were lowered)</source>
        <translation>（前提是界成立；在调低之前，%2 个阶段中有 %1 个突破了界）</translation>
    </message>
    <message>
        <source>%1 was not searched for.</source>
        <translation>%1 不是搜索得到的。</translation>
    </message>
    <message>
        <source>%1 asked for %2 of %3 stages in %4</source>
        <translation>%1 在 %4 内请求了 %3 个阶段中的 %2 个</translation>
    </message>
    <message>
        <source>%1, an exhaustive search: every stage was asked for, %2 in %3</source>
        <translation>%1，穷举搜索：请求了每个阶段，%3 内 %2 个</translation>
    </message>
    <message>
        <source>%1 asked for %2 stages in %3</source>
        <translation>%1 在 %3 内请求了 %2 个阶段</translation>
    </message>
    <message>
        <source>%1; %2.</source>
        <translation>%1；%2。</translation>
    </message>
    <message>
        <source>1 stage</source>
        <translation>1 个阶段</translation>
    </message>
    <message>
        <source>%1 stages</source>
        <translation>%1 个阶段</translation>
    </message>
    <message>
        <source>%1 measured</source>
        <translation>%1，均已测量</translation>
    </message>
    <message>
        <source>%1, all known from an earlier search or run</source>
        <translation>%1，均已由先前的搜索或运行得知</translation>
    </message>
    <message>
        <source>%1: %2 measured, %3 known from an earlier search or run</source>
        <translation>%1：测量了 %2 个，%3 个已由先前的搜索或运行得知</translation>
    </message>
    <message>
        <source>1 stage measured</source>
        <translation>测量了 1 个阶段</translation>
    </message>
    <message>
        <source>%1 stages measured</source>
        <translation>测量了 %1 个阶段</translation>
    </message>
    <message>
        <source>%1 stages, all kept from earlier runs</source>
        <translation>%1 个阶段，均沿用先前的运行</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> 等另外 %1 个</translation>
    </message>
    <message>
        <source>merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>concurrent</source>
        <translation>并发</translation>
    </message>
    <message>
        <source>one group</source>
        <translation>单组</translation>
    </message>
    <message>
        <source>lane %1: %2</source>
        <translation>泳道 %1：%2</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>单元</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Latency alone</source>
        <translation>单独延迟</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>%1 of the stage sum</source>
        <translation>阶段总和的 %1</translation>
    </message>
    <message>
        <source>In the run</source>
        <translation>在运行中</translation>
    </message>
    <message>
        <source>from %1 to %2 (%3)</source>
        <translation>从 %1 到 %2（%3）</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>%1, stage %2 of %3</source>
        <translation>%1，%3 个阶段中的第 %2 个</translation>
    </message>
    <message>
        <source>End to end</source>
        <translation>端到端</translation>
    </message>
    <message>
        <source>Stage sum</source>
        <translation>阶段总和</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>流</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>Statistics from %1 to %2</source>
        <translation>从 %1 到 %2 的统计</translation>
    </message>
    <message>
        <source>In %1</source>
        <translation>在 %1 中</translation>
    </message>
    <message>
        <source>busy lanes</source>
        <translation>忙碌泳道</translation>
    </message>
    <message>
        <source>lane %1 busy</source>
        <translation>泳道 %1 忙碌</translation>
    </message>
    <message>
        <source>kernels</source>
        <translation>内核数</translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation>平均%1</translation>
    </message>
    <message>
        <source>%1 (1 core)</source>
        <translation>%1（1 个核心）</translation>
    </message>
    <message>
        <source>%1 (%2 cores)</source>
        <translation>%1（%2 个核心）</translation>
    </message>
    <message>
        <source>%1 MFLOPs, %2 MB moved</source>
        <translation>%1 MFLOPs，移动 %2 MB</translation>
    </message>
    <message>
        <source>%1 blocks of %2 threads, %3 registers</source>
        <translation>%1 个线程块，每块 %2 个线程，%3 个寄存器</translation>
    </message>
    <message>
        <source>, %1 KB shared</source>
        <translation>，%1 KB 共享内存</translation>
    </message>
    <message>
        <source>, occupancy %1</source>
        <translation>，占用率 %1</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 个</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>merged %1</source>
        <translation>合并了 %1 个</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>计算量</translation>
    </message>
    <message>
        <source>Begin</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>End</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>时间来源</translation>
    </message>
    <message>
        <source> (%1 of %2)</source>
        <translation>（%1 / %2）</translation>
    </message>
    <message>
        <source>At</source>
        <translation>时刻</translation>
    </message>
    <message>
        <source>Darkest</source>
        <translation>最深处</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>曲线图</translation>
    </message>
    <message>
        <source>key U</source>
        <translation>U 键</translation>
    </message>
    <message>
        <source>%1: %2, stage %3, lane %4, begins at %5, takes %6</source>
        <translation>%1：%2，阶段 %3，泳道 %4，开始于 %5，用时 %6</translation>
    </message>
    <message>
        <source>Timeline: %1</source>
        <translation>时间线：%1</translation>
    </message>
    <message>
        <source>time (%1)</source>
        <translation>时间 (%1)</translation>
    </message>
    <message>
        <source>lane %1</source>
        <translation>泳道 %1</translation>
    </message>
    <message>
        <source>waits %1</source>
        <translation>等待 %1</translation>
    </message>
    <message>
        <source>%1 over time: %2</source>
        <translation>%1 随时间变化：%2</translation>
    </message>
    <message>
        <source>the device reports no utilization</source>
        <translation>该设备不报告利用率</translation>
    </message>
    <message>
        <source>Utilization</source>
        <translation>利用率</translation>
    </message>
    <message>
        <source>, %1</source>
        <translation>，%1</translation>
    </message>
    <message>
        <source>, %</source>
        <translation>，占 %</translation>
    </message>
    <message>
        <source>, % of %1</source>
        <translation>，占 %1 的 %</translation>
    </message>
    <message>
        <source>mean %1 = %2</source>
        <translation>平均%1 = %2</translation>
    </message>
    <message>
        <source>mean %1 %2</source>
        <translation>平均%1 %2</translation>
    </message>
    <message>
        <source>idle %1</source>
        <translation>空闲 %1</translation>
    </message>
    <message>
        <source>, area %1</source>
        <translation>，面积 %1</translation>
    </message>
    <message>
        <source>      %1: %2</source>
        <translation>      %1：%2</translation>
    </message>
    <message>
        <source>time from the start of the run (%1)</source>
        <translation>自运行开始的时间 (%1)</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>批大小 %1</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>第 %1 次运行</translation>
    </message>
    <message>
        <source>.</source>
        <translation>。</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>: </source>
        <translation>：</translation>
    </message>
    <message>
        <source>Seconds are shown of searches that found nothing measured before.</source>
        <translation>只有在没有任何已测数据可用时，才显示搜索的秒数。</translation>
    </message>
    <message>
        <source>★ best, or no worse beyond the noise</source>
        <translation>★ 最佳，或在噪声范围内不逊于最佳</translation>
    </message>
    <message>
        <source>★ best of its row, or no worse beyond the noise</source>
        <translation>★ 同行最佳，或在噪声范围内不逊于最佳</translation>
    </message>
    <message>
        <source>★ best of its column, or no worse beyond the noise</source>
        <translation>★ 同列最佳，或在噪声范围内不逊于最佳</translation>
    </message>
    <message>
        <source>★ best</source>
        <translation>★ 最佳</translation>
    </message>
    <message>
        <source>★ best of its row</source>
        <translation>★ 同行最佳</translation>
    </message>
    <message>
        <source>★ best of its column</source>
        <translation>★ 同列最佳</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>origin, device</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>Speed-up is against sequential. Searches share what they measure. %1</source>
        <translation>加速比相对于顺序调度。各搜索共享其测量结果。%1</translation>
    </message>
    <message>
        <source>Every search is a lazy one of IOS-Both by itself: at most r units in a group and s groups in a stage, 0 = unlimited. %1</source>
        <translation>每个搜索都是单独的 IOS-Both 惰性搜索：每组最多 r 个单元，每个阶段最多 s 组，0 表示无限制。%1</translation>
    </message>
    <message>
        <source>Every search is an exhaustive one of IOS-Both by itself: at most r units in a group and s groups in a stage, 0 = unlimited. %1</source>
        <translation>每个搜索都是单独的 IOS-Both 穷举搜索：每组最多 r 个单元，每个阶段最多 s 组，0 表示无限制。%1</translation>
    </message>
    <message>
        <source>Rows: the batch that the schedule was found for; columns: the batch that ran. Latency [ms] and loss against the column&apos;s own schedule.</source>
        <translation>行：为其找到调度的批大小；列：运行时的批大小。延迟 [ms] 以及相对该列自身调度的损失。</translation>
    </message>
    <message>
        <source>Rows: the device that the schedule was found on; columns: the device that ran it. Latency [ms] and loss against the column&apos;s own schedule.</source>
        <translation>行：找到调度的设备；列：运行调度的设备。延迟 [ms] 以及相对该列自身调度的损失。</translation>
    </message>
    <message>
        <source>Samples a second, by batch size.</source>
        <translation>按批大小的每秒样本数。</translation>
    </message>
    <message>
        <source>Means are over the whole run.</source>
        <translation>平均值为整个运行的平均。</translation>
    </message>
    <message>
        <source>Loss is of the schedule&apos;s stage sum against exhaustive search; gaps are what a search itself says it may miss. %1</source>
        <translation>损失为调度的阶段总和相对于穷举搜索的差额；差距为搜索自身声明可能错过的部分。%1</translation>
    </message>
    <message>
        <source>≈ no difference beyond the noise</source>
        <translation>≈ 没有超出噪声的差异</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>device, origin</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 (continued)</source>
        <translation>%1（续）</translation>
    </message>
    <message>
        <source>%1 times %2</source>
        <translation>%1 次 %2</translation>
    </message>
    <message>
        <source> (%1)</source>
        <translation>（%1）</translation>
    </message>
    <message>
        <source> Note: the file&apos;s graph has 1 merged convolution: every schedule here contains it, sequential too.</source>
        <translation> 注意：文件的计算图含有 1 个合并卷积：这里的每个调度都包含它，顺序调度也不例外。</translation>
    </message>
    <message>
        <source> Note: the file&apos;s graph has %1 merged convolutions: every schedule here contains them, sequential too.</source>
        <translation> 注意：文件的计算图含有 %1 个合并卷积：这里的每个调度都包含它们，顺序调度也不例外。</translation>
    </message>
    <message>
        <source>constant %1 · %2</source>
        <translation>常量 %1 · %2</translation>
    </message>
    <message>
        <source>from %1 · %2</source>
        <translation>来自 %1 · %2</translation>
    </message>
    <message>
        <source>input · %1</source>
        <translation>输入 · %1</translation>
    </message>
    <message>
        <source>input %1 · %2</source>
        <translation>输入 %1 · %2</translation>
    </message>
    <message>
        <source>recorded in %1</source>
        <translation>记录于 %1</translation>
    </message>
    <message>
        <source>recorded by %1</source>
        <translation>由 %1 记录</translation>
    </message>
    <message>
        <source>%1, %2 matched</source>
        <translation>%1，匹配 %2</translation>
    </message>
    <message>
        <source>%1 a sample</source>
        <translation>每样本 %1</translation>
    </message>
    <message>
        <source>Of a sample: </source>
        <translation>每样本：</translation>
    </message>
    <message>
        <source>depthwise or grouped convolution</source>
        <translation>深度卷积或分组卷积</translation>
    </message>
    <message>
        <source>? too few runs to be sure</source>
        <translation>? 表示运行次数太少，不能确定</translation>
    </message>
    <message>
        <source>best so far (ms), %1</source>
        <translation>目前最佳 (ms)，%1</translation>
    </message>
    <message>
        <source>ms, %1</source>
        <comment>an axis: unit and origin</comment>
        <translation>ms，%1</translation>
    </message>
    <message>
        <source>What if: %1, %2</source>
        <translation>假设：%1，%2</translation>
    </message>
    <message>
        <source> · batch %1</source>
        <translation> · 批大小 %1</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>latency (ms)</source>
        <translation>延迟 (ms)</translation>
    </message>
    <message>
        <source>speed-up</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>speed-up over sequential</source>
        <translation>相对顺序调度的加速比</translation>
    </message>
    <message>
        <source>it started from %1 and found something better</source>
        <translation>它从 %1 开始，并找到了更好的</translation>
    </message>
    <message>
        <source>it started from %1 and found nothing better</source>
        <translation>它从 %1 开始，没有找到更好的</translation>
    </message>
    <message>
        <source>, 1 stage of which it could not have made by itself</source>
        <translation>，其中 1 个阶段它自己无法得到</translation>
    </message>
    <message>
        <source>, %1 stages of which it could not have made by itself</source>
        <translation>，其中 %1 个阶段它自己无法得到</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>%1 of %2 operators</source>
        <translation>%2 个算子中的 %1 个</translation>
    </message>
    <message>
        <source>this run %1</source>
        <translation>本次运行 %1</translation>
    </message>
</context>
<context>
    <name>iosx::Actions</name>
    <message>
        <source>As &amp;IOS Explorer JSON…</source>
        <translation>导出为 IOS Explorer JSON(&amp;I)…</translation>
    </message>
    <message>
        <source>As &amp;original IOS JSON…</source>
        <translation>导出为原版 IOS JSON(&amp;O)…</translation>
    </message>
    <message>
        <source>As stage table, &amp;CSV…</source>
        <translation>导出为阶段表 CSV(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Graph…</source>
        <translation>计算图(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;Timeline…</source>
        <translation>时间线(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Utilization…</source>
        <translation>利用率(&amp;U)…</translation>
    </message>
    <message>
        <source>&amp;Comparison…</source>
        <translation>比较(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Stage latencies…</source>
        <translation>阶段延迟(&amp;S)…</translation>
    </message>
    <message>
        <source>S&amp;earches…</source>
        <translation>搜索(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open a network (ONNX or JSON), a saved run or a schedule file</source>
        <translation>打开网络（ONNX 或 JSON）、已保存的运行或调度文件</translation>
    </message>
    <message>
        <source>Write the networks that are open, all their runs and notes to one file</source>
        <translation>把打开的网络及其全部运行和备注写入一个文件</translation>
    </message>
    <message>
        <source>Open &amp;last session</source>
        <translation>打开上次会话(&amp;L)</translation>
    </message>
    <message>
        <source>Open again what was open when the program ended last</source>
        <translation>重新打开程序上次结束时打开的内容</translation>
    </message>
    <message>
        <source>Sa&amp;ve run…</source>
        <translation>保存运行(&amp;V)…</translation>
    </message>
    <message>
        <source>Write the run that is shown to one file, to open it here or elsewhere</source>
        <translation>把显示的运行写入一个文件，以便在此处或别处打开</translation>
    </message>
    <message>
        <source>Ctrl+Alt+S</source>
        <translation>Ctrl+Alt+S</translation>
    </message>
    <message>
        <source>Write the shown schedule to a file</source>
        <translation>把显示的调度写入文件</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>Write the figure as SVG, PDF or PNG, or its data as CSV</source>
        <translation>把图写成 SVG、PDF 或 PNG，或把其数据写成 CSV</translation>
    </message>
    <message>
        <source>Export Chrome &amp;trace…</source>
        <translation>导出 Chrome 跟踪(&amp;T)…</translation>
    </message>
    <message>
        <source>Write all timelines for Perfetto or chrome://tracing</source>
        <translation>写出全部时间线，供 Perfetto 或 chrome://tracing 使用</translation>
    </message>
    <message>
        <source>Ctrl+T</source>
        <translation>Ctrl+T</translation>
    </message>
    <message>
        <source>Export &amp;network as ONNX…</source>
        <translation>把网络导出为 ONNX(&amp;N)…</translation>
    </message>
    <message>
        <source>Write the network with its weights as an ONNX model</source>
        <translation>把网络连同权重写成 ONNX 模型</translation>
    </message>
    <message>
        <source>Ctrl+Shift+S</source>
        <translation>Ctrl+Shift+S</translation>
    </message>
    <message>
        <source>Export as &amp;PyTorch package…</source>
        <translation>导出为 PyTorch 包(&amp;P)…</translation>
    </message>
    <message>
        <source>Write the network and the shown schedule as a Python package that runs in PyTorch</source>
        <translation>把网络和显示的调度写成可在 PyTorch 中运行的 Python 包</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Close the program</source>
        <translation>关闭程序</translation>
    </message>
    <message>
        <source>Ctrl+Q</source>
        <translation>Ctrl+Q</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>放大(&amp;I)</translation>
    </message>
    <message>
        <source>Enlarge the graph</source>
        <translation>放大计算图</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>缩小(&amp;O)</translation>
    </message>
    <message>
        <source>Shrink the graph</source>
        <translation>缩小计算图</translation>
    </message>
    <message>
        <source>Zoom to &amp;fit</source>
        <translation>缩放至适合窗口(&amp;F)</translation>
    </message>
    <message>
        <source>Show the whole graph</source>
        <translation>显示整个计算图</translation>
    </message>
    <message>
        <source>Ctrl+0</source>
        <translation>Ctrl+0</translation>
    </message>
    <message>
        <source>Zoom to &amp;selection</source>
        <translation>缩放至选中内容(&amp;S)</translation>
    </message>
    <message>
        <source>Show what is selected</source>
        <translation>显示选中的内容</translation>
    </message>
    <message>
        <source>Ctrl+9</source>
        <translation>Ctrl+9</translation>
    </message>
    <message>
        <source>Legend of the &amp;graph</source>
        <translation>计算图图例(&amp;G)</translation>
    </message>
    <message>
        <source>Show or hide what the colours and outlines mean</source>
        <translation>显示或隐藏颜色与轮廓的含义</translation>
    </message>
    <message>
        <source>Ctrl+Shift+L</source>
        <translation>Ctrl+Shift+L</translation>
    </message>
    <message>
        <source>&amp;System</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>Colours as the desktop has them</source>
        <translation>颜色与桌面一致</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>Dark on light</source>
        <translation>浅底深字</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>Light on dark</source>
        <translation>深底浅字</translation>
    </message>
    <message>
        <source>The language of the desktop</source>
        <translation>桌面的语言</translation>
    </message>
    <message>
        <source>The window in English</source>
        <translation>以英文显示窗口</translation>
    </message>
    <message>
        <source>The window in Simplified Chinese</source>
        <translation>以简体中文显示窗口</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>Put all panels of this mode back where they were at first</source>
        <translation>把此模式的所有面板放回最初的位置</translation>
    </message>
    <message>
        <source>&amp;Input sizes…</source>
        <translation>输入尺寸(&amp;I)…</translation>
    </message>
    <message>
        <source>Open the network again with other sizes of what its file leaves open</source>
        <translation>为文件未定的尺寸另选大小，重新打开网络</translation>
    </message>
    <message>
        <source>Ctrl+I</source>
        <translation>Ctrl+I</translation>
    </message>
    <message>
        <source>&amp;Optimize</source>
        <translation>优化(&amp;O)</translation>
    </message>
    <message>
        <source>Search schedules and run them on the device</source>
        <translation>搜索调度并在设备上运行</translation>
    </message>
    <message>
        <source>Ctrl+Return</source>
        <translation>Ctrl+Return</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Stop the running job; the best so far is kept</source>
        <translation>停止正在运行的任务；保留目前的最佳结果</translation>
    </message>
    <message>
        <source>Ctrl+.</source>
        <translation>Ctrl+.</translation>
    </message>
    <message>
        <source>Nothing is running</source>
        <translation>没有任务在运行</translation>
    </message>
    <message>
        <source>&amp;Verify</source>
        <translation>验证(&amp;V)</translation>
    </message>
    <message>
        <source>Compare what the shown schedule computes with what the sequential one does on the CPU in float32</source>
        <translation>将显示的调度的计算结果与 CPU 上 float32 顺序调度的结果比较</translation>
    </message>
    <message>
        <source>Ctrl+Shift+V</source>
        <translation>Ctrl+Shift+V</translation>
    </message>
    <message>
        <source>&amp;Profile</source>
        <translation>性能剖析(&amp;P)</translation>
    </message>
    <message>
        <source>Look into the runs of all schedules: every launch, and the hardware&apos;s counters over time</source>
        <translation>深入所有调度的运行：每次启动，以及硬件计数器随时间的变化</translation>
    </message>
    <message>
        <source>Ctrl+Shift+R</source>
        <translation>Ctrl+Shift+R</translation>
    </message>
    <message>
        <source>%1…</source>
        <translation>%1…</translation>
    </message>
    <message>
        <source>&amp;Measuring…</source>
        <translation>测量(&amp;M)…</translation>
    </message>
    <message>
        <source>How long the device measures every stage and schedule</source>
        <translation>设备对每个阶段和调度测量多久</translation>
    </message>
    <message>
        <source>Ctrl+Shift+M</source>
        <translation>Ctrl+Shift+M</translation>
    </message>
    <message>
        <source>&amp;Kept measurements…</source>
        <translation>保留的测量(&amp;K)…</translation>
    </message>
    <message>
        <source>Whether and where stage latencies are kept from run to run</source>
        <translation>是否在多次运行之间保留阶段延迟，以及保留在何处</translation>
    </message>
    <message>
        <source>&amp;Part size…</source>
        <translation>部分大小(&amp;P)…</translation>
    </message>
    <message>
        <source>How many units the search treats at once</source>
        <translation>搜索一次处理多少个单元</translation>
    </message>
    <message>
        <source>&amp;Connected</source>
        <translation>连通(&amp;C)</translation>
    </message>
    <message>
        <source>Groups are the connected components of a stage, as the paper defines</source>
        <translation>组是阶段的连通分量，与论文定义一致</translation>
    </message>
    <message>
        <source>&amp;Single root</source>
        <translation>单根(&amp;S)</translation>
    </message>
    <message>
        <source>Only groups with one first unit, as the authors&apos; code searches</source>
        <translation>只取只有一个首单元的组，与作者代码的搜索一致</translation>
    </message>
    <message>
        <source>&amp;Next schedule</source>
        <translation>下一个调度(&amp;N)</translation>
    </message>
    <message>
        <source>Show the next schedule</source>
        <translation>显示下一个调度</translation>
    </message>
    <message>
        <source>Ctrl+PgDown</source>
        <translation>Ctrl+PgDown</translation>
    </message>
    <message>
        <source>&amp;Previous schedule</source>
        <translation>上一个调度(&amp;P)</translation>
    </message>
    <message>
        <source>Show the previous schedule</source>
        <translation>显示上一个调度</translation>
    </message>
    <message>
        <source>Ctrl+PgUp</source>
        <translation>Ctrl+PgUp</translation>
    </message>
    <message>
        <source>C&amp;lear selection</source>
        <translation>清除选择(&amp;L)</translation>
    </message>
    <message>
        <source>Select nothing</source>
        <translation>不选中任何内容</translation>
    </message>
    <message>
        <source>Ctrl+Shift+A</source>
        <translation>Ctrl+Shift+A</translation>
    </message>
    <message>
        <source>Choose a net&amp;work</source>
        <translation>选择网络(&amp;W)</translation>
    </message>
    <message>
        <source>Go to the list of networks</source>
        <translation>转到网络列表</translation>
    </message>
    <message>
        <source>Ctrl+L</source>
        <translation>Ctrl+L</translation>
    </message>
    <message>
        <source>Command &amp;palette</source>
        <translation>命令面板(&amp;P)</translation>
    </message>
    <message>
        <source>Find any action, network, file or schedule by its name</source>
        <translation>按名称查找任何操作、网络、文件或调度</translation>
    </message>
    <message>
        <source>Ctrl+Shift+P</source>
        <translation>Ctrl+Shift+P</translation>
    </message>
    <message>
        <source>&amp;Start page</source>
        <translation>起始页(&amp;S)</translation>
    </message>
    <message>
        <source>Recent files and the built-in networks</source>
        <translation>最近的文件和内置网络</translation>
    </message>
    <message>
        <source>Alt+Home</source>
        <translation>Alt+Home</translation>
    </message>
    <message>
        <source>&amp;Hints for a beginner</source>
        <translation>新手提示(&amp;H)</translation>
    </message>
    <message>
        <source>Point once more at what there is to see, one hint after another</source>
        <translation>再次逐条提示可以看到的内容</translation>
    </message>
    <message>
        <source>&amp;Messages</source>
        <translation>消息(&amp;M)</translation>
    </message>
    <message>
        <source>Show everything that was said</source>
        <translation>显示说过的所有消息</translation>
    </message>
    <message>
        <source>Ctrl+Shift+H</source>
        <translation>Ctrl+Shift+H</translation>
    </message>
    <message>
        <source>&amp;Go to the newest message</source>
        <translation>转到最新消息(&amp;G)</translation>
    </message>
    <message>
        <source>Move the keyboard to it: Return takes what it offers, Escape closes it</source>
        <translation>把键盘焦点移到消息上：回车接受其提议，Esc 关闭</translation>
    </message>
    <message>
        <source>Ctrl+Shift+N</source>
        <translation>Ctrl+Shift+N</translation>
    </message>
    <message>
        <source>&amp;Close the newest message</source>
        <translation>关闭最新消息(&amp;C)</translation>
    </message>
    <message>
        <source>It stays in the list of messages</source>
        <translation>它仍保留在消息列表中</translation>
    </message>
    <message>
        <source>Ctrl+Shift+X</source>
        <translation>Ctrl+Shift+X</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>Show all keyboard shortcuts, and change them</source>
        <translation>显示并修改所有键盘快捷键</translation>
    </message>
    <message>
        <source>?</source>
        <translation>?</translation>
    </message>
    <message>
        <source>&amp;About IOS Explorer</source>
        <translation>关于 IOS Explorer(&amp;A)</translation>
    </message>
    <message>
        <source>Version, method and licence</source>
        <translation>版本、方法与许可证</translation>
    </message>
    <message>
        <source>There is no schedule yet</source>
        <translation>还没有调度</translation>
    </message>
    <message>
        <source>No network is open, or a job is running</source>
        <translation>没有打开的网络，或有任务正在运行</translation>
    </message>
    <message>
        <source>Not possible now</source>
        <translation>现在不可用</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Open built-in &amp;network</source>
        <translation>打开内置网络(&amp;N)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>打开最近的文件(&amp;R)</translation>
    </message>
    <message>
        <source>Export &amp;schedule</source>
        <translation>导出调度(&amp;S)</translation>
    </message>
    <message>
        <source>Export &amp;figure</source>
        <translation>导出图(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>面板(&amp;P)</translation>
    </message>
    <message>
        <source>Colour &amp;units by</source>
        <translation>单元着色依据(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Language / 语言</source>
        <translation>语言 / &amp;Language</translation>
    </message>
    <message>
        <source>&amp;Graph</source>
        <translation>计算图(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Schedule</source>
        <translation>调度(&amp;S)</translation>
    </message>
    <message>
        <source>Ending &amp;rule</source>
        <translation>末端规则(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Experiments</source>
        <translation>实验(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Compared &amp;runs…</source>
        <translation>被比较的运行(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Parts and schedules…</source>
        <translation>部分与调度(&amp;P)…</translation>
    </message>
    <message>
        <source>Stage &amp;differences…</source>
        <translation>阶段差异(&amp;D)…</translation>
    </message>
    <message>
        <source>St&amp;atistics…</source>
        <translation>统计(&amp;A)…</translation>
    </message>
    <message>
        <source>Save &amp;HTML report…</source>
        <translation>保存 HTML 报告(&amp;H)…</translation>
    </message>
    <message>
        <source>Write what is compared as one interactive page that any browser opens</source>
        <translation>把比较的内容写成一个任何浏览器都能打开的交互页面</translation>
    </message>
    <message>
        <source>Ctrl+Alt+H</source>
        <translation>Ctrl+Alt+H</translation>
    </message>
    <message>
        <source>&amp;Add others&apos; measurements…</source>
        <translation>添加其他程序的测量(&amp;A)…</translation>
    </message>
    <message>
        <source>Put what another program recorded of this network beside it: a CSV table, a Chrome trace, a profile of ONNX Runtime or PyTorch, an nsys SQLite export</source>
        <translation>把其他程序对该网络的记录并列显示：CSV 表、Chrome 跟踪、ONNX Runtime 或 PyTorch 的性能剖析、nsys 的 SQLite 导出</translation>
    </message>
    <message>
        <source>No network is open</source>
        <translation>没有打开的网络</translation>
    </message>
    <message>
        <source>&amp;Save project</source>
        <translation>保存项目(&amp;S)</translation>
    </message>
    <message>
        <source>Save project &amp;as…</source>
        <translation>项目另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Write the project to another file, which is then the one that it has</source>
        <translation>将项目写入另一个文件，此后即为该项目的文件</translation>
    </message>
    <message>
        <source>&amp;What if…</source>
        <translation>假设(&amp;W)…</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>Take back the last change</source>
        <translation>撤回上一次更改</translation>
    </message>
    <message>
        <source>Ctrl+Z</source>
        <translation>Ctrl+Z</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Make the change again that was taken back</source>
        <translation>重新进行已撤回的更改</translation>
    </message>
    <message>
        <source>Ctrl+Shift+Z</source>
        <translation>Ctrl+Shift+Z</translation>
    </message>
    <message>
        <source>&amp;Edit a copy</source>
        <translation>编辑副本(&amp;E)</translation>
    </message>
    <message>
        <source>Change a copy of the shown schedule by hand</source>
        <translation>手动更改所显示调度的副本</translation>
    </message>
    <message>
        <source>Ctrl+Shift+E</source>
        <translation>Ctrl+Shift+E</translation>
    </message>
    <message>
        <source>Fill by &amp;IOS</source>
        <translation>由 IOS 填充(&amp;I)</translation>
    </message>
    <message>
        <source>Keep the locked stages of the hand-made schedule and search the rest</source>
        <translation>保留手动调度中锁定的阶段，搜索其余部分</translation>
    </message>
    <message>
        <source>Ctrl+Shift+F</source>
        <translation>Ctrl+Shift+F</translation>
    </message>
    <message>
        <source>Search &amp;from here</source>
        <translation>从此处搜索(&amp;F)</translation>
    </message>
    <message>
        <source>Search with every stage of the hand-made schedule on offer: never worse than it is now</source>
        <translation>以手动调度的每个阶段为候选进行搜索：绝不会比现在差</translation>
    </message>
    <message>
        <source>Run the &amp;hand-made schedule</source>
        <translation>运行手动调度(&amp;H)</translation>
    </message>
    <message>
        <source>Run it end to end: it then stands among the schedules of the run</source>
        <translation>端到端运行：之后它与该次运行的其他调度并列</translation>
    </message>
    <message>
        <source>Ctrl+Shift+Return</source>
        <translation>Ctrl+Shift+Return</translation>
    </message>
    <message>
        <source>Verify the hand-made schedule</source>
        <translation>验证手动调度</translation>
    </message>
    <message>
        <source>Run it and compare what it computes with what the sequential schedule does</source>
        <translation>运行它，并将其计算结果与顺序调度的结果比较</translation>
    </message>
    <message>
        <source>&amp;New graph</source>
        <translation>新建计算图(&amp;N)</translation>
    </message>
    <message>
        <source>Draw a network from nothing, beside what is open</source>
        <translation>在已打开的网络旁从零开始画一个网络</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>Take the selected operators to the clipboard</source>
        <translation>把所选算子移到剪贴板</translation>
    </message>
    <message>
        <source>Ctrl+X</source>
        <translation>Ctrl+X</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Put the selected operators on the clipboard, as text</source>
        <translation>把所选算子以文本形式放到剪贴板</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Ctrl+C</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Insert the operators that are on the clipboard</source>
        <translation>插入剪贴板上的算子</translation>
    </message>
    <message>
        <source>Ctrl+V</source>
        <translation>Ctrl+V</translation>
    </message>
    <message>
        <source>&amp;Duplicate</source>
        <translation>重复(&amp;D)</translation>
    </message>
    <message>
        <source>The selected operators once more, reading the same</source>
        <translation>再来一份所选算子，读取相同的输入</translation>
    </message>
    <message>
        <source>Ctrl+D</source>
        <translation>Ctrl+D</translation>
    </message>
    <message>
        <source>D&amp;elete</source>
        <translation>删除(&amp;E)</translation>
    </message>
    <message>
        <source>Remove what is selected; what read it has open inputs</source>
        <translation>删除所选内容；读取它的算子的输入将空着</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Del</translation>
    </message>
    <message>
        <source>Delete and &amp;heal</source>
        <translation>删除并接上(&amp;H)</translation>
    </message>
    <message>
        <source>Remove what is selected; what read it reads what that read</source>
        <translation>删除所选内容；读取它的算子改读它所读的内容</translation>
    </message>
    <message>
        <source>Shift+Del</source>
        <translation>Shift+Del</translation>
    </message>
    <message>
        <source>Re&amp;name</source>
        <translation>重命名(&amp;N)</translation>
    </message>
    <message>
        <source>Give the selected operator another name</source>
        <translation>给所选算子换一个名称</translation>
    </message>
    <message>
        <source>F2</source>
        <translation>F2</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>全选(&amp;A)</translation>
    </message>
    <message>
        <source>Select all operators</source>
        <translation>选择所有算子</translation>
    </message>
    <message>
        <source>Ctrl+A</source>
        <translation>Ctrl+A</translation>
    </message>
    <message>
        <source>Add an &amp;operator…</source>
        <translation>添加算子(&amp;O)…</translation>
    </message>
    <message>
        <source>Find an operator or template by its name and add it after what is selected</source>
        <translation>按名称查找算子或模板，并添加到所选内容之后</translation>
    </message>
    <message>
        <source>Ctrl+Space</source>
        <translation>Ctrl+Space</translation>
    </message>
    <message>
        <source>Connect &amp;from here</source>
        <translation>从这里连接(&amp;F)</translation>
    </message>
    <message>
        <source>Choose with the arrow keys what shall read the selected operator</source>
        <translation>用方向键选择由谁读取所选算子</translation>
    </message>
    <message>
        <source>&amp;Group into a unit</source>
        <translation>合组为一个单元(&amp;G)</translation>
    </message>
    <message>
        <source>The scheduler moves the selected operators as one piece</source>
        <translation>调度器把所选算子作为一个整体移动</translation>
    </message>
    <message>
        <source>Ctrl+G</source>
        <translation>Ctrl+G</translation>
    </message>
    <message>
        <source>&amp;Split the unit</source>
        <translation>拆分单元(&amp;S)</translation>
    </message>
    <message>
        <source>Every operator of it is a unit of its own</source>
        <translation>其中每个算子各成一个单元</translation>
    </message>
    <message>
        <source>Ctrl+Shift+G</source>
        <translation>Ctrl+Shift+G</translation>
    </message>
    <message>
        <source>&amp;Begin a part here</source>
        <translation>从这里开始新部分(&amp;B)</translation>
    </message>
    <message>
        <source>What follows the selected unit in its part is scheduled by itself</source>
        <translation>所在部分中从所选单元起的内容单独调度</translation>
    </message>
    <message>
        <source>&amp;Join with the part before</source>
        <translation>与前一部分合并(&amp;J)</translation>
    </message>
    <message>
        <source>The part of the selected unit and the one before it are scheduled together</source>
        <translation>所选单元的部分与前一部分一起调度</translation>
    </message>
    <message>
        <source>&amp;Lay out</source>
        <translation>自动布局(&amp;L)</translation>
    </message>
    <message>
        <source>Arrange all operators but those that were placed by hand</source>
        <translation>重新排列所有算子，手工放置的除外</translation>
    </message>
    <message>
        <source>Ctrl+Shift+Y</source>
        <translation>Ctrl+Shift+Y</translation>
    </message>
    <message>
        <source>Let the la&amp;yout place</source>
        <translation>交给布局放置(&amp;Y)</translation>
    </message>
    <message>
        <source>Leave to the layout where the selected operators stand</source>
        <translation>由布局决定所选算子的位置</translation>
    </message>
    <message>
        <source>Save as &amp;template…</source>
        <translation>另存为模板(&amp;T)…</translation>
    </message>
    <message>
        <source>Keep the selected operators by a name, to be inserted again</source>
        <translation>以一个名称保存所选算子，以便再次插入</translation>
    </message>
    <message>
        <source>Rename the grap&amp;h…</source>
        <translation>重命名计算图(&amp;H)…</translation>
    </message>
    <message>
        <source>Give the network another name</source>
        <translation>给网络换一个名称</translation>
    </message>
    <message>
        <source>Export graph as original IOS &amp;JSON…</source>
        <translation>将计算图导出为原版 IOS JSON(&amp;J)…</translation>
    </message>
    <message>
        <source>Write the network as the original&apos;s program reads it</source>
        <translation>按原版程序可读的形式写出网络</translation>
    </message>
    <message>
        <source>&amp;Left</source>
        <translation>左(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Centre</source>
        <translation>水平居中(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Right</source>
        <translation>右(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Top</source>
        <translation>上(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Middle</source>
        <translation>垂直居中(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Bottom</source>
        <translation>下(&amp;B)</translation>
    </message>
    <message>
        <source>Align the selected operators</source>
        <translation>对齐所选算子</translation>
    </message>
    <message>
        <source>Al&amp;ign</source>
        <translation>对齐(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Start from what beat the search</source>
        <translation>从胜过搜索的调度开始(&amp;S)</translation>
    </message>
    <message>
        <source>Optimize begins with the hand-made schedule that was faster than a search, and finds nothing worse</source>
        <translation>优化时从比搜索结果更快的手工调度开始，结果不会更差</translation>
    </message>
    <message>
        <source>&amp;Unfinished graphs</source>
        <translation>未完成的计算图(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Guide</source>
        <translation>指南(&amp;G)</translation>
    </message>
    <message>
        <source>Two pages with pictures: draw a network, change a schedule</source>
        <translation>两页带图的说明：绘制网络，更改调度</translation>
    </message>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
    <message>
        <source>Dra&amp;wing…</source>
        <translation>绘图(&amp;W)…</translation>
    </message>
    <message>
        <source>Measure on this &amp;machine</source>
        <translation>在本机上测量(&amp;M)</translation>
    </message>
    <message>
        <source>Search the schedules and run them for real on this machine&apos;s best device</source>
        <translation>搜索调度，并在本机最好的设备上实际运行</translation>
    </message>
    <message>
        <source>Help &amp;topics</source>
        <translation>帮助主题(&amp;T)</translation>
    </message>
    <message>
        <source>The command line, measurements, figures, GPU servers and more, one page each</source>
        <translation>命令行、测量、图表、GPU 服务器等，每个主题一页（英文）</translation>
    </message>
</context>
<context>
    <name>iosx::AttributeForm</name>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Attributes of the selected operator</source>
        <translation>所选算子的属性</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>单元</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>Reads</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Gives</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单元</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>This is no number</source>
        <translation>这不是数字</translation>
    </message>
    <message>
        <source>Whole numbers are needed here, as in 3 × 3</source>
        <translation>这里需要整数，例如 3 × 3</translation>
    </message>
    <message>
        <source>Select an operator to change what it computes</source>
        <translation>选择一个算子以更改它的计算</translation>
    </message>
    <message>
        <source>%1 operators are selected</source>
        <translation>已选 %1 个算子</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Add an input</source>
        <translation>添加输入</translation>
    </message>
    <message>
        <source>Channels of input %1</source>
        <translation>输入 %1 的通道</translation>
    </message>
    <message>
        <source>all channels</source>
        <translation>全部通道</translation>
    </message>
    <message>
        <source>Which channels are read, as 0 – 64: from the first on, without the last; empty: all</source>
        <translation>读取哪些通道，如 0 – 64：含起始通道，不含末尾通道；留空表示全部</translation>
    </message>
    <message>
        <source>Read input %1 before the one above it</source>
        <translation>将输入 %1 上移</translation>
    </message>
    <message>
        <source>Read input %1 after the one below it</source>
        <translation>将输入 %1 下移</translation>
    </message>
    <message>
        <source>Remove input %1</source>
        <translation>移除输入 %1</translation>
    </message>
    <message>
        <source>Two whole numbers are needed here, as in 0 – 64</source>
        <translation>此处需要两个整数，如 0 – 64</translation>
    </message>
    <message>
        <source>%1. nothing yet</source>
        <translation>%1. 尚未连接</translation>
    </message>
    <message>
        <source>%1. It stays as it was</source>
        <translation>%1。保持原样</translation>
    </message>
</context>
<context>
    <name>iosx::Attributes</name>
    <message>
        <source>Dilation</source>
        <translation>膨胀</translation>
    </message>
    <message>
        <source>Channel groups</source>
        <translation>通道分组</translation>
    </message>
    <message>
        <source>Output padding</source>
        <translation>输出填充</translation>
    </message>
    <message>
        <source>Pooling</source>
        <translation>池化</translation>
    </message>
    <message>
        <source>maximum</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>average</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>maximum of the whole map</source>
        <translation>全图最大</translation>
    </message>
    <message>
        <source>average of the whole map</source>
        <translation>全图平均</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Stride</source>
        <translation>步幅</translation>
    </message>
    <message>
        <source>Padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>More padding after</source>
        <translation>末端额外填充</translation>
    </message>
    <message>
        <source>Round sizes up</source>
        <translation>尺寸向上取整</translation>
    </message>
    <message>
        <source>Count the padding</source>
        <translation>计入填充</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>Output features</source>
        <translation>输出特征数</translation>
    </message>
    <message>
        <source>Features from axis</source>
        <translation>特征起始轴</translation>
    </message>
    <message>
        <source>Cell</source>
        <translation>单元类型</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>forwards</source>
        <translation>正向</translation>
    </message>
    <message>
        <source>backwards</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>both</source>
        <translation>双向</translation>
    </message>
    <message>
        <source>Hidden units</source>
        <translation>隐藏单元数</translation>
    </message>
    <message>
        <source>Reset after the product</source>
        <translation>乘积之后重置</translation>
    </message>
    <message>
        <source>Peepholes</source>
        <translation>窥视孔</translation>
    </message>
    <message>
        <source>Give the last cell state</source>
        <translation>给出最后的细胞状态</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>取最大</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>places</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>nearest</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>cubic</source>
        <translation>三次</translation>
    </message>
    <message>
        <source>Outside</source>
        <translation>边界外</translation>
    </message>
    <message>
        <source>zeros</source>
        <translation>零</translation>
    </message>
    <message>
        <source>the border</source>
        <translation>边缘值</translation>
    </message>
    <message>
        <source>reflected</source>
        <translation>反射</translation>
    </message>
    <message>
        <source>Align corners</source>
        <translation>角点对齐</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>Begins</source>
        <translation>起点</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步长</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>常数</translation>
    </message>
    <message>
        <source>reflect</source>
        <translation>反射</translation>
    </message>
    <message>
        <source>edge</source>
        <translation>边缘</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Coordinates</source>
        <translation>坐标</translation>
    </message>
    <message>
        <source>half pixel</source>
        <translation>半像素</translation>
    </message>
    <message>
        <source>half pixel, as PyTorch</source>
        <translation>半像素（同 PyTorch）</translation>
    </message>
    <message>
        <source>corners aligned</source>
        <translation>角点对齐</translation>
    </message>
    <message>
        <source>asymmetric</source>
        <translation>非对称</translation>
    </message>
    <message>
        <source>Rounding</source>
        <translation>取整</translation>
    </message>
    <message>
        <source>to the nearest, halves down</source>
        <translation>最近，半数向下</translation>
    </message>
    <message>
        <source>to the nearest, halves up</source>
        <translation>最近，半数向上</translation>
    </message>
    <message>
        <source>down</source>
        <translation>向下</translation>
    </message>
    <message>
        <source>up</source>
        <translation>向上</translation>
    </message>
    <message>
        <source>Takes</source>
        <translation>取</translation>
    </message>
    <message>
        <source>slices</source>
        <translation>切片</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>From axis</source>
        <translation>起始轴</translation>
    </message>
    <message>
        <source>Take the mean off</source>
        <translation>减去均值</translation>
    </message>
    <message>
        <source>Scale and bias</source>
        <translation>缩放与偏置</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>Bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>Keep the axes</source>
        <translation>保留轴</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Axis</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Output channels</source>
        <translation>输出通道</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>卷积核</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活</translation>
    </message>
</context>
<context>
    <name>iosx::BoardPage</name>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Go to the stages of a part</source>
        <translation>转到某个部分的阶段</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>拆分</translation>
    </message>
    <message>
        <source>What is selected of the stage becomes a stage of its own; in halves where nothing is (S)</source>
        <translation>阶段中选中的部分成为单独的阶段；未选中任何部分时对半拆分 (S)</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>The stage and the next one become one (J)</source>
        <translation>将该阶段与下一个阶段连接为一个 (J)</translation>
    </message>
    <message>
        <source>New stage</source>
        <translation>新阶段</translation>
    </message>
    <message>
        <source>Put what is selected into a stage of its own (N)</source>
        <translation>将选中的内容放入单独的阶段 (N)</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Compute the selected convolutions as one larger one (M)</source>
        <translation>将选中的卷积合并为一个更大的卷积计算 (M)</translation>
    </message>
    <message>
        <source>Take apart</source>
        <translation>拆开</translation>
    </message>
    <message>
        <source>Compute what is merged one by one (T)</source>
        <translation>将合并的内容逐个计算 (T)</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁定</translation>
    </message>
    <message>
        <source>A locked stage refuses changes, and a search keeps it; again: unlock (L)</source>
        <translation>锁定的阶段拒绝更改，搜索会保留它；再次操作则解锁 (L)</translation>
    </message>
    <message>
        <source>Fill by IOS</source>
        <translation>由 IOS 填充</translation>
    </message>
    <message>
        <source>Keep the locked stages and search the rest: never worse than it is now</source>
        <translation>保留锁定的阶段，搜索其余部分：绝不会比现在差</translation>
    </message>
    <message>
        <source>Search from here</source>
        <translation>从此处搜索</translation>
    </message>
    <message>
        <source>Search with every stage of this schedule on offer: never worse than it is now</source>
        <translation>以此调度的每个阶段为候选进行搜索：绝不会比现在差</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Edit a copy</source>
        <translation>编辑副本</translation>
    </message>
    <message>
        <source>Start from the schedule that is shown; what was changed is one step back</source>
        <translation>从所显示的调度开始；之前的更改可一步撤回</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Measure the stages whose latencies are not known</source>
        <translation>测量延迟未知的阶段</translation>
    </message>
    <message>
        <source>after each drop</source>
        <translation>每次放下后</translation>
    </message>
    <message>
        <source>Measure changed stages after every change, without being asked</source>
        <translation>每次更改后自动测量更改的阶段</translation>
    </message>
    <message>
        <source>Verify outputs</source>
        <translation>验证输出</translation>
    </message>
    <message>
        <source>Run it and compare what it computes with what the sequential schedule does</source>
        <translation>运行它，并将其计算结果与顺序调度的结果比较</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Write this schedule to a file</source>
        <translation>将此调度写入文件</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run it end to end: it then stands among the schedules of the run</source>
        <translation>端到端运行：之后它与该次运行的其他调度并列</translation>
    </message>
    <message>
        <source>Nothing to undo</source>
        <translation>没有可撤销的操作</translation>
    </message>
    <message>
        <source>Undo: %1</source>
        <translation>撤销：%1</translation>
    </message>
    <message>
        <source>Nothing to redo</source>
        <translation>没有可重做的操作</translation>
    </message>
    <message>
        <source>Redo: %1</source>
        <translation>重做：%1</translation>
    </message>
    <message>
        <source>mine</source>
        <translation>我的</translation>
    </message>
    <message>
        <source>No schedule is being changed</source>
        <translation>没有正在更改的调度</translation>
    </message>
    <message>
        <source>1 stage is not measured on this device</source>
        <translation>1 个阶段尚未在此设备上测量</translation>
    </message>
    <message>
        <source>%1 stages are not measured on this device</source>
        <translation>%1 个阶段尚未在此设备上测量</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>stage %1: %2</source>
        <translation>阶段 %1：%2</translation>
    </message>
    <message>
        <source>Faster than %1 by %2.</source>
        <translation>比 %1 快 %2。</translation>
    </message>
    <message>
        <source>The search could not take %1</source>
        <translation>搜索无法采用：%1</translation>
    </message>
    <message>
        <source>The search was free to take its stages, and did not look at them.</source>
        <translation>搜索本可采用这些阶段，但没有查看它们。</translation>
    </message>
    <message>
        <source>%1, batch %2: the sum of the stages, each by itself, and of the gaps between them. Run says what all take end to end.</source>
        <translation>%1，批大小 %2：各阶段单独的延迟与其间隔之和。“运行”给出端到端的总延迟。</translation>
    </message>
    <message>
        <source>against %1:</source>
        <translation>与 %1 相比：</translation>
    </message>
    <message>
        <source>Later searches start from it.</source>
        <translation>以后的搜索将从它开始。</translation>
    </message>
    <message>
        <source>Filling…</source>
        <translation>正在填充…</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>; and so %1 more.</source>
        <translation>；另有 %1 个阶段也是如此。</translation>
    </message>
</context>
<context>
    <name>iosx::CanvasPair</name>
    <message>
        <source>stages %1 → %2: %3</source>
        <translation>阶段 %1 → %2：%3</translation>
    </message>
    <message>
        <source>&amp;Move together</source>
        <translation>同步移动(&amp;M)</translation>
    </message>
    <message>
        <source>Both canvases show the same place and the same selection</source>
        <translation>两个画布显示相同的位置和相同的选择</translation>
    </message>
    <message>
        <source>A: %1</source>
        <translation>A：%1</translation>
    </message>
    <message>
        <source>B: %1</source>
        <translation>B：%1</translation>
    </message>
    <message>
        <source>%1, a sample</source>
        <translation>%1，每样本</translation>
    </message>
</context>
<context>
    <name>iosx::CommandPalette</name>
    <message>
        <source>not possible: %1</source>
        <translation>不可用：%1</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>Built-in networks</source>
        <translation>内置网络</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>显示 %1</translation>
    </message>
    <message>
        <source>Schedules ▸ %1, %2</source>
        <translation>调度 ▸ %1，%2</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Type a few letters of an action, a network, a file or a schedule</source>
        <translation>键入操作、网络、文件或调度名称中的几个字母</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>要做什么</translation>
    </message>
    <message>
        <source>What fits, the best first</source>
        <translation>匹配的内容，最佳者在前</translation>
    </message>
    <message>
        <source>Nothing here is called that</source>
        <translation>没有以此命名的内容</translation>
    </message>
</context>
<context>
    <name>iosx::CompareController</name>
    <message>
        <source>Experiments</source>
        <translation>实验</translation>
    </message>
</context>
<context>
    <name>iosx::CompareMenu</name>
    <message>
        <source>&amp;Copy value</source>
        <translation>复制值(&amp;C)</translation>
    </message>
    <message>
        <source>Copy as te&amp;xt</source>
        <translation>复制为文本(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;Remove this measurement</source>
        <translation>移除此测量(&amp;R)</translation>
    </message>
    <message>
        <source>Show the stage of &amp;A in Explore</source>
        <translation>在“浏览”中显示 A 的阶段(&amp;A)</translation>
    </message>
    <message>
        <source>Show the stage of &amp;B in Explore</source>
        <translation>在“浏览”中显示 B 的阶段(&amp;B)</translation>
    </message>
    <message>
        <source>Copy row as te&amp;xt</source>
        <translation>把行复制为文本(&amp;X)</translation>
    </message>
    <message>
        <source>Copy row as CS&amp;V</source>
        <translation>把行复制为 CSV(&amp;V)</translation>
    </message>
    <message>
        <source>Copy &amp;table as CSV</source>
        <translation>把表复制为 CSV(&amp;T)</translation>
    </message>
    <message>
        <source>Make it the &amp;baseline</source>
        <translation>设为基线(&amp;B)</translation>
    </message>
    <message>
        <source>Show it be&amp;side the baseline</source>
        <translation>在基线旁显示(&amp;S)</translation>
    </message>
    <message>
        <source>Show it in &amp;Explore</source>
        <translation>在“浏览”中显示(&amp;E)</translation>
    </message>
    <message>
        <source>Export this &amp;figure…</source>
        <translation>导出此图(&amp;F)…</translation>
    </message>
</context>
<context>
    <name>iosx::ComparePage</name>
    <message>
        <source>Parts and schedules</source>
        <translation>部分与调度</translation>
    </message>
    <message>
        <source>A and B, stage against stage</source>
        <translation>A 与 B，逐阶段</translation>
    </message>
    <message>
        <source>Statistics of the schedules</source>
        <translation>调度的统计</translation>
    </message>
    <message>
        <source>Only what &amp;differs</source>
        <translation>只看有差异的(&amp;D)</translation>
    </message>
    <message>
        <source>Comparison of runs</source>
        <translation>运行比较</translation>
    </message>
    <message>
        <source>&amp;Baseline (A):</source>
        <translation>基线 (A)(&amp;B)：</translation>
    </message>
    <message>
        <source>What all others are compared with</source>
        <translation>其他所有内容与之比较的对象</translation>
    </message>
    <message>
        <source>Beside it (&amp;B):</source>
        <translation>并列显示 (B)(&amp;B)：</translation>
    </message>
    <message>
        <source>What the second canvas and the table of stages show</source>
        <translation>第二个画布和阶段表显示的内容</translation>
    </message>
    <message>
        <source>Filter by unit, part or change</source>
        <translation>按单元、部分或改动筛选</translation>
    </message>
    <message>
        <source>Filter of the stages</source>
        <translation>阶段的筛选</translation>
    </message>
    <message>
        <source>Stage against stage</source>
        <translation>逐阶段对比</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
</context>
<context>
    <name>iosx::ComparedRuns</name>
    <message>
        <source>Timelines of what is compared</source>
        <translation>被比较内容的时间线</translation>
    </message>
    <message>
        <source>Show what is picked</source>
        <translation>显示所选项</translation>
    </message>
    <message>
        <source>These two are shown because of the question above; what is picked has not changed</source>
        <translation>因上方的问题而显示这两项；所选项没有改变</translation>
    </message>
</context>
<context>
    <name>iosx::ComparisonChart</name>
    <message>
        <source>End-to-end latency of the schedules</source>
        <translation>各调度的端到端延迟</translation>
    </message>
</context>
<context>
    <name>iosx::ConvergenceChart</name>
    <message>
        <source>%1: %2 after %3 stages, %4</source>
        <translation>%1：%3 个阶段之后为 %2，%4</translation>
    </message>
    <message>
        <source>; certified bound %1</source>
        <translation>；已证明的下界 %1</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Course of the searches</source>
        <translation>搜索的过程</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>What the curves are drawn over</source>
        <translation>曲线的横轴</translation>
    </message>
    <message>
        <source>over stages</source>
        <translation>按阶段数</translation>
    </message>
    <message>
        <source>over seconds</source>
        <translation>按秒</translation>
    </message>
    <message>
        <source>Latencies from the best to the first schedule of a search; bounds may lie outside</source>
        <translation>从最佳调度到搜索的首个调度的延迟；界可能在范围之外</translation>
    </message>
    <message>
        <source>No search yet. Optimize searches schedules for this network.</source>
        <translation>尚未搜索。“优化”为该网络搜索调度。</translation>
    </message>
</context>
<context>
    <name>iosx::Core</name>
    <message>
        <source>Sequential</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>IOS-Merge</source>
        <translation>IOS-Merge</translation>
    </message>
    <message>
        <source>IOS-Parallel</source>
        <translation>IOS-Parallel</translation>
    </message>
    <message>
        <source>IOS-Both</source>
        <translation>IOS-Both</translation>
    </message>
    <message>
        <source>From a file</source>
        <translation>来自文件</translation>
    </message>
    <message>
        <source>By hand</source>
        <translation>手工</translation>
    </message>
    <message>
        <source>both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>parallel</source>
        <translation>并行</translation>
    </message>
    <message>
        <source>merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>it takes at least two units</source>
        <translation>至少需要两个单元</translation>
    </message>
    <message>
        <source>a unit is not exactly one convolution</source>
        <translation>有单元不恰好是一个卷积</translation>
    </message>
    <message>
        <source>they do not all read the same channels of the same tensor</source>
        <translation>它们并非都读取同一张量的相同通道</translation>
    </message>
    <message>
        <source>a convolution has groups</source>
        <translation>有卷积是分组的</translation>
    </message>
    <message>
        <source>their strides differ</source>
        <translation>它们的步幅不同</translation>
    </message>
    <message>
        <source>their dilations differ</source>
        <translation>它们的空洞不同</translation>
    </message>
    <message>
        <source>their activations differ</source>
        <translation>它们的激活不同</translation>
    </message>
    <message>
        <source>their output sizes differ</source>
        <translation>它们的输出尺寸不同</translation>
    </message>
    <message>
        <source>a kernel cannot be centred in the largest one with the padding it has</source>
        <translation>有卷积核以其填充无法在最大的核中居中</translation>
    </message>
    <message>
        <source>Schedules</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Latency of sequential, greedy, IOS-Merge, IOS-Parallel and IOS-Both</source>
        <translation>顺序、贪心、IOS-Merge、IOS-Parallel 与 IOS-Both 的延迟</translation>
    </message>
    <message>
        <source>Pruning</source>
        <translation>剪枝</translation>
    </message>
    <message>
        <source>What smaller r and s save of the search, and cost in latency</source>
        <translation>较小的 r 和 s 能省多少搜索，又增加多少延迟</translation>
    </message>
    <message>
        <source>Batch sizes</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>A schedule found for one batch size, run with another</source>
        <translation>为一种批大小找到的调度，用另一种批大小运行</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>A schedule found on one device, run on another</source>
        <translation>在一个设备上找到的调度，在另一个设备上运行</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>Samples a second over batch sizes</source>
        <translation>不同批大小下每秒的样本数</translation>
    </message>
    <message>
        <source>Utilization</source>
        <translation>利用率</translation>
    </message>
    <message>
        <source>How full the device is over time, sequential against IOS-Both</source>
        <translation>设备随时间的占用情况，顺序与 IOS-Both 对比</translation>
    </message>
    <message>
        <source>Search cost</source>
        <translation>搜索代价</translation>
    </message>
    <message>
        <source>What lazy search saves of exhaustive search, and what it loses</source>
        <translation>惰性搜索比穷举搜索节省多少，又损失多少</translation>
    </message>
    <message>
        <source>found for batch</source>
        <translation>为批大小找到</translation>
    </message>
    <message>
        <source>run at batch</source>
        <translation>以批大小运行</translation>
    </message>
    <message>
        <source>found on</source>
        <translation>找到于</translation>
    </message>
    <message>
        <source>run on</source>
        <translation>运行于</translation>
    </message>
    <message>
        <source>schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>ending rule</source>
        <translation>末端规则</translation>
    </message>
    <message>
        <source>search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>stages needed</source>
        <translation>需要的阶段数</translation>
    </message>
    <message>
        <source>of them measured</source>
        <translation>其中已测量</translation>
    </message>
    <message>
        <source>transitions</source>
        <translation>转移数</translation>
    </message>
    <message>
        <source>speed-up</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>95 % from</source>
        <translation>95 % 自</translation>
    </message>
    <message>
        <source>to</source>
        <translation>至</translation>
    </message>
    <message>
        <source>stages</source>
        <translation>阶段数</translation>
    </message>
    <message>
        <source>of all</source>
        <translation>占全部</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>certified gap</source>
        <translation>已证明的差距</translation>
    </message>
    <message>
        <source>estimated gap</source>
        <translation>估计的差距</translation>
    </message>
    <message>
        <source>throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>mean of active warps</source>
        <translation>活跃线程束平均</translation>
    </message>
    <message>
        <source>mean of busy cores</source>
        <translation>忙碌核心平均</translation>
    </message>
    <message>
        <source>mean of kernels in flight</source>
        <translation>执行中内核平均</translation>
    </message>
    <message>
        <source>of what the device holds</source>
        <translation>占设备容量</translation>
    </message>
    <message>
        <source>against sequential</source>
        <translation>相对顺序</translation>
    </message>
    <message>
        <source>active warps</source>
        <translation>活跃线程束</translation>
    </message>
    <message>
        <source>busy cores</source>
        <translation>忙碌核心</translation>
    </message>
    <message>
        <source>kernels in flight</source>
        <translation>执行中的内核</translation>
    </message>
    <message>
        <source>warps</source>
        <translation>线程束</translation>
    </message>
    <message>
        <source>cores</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>kernels</source>
        <translation>内核数</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>Networks of the IOS paper</source>
        <translation>IOS 论文中的网络</translation>
    </message>
    <message>
        <source>Classification</source>
        <translation>分类</translation>
    </message>
    <message>
        <source>Detection and segmentation</source>
        <translation>检测与分割</translation>
    </message>
    <message>
        <source>Transformers</source>
        <translation>Transformer</translation>
    </message>
    <message>
        <source>IOS sample network</source>
        <translation>IOS 示例网络</translation>
    </message>
    <message>
        <source>SqueezeNet 1.0 with complex bypass</source>
        <translation>SqueezeNet 1.0（带复杂旁路）</translation>
    </message>
    <message>
        <source>RandWire with 320 nodes</source>
        <translation>RandWire（320 个节点）</translation>
    </message>
    <message>
        <source>ViT-S/16 with parallel heads</source>
        <translation>ViT-S/16（并行注意力头）</translation>
    </message>
    <message>
        <source>BERT-Base encoder</source>
        <translation>BERT-Base 编码器</translation>
    </message>
    <message>
        <source>Mixture of 8 experts</source>
        <translation>8 专家混合</translation>
    </message>
    <message>
        <source>Ding et al. 2021, figure 2: four convolutions, 375x15x15</source>
        <translation>Ding 等 2021，图 2：四个卷积，375x15x15</translation>
    </message>
    <message>
        <source>Szegedy et al. 2016, without the classifier, 3x299x299</source>
        <translation>Szegedy 等 2016，不含分类器，3x299x299</translation>
    </message>
    <message>
        <source>Zoph et al. 2018, 6@4032, as benchmarked by IOS, 3x331x331</source>
        <translation>Zoph 等 2018，6@4032，与 IOS 的基准一致，3x331x331</translation>
    </message>
    <message>
        <source>Xie et al. 2019, Watts-Strogatz(32, 4, 0.75), 3x224x224</source>
        <translation>Xie 等 2019，Watts-Strogatz(32, 4, 0.75)，3x224x224</translation>
    </message>
    <message>
        <source>Krizhevsky 2014, one column, 3x224x224</source>
        <translation>Krizhevsky 2014，单列，3x224x224</translation>
    </message>
    <message>
        <source>He et al. 2016, stride in the 3x3 convolutions, 3x224x224</source>
        <translation>He 等 2016，步幅在 3x3 卷积中，3x224x224</translation>
    </message>
    <message>
        <source>Szegedy et al. 2015, without auxiliary classifiers, 3x224x224</source>
        <translation>Szegedy 等 2015，不含辅助分类器，3x224x224</translation>
    </message>
    <message>
        <source>Szegedy et al. 2017, without auxiliary classifier, 3x299x299</source>
        <translation>Szegedy 等 2017，不含辅助分类器，3x299x299</translation>
    </message>
    <message>
        <source>Wang et al. 2020, for classification, 3x224x224</source>
        <translation>Wang 等 2020，用于分类，3x224x224</translation>
    </message>
    <message>
        <source>as RandWire, Watts-Strogatz(320, 20, 0.75), channels / √10, 3x224x224</source>
        <translation>同 RandWire，Watts-Strogatz(320, 20, 0.75)，通道数 / √10，3x224x224</translation>
    </message>
    <message>
        <source>Ge et al. 2021, outputs not decoded, 3x640x640</source>
        <translation>Ge 等 2021，输出未解码，3x640x640</translation>
    </message>
    <message>
        <source>Tan et al. 2020, outputs not decoded, 3x512x512</source>
        <translation>Tan 等 2020，输出未解码，3x512x512</translation>
    </message>
    <message>
        <source>Ronneberger et al. 2015, unpadded, 1x572x572</source>
        <translation>Ronneberger 等 2015，无填充，1x572x572</translation>
    </message>
    <message>
        <source>Dosovitskiy et al. 2021, 12 blocks, 3x224x224</source>
        <translation>Dosovitskiy 等 2021，12 个块，3x224x224</translation>
    </message>
    <message>
        <source>Touvron et al. 2021; blocks as in ViT-22B, each head a branch, 3x224x224</source>
        <translation>Touvron 等 2021；块同 ViT-22B，每个头为一个分支，3x224x224</translation>
    </message>
    <message>
        <source>Devlin et al. 2019, 12 layers on embedded tokens, 128x768</source>
        <translation>Devlin 等 2019，作用于嵌入词元的 12 层，128x768</translation>
    </message>
    <message>
        <source>Fedus et al. 2022, a layer of Switch-Base, every expert computed, 128x768</source>
        <translation>Fedus 等 2022，Switch-Base 的一层，计算每个专家，128x768</translation>
    </message>
    <message>
        <source>cutting into parts</source>
        <translation>正在切分为部分</translation>
    </message>
    <message>
        <source>listing alternatives</source>
        <translation>正在列出备选方案</translation>
    </message>
    <message>
        <source>listing the stages of part %1</source>
        <translation>正在列出部分 %1 的阶段</translation>
    </message>
    <message>
        <source>measuring stages</source>
        <translation>正在测量阶段</translation>
    </message>
    <message>
        <source>measuring the stages of %1</source>
        <translation>正在测量 %1 的阶段</translation>
    </message>
    <message>
        <source>preparing %1</source>
        <translation>正在准备 %1</translation>
    </message>
    <message>
        <source>profiling %1</source>
        <translation>正在剖析 %1</translation>
    </message>
    <message>
        <source>running end to end</source>
        <translation>正在端到端运行</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>about %1 h %2 min</source>
        <translation>约 %1 h %2 min</translation>
    </message>
    <message>
        <source>about %1 h</source>
        <translation>约 %1 h</translation>
    </message>
    <message>
        <source>about %1 min</source>
        <translation>约 %1 min</translation>
    </message>
    <message>
        <source>about %1 s</source>
        <translation>约 %1 s</translation>
    </message>
    <message>
        <source>a few seconds</source>
        <translation>几秒</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>recorded on %1, %2</source>
        <comment>a machine, a time</comment>
        <translation>记录于 %1，%2</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>batch size (samples)</source>
        <translation>批大小（样本）</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Units in a group (r)</source>
        <translation>组内单元数 (r)</translation>
    </message>
    <message>
        <source>r, units in a group at most</source>
        <translation>r，每组最多单元数</translation>
    </message>
    <message>
        <source>Groups in a stage (s)</source>
        <translation>阶段内组数 (s)</translation>
    </message>
    <message>
        <source>s, groups in a stage at most</source>
        <translation>s，每阶段最多组数</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>流</translation>
    </message>
    <message>
        <source>streams (s, and those of greedy)</source>
        <translation>流数（s 与贪心的流数）</translation>
    </message>
    <message>
        <source>Input size</source>
        <translation>输入尺寸</translation>
    </message>
    <message>
        <source>input height (pixels; of text, tokens)</source>
        <translation>输入高度（像素；文本为词元）</translation>
    </message>
    <message>
        <source>Output channels</source>
        <translation>输出通道</translation>
    </message>
    <message>
        <source>output channels</source>
        <translation>输出通道</translation>
    </message>
    <message>
        <source>Kernel size</source>
        <translation>内核大小</translation>
    </message>
    <message>
        <source>kernel size (pixels)</source>
        <translation>内核大小（像素）</translation>
    </message>
    <message>
        <source>unlimited</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <source>Inception branches</source>
        <translation>Inception 分支</translation>
    </message>
    <message>
        <source>1×1, 5×5, twice 3×3 and pooling beside one another, joined</source>
        <translation>1×1、5×5、两次 3×3 与池化并列，然后拼接</translation>
    </message>
    <message>
        <source>a feature map</source>
        <translation>特征图</translation>
    </message>
    <message>
        <source>Inception branch 1×7, 7×1</source>
        <translation>Inception 分支 1×7、7×1</translation>
    </message>
    <message>
        <source>A 7×7 convolution as two lines</source>
        <translation>以两条线代替 7×7 卷积</translation>
    </message>
    <message>
        <source>NASNet separable unit</source>
        <translation>NASNet 可分离单元</translation>
    </message>
    <message>
        <source>relu, depthwise and pointwise convolution, twice, as one unit</source>
        <translation>ReLU、逐通道与逐点卷积各两次，合为一个单元</translation>
    </message>
    <message>
        <source>a feature map of 64 channels</source>
        <translation>64 通道的特征图</translation>
    </message>
    <message>
        <source>Residual</source>
        <translation>残差</translation>
    </message>
    <message>
        <source>Two 3×3 convolutions and the way around them</source>
        <translation>两个 3×3 卷积以及绕过它们的通路</translation>
    </message>
    <message>
        <source>Squeeze-expand</source>
        <translation>压缩-扩展</translation>
    </message>
    <message>
        <source>A 1×1 convolution that 1×1 and 3×3 ones read, joined</source>
        <translation>1×1 卷积，由 1×1 与 3×3 卷积读取后拼接</translation>
    </message>
    <message>
        <source>Squeeze-and-excitation</source>
        <translation>压缩-激励</translation>
    </message>
    <message>
        <source>Channels weighed by what their means say</source>
        <translation>按均值给通道加权</translation>
    </message>
    <message>
        <source>Attention heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Four heads beside one another</source>
        <translation>四个并列的头</translation>
    </message>
    <message>
        <source>tokens × 64 features</source>
        <translation>词元 × 64 特征</translation>
    </message>
    <message>
        <source>Mixture of experts</source>
        <translation>专家混合</translation>
    </message>
    <message>
        <source>Four experts beside one another, weighed by a gate</source>
        <translation>四个并列的专家，由门控加权</translation>
    </message>
</context>
<context>
    <name>iosx::Edit</name>
    <message>
        <source>Connect {} to {}</source>
        <translation>将 {} 连到 {}</translation>
    </message>
    <message>
        <source>Disconnect {} from {}</source>
        <translation>断开 {} 与 {}</translation>
    </message>
    <message>
        <source>Add an input to {}</source>
        <translation>给 {} 增加一个输入</translation>
    </message>
    <message>
        <source>Remove an input of {}</source>
        <translation>去掉 {} 的一个输入</translation>
    </message>
    <message>
        <source>Reorder the inputs of {}</source>
        <translation>重排 {} 的输入</translation>
    </message>
    <message>
        <source>Add {}</source>
        <translation>添加 {}</translation>
    </message>
    <message>
        <source>Insert {}</source>
        <translation>插入 {}</translation>
    </message>
    <message>
        <source>Insert {} between {} and {}</source>
        <translation>插入 {}，在 {} 与 {} 之间</translation>
    </message>
    <message>
        <source>Remove {}</source>
        <translation>删除 {}</translation>
    </message>
    <message>
        <source>Remove {} operators</source>
        <translation>删除 {} 个算子</translation>
    </message>
    <message>
        <source>Rename {} to {}</source>
        <translation>将 {} 改名为 {}</translation>
    </message>
    <message>
        <source>Change {}</source>
        <translation>更改 {}</translation>
    </message>
    <message>
        <source>Give {} a bias</source>
        <translation>给 {} 加上偏置</translation>
    </message>
    <message>
        <source>Take the bias from {}</source>
        <translation>去掉 {} 的偏置</translation>
    </message>
    <message>
        <source>Group {} operators as {}</source>
        <translation>将 {} 个算子合组为 {}</translation>
    </message>
    <message>
        <source>Split {}</source>
        <translation>拆分 {}</translation>
    </message>
    <message>
        <source>Describe {}</source>
        <translation>描述 {}</translation>
    </message>
    <message>
        <source>Begin part {} with {}</source>
        <translation>新部分 {} 从 {} 开始</translation>
    </message>
    <message>
        <source>Join parts {} and {}</source>
        <translation>合并部分 {} 与 {}</translation>
    </message>
    <message>
        <source>Move {}</source>
        <translation>移动 {}</translation>
    </message>
    <message>
        <source>Move {} operators</source>
        <translation>移动 {} 个算子</translation>
    </message>
    <message>
        <source>Let the layout place {}</source>
        <translation>由布局放置 {}</translation>
    </message>
    <message>
        <source>Let the layout place {} operators</source>
        <translation>由布局放置 {} 个算子</translation>
    </message>
    <message>
        <source>Align {}</source>
        <translation>对齐 {}</translation>
    </message>
    <message>
        <source>Align {} operators</source>
        <translation>对齐 {} 个算子</translation>
    </message>
    <message>
        <source>Duplicate as {}</source>
        <translation>复制为 {}</translation>
    </message>
    <message>
        <source>Duplicate operators of {}</source>
        <translation>复制 {} 的算子</translation>
    </message>
    <message>
        <source>{} is a circle; no operator can read what comes of itself</source>
        <translation>{} 成环；算子不能读取由自身得出的结果</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is a constant of one number, which is missing</source>
        <translation>“{}”是单个数的常量，而这个数缺失</translation>
    </message>
    <message>
        <source>the weights given to &apos;{}&apos; are for other sizes than it has now; made-up ones stand in</source>
        <translation>给“{}”的权重与现在的尺寸不符；以虚构的权重代替</translation>
    </message>
    <message>
        <source>&apos;{}&apos; reads channels {} to {} of &apos;{}&apos;, which has {}</source>
        <translation>“{}”读取通道 {} 到 {}，来自“{}”，它共有 {}</translation>
    </message>
    <message>
        <source>&apos;{}&apos; ({}) reads nothing yet</source>
        <translation>“{}”（{}）尚未读取任何内容</translation>
    </message>
    <message>
        <source>nothing is connected to input {} of {} of &apos;{}&apos; ({})</source>
        <translation>输入 {}（共 {} 个）空着：“{}”（{}）</translation>
    </message>
    <message>
        <source>&apos;{}&apos; ({}) has inputs: {}; it needs at least {}</source>
        <translation>“{}”（{}）的输入数：{}；至少需要 {}</translation>
    </message>
    <message>
        <source>&apos;{}&apos; ({}) has inputs: {}; it takes at most {}</source>
        <translation>“{}”（{}）的输入数：{}；至多接受 {}</translation>
    </message>
    <message>
        <source>&apos;{}&apos; ({}): {}</source>
        <translation>“{}”（{}）：{}</translation>
    </message>
    <message>
        <source>&apos;{}&apos; ({}): {}; it reads {}</source>
        <translation>“{}”（{}）：{}；它读取 {}</translation>
    </message>
    <message>
        <source>an operator ({}) has no name</source>
        <translation>一个算子（{}）没有名称</translation>
    </message>
    <message>
        <source>the name &apos;{}&apos; is used twice</source>
        <translation>名称“{}”用了两次</translation>
    </message>
    <message>
        <source>the unit of &apos;{}&apos; has no name</source>
        <translation>“{}”的单元没有名称</translation>
    </message>
    <message>
        <source>two units are called &apos;{}&apos;</source>
        <translation>两个单元都叫“{}”</translation>
    </message>
    <message>
        <source>a unit is called &apos;{}&apos; as an operator that is not its last</source>
        <translation>一个单元叫“{}”，而同名算子不是它的最后一个</translation>
    </message>
    <message>
        <source>unit &apos;{}&apos; is read at &apos;{}&apos; and at &apos;{}&apos;; only its last operator can be read outside it</source>
        <translation>单元“{}”在“{}”和“{}”处被读取；单元外只能读取它的最后一个算子</translation>
    </message>
    <message>
        <source>unit &apos;{}&apos; is read at &apos;{}&apos;, which is inside it, before &apos;{}&apos;; only its last operator can be read outside it</source>
        <translation>单元“{}”在其内部的“{}”处被读取，位于“{}”之前；单元外只能读取它的最后一个算子</translation>
    </message>
    <message>
        <source>unit &apos;{}&apos; does not hang together: nothing in it connects &apos;{}&apos; and &apos;{}&apos;</source>
        <translation>单元“{}”不连通：其中没有内容连接“{}”与“{}”</translation>
    </message>
    <message>
        <source>unit &apos;{}&apos; both reads and is read by another unit: &apos;{}&apos; leads nowhere in it; it should be a unit of its own</source>
        <translation>单元“{}”与另一单元互相读取：“{}”在其中没有去处；它应自成一个单元</translation>
    </message>
    <message>
        <source>unit &apos;{}&apos; of part &apos;{}&apos; reads &apos;{}&apos;, which runs in the later part &apos;{}&apos;; it runs there too</source>
        <translation>单元“{}”（部分“{}”）读取“{}”，后者在更后的部分“{}”中运行；它也在那里运行</translation>
    </message>
    <message>
        <source>Open input</source>
        <translation>空着的输入</translation>
    </message>
    <message>
        <source>Number of inputs</source>
        <translation>输入数</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Circle</source>
        <translation>环</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单元</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>&apos;{}&apos; ({}) does not take {}: {}</source>
        <translation>“{}”（{}）不接受 {}：{}</translation>
    </message>
    <message>
        <source>that would be a circle: {}</source>
        <translation>这会形成环：{}</translation>
    </message>
    <message>
        <source>&apos;{}&apos; ({}) has no input {}; it takes {} as it is</source>
        <translation>“{}”（{}）没有输入 {}；目前有 {} 个输入</translation>
    </message>
    <message>
        <source>&apos;{}&apos; ({}) has no input {}; it takes {}</source>
        <translation>“{}”（{}）没有输入 {}；它接受 {} 个输入</translation>
    </message>
    <message>
        <source>&apos;{}&apos; ({}) takes {} input(s), no more and no fewer</source>
        <translation>“{}”（{}）恰好需要 {} 个输入</translation>
    </message>
    <message>
        <source>&apos;{}&apos; ({}) needs at least {} input(s)</source>
        <translation>“{}”（{}）至少需要 {} 个输入</translation>
    </message>
    <message>
        <source>&apos;{}&apos; ({}) is computed by nothing, so it is in no unit</source>
        <translation>“{}”（{}）不由任何计算得到，因此不属于任何单元</translation>
    </message>
    <message>
        <source>&apos;{}&apos; ({}) reads nothing</source>
        <translation>“{}”（{}）没有输入</translation>
    </message>
    <message>
        <source>&apos;{}&apos; cannot read itself</source>
        <translation>“{}”不能读取自身</translation>
    </message>
    <message>
        <source>&apos;{}&apos; has {} channels, not {} to {}</source>
        <translation>“{}”有 {} 个通道，没有 {} 至 {}</translation>
    </message>
    <message>
        <source>&apos;{}&apos; has no input {}</source>
        <translation>“{}”没有输入 {}</translation>
    </message>
    <message>
        <source>&apos;{}&apos; has {} input(s)</source>
        <translation>“{}”有 {} 个输入</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is one operator and cannot be split</source>
        <translation>“{}”只有一个算子，无法拆分</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is on a circle, so it has no place in a part</source>
        <translation>“{}”位于环上，因此不能划入任何部分</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is {} and stays one</source>
        <translation>“{}”的类型是 {}，不能改变</translation>
    </message>
    <message>
        <source>nothing is connected to input {} of &apos;{}&apos;</source>
        <translation>未连接输入 {}：“{}”</translation>
    </message>
    <message>
        <source>{} reads nothing, so it cannot stand on a connection</source>
        <translation>{} 没有输入，因此不能插入到连接上</translation>
    </message>
    <message>
        <source>another operator is called &apos;{}&apos;</source>
        <translation>另一个算子已命名为“{}”</translation>
    </message>
    <message>
        <source>another unit is called &apos;{}&apos;</source>
        <translation>另一个单元已命名为“{}”</translation>
    </message>
    <message>
        <source>an operator is called &apos;{}&apos;</source>
        <translation>有算子已命名为“{}”</translation>
    </message>
    <message>
        <source>a unit is called &apos;{}&apos;</source>
        <translation>有单元已命名为“{}”</translation>
    </message>
    <message>
        <source>a unit of one operator is what every operator is already; choose several</source>
        <translation>每个算子本身就是一个单元；请选择多个算子</translation>
    </message>
    <message>
        <source>part &apos;{}&apos; begins with &apos;{}&apos; already</source>
        <translation>部分“{}”已从“{}”开始</translation>
    </message>
    <message>
        <source>part &apos;{}&apos; is the first; there is none before it to join</source>
        <translation>部分“{}”是第一个，前面没有可以合并的部分</translation>
    </message>
    <message>
        <source>a name cannot be empty</source>
        <translation>名称不能为空</translation>
    </message>
    <message>
        <source>a name has at most {} bytes</source>
        <translation>名称最多 {} 字节</translation>
    </message>
</context>
<context>
    <name>iosx::EditCanvas</name>
    <message>
        <source>Graph that is drawn</source>
        <translation>正在绘制的计算图</translation>
    </message>
    <message>
        <source>Nothing is drawn yet. Drag an operator here from the palette, or press A, type its name and press Return.</source>
        <translation>还没有内容。把算子从面板拖到这里，或按 A，输入名称后按回车。</translation>
    </message>
    <message>
        <source>Name of the operator</source>
        <translation>算子的名称</translation>
    </message>
    <message>
        <source>reads %1</source>
        <translation>读取 %1</translation>
    </message>
    <message>
        <source>Find operators: part of a name, kind, unit or part</source>
        <translation>查找算子：名称、类型、单元或部分中的文字</translation>
    </message>
    <message>
        <source>Find operators by name, kind, unit, part</source>
        <translation>按名称、类型、单元、部分查找算子</translation>
    </message>
    <message>
        <source>Words that must all be there, in the name, the kind, the unit, the part or the problems</source>
        <translation>须全部出现的词，可在名称、类型、单元、部分或问题中</translation>
    </message>
</context>
<context>
    <name>iosx::EditLatencies</name>
    <message>
        <source>nothing is drawn that computes</source>
        <translation>尚未绘制任何进行计算的算子</translation>
    </message>
    <message>
        <source>there is no device</source>
        <translation>没有可用的设备</translation>
    </message>
    <message>
        <source>Measuring what is drawn</source>
        <translation>正在测量所绘制的计算图</translation>
    </message>
</context>
<context>
    <name>iosx::ExperimentDialog</name>
    <message>
        <source>Experiment: %1</source>
        <translation>实验：%1</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Batch sizes</source>
        <translation>批大小(&amp;B)</translation>
    </message>
    <message>
        <source>Units in a group, r</source>
        <translation>组内单元数 r</translation>
    </message>
    <message>
        <source>Groups in a stage, s</source>
        <translation>阶段内组数 s</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>&amp;Devices</source>
        <translation>设备(&amp;D)</translation>
    </message>
    <message>
        <source>Check two devices at least.</source>
        <translation>请至少勾选两个设备。</translation>
    </message>
    <message>
        <source>Give whole numbers from 1 to %1, separated by commas, each once.</source>
        <translation>请填写 1 到 %1 的整数，用逗号分隔，每个一次。</translation>
    </message>
    <message>
        <source>Give two or more whole numbers from 1 to %1, separated by commas, each once.</source>
        <translation>请填写两个或更多 1 到 %1 的整数，用逗号分隔，每个一次。</translation>
    </message>
    <message>
        <source>Give whole numbers, separated by commas, each once; 0 is no limit.</source>
        <translation>请填写整数，用逗号分隔，每个一次；0 表示无限制。</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
</context>
<context>
    <name>iosx::ExperimentShelf</name>
    <message>
        <source>Experiments</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>No experiment was run in this session yet. An experiment searches the shown network again and again, on the chosen device and with the settings of now; its figure then stands here.</source>
        <translation>本次会话尚未运行实验。实验会在所选设备上以当前设置反复搜索所显示的网络；其图随后显示在这里。</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Table and export…</source>
        <translation>表格与导出…</translation>
    </message>
    <message>
        <source>Show the experiment in a window, with its table, and export both</source>
        <translation>在窗口中显示该实验及其表格，并可导出两者</translation>
    </message>
</context>
<context>
    <name>iosx::ExperimentWindow</name>
    <message>
        <source>Trials</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>Export &amp;figure…</source>
        <translation>导出图(&amp;F)…</translation>
    </message>
    <message>
        <source>Export &amp;table…</source>
        <translation>导出表(&amp;T)…</translation>
    </message>
    <message>
        <source>Stopped early: trials are missing, or were run once only.</source>
        <translation>提前停止：缺少部分试验，或只运行了一次。</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>Export figure</source>
        <translation>导出图</translation>
    </message>
    <message>
        <source>Export table</source>
        <translation>导出表</translation>
    </message>
</context>
<context>
    <name>iosx::ExportMenu</name>
    <message>
        <source>There is no schedule yet; press Optimize first.</source>
        <translation>还没有调度；请先按“优化”。</translation>
    </message>
    <message>
        <source>This view shows nothing yet.</source>
        <translation>此视图还没有内容。</translation>
    </message>
    <message>
        <source>There is no timeline yet; press Optimize first.</source>
        <translation>还没有时间线；请先按“优化”。</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Export schedule</source>
        <translation>导出调度</translation>
    </message>
    <message>
        <source>Export figure</source>
        <translation>导出图</translation>
    </message>
    <message>
        <source>Export statistics</source>
        <translation>导出统计</translation>
    </message>
    <message>
        <source>Export network</source>
        <translation>导出网络</translation>
    </message>
    <message>
        <source>ONNX model (*.onnx)</source>
        <translation>ONNX 模型 (*.onnx)</translation>
    </message>
    <message>
        <source>Export as PyTorch package: an empty folder, or one of an earlier export</source>
        <translation>导出为 PyTorch 包：空文件夹，或先前导出的文件夹</translation>
    </message>
    <message>
        <source>Save run</source>
        <translation>保存运行</translation>
    </message>
    <message>
        <source>Run (*.iosrun)</source>
        <translation>运行 (*.iosrun)</translation>
    </message>
    <message>
        <source>Export Chrome trace</source>
        <translation>导出 Chrome 跟踪</translation>
    </message>
    <message>
        <source>Chrome trace (*.json)</source>
        <translation>Chrome 跟踪 (*.json)</translation>
    </message>
    <message>
        <source>No schedule is being changed.</source>
        <translation>没有正在更改的调度。</translation>
    </message>
</context>
<context>
    <name>iosx::ExternalMenu</name>
    <message>
        <source>Add what others measured</source>
        <translation>添加其他程序测得的内容</translation>
    </message>
    <message>
        <source>Tables, traces and profiles (*.csv *.tsv *.json *.sqlite *.db);;All files (*)</source>
        <translation>表格、跟踪与性能剖析 (*.csv *.tsv *.json *.sqlite *.db);;所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 is what another program recorded. Open the network that it ran first.</source>
        <translation>%1 是其他程序的记录。请先打开它所运行的网络。</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>And %1 more.</source>
        <translation>以及另外 %1 个。</translation>
    </message>
    <message>
        <source>Without a latency there is no bar to draw.</source>
        <translation>没有延迟就无法绘制条形。</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>no latency</source>
        <translation>没有延迟</translation>
    </message>
    <message>
        <source>%1: %2, %3.</source>
        <translation>%1：%2，%3。</translation>
    </message>
    <message>
        <source>%1 of its time is matched to operators.</source>
        <translation>其时间的 %1 已匹配到算子。</translation>
    </message>
    <message>
        <source>Nothing in it is an operator of %1: is it of another network?</source>
        <translation>其中没有任何内容是 %1 的算子：它是否属于另一个网络？</translation>
    </message>
    <message>
        <source>It has %1 of %2 operators, so its latency is compared with nothing.</source>
        <translation>其中只有 %2 个算子中的 %1 个，因此其延迟不与任何结果比较。</translation>
    </message>
</context>
<context>
    <name>iosx::FigureDialog</name>
    <message>
        <source>Export figure</source>
        <translation>导出图</translation>
    </message>
    <message>
        <source>As on the screen</source>
        <translation>与屏幕相同</translation>
    </message>
    <message>
        <source>Paper, one column (%1 mm)</source>
        <translation>论文，单栏（%1 mm）</translation>
    </message>
    <message>
        <source>Paper, two columns (%1 mm)</source>
        <translation>论文，双栏（%1 mm）</translation>
    </message>
    <message>
        <source>Paper, another width</source>
        <translation>论文，其他宽度</translation>
    </message>
    <message>
        <source>Unit of the width</source>
        <translation>宽度单位</translation>
    </message>
    <message>
        <source>mm</source>
        <translation>mm</translation>
    </message>
    <message>
        <source>inches</source>
        <translation>英寸</translation>
    </message>
    <message>
        <source>pt</source>
        <translation>pt</translation>
    </message>
    <message>
        <source>Of ordinary text. All text grows where some would be under %1 pt</source>
        <translation>普通文字的字号。若有文字小于 %1 pt，则全部放大</translation>
    </message>
    <message>
        <source>dpi</source>
        <translation>dpi</translation>
    </message>
    <message>
        <source>&amp;Size</source>
        <translation>尺寸(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <translation>宽度(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Text</source>
        <translation>文字(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;PNG</source>
        <translation>PNG(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>%1 mm wide, %2 mm high, no text under %3 pt. In colours that can be told apart in grey.</source>
        <translation>宽 %1 mm，高 %2 mm，文字不小于 %3 pt。颜色在灰度下也可区分。</translation>
    </message>
    <message>
        <source>At the size at which the window draws it, in the light colours.</source>
        <translation>与窗口中绘制的大小相同，使用浅色。</translation>
    </message>
</context>
<context>
    <name>iosx::FirstMinute</name>
    <message>
        <source>Stage %1 runs %2 groups of operators at the same time. Click it: graph, table and timeline show the same stage.</source>
        <translation>阶段 %1 同时运行 %2 组算子。单击它：计算图、表格和时间线都显示同一个阶段。</translation>
    </message>
    <message>
        <source>These are the schedules and what each takes. Choose another one and see how it runs.</source>
        <translation>这些是各个调度及其用时。选择另一个，看看它如何运行。</translation>
    </message>
    <message>
        <source>All this is simulated. This button measures it here; nothing is measured before you press it.</source>
        <translation>以上全是模拟结果。此按钮在本机实际测量；在您按下之前不会测量任何内容。</translation>
    </message>
    <message>
        <source>Open your own model here, or drop its ONNX file anywhere in the window.</source>
        <translation>在此打开您自己的模型，或把 ONNX 文件拖放到窗口的任意位置。</translation>
    </message>
</context>
<context>
    <name>iosx::GraphController</name>
    <message>
        <source>graph %1</source>
        <translation>计算图 %1</translation>
    </message>
    <message>
        <source>There is nothing on the clipboard</source>
        <translation>剪贴板上没有内容</translation>
    </message>
    <message>
        <source>What is on the clipboard is no piece of a graph</source>
        <translation>剪贴板上的内容不是计算图的一部分</translation>
    </message>
    <message>
        <source>part %1</source>
        <translation>部分 %1</translation>
    </message>
    <message>
        <source>The drawing has mistakes and cannot be computed. What is shown is how it was before</source>
        <translation>图中有错误，无法计算。所显示的是之前的状态</translation>
    </message>
    <message>
        <source>The drawing has mistakes: %1 of its operators are left out here</source>
        <translation>图中有错误：这里略去了其中 %1 个算子</translation>
    </message>
</context>
<context>
    <name>iosx::GraphEditing</name>
    <message>
        <source>Only where graphs are edited</source>
        <translation>仅在编辑计算图的模式中可用</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Undo: %1</source>
        <translation>撤销(&amp;U)：%1</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Redo: %1</source>
        <translation>重做(&amp;R)：%1</translation>
    </message>
    <message>
        <source>Nothing was edited</source>
        <translation>没有编辑过</translation>
    </message>
    <message>
        <source>Nothing was taken back</source>
        <translation>没有撤销过</translation>
    </message>
    <message>
        <source>No operator is selected</source>
        <translation>没有选择算子</translation>
    </message>
    <message>
        <source>Nothing is selected</source>
        <translation>没有选择内容</translation>
    </message>
    <message>
        <source>Select one operator</source>
        <translation>请选择一个算子</translation>
    </message>
    <message>
        <source>Select several operators</source>
        <translation>请选择多个算子</translation>
    </message>
    <message>
        <source>Rename the graph</source>
        <translation>重命名计算图</translation>
    </message>
    <message>
        <source>Name of the network</source>
        <translation>网络的名称</translation>
    </message>
    <message>
        <source>%1. For %2.</source>
        <translation>%1。用于%2。</translation>
    </message>
    <message>
        <source>Your own: %1</source>
        <translation>自己的：%1</translation>
    </message>
    <message>
        <source>Save as template</source>
        <translation>另存为模板</translation>
    </message>
    <message>
        <source>Name in the palette</source>
        <translation>面板中的名称</translation>
    </message>
    <message>
        <source>My template</source>
        <translation>我的模板</translation>
    </message>
    <message>
        <source>Export the graph</source>
        <translation>导出计算图</translation>
    </message>
    <message>
        <source>Original IOS JSON (*.json)</source>
        <translation>原版 IOS JSON (*.json)</translation>
    </message>
    <message>
        <source>Nothing is drawn</source>
        <translation>尚未绘制任何内容</translation>
    </message>
</context>
<context>
    <name>iosx::GraphView</name>
    <message>
        <source>stage %1, group %2</source>
        <translation>阶段 %1，组 %2</translation>
    </message>
    <message>
        <source>Network graph</source>
        <translation>网络计算图</translation>
    </message>
    <message>
        <source>Laying out the graph…</source>
        <translation>正在布局计算图…</translation>
    </message>
    <message>
        <source>No network is open</source>
        <translation>没有打开的网络</translation>
    </message>
    <message>
        <source>1 unit</source>
        <translation>1 个单元</translation>
    </message>
    <message>
        <source>%1 units</source>
        <translation>%1 个单元</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>Stage %1, </source>
        <translation>阶段 %1，</translation>
    </message>
</context>
<context>
    <name>iosx::Guide</name>
    <message>
        <source>Guide</source>
        <translation>指南</translation>
    </message>
    <message>
        <source>draw.md</source>
        <extracomment>The file of this page of the guide in this language.</extracomment>
        <translation>draw.zh_CN.md</translation>
    </message>
    <message>
        <source>change.md</source>
        <extracomment>The file of this page of the guide in this language.</extracomment>
        <translation>change.zh_CN.md</translation>
    </message>
    <message>
        <source>&amp;1. Draw a network</source>
        <translation>1. 绘制网络(&amp;1)</translation>
    </message>
    <message>
        <source>&amp;2. Change a schedule</source>
        <translation>2. 更改调度(&amp;2)</translation>
    </message>
    <message>
        <source>&amp;All topics</source>
        <translation>全部主题(&amp;A)</translation>
    </message>
</context>
<context>
    <name>iosx::Headline</name>
    <message>
        <source>%1 in %2</source>
        <translation>%1 用时 %2</translation>
    </message>
    <message>
        <source>Nothing is faster than one operator at a time yet</source>
        <translation>还没有比逐个执行算子更快的调度</translation>
    </message>
    <message>
        <source>%1: as fast as one operator at a time</source>
        <translation>%1：与逐个执行算子一样快</translation>
    </message>
    <message>
        <source>%1: %2 as fast as one operator at a time</source>
        <translation>%1：速度是逐个执行算子的 %2</translation>
    </message>
    <message>
        <source>%1 instead of %2</source>
        <translation>%1，而非 %2</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>%1 %2, now %3</source>
        <translation>%1 %2，现为 %3</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>r</source>
        <translation>r</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>part size</source>
        <translation>部分大小</translation>
    </message>
    <message>
        <source>another ending rule now</source>
        <translation>末端规则现已不同</translation>
    </message>
    <message>
        <source>other strategies now</source>
        <translation>策略现已不同</translation>
    </message>
    <message>
        <source>Measure on this machine</source>
        <translation>在本机上测量</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Latencies and where they come from</source>
        <translation>延迟及其来源</translation>
    </message>
    <message>
        <source>What differs from the settings of now</source>
        <translation>与当前设置的差异</translation>
    </message>
    <message>
        <source>Made with other settings: %1</source>
        <translation>以其他设置得出：%1</translation>
    </message>
    <message>
        <source>Search and run the schedules for real on %1; a large network takes minutes</source>
        <translation>在 %1 上实际搜索并运行调度；大型网络需要数分钟</translation>
    </message>
    <message>
        <source>%1 × faster.</source>
        <translation>速度为 %1 倍。</translation>
    </message>
    <message>
        <source>Where did %1 go?</source>
        <translation>%1 去哪儿了？</translation>
    </message>
    <message>
        <source>another timing now</source>
        <translation>现在是另一种计时设置</translation>
    </message>
    <message>
        <source>Compares the two, stage by stage</source>
        <translation>逐阶段比较这两者</translation>
    </message>
    <message>
        <source>Of an older file: it has changed since</source>
        <translation>来自较旧的文件：此后文件已更改</translation>
    </message>
</context>
<context>
    <name>iosx::HintBubble</name>
    <message>
        <source>Got it</source>
        <translation>知道了</translation>
    </message>
    <message>
        <source>No more hints</source>
        <translation>不再提示</translation>
    </message>
    <message>
        <source>Hint: %1</source>
        <translation>提示：%1</translation>
    </message>
</context>
<context>
    <name>iosx::HtmlMenu</name>
    <message>
        <source>Save HTML report</source>
        <translation>保存 HTML 报告</translation>
    </message>
    <message>
        <source>HTML page (*.html)</source>
        <translation>HTML 页面 (*.html)</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>iosx::Inspector</name>
    <message>
        <source>Kernel</source>
        <translation>核</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Stride</source>
        <translation>步幅</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>Computation</source>
        <translation>计算量</translation>
    </message>
    <message>
        <source>Memory read</source>
        <translation>读取内存</translation>
    </message>
    <message>
        <source>Memory written</source>
        <translation>写入内存</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source> (channels %1 to %2)</source>
        <translation>（通道 %1 到 %2）</translation>
    </message>
    <message>
        <source>Operator %1</source>
        <translation>算子 %1</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>stage %1 of %2</source>
        <translation>阶段 %1 / %2</translation>
    </message>
    <message>
        <source>, group %1 of %2</source>
        <translation>，组 %1 / %2</translation>
    </message>
    <message>
        <source>, merged</source>
        <translation>，已合并</translation>
    </message>
    <message>
        <source>Network %1</source>
        <translation>网络 %1</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>单元</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Not executable</source>
        <translation>不可执行</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>%1 of %2 (%3)</source>
        <translation>%1 / %2（%3）</translation>
    </message>
    <message>
        <source>Unit %1</source>
        <translation>单元 %1</translation>
    </message>
    <message>
        <source>Called</source>
        <translation>称为</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Stage %1 of %2</source>
        <translation>阶段 %1 / %2</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>%1 % of the stage sum</source>
        <translation>阶段总和的 %1 %</translation>
    </message>
    <message>
        <source>How it runs</source>
        <translation>运行方式</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Group %1</source>
        <translation>组 %1</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>%1 % of %2 %3, on average</source>
        <translation>平均为 %2 %3的 %1 %</translation>
    </message>
    <message>
        <source>%1, on average</source>
        <translation>平均 %1</translation>
    </message>
    <message>
        <source>%1 units</source>
        <translation>%1 个单元</translation>
    </message>
    <message>
        <source>%1 units of %2</source>
        <translation>%2 的 %1 个单元</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>measured earlier</source>
        <translation>先前实测</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>a bound</source>
        <translation>界</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>, within the noise</source>
        <translation>，在噪声范围内</translation>
    </message>
    <message>
        <source>Not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>Perhaps better</source>
        <translation>可能更好</translation>
    </message>
    <message>
        <source>Better</source>
        <translation>更好</translation>
    </message>
    <message>
        <source>Next best</source>
        <translation>次优</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>其次</translation>
    </message>
    <message>
        <source>Why this stage</source>
        <translation>为何是此阶段</translation>
    </message>
    <message>
        <source>nothing else that a search may take</source>
        <translation>没有搜索可取的其他方案</translation>
    </message>
    <message>
        <source>Not merged</source>
        <translation>未合并</translation>
    </message>
    <message>
        <source>Beyond limits</source>
        <translation>超出限制</translation>
    </message>
    <message>
        <source>this stage: %1</source>
        <translation>此阶段：%1</translation>
    </message>
    <message>
        <source>Better, excluded</source>
        <translation>更好，但被排除</translation>
    </message>
    <message>
        <source>Excluded</source>
        <translation>被排除</translation>
    </message>
    <message>
        <source>being worked out</source>
        <translation>正在计算</translation>
    </message>
    <message>
        <source>Search of %1</source>
        <translation>%1 的搜索</translation>
    </message>
    <message>
        <source>Asked for</source>
        <translation>已请求</translation>
    </message>
    <message>
        <source>%1 of %2 stages</source>
        <translation>%2 个阶段中的 %1 个</translation>
    </message>
    <message>
        <source>%1 stages</source>
        <translation>%1 个阶段</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Gap</source>
        <translation>差距</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>Inputs and outputs</source>
        <translation>输入与输出</translation>
    </message>
    <message>
        <source>Input %1</source>
        <translation>输入 %1</translation>
    </message>
    <message>
        <source>Output %1</source>
        <translation>输出 %1</translation>
    </message>
    <message>
        <source>%1, as given; open in the file</source>
        <translation>%1，按给定值；文件中未定</translation>
    </message>
    <message>
        <source>%1, chosen here; open in the file</source>
        <translation>%1，在此选定；文件中未定</translation>
    </message>
    <message>
        <source>no axis of its own: the shapes hold all axes</source>
        <translation>没有独立的批次轴：形状包含所有轴</translation>
    </message>
    <message>
        <source>the leading axis; any</source>
        <translation>首轴；任意</translation>
    </message>
    <message>
        <source>the leading axis; 1 only</source>
        <translation>首轴；仅为 1</translation>
    </message>
    <message>
        <source>Outputs of %1</source>
        <translation>%1 的输出</translation>
    </message>
    <message>
        <source>Compared with</source>
        <translation>对比对象</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>FAILED</source>
        <translation>未通过</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>%1 of the output&apos;s magnitude</source>
        <translation>输出量级的 %1</translation>
    </message>
    <message>
        <source>%1; largest error %2 absolute, %3 relative; magnitude %4</source>
        <translation>%1；最大误差：绝对 %2，相对 %3；量级 %4</translation>
    </message>
    <message>
        <source>; has numbers that are not finite</source>
        <translation>；含有非有限数值</translation>
    </message>
    <message>
        <source>; element %1 is %2 instead of %3</source>
        <translation>；元素 %1 为 %2，应为 %3</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>%1 further outputs</source>
        <translation>另有 %1 个输出</translation>
    </message>
    <message>
        <source>largest error %1 absolute, %2 relative, tolerance %3 of the output&apos;s magnitude</source>
        <translation>最大误差：绝对 %1，相对 %2，容差为输出量级的 %3</translation>
    </message>
    <message>
        <source>%1 computes the same as %2: %3.</source>
        <translation>%1 的计算结果与%2 相同：%3。</translation>
    </message>
    <message>
        <source>%1 does not compute the same as %2: %3 of %4 outputs differ; %5.</source>
        <translation>%1 的计算结果与%2 不同：%4 个输出中有 %3 个不同；%5。</translation>
    </message>
    <message>
        <source>%1 to %2 … %3</source>
        <translation>%1，%2 … %3</translation>
    </message>
    <message>
        <source>%1, α = %2</source>
        <translation>%1，α = %2</translation>
    </message>
    <message>
        <source>%1, α = %2, β = %3</source>
        <translation>%1，α = %2，β = %3</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>reflect</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>edge</source>
        <translation>边缘</translation>
    </message>
    <message>
        <source>half pixel</source>
        <translation>半像素</translation>
    </message>
    <message>
        <source>half pixel, as PyTorch</source>
        <translation>半像素，与 PyTorch 相同</translation>
    </message>
    <message>
        <source>corners aligned</source>
        <translation>角点对齐</translation>
    </message>
    <message>
        <source>asymmetric</source>
        <translation>非对称</translation>
    </message>
    <message>
        <source>to the nearest, halves down</source>
        <translation>四舍五入，半数向下</translation>
    </message>
    <message>
        <source>to the nearest, halves up</source>
        <translation>四舍五入，半数向上</translation>
    </message>
    <message>
        <source>down</source>
        <translation>向下</translation>
    </message>
    <message>
        <source>up</source>
        <translation>向上</translation>
    </message>
    <message>
        <source>Dilation</source>
        <translation>空洞</translation>
    </message>
    <message>
        <source>Channel groups</source>
        <translation>通道组数</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Merged from</source>
        <translation>由以下合并</translation>
    </message>
    <message>
        <source>Output padding</source>
        <translation>输出填充</translation>
    </message>
    <message>
        <source>Output size</source>
        <translation>输出尺寸</translation>
    </message>
    <message>
        <source>rounded up</source>
        <translation>向上取整</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>counts the padding</source>
        <translation>计入填充</translation>
    </message>
    <message>
        <source>leaves the padding out</source>
        <translation>不计填充</translation>
    </message>
    <message>
        <source>Computes</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>scale · x + shift, per channel</source>
        <translation>逐通道：scale · x + shift</translation>
    </message>
    <message>
        <source>Features from axis</source>
        <translation>特征起始轴</translation>
    </message>
    <message>
        <source>Axis</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>Begins</source>
        <translation>起点</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步长</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>constant %1</source>
        <translation>常量 %1</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>nearest</source>
        <translation>最近邻</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Scales</source>
        <translation>缩放比例</translation>
    </message>
    <message>
        <source>Coordinates</source>
        <translation>坐标</translation>
    </message>
    <message>
        <source>Rounding</source>
        <translation>取整</translation>
    </message>
    <message>
        <source>Hidden units</source>
        <translation>隐藏单元数</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>forwards</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backwards</source>
        <translation>后向</translation>
    </message>
    <message>
        <source>both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>Reset gate</source>
        <translation>重置门</translation>
    </message>
    <message>
        <source>after the product with the hidden state</source>
        <translation>在与隐藏状态相乘之后</translation>
    </message>
    <message>
        <source>Peepholes</source>
        <translation>窥视孔</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>hidden states, then the last cell state</source>
        <translation>隐藏状态，然后是末尾的单元状态</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>the %1 largest</source>
        <translation>最大的 %1 个</translation>
    </message>
    <message>
        <source>the %1 smallest</source>
        <translation>最小的 %1 个</translation>
    </message>
    <message>
        <source>their values</source>
        <translation>其值</translation>
    </message>
    <message>
        <source>their places</source>
        <translation>其位置</translation>
    </message>
    <message>
        <source>cubic</source>
        <translation>三次</translation>
    </message>
    <message>
        <source>Outside</source>
        <translation>界外</translation>
    </message>
    <message>
        <source>zeros</source>
        <translation>零</translation>
    </message>
    <message>
        <source>the border</source>
        <translation>边界值</translation>
    </message>
    <message>
        <source>reflected</source>
        <translation>镜像值</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>α = %1, β = %2, bias %3</source>
        <translation>α = %1，β = %2，偏置 %3</translation>
    </message>
    <message>
        <source>the second input where the first is not 0, otherwise the third</source>
        <translation>第一个输入非 0 处取第二个输入，否则取第三个</translation>
    </message>
    <message>
        <source>Takes</source>
        <translation>取</translation>
    </message>
    <message>
        <source>slices</source>
        <translation>切片</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>(x - mean) / √(variance + ε)</source>
        <translation>(x - 均值) / √(方差 + ε)</translation>
    </message>
    <message>
        <source>x / √(mean of x² + ε)</source>
        <translation>x / √(x² 的均值 + ε)</translation>
    </message>
    <message>
        <source>From axis</source>
        <translation>起始轴</translation>
    </message>
    <message>
        <source>ε</source>
        <translation>ε</translation>
    </message>
    <message>
        <source>Scale and bias</source>
        <translation>缩放与偏置</translation>
    </message>
    <message>
        <source>for each element</source>
        <translation>逐元素</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Reduced axes</source>
        <translation>归约轴</translation>
    </message>
    <message>
        <source>kept, of size 1</source>
        <translation>保留，大小为 1</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>去除</translation>
    </message>
    <message>
        <source>Of equal elements</source>
        <translation>相等元素中</translation>
    </message>
    <message>
        <source>the last</source>
        <translation>最后一个</translation>
    </message>
    <message>
        <source>the first</source>
        <translation>第一个</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Execution</source>
        <translation>执行</translation>
    </message>
    <message>
        <source>no device can run it; its cost is an estimate</source>
        <translation>没有设备可以执行；其代价为估计值</translation>
    </message>
    <message>
        <source>0 (channels)</source>
        <translation>0（通道）</translation>
    </message>
    <message>
        <source>Padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>%1 before, %2 after</source>
        <translation>前 %1，后 %2</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>[%1 and %2 more]</source>
        <translation>[%1 以及另外 %2 个]</translation>
    </message>
    <message>
        <source>split off %1 last</source>
        <translation>将 %1 拆出并放在最后</translation>
    </message>
    <message>
        <source>split off %1 first</source>
        <translation>将 %1 拆出并放在最前</translation>
    </message>
    <message>
        <source>join with stage %1</source>
        <translation>与阶段 %1 并在一起</translation>
    </message>
    <message>
        <source>merge %1</source>
        <translation>合并 %1</translation>
    </message>
    <message>
        <source>run %1 side by side, not merged</source>
        <translation>并排运行 %1，不合并</translation>
    </message>
    <message>
        <source>move %1 to stage %2</source>
        <translation>将 %1 移到阶段 %2</translation>
    </message>
    <message>
        <source>take %1 from stage %2</source>
        <translation>从阶段 %2 取来 %1</translation>
    </message>
    <message>
        <source>r = %1: a group of %2 units</source>
        <translation>r = %1：有一组含 %2 个单元</translation>
    </message>
    <message>
        <source>s = %1: %2 groups</source>
        <translation>s = %1：%2 组</translation>
    </message>
    <message>
        <source>single-root: a group with %1 roots</source>
        <translation>单根：有一组含 %1 个根</translation>
    </message>
    <message>
        <source>strategy parallel: a merged convolution</source>
        <translation>并行策略：有合并的卷积</translation>
    </message>
    <message>
        <source>strategy merge: %1 units that are not merged</source>
        <translation>合并策略：%1 个单元未合并</translation>
    </message>
    <message>
        <source>parts: it would hold units of parts %1 and %2</source>
        <translation>部分：它会包含部分 %1 和 %2 的单元</translation>
    </message>
    <message>
        <source>a search merges whole stages only</source>
        <translation>搜索只合并整个阶段</translation>
    </message>
    <message>
        <source>a search puts no units into one group that do not read one another</source>
        <translation>搜索不会把互不读取的单元放入同一组</translation>
    </message>
    <message>
        <source>, merging %1</source>
        <translation>，合并 %1</translation>
    </message>
    <message>
        <source>, not merged</source>
        <translation>，不合并</translation>
    </message>
    <message>
        <source>, %1 not merged</source>
        <translation>，%1 不合并</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>%1 (%2): %3</source>
        <translation>%1（%2）：%3</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
</context>
<context>
    <name>iosx::InspectorModel</name>
    <message>
        <source>%1… (%2 letters)</source>
        <translation>%1…（%2 个字符）</translation>
    </message>
    <message>
        <source>Property</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
</context>
<context>
    <name>iosx::InspectorPanel</name>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
</context>
<context>
    <name>iosx::JobStatus</name>
    <message>
        <source>%1, %2 left</source>
        <translation>%1，剩余 %2</translation>
    </message>
    <message>
        <source>What the running job does</source>
        <translation>当前任务正在做什么</translation>
    </message>
    <message>
        <source>Progress of the running job</source>
        <translation>当前任务的进度</translation>
    </message>
    <message>
        <source>Time since the job started, and time left</source>
        <translation>任务开始以来的时间，以及剩余时间</translation>
    </message>
    <message>
        <source>Time since the job started, and an estimate of what is left of its present step</source>
        <translation>任务开始以来的时间，以及当前步骤剩余时间的估计</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stop; the best so far is kept (Ctrl+.)</source>
        <translation>停止；保留目前的最佳结果 (Ctrl+.)</translation>
    </message>
    <message numerus="yes">
        <source>%n waiting</source>
        <translation>
            <numerusform>%n 个等待中</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
</context>
<context>
    <name>iosx::Jobs</name>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
    <message>
        <source>Opening what was kept</source>
        <translation>正在打开保留的内容</translation>
    </message>
    <message>
        <source>Optimizing %1</source>
        <translation>正在优化 %1</translation>
    </message>
    <message>
        <source>There is no schedule yet</source>
        <translation>还没有调度</translation>
    </message>
    <message>
        <source>There is no such device</source>
        <translation>没有这样的设备</translation>
    </message>
    <message>
        <source>Verifying %1</source>
        <translation>正在验证%1</translation>
    </message>
    <message>
        <source>A simulated device shows all that it knows at once</source>
        <translation>模拟设备一次就显示它所知道的一切</translation>
    </message>
    <message>
        <source>Profiling the schedules of %1</source>
        <translation>正在剖析 %1 的调度</translation>
    </message>
    <message>
        <source>No network is open</source>
        <translation>没有打开的网络</translation>
    </message>
    <message>
        <source>This network runs with a batch of 1 only</source>
        <translation>该网络只能以批大小 1 运行</translation>
    </message>
    <message>
        <source>Experiment with %1: %2</source>
        <translation>%1 的实验：%2</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>正在保存 %1</translation>
    </message>
    <message>
        <source>Running the baselines of %1</source>
        <translation>正在运行 %1 的基线</translation>
    </message>
    <message>
        <source>Running the schedules of %1</source>
        <translation>正在运行 %1 的调度</translation>
    </message>
    <message>
        <source>This run was recorded, and the network&apos;s weights are not here; open the network itself</source>
        <translation>此运行是记录的，而此处没有该网络的权重；请打开网络本身</translation>
    </message>
    <message>
        <source>This run was recorded on another device; Optimize runs it here, then it can be profiled</source>
        <translation>此运行是在另一设备上记录的；“优化”在此处运行后即可进行性能剖析</translation>
    </message>
    <message>
        <source>No device here measures</source>
        <translation>这里没有能测量的设备</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>batch %1, %2, r %3, s %4</source>
        <translation>批大小 %1，%2，r %3，s %4</translation>
    </message>
</context>
<context>
    <name>iosx::JobsPanel</name>
    <message>
        <source>Jobs: the one that runs, and those that wait</source>
        <translation>任务：正在运行的和等待中的</translation>
    </message>
    <message>
        <source>Cancel this job</source>
        <translation>取消此任务</translation>
    </message>
    <message>
        <source>%1: running</source>
        <translation>%1：正在运行</translation>
    </message>
    <message>
        <source>%1: waiting</source>
        <translation>%1：等待中</translation>
    </message>
    <message>
        <source>Nothing runs or waits. Optimize while a search runs lets the next one wait.</source>
        <translation>没有任务在运行或等待。在搜索运行时按“优化”，下一个任务会排队等待。</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>a job, and with what settings</comment>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>iosx::KeySheet</name>
    <message>
        <source>&amp;Set</source>
        <translation>设置(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;No keys</source>
        <translation>不设快捷键(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Reset</source>
        <translation>重置(&amp;R)</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Find an action or a key</source>
        <translation>查找操作或按键</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>New keys of the chosen action</source>
        <translation>所选操作的新按键</translation>
    </message>
    <message>
        <source>&amp;Press new keys:</source>
        <translation>按下新的按键(&amp;P)：</translation>
    </message>
    <message>
        <source>Reset &amp;all</source>
        <translation>全部重置(&amp;A)</translation>
    </message>
    <message>
        <source>Elsewhere</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>%1 (fixed keys)</source>
        <translation>%1（固定按键）</translation>
    </message>
    <message>
        <source>Your own; at first: %1</source>
        <translation>您自定的；最初为：%1</translation>
    </message>
    <message>
        <source>no keys</source>
        <translation>无按键</translation>
    </message>
    <message>
        <source>The views&apos; own keys are fixed.</source>
        <translation>视图自身的按键是固定的。</translation>
    </message>
    <message>
        <source>Choose an action to change its keys.</source>
        <translation>请选择一个操作以更改其按键。</translation>
    </message>
    <message>
        <source>&amp;Take them</source>
        <translation>采用(&amp;T)</translation>
    </message>
    <message>
        <source>%1 belongs to &apos;%2&apos;, which then has no keys.</source>
        <translation>%1 属于“%2”，采用后后者将没有按键。</translation>
    </message>
    <message>
        <source>%1 is a key of its own in &apos;%2&apos;: one of the two will not work there.</source>
        <translation>%1 在“%2”中是其自身的按键：两者之一在那里将不起作用。</translation>
    </message>
    <message>
        <source>%1 is free.</source>
        <translation>%1 未被占用。</translation>
    </message>
</context>
<context>
    <name>iosx::LatencyLine</name>
    <message>
        <source>after each edit</source>
        <translation>每次编辑后</translation>
    </message>
    <message>
        <source>Measure after every edit, without being asked</source>
        <translation>每次编辑后自动测量，无需询问</translation>
    </message>
    <message>
        <source>No latency is known:</source>
        <translation>延迟未知：</translation>
    </message>
    <message>
        <source>What it takes is being worked out</source>
        <translation>正在计算延迟</translation>
    </message>
    <message>
        <source>is searched for</source>
        <translation>正在搜索</translation>
    </message>
    <message>
        <source>comes</source>
        <translation>待定</translation>
    </message>
    <message>
        <source>%1 on %2, batch %3</source>
        <translation>%1，%2，批大小 %3</translation>
    </message>
    <message>
        <source>What the schedules take as it is drawn: the sum of the stages, each by itself, and of the gaps between them. Changes are those of the last edit.</source>
        <translation>当前绘制的计算图在各调度下的延迟：各阶段单独运行的延迟与阶段间间隔之和。变化相对于上一次编辑之前。</translation>
    </message>
    <message>
        <source>%1 since it was opened: %2</source>
        <translation>%1，自打开以来：%2</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>正在测量…</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Search and measure what is drawn on %1</source>
        <translation>在 %1 上搜索并测量所绘制的计算图</translation>
    </message>
    <message>
        <source>operators left out: %1</source>
        <translation>略去的算子：%1</translation>
    </message>
    <message>
        <source>Operators that cannot be computed are left out: %1</source>
        <translation>无法计算的算子已略去：%1</translation>
    </message>
</context>
<context>
    <name>iosx::LatencyWords</name>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>sequential</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>IOS</source>
        <translation>IOS</translation>
    </message>
</context>
<context>
    <name>iosx::MainWindow</name>
    <message>
        <source>About IOS Explorer</source>
        <translation>关于 IOS Explorer</translation>
    </message>
    <message>
        <source>&lt;h3&gt;IOS Explorer %1&lt;/h3&gt;&lt;p&gt;Search, compare and export inter-operator schedules of convolutional networks.&lt;/p&gt;&lt;p&gt;The method is IOS (Ding, Zhu, Jia, Pekhimenko and Han, MLSys 2021, arXiv 2011.01302).&lt;/p&gt;&lt;p&gt;Licence: GPL 3.0 or later, with permission to link NVIDIA&apos;s libraries.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;IOS Explorer %1&lt;/h3&gt;&lt;p&gt;搜索、比较并导出卷积网络的算子间调度。&lt;/p&gt;&lt;p&gt;方法为 IOS（Ding、Zhu、Jia、Pekhimenko 与 Han，MLSys 2021，arXiv 2011.01302）。&lt;/p&gt;&lt;p&gt;许可证：GPL 3.0 或更高版本，并允许与 NVIDIA 的库链接。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Nothing is edited here</source>
        <translation>这里没有可编辑的内容</translation>
    </message>
    <message>
        <source>Edit graph</source>
        <translation>编辑计算图</translation>
    </message>
</context>
<context>
    <name>iosx::MessageButton</name>
    <message>
        <source>Show everything that was said</source>
        <translation>显示说过的所有消息</translation>
    </message>
    <message>
        <source>Messages: %1</source>
        <translation>消息：%1</translation>
    </message>
</context>
<context>
    <name>iosx::MessageHistory</name>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Messages, the newest first</source>
        <translation>消息，最新的在前</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>&amp;Copy all</source>
        <translation>全部复制(&amp;C)</translation>
    </message>
</context>
<context>
    <name>iosx::Modes</name>
    <message>
        <source>&amp;Explore</source>
        <translation>浏览(&amp;E)</translation>
    </message>
    <message>
        <source>C&amp;ompare</source>
        <translation>比较(&amp;O)</translation>
    </message>
    <message>
        <source>One schedule: graph, stages, timeline, and why it is as it is</source>
        <translation>单个调度：计算图、阶段、时间线，以及为何如此</translation>
    </message>
    <message>
        <source>Several schedules and runs: what differs, where, and by how much</source>
        <translation>多个调度和运行：差异是什么、在哪里、有多大</translation>
    </message>
    <message>
        <source>Edit sc&amp;hedule</source>
        <translation>编辑调度(&amp;H)</translation>
    </message>
    <message>
        <source>Explore</source>
        <translation>浏览</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>A copy of a schedule, changed by hand: what each change costs</source>
        <translation>手动更改调度的副本：每次更改的代价</translation>
    </message>
    <message>
        <source>Edit &amp;graph</source>
        <translation>编辑计算图(&amp;G)</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>Draw the network or change it: operators, connections, units and parts</source>
        <translation>绘制或更改网络：算子、连接、单元与部分</translation>
    </message>
</context>
<context>
    <name>iosx::NetworkCard</name>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 as fast on a simulated %2</source>
        <translation>在模拟的 %2 上速度为 %1</translation>
    </message>
    <message>
        <source>%1, %2 units, %3</source>
        <translation>%1，%2 个单元，%3</translation>
    </message>
</context>
<context>
    <name>iosx::NotesPanel</name>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>What you want to remember about this project; it is saved with it</source>
        <translation>关于此项目想要记住的内容；随项目一起保存</translation>
    </message>
    <message>
        <source>Notes about the project</source>
        <translation>项目备注</translation>
    </message>
    <message>
        <source>What was tried, and what came of it</source>
        <translation>试过什么，结果如何</translation>
    </message>
</context>
<context>
    <name>iosx::Opening</name>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 个</translation>
    </message>
    <message>
        <source>Open a network, project, run or schedule</source>
        <translation>打开网络、项目、运行或调度</translation>
    </message>
    <message>
        <source>Everything that can be opened (*.onnx *.json *.iosproj *.iosrun);;Projects (*.iosproj);;Runs (*.iosrun);;All files (*)</source>
        <translation>所有可打开的文件 (*.onnx *.json *.iosproj *.iosrun);;项目 (*.iosproj);;运行 (*.iosrun);;所有文件 (*)</translation>
    </message>
    <message>
        <source>The file leaves sizes open; chosen here: %1.</source>
        <translation>文件中有未定的尺寸；此处选定：%1。</translation>
    </message>
    <message>
        <source>No files yet</source>
        <translation>还没有文件</translation>
    </message>
    <message>
        <source>Forget these files</source>
        <translation>忘记这些文件</translation>
    </message>
    <message>
        <source>Input sizes…</source>
        <translation>输入尺寸…</translation>
    </message>
</context>
<context>
    <name>iosx::OperatorPalette</name>
    <message>
        <source>Convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>Pooling and reduction</source>
        <translation>池化与归约</translation>
    </message>
    <message>
        <source>Linear and recurrent</source>
        <translation>线性与循环</translation>
    </message>
    <message>
        <source>Moving data</source>
        <translation>数据搬运</translation>
    </message>
    <message>
        <source>Arithmetic</source>
        <translation>算术</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Not executable</source>
        <translation>不可执行</translation>
    </message>
    <message>
        <source>Find an operator or template</source>
        <translation>查找算子或模板</translation>
    </message>
    <message>
        <source>Operators and templates</source>
        <translation>算子与模板</translation>
    </message>
    <message>
        <source>My templates</source>
        <translation>我的模板</translation>
    </message>
    <message>
        <source>Templates</source>
        <translation>模板</translation>
    </message>
</context>
<context>
    <name>iosx::OverviewStrip</name>
    <message>
        <source>Overview of the whole run</source>
        <translation>整个运行的概览</translation>
    </message>
</context>
<context>
    <name>iosx::PartMatrixModel</name>
    <message>
        <source>Where the difference lies: %1</source>
        <translation>差异所在：%1</translation>
    </message>
    <message>
        <source>between stages</source>
        <translation>阶段之间</translation>
    </message>
    <message>
        <source>the run beyond its stages</source>
        <translation>运行在阶段之外</translation>
    </message>
    <message>
        <source>the whole</source>
        <translation>整体</translation>
    </message>
    <message>
        <source>%1 units</source>
        <translation>%1 个单元</translation>
    </message>
    <message>
        <source>stage latencies are not known</source>
        <translation>阶段延迟未知</translation>
    </message>
    <message>
        <source>%1 instead of %2: %3</source>
        <translation>%1，而非 %2：%3</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Of the baseline&apos;s network</source>
        <translation>基线的网络的</translation>
    </message>
    <message>
        <source>%1, the baseline: milliseconds</source>
        <translation>%1，基线：毫秒</translation>
    </message>
    <message>
        <source>%1: milliseconds more or less than the baseline; click to show it as B</source>
        <translation>%1：比基线多或少的毫秒数；单击可将其显示为 B</translation>
    </message>
    <message>
        <source>
[ms]</source>
        <translation>
[ms]</translation>
    </message>
    <message>
        <source>
[Δ ms]</source>
        <translation>
[Δ ms]</translation>
    </message>
    <message>
        <source>
[ms/sample]</source>
        <translation>
[ms/样本]</translation>
    </message>
    <message>
        <source>
[Δ ms/sample]</source>
        <translation>
[Δ ms/样本]</translation>
    </message>
</context>
<context>
    <name>iosx::ProblemList</name>
    <message>
        <source>Problems of the graph</source>
        <translation>计算图中的问题</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Nothing is drawn yet</source>
        <translation>还没有内容</translation>
    </message>
    <message>
        <source>Nothing is wrong: the whole graph can be computed</source>
        <translation>没有问题：整个计算图都可以计算</translation>
    </message>
</context>
<context>
    <name>iosx::ProjectKeeper</name>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Save the project</source>
        <translation>保存项目</translation>
    </message>
    <message>
        <source>Projects (*.iosproj)</source>
        <translation>项目 (*.iosproj)</translation>
    </message>
    <message>
        <source>No session was kept yet</source>
        <translation>尚未保留任何会话</translation>
    </message>
    <message>
        <source>What is open cannot be kept for the case of a crash: %1</source>
        <translation>无法为防备崩溃而保留打开的内容：%1</translation>
    </message>
    <message>
        <source>IOS Explorer</source>
        <translation>IOS Explorer</translation>
    </message>
    <message>
        <source>IOS Explorer ended unexpectedly. What was open until %1 was kept.</source>
        <translation>IOS Explorer 意外结束。%1 之前打开的内容已保留。</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Discard it</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>以后再说</translation>
    </message>
    <message>
        <source>%1 was changed.</source>
        <translation>%1 已更改。</translation>
    </message>
    <message>
        <source>project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>%1. The file was put aside as %2.</source>
        <translation>%1。该文件已改名保留为 %2。</translation>
    </message>
    <message>
        <source>What is open was not saved as a project.</source>
        <translation>当前打开的内容尚未保存为项目。</translation>
    </message>
    <message>
        <source>%1 was changed by another program or window since it was opened or saved here. Replacing it loses what was written there.</source>
        <translation>%1 在此处打开或保存之后，已被其他程序或窗口更改。替换它会丢失其中所写的内容。</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>%1 and others</source>
        <translation>%1 等</translation>
    </message>
</context>
<context>
    <name>iosx::ProjectModel</name>
    <message>
        <source>r %1</source>
        <translation>r %1</translation>
    </message>
    <message>
        <source>s %1</source>
        <translation>s %1</translation>
    </message>
    <message>
        <source>no limits</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>Partial: %1</source>
        <translation>不完整：%1</translation>
    </message>
    <message>
        <source>≈ %1</source>
        <translation>≈ %1</translation>
    </message>
    <message>
        <source>%1 (baseline)</source>
        <translation>%1（基线）</translation>
    </message>
    <message>
        <source>Being searched and run</source>
        <translation>正在搜索和运行</translation>
    </message>
    <message>
        <source>The sum of the best stages found so far; it has not been run yet</source>
        <translation>目前找到的最佳阶段之和；尚未运行</translation>
    </message>
    <message>
        <source>It was stopped: schedules are missing, or their search did not end</source>
        <translation>已停止：缺少部分调度，或其搜索未结束</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1：%2，%3</translation>
    </message>
    <message>
        <source>Median of %1 runs</source>
        <translation>%1 次运行的中位数</translation>
    </message>
    <message>
        <source>The fastest of a run is bold</source>
        <translation>每次运行中最快的以粗体显示</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>End to end, run by itself</source>
        <translation>端到端，单独运行</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>×</source>
        <translation>×</translation>
    </message>
    <message>
        <source>d MMM HH:mm</source>
        <comment>day and time of a run, as QLocale::toString reads it</comment>
        <translation>M月d日 HH:mm</translation>
    </message>
    <message>
        <source>%1 (older file)</source>
        <translation>%1（较旧的文件）</translation>
    </message>
    <message>
        <source>%1
The file has changed since: its runs are of the network as it was</source>
        <translation>%1
文件此后已更改：其运行属于原来的网络</translation>
    </message>
    <message>
        <source>Its search still runs: this is what it has found so far</source>
        <translation>搜索仍在进行：这是目前找到的结果</translation>
    </message>
    <message>
        <source>%1, %2 %</source>
        <translation>%1，%2 %</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what is being made, and of what</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Speed-up over the baseline, or else over the run&apos;s own sequential schedule; ≈ 1 where the difference is within the noise, ? where there were too few runs to be sure</source>
        <translation>相对基线的加速比；没有基线时相对该次运行自己的顺序调度；≈ 1 表示差异在噪声之内，? 表示运行次数太少，不能确定</translation>
    </message>
    <message>
        <source>Batch %1</source>
        <translation>批大小 %1</translation>
    </message>
    <message>
        <source>run %1</source>
        <comment>its number, of several of the same minute</comment>
        <translation>第 %1 次运行</translation>
    </message>
</context>
<context>
    <name>iosx::ProjectPanel</name>
    <message>
        <source>Networks, runs and schedules</source>
        <translation>网络、运行与调度</translation>
    </message>
    <message>
        <source>&amp;Note…</source>
        <translation>备注(&amp;N)…</translation>
    </message>
    <message>
        <source>Use its &amp;settings</source>
        <translation>使用其设置(&amp;S)</translation>
    </message>
    <message>
        <source>Device, batch and search of the tool bar become those of this run</source>
        <translation>工具栏的设备、批大小和搜索改为此运行的设置</translation>
    </message>
    <message>
        <source>&amp;Compare all of it</source>
        <translation>全部比较(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Remove run</source>
        <translation>删除运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Close network</source>
        <translation>关闭网络(&amp;C)</translation>
    </message>
    <message>
        <source>No &amp;baseline</source>
        <translation>取消基线(&amp;B)</translation>
    </message>
    <message>
        <source>Make it the &amp;baseline</source>
        <translation>设为基线(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Compare with…</source>
        <translation>与…比较(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Remove %1</source>
        <translation>移除 %1(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Edit a copy</source>
        <translation>编辑副本(&amp;E)</translation>
    </message>
</context>
<context>
    <name>iosx::RangePanel</name>
    <message>
        <source>Statistics of the measured time</source>
        <translation>所量时间段的统计</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the statistics as tab-separated text (Ctrl+C)</source>
        <translation>把统计复制为制表符分隔的文本 (Ctrl+C)</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Write the statistics to a file: CSV, or a picture</source>
        <translation>把统计写入文件：CSV 或图片</translation>
    </message>
    <message>
        <source>Take the measure away (Esc)</source>
        <translation>移除测量 (Esc)</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
</context>
<context>
    <name>iosx::RunBar</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Largest group, in units</source>
        <translation>最大组的单元数</translation>
    </message>
    <message>
        <source>Most groups in a stage</source>
        <translation>阶段中最多的组数</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Network: the built-in ones; File ▸ Open takes your own</source>
        <translation>网络：内置网络；“文件 ▸ 打开”可打开您自己的网络</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>%1 (not available)</source>
        <translation>%1（不可用）</translation>
    </message>
    <message>
        <source>Device: what runs the schedules</source>
        <translation>设备：运行调度的硬件</translation>
    </message>
    <message>
        <source>Timing…</source>
        <translation>计时…</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>What runs the schedules</source>
        <translation>运行调度的硬件</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Images computed at once</source>
        <translation>一次计算的图像数</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>What a stage may do: run groups side by side (parallel), merge convolutions into one (merge), or the better of the two for each stage (both, which searches each of the three ways)</source>
        <translation>阶段可以采用的方式：并排运行各组 (parallel)、把卷积合并为一个 (merge)，或每个阶段取两者中较好者（both，会分别按三种方式搜索）</translation>
    </message>
    <message>
        <source>r</source>
        <translation>r</translation>
    </message>
    <message>
        <source>At most this many units in a group; ∞ searches everything and may take long</source>
        <translation>每组最多这么多单元；∞ 搜索全部，可能很久</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>At most this many groups in a stage; ∞ searches everything and may take long</source>
        <translation>每个阶段最多这么多组；∞ 搜索全部，可能很久</translation>
    </message>
    <message>
        <source>Optimize</source>
        <translation>优化</translation>
    </message>
    <message>
        <source>This model has its batch size in its shapes, so that it runs as it is only</source>
        <translation>该模型的形状中含有批大小，因此只能按原样运行</translation>
    </message>
    <message>
        <source>%1, when the jobs before it have ended</source>
        <translation>%1，在它之前的任务结束之后</translation>
    </message>
    <message>
        <source>Latencies and timelines come from a model of this GPU, not from a GPU. The README says how far the model is from published measurements.</source>
        <translation>延迟和时间线来自该 GPU 的模型，而非真实 GPU。README 说明了模型与已发表测量值的差距。</translation>
    </message>
    <message>
        <source>Latencies and timelines are measured on this device.</source>
        <translation>延迟和时间线在此设备上实测。</translation>
    </message>
    <message>
        <source>Origin of the latencies: %1</source>
        <translation>延迟的来源：%1</translation>
    </message>
    <message>
        <source>%1, edited</source>
        <translation>%1（已编辑）</translation>
    </message>
</context>
<context>
    <name>iosx::RunDialogs</name>
    <message>
        <source>Part size</source>
        <translation>部分大小</translation>
    </message>
    <message>
        <source>The search treats the network part by part; larger parts are cut.
Larger parts may find faster schedules and take longer.

Units in a part, at most:</source>
        <translation>搜索逐个部分地处理网络；较大的部分会被切开。
较大的部分可能找到更快的调度，但用时更长。

每个部分最多的单元数：</translation>
    </message>
</context>
<context>
    <name>iosx::ScheduleController</name>
    <message>
        <source>Copy %1</source>
        <translation>复制 %1</translation>
    </message>
    <message>
        <source>an earlier step</source>
        <translation>较早的一步</translation>
    </message>
    <message>
        <source>; 1 locked stage kept</source>
        <translation>；保留了 1 个锁定的阶段</translation>
    </message>
    <message>
        <source>; %1 locked stages kept</source>
        <translation>；保留了 %1 个锁定的阶段</translation>
    </message>
    <message>
        <source>Nothing better was found than %1 ms%2</source>
        <translation>未找到优于 %1 ms 的调度%2</translation>
    </message>
    <message>
        <source>Fill by IOS</source>
        <translation>由 IOS 填充</translation>
    </message>
    <message>
        <source>Search from here</source>
        <translation>从此处搜索</translation>
    </message>
    <message>
        <source>%1 → %2 ms%3</source>
        <translation>%1 → %2 ms%3</translation>
    </message>
    <message>
        <source>No schedule is being changed</source>
        <translation>没有正在更改的调度</translation>
    </message>
    <message>
        <source>This schedule has been run already</source>
        <translation>此调度已经运行过</translation>
    </message>
    <message>
        <source>Earlier changes</source>
        <translation>先前的更改</translation>
    </message>
    <message>
        <source>The schedule changed by hand does not fit the changed network: begin with a copy</source>
        <translation>手动调度不适合更改后的网络：请从一份副本开始</translation>
    </message>
    <message>
        <source>%1: the network was changed meanwhile, what was found does not fit it</source>
        <translation>%1：网络在此期间已更改，所找到的结果不再适合</translation>
    </message>
    <message>
        <source>%1 found %2 → %3 ms%4 for the schedule as it was; your changes since then stay</source>
        <translation>%1 为先前的调度找到了 %2 → %3 ms%4；您此后的更改保持不变</translation>
    </message>
    <message>
        <source>A search of this schedule runs or waits already</source>
        <translation>此调度的搜索已在运行或等待</translation>
    </message>
</context>
<context>
    <name>iosx::ScheduleEditor</name>
    <message>
        <source>Take it</source>
        <translation>采用</translation>
    </message>
    <message>
        <source>No network is open</source>
        <translation>未打开网络</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Undo: %1</source>
        <translation>撤销(&amp;U)：%1</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Redo: %1</source>
        <translation>重做(&amp;R)：%1</translation>
    </message>
    <message>
        <source>Nothing to undo</source>
        <translation>没有可撤销的操作</translation>
    </message>
    <message>
        <source>Nothing to redo</source>
        <translation>没有可重做的操作</translation>
    </message>
    <message>
        <source>No hand-made schedule of this network beat a search</source>
        <translation>此网络还没有胜过搜索的手工调度</translation>
    </message>
</context>
<context>
    <name>iosx::ScheduleJobs</name>
    <message>
        <source>Measuring 1 stage</source>
        <translation>正在测量 1 个阶段</translation>
    </message>
    <message>
        <source>Measuring %1 stages</source>
        <translation>正在测量 %1 个阶段</translation>
    </message>
    <message>
        <source>Filling the schedule by IOS</source>
        <translation>正在由 IOS 填充调度</translation>
    </message>
    <message>
        <source>Searching from the schedule</source>
        <translation>正在从该调度搜索</translation>
    </message>
    <message>
        <source>The device of this run is not here</source>
        <translation>此次运行的设备不在这里</translation>
    </message>
    <message>
        <source>The network&apos;s weights are not here; open the network itself</source>
        <translation>网络的权重不在这里；请打开网络本身</translation>
    </message>
    <message>
        <source>Verifying the hand-made schedule</source>
        <translation>正在验证手动调度</translation>
    </message>
    <message>
        <source>Running the hand-made schedule</source>
        <translation>正在运行手动调度</translation>
    </message>
</context>
<context>
    <name>iosx::ScheduleListModel</name>
    <message>
        <source>%1 ± %2</source>
        <translation>%1 ± %2</translation>
    </message>
    <message>
        <source>The search was stopped; parts it had not solved run sequentially.</source>
        <translation>搜索已停止；尚未求解的部分按顺序执行。</translation>
    </message>
    <message>
        <source>Too few runs to tell whether that is noise</source>
        <translation>运行次数太少，无法判断是否为噪声</translation>
    </message>
    <message>
        <source>95 % confidence interval: %1 to %2</source>
        <translation>95 % 置信区间：%1 到 %2</translation>
    </message>
    <message>
        <source>, median of %1 runs</source>
        <translation>，%1 次运行的中位数</translation>
    </message>
    <message>
        <source>, SM clock %1 MHz</source>
        <translation>，SM 时钟 %1 MHz</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>The fastest is bold, and what is as fast within the noise</source>
        <translation>最快的以粗体显示，在噪声范围内与之一样快的也是</translation>
    </message>
    <message>
        <source>Latency
[ms]</source>
        <translation>延迟
[ms]</translation>
    </message>
    <message>
        <source>End to end, run by itself; ± its spread where it is measured</source>
        <translation>端到端，单独运行；± 为实测时的离散度</translation>
    </message>
    <message>
        <source>Speed-up
[×]</source>
        <translation>加速比
[×]</translation>
    </message>
    <message>
        <source>Latency of the sequential schedule over this one&apos;s; ≈ 1 where the difference is within the noise</source>
        <translation>顺序调度的延迟除以此调度的延迟；≈ 1 表示差异在噪声范围内</translation>
    </message>
    <message>
        <source>Stage sum
[ms]</source>
        <translation>阶段总和
[ms]</translation>
    </message>
    <message>
        <source>Sum of the stages&apos; latencies, each run on its own</source>
        <translation>各阶段单独运行时延迟的总和</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Number of stages</source>
        <translation>阶段数</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Whether the latencies are simulated or measured</source>
        <translation>延迟是模拟的还是实测的</translation>
    </message>
    <message>
        <source>Search
[s]</source>
        <translation>搜索
[s]</translation>
    </message>
    <message>
        <source>Time the search took on this computer</source>
        <translation>在本机上搜索所用的时间</translation>
    </message>
    <message>
        <source>Stages
needed</source>
        <translation>需要的
阶段数</translation>
    </message>
    <message>
        <source>Distinct stages whose latency the search needs; each is measured once for all searches, and not again where it is kept from an earlier run</source>
        <translation>搜索需要其延迟的不同阶段数；每个阶段只为所有搜索测量一次，先前运行保留的不再测量</translation>
    </message>
</context>
<context>
    <name>iosx::SchedulePanel</name>
    <message>
        <source>Schedules</source>
        <translation>调度</translation>
    </message>
</context>
<context>
    <name>iosx::Selection</name>
    <message>
        <source>Stage %1 of %2</source>
        <translation>阶段 %1 / %2</translation>
    </message>
    <message>
        <source>%1 units</source>
        <translation>%1 个单元</translation>
    </message>
    <message>
        <source>Unit %1</source>
        <translation>单元 %1</translation>
    </message>
    <message>
        <source>unit</source>
        <translation>单元</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>FLOPs</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节数</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>stage ms</source>
        <translation>阶段 ms</translation>
    </message>
</context>
<context>
    <name>iosx::SelectionMenu</name>
    <message>
        <source>&amp;Schedules</source>
        <translation>调度(&amp;S)</translation>
    </message>
    <message>
        <source>Nothing is selected</source>
        <translation>未选中任何内容</translation>
    </message>
    <message>
        <source>Show in the &amp;graph</source>
        <translation>在计算图中显示(&amp;G)</translation>
    </message>
    <message>
        <source>Show in the &amp;timeline</source>
        <translation>在时间线中显示(&amp;T)</translation>
    </message>
    <message>
        <source>Select its &amp;stage</source>
        <translation>选中其阶段(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Why this stage</source>
        <translation>为何是此阶段(&amp;W)</translation>
    </message>
    <message>
        <source>Copy &amp;names</source>
        <translation>复制名称(&amp;N)</translation>
    </message>
    <message>
        <source>Copy units as tab-separated te&amp;xt</source>
        <translation>把单元复制为制表符分隔的文本(&amp;X)</translation>
    </message>
    <message>
        <source>Copy units as CS&amp;V</source>
        <translation>把单元复制为 CSV(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Export the shown schedule</source>
        <translation>导出显示的调度(&amp;E)</translation>
    </message>
</context>
<context>
    <name>iosx::SizeDialog</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 个</translation>
    </message>
    <message>
        <source>Input sizes</source>
        <translation>输入尺寸</translation>
    </message>
    <message>
        <source>%1 leaves the sizes of these dimensions open. Everything that is computed follows from them.</source>
        <translation>%1 的以下维度大小未定。所有计算都由它们决定。</translation>
    </message>
    <message>
        <source>Whether the network fits</source>
        <translation>网络是否相容</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>Choose &amp;for me</source>
        <translation>由程序选择(&amp;F)</translation>
    </message>
    <message>
        <source>Open it with sizes that are usual, and forget those given for it</source>
        <translation>以通常的尺寸打开，并忘记先前给定的尺寸</translation>
    </message>
    <message>
        <source>Usual</source>
        <translation>通常</translation>
    </message>
    <message>
        <source>Sizes that are usual for it</source>
        <translation>对它而言通常的尺寸</translation>
    </message>
    <message>
        <source>Reading the file…</source>
        <translation>正在读取文件…</translation>
    </message>
    <message>
        <source>The file leaves no size open.</source>
        <translation>文件中没有未定的尺寸。</translation>
    </message>
    <message>
        <source>The network fits.
In: %1
Out: %2</source>
        <translation>网络相容。
输入：%1
输出：%2</translation>
    </message>
    <message>
        <source>The network does not fit: %1</source>
        <translation>网络不相容：%1</translation>
    </message>
</context>
<context>
    <name>iosx::StageBoard</name>
    <message>
        <source>&apos;%1&apos; needs &apos;%2&apos;, which is in stage %3</source>
        <translation>“%1”需要“%2”，后者在阶段 %3 中</translation>
    </message>
    <message>
        <source>&apos;%1&apos; needs &apos;%2&apos;, which is in another lane of this stage</source>
        <translation>“%1”需要“%2”，后者在此阶段的另一条泳道中</translation>
    </message>
    <message>
        <source>&apos;%1&apos; needs &apos;%2&apos;, which stands on the wrong side</source>
        <translation>“%1”需要“%2”，后者在错误的一侧</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is needed by &apos;%2&apos;, which is in stage %3</source>
        <translation>“%2”需要“%1”，前者在阶段 %3 中</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is needed by &apos;%2&apos;, which is in another lane of this stage</source>
        <translation>“%2”需要“%1”，前者在此阶段的另一条泳道中</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is needed by &apos;%2&apos;, which stands on the wrong side</source>
        <translation>“%2”需要“%1”，前者在错误的一侧</translation>
    </message>
    <message>
        <source>stage %1 is locked</source>
        <translation>阶段 %1 已锁定</translation>
    </message>
    <message>
        <source>no stage follows the last one</source>
        <translation>最后一个阶段之后没有阶段</translation>
    </message>
    <message>
        <source>a stage is split between some of its operators and the others</source>
        <translation>拆分阶段需要选中其中一部分算子</translation>
    </message>
    <message>
        <source>a merged convolution is one piece: take it apart first</source>
        <translation>合并的卷积是一个整体：请先拆开</translation>
    </message>
    <message>
        <source>one operator cannot be split</source>
        <translation>单个算子不能拆分</translation>
    </message>
    <message>
        <source>they cannot be merged: %1</source>
        <translation>它们不能合并：%1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is in stage %2, &apos;%3&apos; in stage %4: only what is in one stage merges</source>
        <translation>“%1”在阶段 %2 中，“%3”在阶段 %4 中：只有同一阶段中的卷积可以合并</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not merged</source>
        <translation>“%1”没有合并</translation>
    </message>
    <message>
        <source>Stage board</source>
        <translation>阶段看板</translation>
    </message>
    <message>
        <source>%1, stage %2, lane %3</source>
        <translation>%1，阶段 %2，泳道 %3</translation>
    </message>
    <message>
        <source>Lane %1 of stage %2</source>
        <translation>阶段 %2 的泳道 %1</translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>%1, locked</source>
        <translation>%1，已锁定</translation>
    </message>
    <message>
        <source>Split stage %1</source>
        <translation>拆分阶段 %1</translation>
    </message>
    <message>
        <source>Join stages %1 and %2</source>
        <translation>连接阶段 %1 和 %2</translation>
    </message>
    <message>
        <source>New stage</source>
        <translation>新阶段</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Take apart</source>
        <translation>拆开</translation>
    </message>
    <message>
        <source>Lock stage %1</source>
        <translation>锁定阶段 %1</translation>
    </message>
    <message>
        <source>Unlock stage %1</source>
        <translation>解锁阶段 %1</translation>
    </message>
    <message>
        <source>Lock %1 stages</source>
        <translation>锁定 %1 个阶段</translation>
    </message>
    <message>
        <source>Unlock %1 stages</source>
        <translation>解锁 %1 个阶段</translation>
    </message>
    <message>
        <source>No schedule is being changed. “Edit a copy” takes the one that is shown.</source>
        <translation>没有正在更改的调度。“编辑副本”采用所显示的调度。</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>%1 operators</source>
        <translation>%1 个算子</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动 %1</translation>
    </message>
    <message>
        <source>Move %1 operators</source>
        <translation>移动 %1 个算子</translation>
    </message>
    <message>
        <source>Move stage %1</source>
        <translation>移动阶段 %1</translation>
    </message>
    <message>
        <source>Drag to move it; double click or L locks it</source>
        <translation>拖动可移动它；双击或按 L 锁定</translation>
    </message>
    <message>
        <source>Drag to move the whole lane</source>
        <translation>拖动可移动整条泳道</translation>
    </message>
</context>
<context>
    <name>iosx::StageDifferenceModel</name>
    <message>
        <source>A: %1, B: %2, stage against stage</source>
        <translation>A：%1，B：%2，逐阶段对比</translation>
    </message>
    <message>
        <source>Stages
of A</source>
        <translation>A 的
阶段</translation>
    </message>
    <message>
        <source>Stages of A that hold the same operators as those of B</source>
        <translation>A 中与 B 的阶段包含相同算子的阶段</translation>
    </message>
    <message>
        <source>Stages
of B</source>
        <translation>B 的
阶段</translation>
    </message>
    <message>
        <source>Stages of B that hold the same operators as those of A</source>
        <translation>B 中与 A 的阶段包含相同算子的阶段</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Of the network</source>
        <translation>网络中</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>单元</translation>
    </message>
    <message>
        <source>What these stages hold</source>
        <translation>这些阶段包含的内容</translation>
    </message>
    <message>
        <source>A
[ms]</source>
        <translation>A
[ms]</translation>
    </message>
    <message>
        <source>Latencies of A&apos;s stages, added up</source>
        <translation>A 的阶段延迟之和</translation>
    </message>
    <message>
        <source>B
[ms]</source>
        <translation>B
[ms]</translation>
    </message>
    <message>
        <source>Latencies of B&apos;s stages, added up</source>
        <translation>B 的阶段延迟之和</translation>
    </message>
    <message>
        <source>Δ
[ms]</source>
        <translation>Δ
[ms]</translation>
    </message>
    <message>
        <source>B less A: below zero B is faster; ≈ is inside the noise</source>
        <translation>B 减 A：小于零表示 B 更快；≈ 表示在噪声范围内</translation>
    </message>
    <message>
        <source>Δ
[%]</source>
        <translation>Δ
[%]</translation>
    </message>
    <message>
        <source>Of A&apos;s latency</source>
        <translation>占 A 的延迟</translation>
    </message>
    <message>
        <source>Noise
[ms]</source>
        <translation>噪声
[ms]</translation>
    </message>
    <message>
        <source>Half width of the difference&apos;s 95 % interval, from the samples&apos; spread</source>
        <translation>差异的 95 % 区间的半宽，由样本的离散度得出</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>改动</translation>
    </message>
    <message>
        <source>From A to B</source>
        <translation>从 A 到 B</translation>
    </message>
    <message>
        <source>A
[ms/sample]</source>
        <translation>A
[ms/样本]</translation>
    </message>
    <message>
        <source>B
[ms/sample]</source>
        <translation>B
[ms/样本]</translation>
    </message>
    <message>
        <source>Δ
[ms/sample]</source>
        <translation>Δ
[ms/样本]</translation>
    </message>
    <message>
        <source>Noise
[ms/sample]</source>
        <translation>噪声
[ms/样本]</translation>
    </message>
</context>
<context>
    <name>iosx::StageLatencyChart</name>
    <message>
        <source>Stage latencies of the schedules</source>
        <translation>各调度的阶段延迟</translation>
    </message>
    <message>
        <source>%1, stage %2, %3</source>
        <translation>%1，阶段 %2，%3</translation>
    </message>
    <message>
        <source>No stage latencies yet: they appear when schedules have run on the device (Optimize)</source>
        <translation>还没有阶段延迟：调度在设备上运行后（“优化”）才会出现</translation>
    </message>
</context>
<context>
    <name>iosx::StagePanel</name>
    <message>
        <source>Stages of the shown schedule</source>
        <translation>所显示调度的阶段</translation>
    </message>
    <message>
        <source>Filter stages by unit or strategy</source>
        <translation>按单元或策略筛选阶段</translation>
    </message>
</context>
<context>
    <name>iosx::StageTableModel</name>
    <message>
        <source>Of the stage run on its own</source>
        <translation>阶段单独运行时</translation>
    </message>
    <message>
        <source>Use
[%]</source>
        <translation>使用率
[%]</translation>
    </message>
    <message>
        <source>The device does not report its utilization</source>
        <translation>该设备不报告其利用率</translation>
    </message>
    <message>
        <source>
[mean]</source>
        <translation>
[平均]</translation>
    </message>
    <message>
        <source>Mean of the %1 in the stage</source>
        <translation>阶段内%1的平均值</translation>
    </message>
    <message>
        <source>
[%]</source>
        <translation>
[%]</translation>
    </message>
    <message>
        <source>Mean of the %1 in the stage, of the %2 %3 that the device has</source>
        <translation>阶段内%1的平均值，占设备拥有的 %2 %3</translation>
    </message>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Stages run one after another</source>
        <translation>各阶段依次执行</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>How the stage&apos;s units run</source>
        <translation>阶段的单元如何运行</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Units: → one after another, | side by side, + merged into one convolution</source>
        <translation>单元：→ 依次执行，| 并排执行，+ 合并为一个卷积</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>单元</translation>
    </message>
    <message>
        <source>Number of units</source>
        <translation>单元数</translation>
    </message>
    <message>
        <source>Latency
[ms]</source>
        <translation>延迟
[ms]</translation>
    </message>
    <message>
        <source>Share
[%]</source>
        <translation>占比
[%]</translation>
    </message>
    <message>
        <source>Of the sum of all stages&apos; latencies</source>
        <translation>占所有阶段延迟的总和</translation>
    </message>
</context>
<context>
    <name>iosx::StartPage</name>
    <message>
        <source>Start page</source>
        <translation>起始页</translation>
    </message>
    <message>
        <source>IOS Explorer</source>
        <translation>IOS Explorer</translation>
    </message>
    <message>
        <source>Which operators of a network should run at the same time?</source>
        <translation>网络的哪些算子应当同时运行？</translation>
    </message>
    <message>
        <source>&amp;Open a file…</source>
        <translation>打开文件(&amp;O)…</translation>
    </message>
    <message>
        <source>An ONNX model, a network as JSON, a saved run or a schedule</source>
        <translation>ONNX 模型、JSON 网络、已保存的运行或调度</translation>
    </message>
    <message>
        <source>or drop it anywhere in this window</source>
        <translation>或将其拖放到此窗口的任意位置</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>最近的文件</translation>
    </message>
    <message>
        <source>Built-in networks</source>
        <translation>内置网络</translation>
    </message>
    <message>
        <source>How many times as fast as one operator at a time the schedule is that the search finds, simulated at batch 1. A picture&apos;s height is how many units are equally deep.</source>
        <translation>搜索找到的调度比逐个执行算子快多少倍，在批大小 1 下模拟。图的高度表示有多少单元处于同一深度。</translation>
    </message>
    <message>
        <source>&amp;Back to %1</source>
        <translation>返回 %1(&amp;B)</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>还没有</translation>
    </message>
</context>
<context>
    <name>iosx::StateLine</name>
    <message>
        <source>%1 %2, batch %3</source>
        <translation>%1 %2，批大小 %3</translation>
    </message>
    <message>
        <source>No network is open</source>
        <translation>没有打开的网络</translation>
    </message>
    <message>
        <source>, with made-up weights: its own are in its file</source>
        <translation>，权重为虚构：其自身的权重在其文件中</translation>
    </message>
    <message>
        <source>What is shown was %1. Optimize runs the network here, on the chosen device%2.</source>
        <translation>显示的内容为 %1。“优化”在此处所选设备上运行该网络%2。</translation>
    </message>
    <message>
        <source>Optimize searches schedules for this network and runs them on the device.</source>
        <translation>“优化”为该网络搜索调度并在设备上运行。</translation>
    </message>
    <message>
        <source>%1: only schedules that need no search. Optimize searches faster ones.</source>
        <translation>%1：只有无需搜索的调度。“优化”搜索更快的调度。</translation>
    </message>
    <message>
        <source>%1: the search was stopped; what it had found is shown.</source>
        <translation>%1：搜索已停止；显示已找到的内容。</translation>
    </message>
    <message>
        <source>%1: current</source>
        <translation>%1：当前</translation>
    </message>
    <message>
        <source>%1: made with other settings. Optimize makes it with those of now.</source>
        <translation>%1：以其他设置得出。“优化”以当前设置重新得出。</translation>
    </message>
    <message>
        <source>%1: the search still runs; what it has found so far is shown.</source>
        <translation>%1：搜索仍在进行；显示的是目前找到的结果。</translation>
    </message>
    <message>
        <source>%1: of an older file. The network as it is now stands in the project panel too.</source>
        <translation>%1：来自较旧的文件。网络现在的样子也在项目面板中。</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
</context>
<context>
    <name>iosx::StatisticsModel</name>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>partial: the run was stopped</source>
        <translation>不完整：运行已停止</translation>
    </message>
    <message>
        <source>a sum of stages: nothing ran end to end</source>
        <translation>各阶段之和：没有端到端运行</translation>
    </message>
    <message>
        <source>the clock was low</source>
        <translation>时钟偏低</translation>
    </message>
    <message>
        <source>%1 samples discarded</source>
        <translation>丢弃 %1 个样本</translation>
    </message>
    <message>
        <source>%1 MHz</source>
        <translation>%1 MHz</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>With what tells it from the others</source>
        <translation>它与其他的区别</translation>
    </message>
    <message>
        <source>Median
[ms]</source>
        <translation>中位数
[ms]</translation>
    </message>
    <message>
        <source>End to end, of all rounds</source>
        <translation>端到端，所有轮次</translation>
    </message>
    <message>
        <source>Spread
[ms]</source>
        <translation>离散度
[ms]</translation>
    </message>
    <message>
        <source>Half width of the interval that holds 95 % of the samples</source>
        <translation>包含 95 % 样本的区间的半宽</translation>
    </message>
    <message>
        <source>95 % of median
[ms]</source>
        <translation>中位数 95 %
[ms]</translation>
    </message>
    <message>
        <source>Where the median lies with 95 %, from the rounds</source>
        <translation>由各轮得出的中位数 95 % 所在区间</translation>
    </message>
    <message>
        <source>Mean
[ms]</source>
        <translation>平均值
[ms]</translation>
    </message>
    <message>
        <source>Of the rounds&apos; medians</source>
        <translation>各轮中位数的平均</translation>
    </message>
    <message>
        <source>Rounds from … to
[ms]</source>
        <translation>轮次范围
[ms]</translation>
    </message>
    <message>
        <source>The lowest and the highest of the rounds&apos; medians</source>
        <translation>各轮中位数的最小值与最大值</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Schedules of one run take turns: one round each</source>
        <translation>同一运行的各调度轮流执行：每轮一次</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Of all rounds together</source>
        <translation>所有轮次合计</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Δ
[ms]</source>
        <translation>Δ
[ms]</translation>
    </message>
    <message>
        <source>Against the baseline</source>
        <translation>与基线比较</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Simulated, measured here, or recorded elsewhere</source>
        <translation>模拟、在此实测，或在别处记录</translation>
    </message>
    <message>
        <source>Remarks</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Statistics: %1</source>
        <translation>统计：%1</translation>
    </message>
    <message>
        <source>not ours</source>
        <translation>外部数据</translation>
    </message>
    <message>
        <source>Against the baseline, sample for sample: batches differ; ? has too few runs to tell</source>
        <translation>相对基线，逐样本比较：批大小不同；? 表示运行次数太少，无法判断</translation>
    </message>
    <message>
        <source>Against the baseline, run for run; ? has too few runs to tell</source>
        <translation>相对基线，逐次运行比较；? 表示运行次数太少，无法判断</translation>
    </message>
    <message>
        <source>Δ
[ms/sample]</source>
        <translation>Δ
[ms/样本]</translation>
    </message>
    <message>
        <source>not ours, %1</source>
        <translation>非本程序所测，%1</translation>
    </message>
</context>
<context>
    <name>iosx::StoreDialog</name>
    <message>
        <source>There is no such file yet. It is made when something is measured.</source>
        <translation>还没有这样的文件。有内容被测量时会创建它。</translation>
    </message>
    <message>
        <source>%1 of %2, %3</source>
        <translation>%2 的 %1，%3</translation>
    </message>
    <message>
        <source>1 device</source>
        <translation>1 个设备</translation>
    </message>
    <message>
        <source>%1 devices</source>
        <translation>%1 个设备</translation>
    </message>
    <message>
        <source>%1 is simulated: nothing of it is kept</source>
        <translation>%1 是模拟的：不保留其任何数据</translation>
    </message>
    <message>
        <source>%1 with batch %2</source>
        <translation>%1 个（批大小 %2）</translation>
    </message>
    <message>
        <source>None of %1 as it is now</source>
        <translation>没有与当前状态相符的 %1 的测量</translation>
    </message>
    <message>
        <source>%1 with others</source>
        <translation>%1 个（其他批大小）</translation>
    </message>
    <message>
        <source>Of %1: %2; the last on %3</source>
        <translation>%1：%2；最近于 %3</translation>
    </message>
    <message>
        <source>&amp;Keep measurements from run to run</source>
        <translation>在多次运行之间保留测量(&amp;K)</translation>
    </message>
    <message>
        <source>Kept measurements</source>
        <translation>保留的测量</translation>
    </message>
    <message>
        <source>What was measured before on the same device, with the same versions, batch size and precision and at least as thoroughly, is not measured again. Simulated latencies are not kept.</source>
        <translation>先前在同一设备上以相同版本、批大小和精度、且至少同样充分地测量过的内容，不再测量。模拟的延迟不保留。</translation>
    </message>
    <message>
        <source>Otherwise everything is measured anew, and nothing is kept</source>
        <translation>否则一切重新测量，且不保留任何内容</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>File of the measurements</source>
        <translation>测量文件</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>浏览(&amp;B)…</translation>
    </message>
    <message>
        <source>Use the &amp;usual place</source>
        <translation>使用通常的位置(&amp;U)</translation>
    </message>
    <message>
        <source>What is in the file</source>
        <translation>文件中的内容</translation>
    </message>
    <message>
        <source>Content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Measurements (*.db);;All files (*)</source>
        <translation>测量 (*.db);;所有文件 (*)</translation>
    </message>
    <message>
        <source>There is no usual place on this computer; name a file.</source>
        <translation>此计算机上没有通常的位置；请指定文件。</translation>
    </message>
    <message>
        <source>1 measurement</source>
        <translation>1 次测量</translation>
    </message>
    <message>
        <source>%1 measurements</source>
        <translation>%1 次测量</translation>
    </message>
</context>
<context>
    <name>iosx::SweepView</name>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Use this value</source>
        <translation>采用此值</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>Value that is read</source>
        <translation>读取的值</translation>
    </message>
    <message>
        <source>of</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>usual values</source>
        <translation>常用值</translation>
    </message>
    <message>
        <source>Values to try, such as 1, 2, 4; empty: usual ones</source>
        <translation>要尝试的值，如 1, 2, 4；留空则用常用值</translation>
    </message>
    <message>
        <source>values</source>
        <translation>取值</translation>
    </message>
    <message>
        <source>speed-up over sequential</source>
        <translation>相对顺序调度的加速比</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Measures the values that are not known, as a job</source>
        <translation>以作业方式测量未知的值</translation>
    </message>
    <message>
        <source>the whole network</source>
        <translation>整个网络</translation>
    </message>
    <message>
        <source>select an operator</source>
        <translation>请选择一个算子</translation>
    </message>
    <message>
        <source>%1 of %2 values</source>
        <translation>%2 个值中的 %1 个</translation>
    </message>
    <message>
        <source>Some values were never measured.</source>
        <translation>有些值从未测量过。</translation>
    </message>
</context>
<context>
    <name>iosx::Sweeper</name>
    <message>
        <source>No network is open.</source>
        <translation>没有打开的网络。</translation>
    </message>
    <message>
        <source>Select an operator on the canvas.</source>
        <translation>请在画布上选择一个算子。</translation>
    </message>
    <message>
        <source>The selected operator has no such size.</source>
        <translation>所选算子没有这样的尺寸。</translation>
    </message>
    <message>
        <source>The network has nothing to vary here.</source>
        <translation>该网络在这方面没有可变之处。</translation>
    </message>
    <message>
        <source>What if: %1</source>
        <translation>假设：%1</translation>
    </message>
</context>
<context>
    <name>iosx::TableView</name>
    <message>
        <source>&amp;Copy as tab-separated text</source>
        <translation>复制为制表符分隔的文本(&amp;C)</translation>
    </message>
    <message>
        <source>Copy as CS&amp;V</source>
        <translation>复制为 CSV(&amp;V)</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>全选(&amp;A)</translation>
    </message>
</context>
<context>
    <name>iosx::TaskPanel</name>
    <message>
        <source>Tasks of the search</source>
        <translation>搜索的任务</translation>
    </message>
    <message>
        <source>Where the time goes so far, and where the search may gain more by estimate</source>
        <translation>到目前为止时间花在何处，以及估计搜索还能在何处改进</translation>
    </message>
    <message>
        <source>What may be gained where is being worked out</source>
        <translation>正在计算何处还能改进</translation>
    </message>
    <message>
        <source>No search yet</source>
        <translation>尚未搜索</translation>
    </message>
    <message>
        <source>%1 was not searched for: it has no tasks</source>
        <translation>%1 不是搜索得到的：没有任务</translation>
    </message>
    <message>
        <source>Exhaustive search: every stage was asked for, so that nothing more may be gained</source>
        <translation>穷举搜索：请求了每个阶段，因此不可能再改进</translation>
    </message>
    <message>
        <source>%1: where the time goes, and where more may be gained by estimate</source>
        <translation>%1：时间花在何处，以及估计何处还能改进</translation>
    </message>
</context>
<context>
    <name>iosx::TaskTableModel</name>
    <message>
        <source>Alike, planned as one: %1</source>
        <translation>相似，作为一个规划：%1</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 与 %2</translation>
    </message>
    <message>
        <source>%1 and %2 alike</source>
        <translation>%1 与另外 %2 个相似部分</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Parts of the network; those that are alike are searched as one</source>
        <translation>网络的部分；相似的部分作为一个搜索</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>时间来源</translation>
    </message>
    <message>
        <source>How many parts are alike</source>
        <translation>相似部分的数量</translation>
    </message>
    <message>
        <source>Cost
[ms]</source>
        <translation>代价
[ms]</translation>
    </message>
    <message>
        <source>Of one such part, with the best stages known so far</source>
        <translation>单个此类部分在目前已知最佳阶段下的代价</translation>
    </message>
    <message>
        <source>Share
[%]</source>
        <translation>占比
[%]</translation>
    </message>
    <message>
        <source>Of all of them together, of the whole schedule&apos;s time</source>
        <translation>全部合计，占整个调度的时间</translation>
    </message>
    <message>
        <source>Stages
asked for</source>
        <translation>请求的
阶段数</translation>
    </message>
    <message>
        <source>Stages of such a part that have a latency, of all that there are</source>
        <translation>此类部分中已有延迟的阶段数，相对全部阶段</translation>
    </message>
    <message>
        <source>Gain
[ms]</source>
        <translation>收益
[ms]</translation>
    </message>
    <message>
        <source>At most that much less for all of them together, by estimate: if every stage that was not asked for took only 0.9 of what is predicted. No bound</source>
        <translation>全部合计最多可减少的估计值：假设每个未请求的阶段只需预测值的 0.9。不是界</translation>
    </message>
    <message>
        <source>Gain
[%]</source>
        <translation>收益
[%]</translation>
    </message>
    <message>
        <source>The same, of the whole schedule&apos;s time; an estimate, no bound</source>
        <translation>同上，占整个调度的时间；是估计值，不是界</translation>
    </message>
</context>
<context>
    <name>iosx::TimelineView</name>
    <message>
        <source>lane %1</source>
        <translation>泳道 %1</translation>
    </message>
    <message>
        <source>Schedules</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Choose the schedules that are shown</source>
        <translation>选择显示哪些调度</translation>
    </message>
    <message>
        <source>Timeline of the schedules</source>
        <translation>各调度的时间线</translation>
    </message>
    <message>
        <source>Play in slow motion (space)</source>
        <translation>慢动作播放（空格）</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Align parts</source>
        <translation>对齐部分</translation>
    </message>
    <message>
        <source>Let every part of the network begin at the same place in all schedules</source>
        <translation>让网络的每个部分在所有调度中从同一位置开始</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>The selected schedule is always shown</source>
        <translation>选中的调度总是显示</translation>
    </message>
    <message>
        <source>No timeline yet: it appears when schedules have run on the device (Optimize)</source>
        <translation>还没有时间线：调度在设备上运行后（“优化”）才会出现</translation>
    </message>
    <message>
        <source>Wheel zooms · drag measures · Ctrl+drag pans · space plays · F shows all</source>
        <translation>滚轮缩放 · 拖动测量 · Ctrl+拖动平移 · 空格播放 · F 显示全部</translation>
    </message>
    <message>
        <source>Show all (F)</source>
        <translation>显示全部 (F)</translation>
    </message>
    <message>
        <source>Zoom to the selection (Z)</source>
        <translation>缩放至选中内容 (Z)</translation>
    </message>
    <message>
        <source>Pause (space)</source>
        <translation>暂停（空格）</translation>
    </message>
    <message>
        <source>Keep this schedule at the top (P)</source>
        <translation>将此调度固定在顶部 (P)</translation>
    </message>
    <message>
        <source>Align the parts of the network</source>
        <translation>对齐网络的各部分</translation>
    </message>
    <message>
        <source>Utilization plots (U)</source>
        <translation>利用率曲线图 (U)</translation>
    </message>
    <message>
        <source>Counter below the lanes</source>
        <translation>泳道下方的计数器</translation>
    </message>
    <message>
        <source>Keep this schedule at the top while the others scroll (P)</source>
        <translation>其他调度滚动时将此调度固定在顶部 (P)</translation>
    </message>
    <message>
        <source>This part of the network ends %1 earlier here than in the slowest of the schedules shown.</source>
        <translation>网络的这一部分在此处比所示调度中最慢的提前 %1 结束。</translation>
    </message>
    <message>
        <source>1 kernel</source>
        <translation>1 个内核</translation>
    </message>
    <message>
        <source>%1 kernels</source>
        <translation>%1 个内核</translation>
    </message>
</context>
<context>
    <name>iosx::TimingDialog</name>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>How long every stage, and every schedule in each round, is timed on a device that measures. Longer measuring makes searches slower and tells smaller differences apart.</source>
        <translation>在实测设备上，每个阶段以及每轮中的每个调度计时多久。测量越久，搜索越慢，越能分辨较小的差异。</translation>
    </message>
    <message>
        <source>&amp;Warm-up runs</source>
        <translation>预热运行(&amp;W)</translation>
    </message>
    <message>
        <source>Untimed runs before the timed ones</source>
        <translation>计时运行之前的不计时运行</translation>
    </message>
    <message>
        <source>Timed runs, at &amp;least</source>
        <translation>计时运行，最少(&amp;L)</translation>
    </message>
    <message>
        <source>So many runs are always timed</source>
        <translation>总是计时这么多次</translation>
    </message>
    <message>
        <source>Timed runs, at &amp;most</source>
        <translation>计时运行，最多(&amp;M)</translation>
    </message>
    <message>
        <source>Timing ends here however noisy the runs are</source>
        <translation>无论噪声多大，计时到此为止</translation>
    </message>
    <message>
        <source>&amp;Time, at least</source>
        <translation>时间，最少(&amp;T)</translation>
    </message>
    <message>
        <source>The timed runs together take at least so long</source>
        <translation>计时运行合计至少这么久</translation>
    </message>
    <message>
        <source>Wanted &amp;precision</source>
        <translation>期望精度(&amp;P)</translation>
    </message>
    <message>
        <source>Timing ends when the median is known to this part of itself (95 % confidence)</source>
        <translation>当中位数的不确定度小于其自身的这一比例时结束计时（95 % 置信度）</translation>
    </message>
</context>
<context>
    <name>iosx::Toast</name>
    <message>
        <source>Error: %1</source>
        <translation>错误：%1</translation>
    </message>
    <message>
        <source>Close the message</source>
        <translation>关闭此消息</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
</context>
<context>
    <name>iosx::UtilizationView</name>
    <message>
        <source>
stage %1</source>
        <translation>
阶段 %1</translation>
    </message>
    <message>
        <source>: mean %1 %2</source>
        <translation>：平均%1 %2</translation>
    </message>
    <message>
        <source>, area %1 %2 · ms</source>
        <translation>，面积 %1 %2 · ms</translation>
    </message>
    <message>
        <source>Counter</source>
        <translation>计数器</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Utilization over time</source>
        <translation>利用率随时间变化</translation>
    </message>
    <message>
        <source>%1 over time</source>
        <translation>%1随时间变化</translation>
    </message>
    <message>
        <source>This device does not report its utilization</source>
        <translation>该设备不报告其利用率</translation>
    </message>
    <message>
        <source>No utilization yet: it appears when schedules have run on the device (Optimize)</source>
        <translation>还没有利用率：调度在设备上运行后（“优化”）才会出现</translation>
    </message>
    <message>
        <source>%1 at %2 (%3)</source>
        <translation>%2 时为 %1（%3）</translation>
    </message>
    <message>
        <source>
%1 %, %2</source>
        <translation>
%1 %，%2</translation>
    </message>
    <message>
        <source>
%1 %2</source>
        <translation>
%1 %2</translation>
    </message>
    <message>
        <source> (%1 of %2)</source>
        <translation>（%1 / %2）</translation>
    </message>
    <message>
        <source>
from %1</source>
        <translation>
来自 %1</translation>
    </message>
    <message>
        <source>
area under the curve: %1 of sequential</source>
        <translation>
曲线下面积：顺序调度的 %1</translation>
    </message>
    <message>
        <source>
mean over the run: %1 of sequential</source>
        <translation>
整个运行的平均值：顺序调度的 %1</translation>
    </message>
</context>
<context>
    <name>iosx::ViewKeys</name>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>Show the whole graph</source>
        <translation>显示整个计算图</translation>
    </message>
    <message>
        <source>Zoom to the selection</source>
        <translation>缩放至选中内容</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Go to the unit in that direction</source>
        <translation>转到该方向上的单元</translation>
    </message>
    <message>
        <source>Show or hide the legend</source>
        <translation>显示或隐藏图例</translation>
    </message>
    <message>
        <source>Show or hide the overview</source>
        <translation>显示或隐藏概览</translation>
    </message>
    <message>
        <source>List the parts, to go to one</source>
        <translation>列出各部分以便跳转</translation>
    </message>
    <message>
        <source>Next part</source>
        <translation>下一个部分</translation>
    </message>
    <message>
        <source>Previous part</source>
        <translation>上一个部分</translation>
    </message>
    <message>
        <source>Find units</source>
        <translation>查找单元</translation>
    </message>
    <message>
        <source>Next unit found; with Shift the previous one</source>
        <translation>下一个找到的单元；加 Shift 为上一个</translation>
    </message>
    <message>
        <source>Select nothing</source>
        <translation>不选中任何内容</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>滚轮</translation>
    </message>
    <message>
        <source>Zoom at the cursor</source>
        <translation>在光标处缩放</translation>
    </message>
    <message>
        <source>Drag, Space + drag or Shift + wheel</source>
        <translation>拖动、空格 + 拖动，或 Shift + 滚轮</translation>
    </message>
    <message>
        <source>Move the drawing</source>
        <translation>移动图形</translation>
    </message>
    <message>
        <source>Ctrl + click</source>
        <translation>Ctrl + 单击</translation>
    </message>
    <message>
        <source>Add to the selection, or take away</source>
        <translation>加入选择或从中移除</translation>
    </message>
    <message>
        <source>Double click on a part&apos;s header</source>
        <translation>双击部分的标题</translation>
    </message>
    <message>
        <source>Show that part alone, or all again</source>
        <translation>只显示该部分，或重新显示全部</translation>
    </message>
    <message>
        <source>Right click</source>
        <translation>右击</translation>
    </message>
    <message>
        <source>What can be done with the selection</source>
        <translation>可对选中内容执行的操作</translation>
    </message>
    <message>
        <source>Timeline and utilization</source>
        <translation>时间线与利用率</translation>
    </message>
    <message>
        <source>Move left</source>
        <translation>向左移动</translation>
    </message>
    <message>
        <source>Move right</source>
        <translation>向右移动</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Next kernel</source>
        <translation>下一个内核</translation>
    </message>
    <message>
        <source>Previous kernel</source>
        <translation>上一个内核</translation>
    </message>
    <message>
        <source>Kernel on the lane above or below</source>
        <translation>上方或下方泳道上的内核</translation>
    </message>
    <message>
        <source>Select the kernel&apos;s stage</source>
        <translation>选中该内核的阶段</translation>
    </message>
    <message>
        <source>Next stage</source>
        <translation>下一个阶段</translation>
    </message>
    <message>
        <source>Previous stage</source>
        <translation>上一个阶段</translation>
    </message>
    <message>
        <source>Play in slow motion, pause</source>
        <translation>慢动作播放、暂停</translation>
    </message>
    <message>
        <source>Show or hide the utilization plots</source>
        <translation>显示或隐藏利用率曲线图</translation>
    </message>
    <message>
        <source>Keep the schedule at the top while the others scroll</source>
        <translation>滚动时将该调度固定在顶部</translation>
    </message>
    <message>
        <source>Take the measure, the playhead or the selection away</source>
        <translation>移除测量、播放头或选择</translation>
    </message>
    <message>
        <source>Shift + left or right</source>
        <translation>Shift + 左或右</translation>
    </message>
    <message>
        <source>Move the playhead to the previous or next edge</source>
        <translation>把播放头移到上一个或下一个边缘</translation>
    </message>
    <message>
        <source>Drag</source>
        <translation>拖动</translation>
    </message>
    <message>
        <source>Measure a time, snapping to edges, with statistics of it</source>
        <translation>测量一段时间，自动吸附边缘，并给出统计</translation>
    </message>
    <message>
        <source>Drag in the ruler</source>
        <translation>在标尺上拖动</translation>
    </message>
    <message>
        <source>Move the playhead</source>
        <translation>移动播放头</translation>
    </message>
    <message>
        <source>Ctrl + drag</source>
        <translation>Ctrl + 拖动</translation>
    </message>
    <message>
        <source>Move along the time axis</source>
        <translation>沿时间轴移动</translation>
    </message>
    <message>
        <source>What can be done with the selection, and which schedules are shown</source>
        <translation>可对选中内容执行的操作，以及显示哪些调度</translation>
    </message>
    <message>
        <source>Charts of stages</source>
        <translation>阶段图表</translation>
    </message>
    <message>
        <source>Go to the bar in that direction</source>
        <translation>转到该方向上的条</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Copy the selected rows as tab-separated text</source>
        <translation>把选中的行复制为制表符分隔的文本</translation>
    </message>
    <message>
        <source>Select all rows</source>
        <translation>选中所有行</translation>
    </message>
    <message>
        <source>Filter the rows, where the table has a line for that</source>
        <translation>筛选行（表格有筛选栏时）</translation>
    </message>
    <message>
        <source>Click on a header</source>
        <translation>单击表头</translation>
    </message>
    <message>
        <source>Sort by that column; again: the other way round</source>
        <translation>按该列排序；再次单击：反向</translation>
    </message>
    <message>
        <source>What can be done with the rows</source>
        <translation>可对行执行的操作</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Close the message that has the focus</source>
        <translation>关闭具有焦点的消息</translation>
    </message>
    <message>
        <source>Stage board</source>
        <translation>阶段看板</translation>
    </message>
    <message>
        <source>Go to the operator, lane or stage in that direction; with Shift select it too</source>
        <translation>转到该方向的算子、泳道或阶段；按住 Shift 同时选中</translation>
    </message>
    <message>
        <source>Move what is selected to the next stage where it may be; with Shift into a new stage</source>
        <translation>将选中的内容移到下一个允许的阶段；按住 Shift 则移到新阶段</translation>
    </message>
    <message>
        <source>Move what is selected to the next lane where it may be</source>
        <translation>将选中的内容移到下一条允许的泳道</translation>
    </message>
    <message>
        <source>Select the stage before or after</source>
        <translation>选中前一个或后一个阶段</translation>
    </message>
    <message>
        <source>Select the first or the last stage</source>
        <translation>选中第一个或最后一个阶段</translation>
    </message>
    <message>
        <source>Split the stage</source>
        <translation>拆分该阶段</translation>
    </message>
    <message>
        <source>Join the stage with the next one</source>
        <translation>将该阶段与下一个阶段连接</translation>
    </message>
    <message>
        <source>Put what is selected into a stage of its own</source>
        <translation>将选中的内容放入单独的阶段</translation>
    </message>
    <message>
        <source>Merge the selected convolutions</source>
        <translation>合并选中的卷积</translation>
    </message>
    <message>
        <source>Take what is merged apart</source>
        <translation>拆开合并的内容</translation>
    </message>
    <message>
        <source>Lock or unlock the selected stages</source>
        <translation>锁定或解锁选中的阶段</translation>
    </message>
    <message>
        <source>End a drag, or select nothing</source>
        <translation>结束拖动，或取消选择</translation>
    </message>
    <message>
        <source>Move operators, a lane by its handle, a stage by its header</source>
        <translation>移动算子；拖手柄移动泳道，拖标题移动阶段</translation>
    </message>
    <message>
        <source>Double click on a stage&apos;s header</source>
        <translation>双击阶段的标题</translation>
    </message>
    <message>
        <source>Lock or unlock it</source>
        <translation>锁定或解锁该阶段</translation>
    </message>
    <message>
        <source>Graph that is drawn</source>
        <translation>正在绘制的计算图</translation>
    </message>
    <message>
        <source>Go to the operator in that direction</source>
        <translation>转到该方向上的算子</translation>
    </message>
    <message>
        <source>Move what is selected</source>
        <translation>移动所选内容</translation>
    </message>
    <message>
        <source>Connect the selected operator: arrows choose to what, Tab the next that takes it, Return connects</source>
        <translation>连接所选算子：方向键选择目标，Tab 转到下一个可连接的算子，回车确认连接</translation>
    </message>
    <message>
        <source>Find operators</source>
        <translation>查找算子</translation>
    </message>
    <message>
        <source>Next operator found; with Shift the previous one</source>
        <translation>下一个找到的算子；按住 Shift 为上一个</translation>
    </message>
    <message>
        <source>End a connection, or select nothing</source>
        <translation>结束连接，或取消选择</translation>
    </message>
    <message>
        <source>Drag from below an operator</source>
        <translation>从算子下方拖动</translation>
    </message>
    <message>
        <source>Connect it to what it is dropped on</source>
        <translation>连接到放下处的算子</translation>
    </message>
    <message>
        <source>Drag the end of a connection</source>
        <translation>拖动连接的末端</translation>
    </message>
    <message>
        <source>Put it elsewhere, or take it off</source>
        <translation>改接到别处，或断开</translation>
    </message>
    <message>
        <source>Drag on empty canvas</source>
        <translation>在空白画布上拖动</translation>
    </message>
    <message>
        <source>Select what the rubber band touches</source>
        <translation>选择选框触及的内容</translation>
    </message>
    <message>
        <source>Middle button or Space + drag</source>
        <translation>中键或空格 + 拖动</translation>
    </message>
    <message>
        <source>Double click on an operator</source>
        <translation>双击算子</translation>
    </message>
    <message>
        <source>Rename it</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Double click on empty canvas</source>
        <translation>双击空白画布</translation>
    </message>
    <message>
        <source>Choose an operator or template to add</source>
        <translation>选择要添加的算子或模板</translation>
    </message>
    <message>
        <source>Choose an operator to add</source>
        <translation>选择要添加的算子</translation>
    </message>
</context>
<context>
    <name>iosx::WindowPanels</name>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Problems (%1)</source>
        <translation>问题（%1）</translation>
    </message>
    <message>
        <source>Timeline and utilization</source>
        <translation>时间线与利用率</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Schedules</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Stages of %1 (%2)</source>
        <translation>%1 的阶段（%2）</translation>
    </message>
    <message>
        <source>Timeline and %1</source>
        <translation>时间线与%1</translation>
    </message>
</context>
<context>
    <name>iosx::WindowState</name>
    <message>
        <source>No network is open</source>
        <translation>没有打开的网络</translation>
    </message>
    <message>
        <source>Nothing is running</source>
        <translation>没有任务在运行</translation>
    </message>
    <message>
        <source>A run file does not hold the network&apos;s weights; open the network itself</source>
        <translation>运行文件不包含网络的权重；请打开网络本身</translation>
    </message>
    <message>
        <source>All sizes of this network are known</source>
        <translation>该网络的所有尺寸均已知</translation>
    </message>
    <message>
        <source>The chosen device is simulated: it measures nothing</source>
        <translation>所选设备是模拟的：它不测量任何内容</translation>
    </message>
    <message>
        <source>IOS Explorer</source>
        <translation>IOS Explorer</translation>
    </message>
</context>
<context>
    <name>iosx::canvas::CanvasBar</name>
    <message>
        <source>What the colours say</source>
        <translation>颜色的含义</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find units by name, type, stage or attribute (Ctrl+F)</source>
        <translation>按名称、类型、阶段或属性查找单元 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>Show or hide what colours and signs mean (L)</source>
        <translation>显示或隐藏颜色和符号的含义 (L)</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Show or hide the overview when only a part of the graph is in view (M)</source>
        <translation>只看到部分计算图时显示或隐藏概览 (M)</translation>
    </message>
    <message>
        <source>Graph bar</source>
        <translation>计算图工具栏</translation>
    </message>
    <message>
        <source>The network: show all of it</source>
        <translation>网络：显示全部</translation>
    </message>
    <message>
        <source>The part: choose another (G)</source>
        <translation>部分：选择另一个 (G)</translation>
    </message>
    <message>
        <source>The selection: show it</source>
        <translation>选中内容：显示它</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>选中内容</translation>
    </message>
    <message>
        <source>Colour the units by</source>
        <translation>单元着色依据</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Colour: %1</source>
        <translation>颜色：%1</translation>
    </message>
    <message>
        <source>parts</source>
        <translation>部分</translation>
    </message>
</context>
<context>
    <name>iosx::canvas::FindBar</name>
    <message>
        <source>Find in the graph</source>
        <translation>在计算图中查找</translation>
    </message>
    <message>
        <source>Find: type:conv kernel:3x3 stage:29 name:/mixed_5.*/</source>
        <translation>查找：type:conv kernel:3x3 stage:29 name:/mixed_5.*/</translation>
    </message>
    <message>
        <source>Find units by name, type, stage, attribute</source>
        <translation>按名称、类型、阶段、属性查找单元</translation>
    </message>
    <message>
        <source>Words that must all match, for example
  conv        text anywhere in the name, type, part or operators
  /_[12]$/    a regular expression
  type:conv name:/mixed_5.*/ kernel:3x3 stage:20-30 flops:&gt;1G
  -type:pool  what must not match
Before a colon: %1</source>
        <translation>必须全部匹配的词，例如
  conv        名称、类型、部分或算子中任意位置的文本
  /_[12]$/    正则表达式
  type:conv name:/mixed_5.*/ kernel:3x3 stage:20-30 flops:&gt;1G
  -type:pool  不得匹配的内容
冒号之前：%1</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>匹配</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>上一个匹配</translation>
    </message>
    <message>
        <source>Previous match (Shift+F3)</source>
        <translation>上一个匹配 (Shift+F3)</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>下一个匹配</translation>
    </message>
    <message>
        <source>Next match (F3, Enter)</source>
        <translation>下一个匹配 (F3, Enter)</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>关闭查找</translation>
    </message>
    <message>
        <source>Close (Escape)</source>
        <translation>关闭 (Escape)</translation>
    </message>
    <message>
        <source>no match</source>
        <translation>没有匹配</translation>
    </message>
    <message>
        <source>1 match</source>
        <translation>1 个匹配</translation>
    </message>
    <message>
        <source>%1 matches</source>
        <translation>%1 个匹配</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>iosx::canvas::LegendCard</name>
    <message>
        <source>Legend of the graph</source>
        <translation>计算图图例</translation>
    </message>
</context>
<context>
    <name>iosx::canvas::Minimap</name>
    <message>
        <source>Overview of the graph</source>
        <translation>计算图概览</translation>
    </message>
    <message>
        <source>Drag the frame to move the view</source>
        <translation>拖动方框以移动视图</translation>
    </message>
    <message>
        <source>Overview: drag to move the view</source>
        <translation>概览：拖动以移动视图</translation>
    </message>
</context>
<context>
    <name>iosx::canvas::PartList</name>
    <message>
        <source>Parts of the network</source>
        <translation>网络的部分</translation>
    </message>
    <message>
        <source>Go to part…</source>
        <translation>转到部分…</translation>
    </message>
    <message>
        <source>Narrow the parts down</source>
        <translation>缩小部分的范围</translation>
    </message>
</context>
</TS>
