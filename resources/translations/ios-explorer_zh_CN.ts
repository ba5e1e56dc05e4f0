<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>iosx</name>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>%1 → %2, %3</source>
        <translation>%1 → %2，%3</translation>
    </message>
    <message>
        <source>%1 %2 → %3 %4</source>
        <translation>%1 %2 → %3 %4</translation>
    </message>
    <message>
        <source>%1 of %2 parts: %3</source>
        <translation>%2 个部分中的 %1 个：%3</translation>
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
        <source>other merging</source>
        <translation>合并方式不同</translation>
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
        <source>within the noise (± %1)</source>
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
        <source>Stage latencies are not known for both, so only the totals are compared: %1 ms.</source>
        <translation>两者的阶段延迟并非都已知，因此只能比较整体：%1 ms。</translation>
    </message>
    <message>
        <source>%1 of the %2 operators of A are in B, %3 under another name, %4 changed</source>
        <translation>A 的 %2 个算子中有 %1 个在 B 中，%3 个名称不同，%4 个有改动</translation>
    </message>
    <message>
        <source>; only in A: %1</source>
        <translation>；仅在 A 中：%1</translation>
    </message>
    <message>
        <source>; only in B: %1</source>
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
        <source>%1 (external)</source>
        <translation>%1（外部数据）</translation>
    </message>
    <message>
        <source>over the memory limit</source>
        <translation>超出内存上限</translation>
    </message>
    <message>
        <source> and </source>
        <translation>，并且</translation>
    </message>
    <message>
        <source> and </source>
        <comment>between two origins</comment>
        <translation>与</translation>
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
        <source>stage, with its number</source>
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
        <source>samples per second, %1</source>
        <translation>每秒样本数，%1</translation>
    </message>
    <message>
        <source>stages that the search needed</source>
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
        <source>stages requested, % of exhaustive search</source>
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
        <source>no value in its column is better beyond the noise</source>
        <translation>同列中没有超出噪声的更优者</translation>
    </message>
    <message>
        <source>best of its column</source>
        <translation>同列最佳</translation>
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
        <source>Graph of %1</source>
        <translation>%1 的计算图</translation>
    </message>
    <message>
        <source>Stages of %1: %2</source>
        <translation>%1 的阶段：%2</translation>
    </message>
    <message>
        <source>merged: layers run as one</source>
        <translation>合并：多个层作为一个执行</translation>
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
        <source>Colour the units by operator kind</source>
        <translation>按算子种类为单元着色</translation>
    </message>
    <message>
        <source>Colour the units by FLOPs</source>
        <translation>按单元的计算量着色</translation>
    </message>
    <message>
        <source>Colour the units by the latency of their stage</source>
        <translation>按单元所在阶段的延迟着色</translation>
    </message>
    <message>
        <source>Colour the units by bytes read and written</source>
        <translation>按单元读写的数据量着色</translation>
    </message>
    <message>
        <source>Colour the units by FLOPs per byte: low is limited by memory, high by arithmetic</source>
        <translation>按单元每字节的 FLOP 数着色：低者受内存限制，高者受算力限制</translation>
    </message>
    <message>
        <source>Colour the units by slack: the delay of a unit that does not delay the network</source>
        <translation>按松弛时间为单元着色：单元可推迟而不拖慢网络的时间</translation>
    </message>
    <message>
        <source>Show the longest chain of units that must run one after another</source>
        <translation>显示必须依次执行的最长单元链</translation>
    </message>
    <message>
        <source>Colour the units by the time that they gain or lose against the baseline</source>
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
        <source>stage latency: not known yet</source>
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
        <source>slack until the network takes longer</source>
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
        <source>costs, %1: %2 units alone, %3 by their share of the stage</source>
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
        <source>left: faster than the baseline; right: slower</source>
        <translation>左：比基线快，右：比基线慢</translation>
    </message>
    <message>
        <source>grey: within the noise</source>
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
        <source>merge · %1 layers</source>
        <translation>合并 · %1 个层</translation>
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
        <source>%1, %2 parameters, one sample</source>
        <translation>%1，%2 个参数，单个样本</translation>
    </message>
    <message>
        <source>unknown cost</source>
        <translation>代价未知</translation>
    </message>
    <message>
        <source>stage %1, group %2</source>
        <translation>阶段 %1，组 %2</translation>
    </message>
    <message>
        <source>click: select its units; double click: fit it into the canvas</source>
        <translation>单击：选中其单元；双击：使其适合画布</translation>
    </message>
    <message>
        <source>show only this part</source>
        <translation>只显示该部分</translation>
    </message>
    <message>
        <source>show only this part, or all again</source>
        <translation>只显示该部分，或重新显示全部</translation>
    </message>
    <message>
        <source>“%1” is not a search key. Put text with a colon in quotes, or search by %2.</source>
        <translation>这里没有名为“%1”的内容。请给带冒号的文本加上引号，或按 %2 搜索。</translation>
    </message>
    <message>
        <source>A value must follow “%1:”.</source>
        <translation>“%1:”之后必须有内容。</translation>
    </message>
    <message>
        <source>“%1” is not a number: write 29, 20-30, &gt;5, &lt;=1.5M.</source>
        <translation>“%1”不是数字：请写成 29、20-30、&gt;5 或 &lt;=1.5M。</translation>
    </message>
    <message>
        <source>“%1” is not a regular expression: %2, at character %3.</source>
        <translation>“%1”不是正则表达式：%2，位于第 %3 个字符。</translation>
    </message>
    <message>
        <source>%1 is searching: %2 stages requested in %3</source>
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
        <source>stages requested</source>
        <translation>请求的阶段数</translation>
    </message>
    <message>
        <source>search time (s)</source>
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
        <source>No schedule fits in %1 MB (%2).</source>
        <translation>没有调度能在 %1 MB 内运行（%2）。</translation>
    </message>
    <message>
        <source>No schedule has run yet.</source>
        <translation>尚未运行任何调度。</translation>
    </message>
    <message>
        <source>The latency is unknown, because the cost of an operator is unknown.</source>
        <translation>延迟未知，因为有算子的代价未知。</translation>
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
        <source>the best of the recorded stages; others were never measured</source>
        <translation>已记录的阶段中的最佳者；其余从未测量</translation>
    </message>
    <message>
        <source>no schedule within the limits of the search is faster</source>
        <translation>在搜索限制之内没有更快的调度</translation>
    </message>
    <message>
        <source>the search was stopped, so the distance to the optimum is not known</source>
        <translation>搜索已停止，因此不知道最优解还能快多少</translation>
    </message>
    <message>
        <source>the distance to the optimum is not known</source>
        <translation>不知道最优解还能快多少</translation>
    </message>
    <message>
        <source>the optimum may be %1 faster by estimate, and at most %2</source>
        <translation>最优解估计还能快 %1，最多 %2</translation>
    </message>
    <message>
        <source>the optimum may be at most %1 faster</source>
        <translation>最优解最多还能快 %1</translation>
    </message>
    <message>
        <source> (if the bounds hold: %1 of %2 stages broke them before they were lowered)</source>
        <translation>（前提是界成立；在调低之前，%2 个阶段中有 %1 个突破了界）</translation>
    </message>
    <message>
        <source>%1 is not from a search.</source>
        <translation>%1 不是搜索得到的。</translation>
    </message>
    <message>
        <source>%1 requested %2 of %3 stages in %4</source>
        <translation>%1 在 %4 内请求了 %3 个阶段中的 %2 个</translation>
    </message>
    <message>
        <source>%1, an exhaustive search, requested every stage: %2 in %3</source>
        <translation>%1，穷举搜索：请求了每个阶段，%3 内 %2 个</translation>
    </message>
    <message>
        <source>%1 requested %2 stages in %3</source>
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
        <source>Search times are given only for searches without earlier measurements.</source>
        <translation>只有在没有任何已测数据可用时，才显示搜索的秒数。</translation>
    </message>
    <message>
        <source>★ best, or as good within the noise</source>
        <translation>★ 最佳，或在噪声范围内不逊于最佳</translation>
    </message>
    <message>
        <source>★ best of its row, or as good within the noise</source>
        <translation>★ 同行最佳，或在噪声范围内不逊于最佳</translation>
    </message>
    <message>
        <source>★ best of its column, or as good within the noise</source>
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
        <source>Speed-up is relative to sequential. Searches share their measurements. %1</source>
        <translation>加速比相对于顺序调度。各搜索共享其测量结果。%1</translation>
    </message>
    <message>
        <source>Every search is a separate lazy search of IOS-Both: at most r units per group and s groups per stage, 0 = unlimited. %1</source>
        <translation>每个搜索都是单独的 IOS-Both 惰性搜索：每组最多 r 个单元，每个阶段最多 s 组，0 表示无限制。%1</translation>
    </message>
    <message>
        <source>Every search is a separate exhaustive search of IOS-Both: at most r units per group and s groups per stage, 0 = unlimited. %1</source>
        <translation>每个搜索都是单独的 IOS-Both 穷举搜索：每组最多 r 个单元，每个阶段最多 s 组，0 表示无限制。%1</translation>
    </message>
    <message>
        <source>Rows: batch of the search; columns: batch of the run. Latency [ms], and loss against the column&apos;s own schedule.</source>
        <translation>行：搜索时的批大小；列：运行时的批大小。延迟 [ms] 以及相对该列自身调度的损失。</translation>
    </message>
    <message>
        <source>Rows: device of the search; columns: device of the run. Latency [ms], and loss against the column&apos;s own schedule.</source>
        <translation>行：搜索时的设备；列：运行时的设备。延迟 [ms] 以及相对该列自身调度的损失。</translation>
    </message>
    <message>
        <source>Samples per second, by batch size.</source>
        <translation>按批大小的每秒样本数。</translation>
    </message>
    <message>
        <source>Means are over the whole run.</source>
        <translation>平均值为整个运行的平均。</translation>
    </message>
    <message>
        <source>Loss: stage sum relative to exhaustive search; gap: possible loss that the search itself reports. %1</source>
        <translation>损失为调度的阶段总和相对于穷举搜索的差额；差距为搜索自身声明可能错过的部分。%1</translation>
    </message>
    <message>
        <source>≈ difference within the noise</source>
        <translation>≈ 没有超出噪声的差异</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>device, origin</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1, continued</source>
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
        <source> Note: the graph of the file has 1 merged convolution; all schedules here contain it, sequential too.</source>
        <translation> 注意：文件的计算图含有 1 个合并卷积：这里的每个调度都包含它，顺序调度也不例外。</translation>
    </message>
    <message>
        <source> Note: the graph of the file has %1 merged convolutions; all schedules here contain them, sequential too.</source>
        <translation> 注意：文件的计算图含有 %1 个合并卷积：这里的每个调度都包含它们，顺序调度也不例外。</translation>
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
        <source>it started from %1 and found a faster schedule</source>
        <translation>它从 %1 开始，并找到了更快的调度</translation>
    </message>
    <message>
        <source>it started from %1 and found no faster schedule</source>
        <translation>它从 %1 开始，没有找到更快的调度</translation>
    </message>
    <message>
        <source>, with 1 stage that it could not have made by itself</source>
        <translation>，其中 1 个阶段它自己无法得到</translation>
    </message>
    <message>
        <source>, with %1 stages that it could not have made by itself</source>
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
    <message>
        <source>; of %1 saved against one by one, fusion in one stream gives %2, concurrency and merging %3</source>
        <translation>；与逐个执行相比共节省 %1，其中单流融合 %2，并发与合并 %3</translation>
    </message>
    <message>
        <source>%1 lanes, no stages</source>
        <translation>%1 条泳道，无阶段</translation>
    </message>
    <message>
        <source>no stages: a kernel starts as soon as its dependencies have ended</source>
        <translation>无阶段：内核所需的内核一结束，它就开始</translation>
    </message>
    <message>
        <source>Kernels of</source>
        <translation>内核来自</translation>
    </message>
    <message>
        <source>the search was stopped early</source>
        <translation>其搜索被提前中止</translation>
    </message>
    <message>
        <source>with stages the best is %1, %2: %3</source>
        <translation>分阶段运行时最好的是 %1，%2：%3</translation>
    </message>
    <message>
        <source>From stage</source>
        <translation>来自阶段</translation>
    </message>
    <message>
        <source>The kernels come from these stages (%1) and run on one lane without barriers; the latencies are those of the stages.</source>
        <translation>这些阶段（%1）选定了内核。内核在 一条泳道上无屏障运行；延迟是各阶段自身的。</translation>
    </message>
    <message>
        <source>The kernels come from these stages (%1) and run on %2 lanes without barriers; the latencies are those of the stages.</source>
        <translation>这些阶段（%1）选定了内核。内核在 %2 条泳道上无屏障运行；延迟是各阶段自身的。</translation>
    </message>
    <message>
        <source>The kernels of a schedule with stages, on lanes under memory limits; without lanes: the schedule itself. The planned peak is the maximum memory of all tensors at one time, with inputs and outputs, without weights; it is not measured.</source>
        <translation>在内存限制下，把带阶段的调度的内核放到无屏障的泳道上；没有泳道的行是该调度本身。峰值是计划值，不是测量值：张量同时占用的最大量，含输入与输出，不含权重。</translation>
    </message>
    <message>
        <source>★ no schedule is as fast with less memory</source>
        <translation>★ 没有占用更少内存且同样快的调度</translation>
    </message>
    <message>
        <source>planned peak of tensors (MB)</source>
        <translation>张量的计划峰值（MB）</translation>
    </message>
    <message>
        <source>latency (ms), %1</source>
        <translation>延迟（ms），%1</translation>
    </message>
    <message>
        <source>lanes</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Lanes of %1: %2</source>
        <translation>%1 的泳道：%2</translation>
    </message>
    <message>
        <source>from stage %1</source>
        <translation>来自阶段 %1</translation>
    </message>
    <message>
        <source>from stage %1, group %2</source>
        <translation>来自阶段 %1，组 %2</translation>
    </message>
    <message>
        <source>lane %1, launch %2</source>
        <translation>泳道 %1，第 %2 次启动</translation>
    </message>
    <message>
        <source>%1 takes %2.</source>
        <translation>%1 %2。</translation>
    </message>
    <message>
        <source>%1 (within the noise)</source>
        <translation>%1（在噪声范围内）</translation>
    </message>
    <message>
        <source>%1 more than %2</source>
        <translation>比 %2 多 %1</translation>
    </message>
    <message>
        <source>%1 less than %2</source>
        <translation>比 %2 少 %1</translation>
    </message>
    <message>
        <source>no barriers %1, other lanes and order %2</source>
        <translation>去掉屏障 %1，其他泳道和顺序 %2</translation>
    </message>
    <message>
        <source>no barriers %1, other kernels, lanes and order %2</source>
        <translation>去掉屏障 %1，其他内核、泳道和顺序 %2</translation>
    </message>
    <message>
        <source>Animated GIF (*.gif)</source>
        <translation>动态 GIF (*.gif)</translation>
    </message>
    <message>
        <source>MP4 film (*.mp4)</source>
        <translation>MP4 影片 (*.mp4)</translation>
    </message>
    <message>
        <source>WebM film (*.webm)</source>
        <translation>WebM 影片 (*.webm)</translation>
    </message>
    <message>
        <source>%1 next to %2: %3</source>
        <translation>%1 与 %2 并列：%3</translation>
    </message>
    <message>
        <source>finished: %1</source>
        <translation>已完成：%1</translation>
    </message>
    <message>
        <source>%1 instead of %2</source>
        <translation>%1，而非 %2</translation>
    </message>
    <message>
        <source>%1 is %2 as fast as %3: %4</source>
        <translation>%1 的速度是 %3 的 %2：%4</translation>
    </message>
    <message>
        <source>%1 is as fast as %2 within the noise: %3</source>
        <translation>在噪声范围内 %1 与 %2 同样快：%3</translation>
    </message>
    <message>
        <source>%1 against %2, too few runs to tell: %3</source>
        <translation>%1 对 %2，运行次数太少，无法判断：%3</translation>
    </message>
    <message>
        <source>Why it is slower</source>
        <translation>为何更慢</translation>
    </message>
    <message>
        <source>Why it is faster</source>
        <translation>为何更快</translation>
    </message>
    <message>
        <source>▲ above %1, at most %2</source>
        <translation>▲ 超过 %1，最多 %2</translation>
    </message>
    <message>
        <source>fewer schedules</source>
        <translation>较少调度</translation>
    </message>
    <message>
        <source>1 more schedule</source>
        <translation>另有 1 个调度</translation>
    </message>
    <message>
        <source>%1 more schedules</source>
        <translation>另有 %1 个调度</translation>
    </message>
    <message>
        <source> · %1 lanes folded</source>
        <translation> · 已折叠 %1 条泳道</translation>
    </message>
    <message>
        <source>saves, ms</source>
        <translation>节省，ms</translation>
    </message>
    <message>
        <source>takes longer</source>
        <translation>耗时更长</translation>
    </message>
    <message>
        <source>%1 ms against %2</source>
        <translation>相对 %2：%1 ms</translation>
    </message>
    <message>
        <source>Total %1 = stages %2, overhead %3, rest %4 ms</source>
        <translation>总计 %1 = 阶段 %2，开销 %3，其余 %4 ms</translation>
    </message>
    <message>
        <source>Savings by part: %1</source>
        <translation>各部分节省的时间：%1</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>, shares of the traced run</source>
        <translation>，按跟踪运行中的份额</translation>
    </message>
    <message>
        <source>, noise not known</source>
        <translation>，噪声未知</translation>
    </message>
    <message>
        <source>No schedule yet – press Optimize</source>
        <translation>还没有调度——请按“优化”</translation>
    </message>
    <message>
        <source>No baseline – choose one in the Project panel to see what this schedule saves</source>
        <translation>没有基线——请在“项目”面板中选择一个，以查看此调度节省了多少</translation>
    </message>
    <message>
        <source>%1 is the baseline – choose another schedule to see what it saves, or press Optimize</source>
        <translation>%1 是基线——请选择另一个调度以查看它节省了多少，或按“优化”</translation>
    </message>
    <message>
        <source>The savings of %1 by part are not known: its run or that of %2 has no stage times</source>
        <translation>不知道 %1 各部分节省了多少：它或 %2 的运行没有阶段时间</translation>
    </message>
    <message>
        <source>%1 takes as long as %2: %3 ms (%4)</source>
        <translation>%1 与 %2 耗时相同：%3 ms（%4）</translation>
    </message>
    <message>
        <source>%1 saves %2 of %3 ms against %4 (%5)</source>
        <translation>%1 相对 %4 节省 %2 ms（共 %3 ms，%5）</translation>
    </message>
    <message>
        <source>%1 takes %2 ms more than the %3 ms of %4 (%5)</source>
        <translation>%1 比 %4 的 %3 ms 多用 %2 ms（%5）</translation>
    </message>
    <message>
        <source>between stages</source>
        <translation>阶段之间</translation>
    </message>
    <message>
        <source>%1 → %2 ms</source>
        <translation>%1 → %2 ms</translation>
    </message>
    <message>
        <source>%1 (time outside all parts)</source>
        <translation>%1（不属于任何部分的时间）</translation>
    </message>
    <message>
        <source>%1 takes as long as with %2: %3 (%4)</source>
        <translation>%1 与 %2 中耗时相同：%3（%4）</translation>
    </message>
    <message>
        <source>%1 saves %2 ms: %3 instead of %4 (%5)</source>
        <translation>%1 节省 %2 ms：相对 %4 为 %3（%5）</translation>
    </message>
    <message>
        <source>%1 loses %2 ms: %3 instead of %4 (%5)</source>
        <translation>%1 多用 %2 ms：相对 %4 为 %3（%5）</translation>
    </message>
    <message>
        <source>Manual %1</source>
        <translation>手动 %1</translation>
    </message>
    <message>
        <source>overhead</source>
        <translation>开销</translation>
    </message>
    <message>
        <source>same in both; most units differ</source>
        <translation>两者相同（多数单元不同）</translation>
    </message>
    <message>
        <source>%1 per sample</source>
        <translation>每样本 %1</translation>
    </message>
    <message>
        <source>%1 is a little faster than %2 (%3).</source>
        <translation>%1 比 %2 略快（%3）。</translation>
    </message>
    <message>
        <source>%1 is %2× as fast as %3 (%4).</source>
        <translation>%1 的速度是 %3 的 %2×（%4）。</translation>
    </message>
    <message>
        <source>No schedule is faster than the baseline: %1 takes %2× as long as %3 (%4).</source>
        <translation>没有比基线更快的调度：%1 的用时是 %3 的 %2×（%4）。</translation>
    </message>
    <message>
        <source>%1 takes %2× as long as %3 (%4).</source>
        <translation>%1 的用时是 %3 的 %2×（%4）。</translation>
    </message>
    <message>
        <source>%1 is as fast as %2 within the noise (%3).</source>
        <translation>%1 与 %2 一样快，差异在噪声范围内（%3）。</translation>
    </message>
    <message>
        <source>%1 is as fast as %2 (%3).</source>
        <translation>%1 与 %2 一样快（%3）。</translation>
    </message>
    <message>
        <source>Too few runs to tell %1 from %2 (%3).</source>
        <translation>运行次数太少，无法区分 %1 与 %2（%3）。</translation>
    </message>
    <message>
        <source>%1 of the difference lies in %2.</source>
        <translation>差异的 %1 在于 %2。</translation>
    </message>
    <message>
        <source>Why: %1.</source>
        <translation>原因：%1。</translation>
    </message>
    <message>
        <source>The gain is %1, more than the total because other parts lose, in %2.</source>
        <translation>在 %2 中共赢得 %1，多于总差异，因为其他部分有所损失。</translation>
    </message>
    <message>
        <source>The loss is %1, more than the total because other parts gain, in %2.</source>
        <translation>在 %2 中共损失 %1，多于总差异，因为其他部分有所赢得。</translation>
    </message>
    <message>
        <source>The networks differ.</source>
        <translation>网络不相同。</translation>
    </message>
    <message>
        <source>One number is from a model, the other from a measurement.</source>
        <translation>一个数值来自模型，另一个来自测量。</translation>
    </message>
    <message>
        <source>Batches of %1 and %2 are compared per sample.</source>
        <translation>批大小为 %1 和 %2，按每个样本比较。</translation>
    </message>
    <message>
        <source>Per sample: %1</source>
        <translation>每样本：%1</translation>
    </message>
    <message>
        <source>%1 for the batch of %2</source>
        <translation>批次（%2 个样本）用时 %1</translation>
    </message>
    <message>
        <source>latency per sample (ms), %1</source>
        <translation>每样本延迟（ms），%1</translation>
    </message>
    <message>
        <source>stages %1 → %2: %3</source>
        <translation>阶段 %1 → %2：%3</translation>
    </message>
    <message>
        <source>, per sample</source>
        <translation>，每样本</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>%1 × ours</source>
        <translation>我们的 %1 倍</translation>
    </message>
    <message>
        <source>Latency of one inference; times ours: relative to our fastest schedule, so above 1 an engine is slower. All engines get the same model, weights, input and number of threads, and run in turn while the others stand still. Engines whose outputs differ from ours are not timed.</source>
        <translation>一次推理的延迟；相对我们：与我们最快调度的延迟之比，大于 1 表示该引擎更慢。所有引擎使用相同的模型、权重、输入和线程数，轮流计时，其他引擎此时暂停。输出与我们不一致的引擎没有时间。</translation>
    </message>
    <message>
        <source>my column</source>
        <translation>我的列</translation>
    </message>
    <message>
        <source>Colour the units by a column of your table</source>
        <translation>按你表中的一列为单元着色</translation>
    </message>
    <message>
        <source>my column: no table is open</source>
        <translation>我的列：未打开任何表</translation>
    </message>
    <message>
        <source>%1: no unit has a value</source>
        <translation>%1：没有单元有值</translation>
    </message>
    <message>
        <source>from %1 to %2, 0 in the middle</source>
        <translation>从 %1 到 %2，0 在中间</translation>
    </message>
    <message>
        <source>of several operators: their sum</source>
        <translation>多个算子：取其和</translation>
    </message>
    <message>
        <source>of several operators: the value farthest from 0</source>
        <translation>多个算子：取离零最远的值</translation>
    </message>
    <message>
        <source>hatched: %1 of %2 units have no value</source>
        <translation>斜线：%2 个单元中有 %1 个没有值</translation>
    </message>
    <message>
        <source>Distribution of the runs: %1</source>
        <translation>各次运行的分布：%1</translation>
    </message>
    <message>
        <source>%1 longer, up to %2 ms</source>
        <translation>%1 次更长，最长 %2 ms</translation>
    </message>
    <message>
        <source>time of one run per sample (%1)</source>
        <translation>单次运行中每个样本的时间（%1）</translation>
    </message>
    <message>
        <source>time of one run (%1)</source>
        <translation>单次运行的时间（%1）</translation>
    </message>
    <message>
        <source>each histogram has its own height; p95 needs %1 runs, p99 %2</source>
        <translation>各直方图高度各自独立；p95 需要 %1 次运行，p99 需要 %2 次</translation>
    </message>
    <message>
        <source>only one time is known, no distribution</source>
        <translation>只知道一个时间，没有分布</translation>
    </message>
    <message>
        <source>the single runs are not known, no distribution</source>
        <translation>不知道其各次运行的时间，没有分布</translation>
    </message>
    <message>
        <source>%1: too few runs</source>
        <translation>%1：运行次数太少</translation>
    </message>
    <message>
        <source>%1 of %2 runs</source>
        <translation>%2 次运行中的 %1 次</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 次运行</translation>
    </message>
    <message>
        <source>%1: one run without noise, no distribution</source>
        <translation>%1：一次运行，无噪声，没有分布</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>saves, ms per sample</source>
        <translation>节省，每样本 ms</translation>
    </message>
    <message>
        <source>%1; without barriers stages have shares of the traced run</source>
        <translation>%1；无屏障时，阶段时间是跟踪运行中的份额</translation>
    </message>
    <message>
        <source>%1: %2 kernels in flight for %3, %4 of the traced run</source>
        <translation>%1：%2 个内核同时执行，共 %3，占跟踪运行的 %4</translation>
    </message>
    <message>
        <source>%1: %2 at %3</source>
        <translation>%1：%2，在 %3 处</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>time with 0, 1, 2 … kernels in flight</source>
        <translation>同时执行 0、1、2……个内核的时间</translation>
    </message>
    <message>
        <source>Time by kernels in flight</source>
        <translation>按执行中的内核数划分的时间</translation>
    </message>
    <message>
        <source>no hardware counters in this run</source>
        <translation>本次运行没有硬件计数器</translation>
    </message>
    <message>
        <source>area %1</source>
        <translation>面积 %1</translation>
    </message>
    <message>
        <source>%1: mean %2, standard error %3</source>
        <translation>%1：平均 %2，标准误差 %3</translation>
    </message>
    <message>
        <source>when half is done</source>
        <translation>过半的时刻</translation>
    </message>
    <message>
        <source>not counted</source>
        <translation>未计数</translation>
    </message>
    <message>
        <source>half at %1</source>
        <translation>%1 时过半</translation>
    </message>
    <message>
        <source>other work</source>
        <translation>工作不同</translation>
    </message>
    <message>
        <source>half the work %1 earlier</source>
        <translation>完成一半工作提前 %1</translation>
    </message>
    <message>
        <source>half the work %1 later</source>
        <translation>完成一半工作推迟 %1</translation>
    </message>
    <message>
        <source>Kernels in flight</source>
        <translation>执行中的内核</translation>
    </message>
    <message>
        <source>area = kernel time</source>
        <translation>面积 = 内核时间</translation>
    </message>
    <message>
        <source>no warps here; % of %1</source>
        <translation>此处没有线程束；占 %1 的 %</translation>
    </message>
    <message>
        <source>% of %1</source>
        <translation>占 %1 的 %</translation>
    </message>
    <message>
        <source>Why it is as fast</source>
        <translation>为何一样快</translation>
    </message>
    <message>
        <source>%1 in the traced run: %2</source>
        <translation>跟踪运行中为 %1：%2</translation>
    </message>
    <message>
        <source>%1 (kernel time ÷ mean kernels in flight = traced run)</source>
        <translation>%1（内核时间 ÷ 执行中内核平均 = 跟踪运行）</translation>
    </message>
    <message>
        <source>Work done</source>
        <translation>已完成的工作</translation>
    </message>
    <message>
        <source>weight: time in %1</source>
        <translation>权重：在%1中的时间</translation>
    </message>
    <message>
        <source>weight: kernel time</source>
        <translation>权重：内核时间</translation>
    </message>
    <message>
        <source>in flight</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>waits between its kernels</source>
        <translation>在自己的内核之间等待</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>kernel that began before the unit above ended</source>
        <translation>在上方单元结束之前就已开始的内核</translation>
    </message>
    <message>
        <source>early kernel</source>
        <translation>提前的内核</translation>
    </message>
    <message>
        <source>no kernel of its own</source>
        <translation>没有自己的内核</translation>
    </message>
    <message>
        <source>no kernel</source>
        <translation>无内核</translation>
    </message>
    <message>
        <source>barrier: all above has ended</source>
        <translation>屏障：上方全部已结束</translation>
    </message>
    <message>
        <source>barrier</source>
        <translation>屏障</translation>
    </message>
    <message>
        <source>saving of the part, ms, against %1</source>
        <translation>部分相对 %1 节省的时间（ms）</translation>
    </message>
    <message>
        <source>part takes longer</source>
        <translation>部分耗时更长</translation>
    </message>
    <message>
        <source>%1 · lane %2</source>
        <comment>kernel time of a unit</comment>
        <translation>%1 · 泳道 %2</translation>
    </message>
    <message>
        <source>runs beside nothing</source>
        <translation>不与任何单元同时运行</translation>
    </message>
    <message>
        <source>&lt;b&gt;runs beside 1 unit&lt;/b&gt;</source>
        <translation>&lt;b&gt;与 1 个单元同时运行&lt;/b&gt;</translation>
    </message>
    <message>
        <source>&lt;b&gt;runs beside %1 units&lt;/b&gt;</source>
        <translation>&lt;b&gt;与 %1 个单元同时运行&lt;/b&gt;</translation>
    </message>
    <message>
        <source>at %1 of this run</source>
        <translation>在本次运行的 %1 处</translation>
    </message>
    <message>
        <source>click: select them</source>
        <translation>单击：选中它们</translation>
    </message>
    <message>
        <source>Savings of %1 by part, against %2</source>
        <translation>%1 各部分节省的时间，相对%2</translation>
    </message>
    <message>
        <source>gaps</source>
        <translation>空隙</translation>
    </message>
    <message>
        <source>gaps and order</source>
        <translation>空隙与次序</translation>
    </message>
    <message>
        <source>side by side: run at once</source>
        <translation>并排：同时运行</translation>
    </message>
    <message>
        <source>run at once</source>
        <translation>同时运行</translation>
    </message>
    <message>
        <source>run at once in this schedule only</source>
        <translation>仅在此调度中同时运行</translation>
    </message>
    <message>
        <source>at once only here</source>
        <translation>仅此处同时</translation>
    </message>
    <message>
        <source>by the order of the schedule, which no run has traced</source>
        <translation>按调度的顺序，没有运行记录</translation>
    </message>
    <message>
        <source>no stages</source>
        <translation>没有阶段</translation>
    </message>
    <message>
        <source>computed by the kernel of %1</source>
        <translation>由 %1 的内核计算</translation>
    </message>
    <message>
        <source>kernels in flight; hollow: of other parts</source>
        <translation>正在运行的内核；空心：其他部分的</translation>
    </message>
    <message>
        <source>kernel of %1</source>
        <translation>%1 的内核</translation>
    </message>
    <message>
        <source>&lt;b&gt;merged with %1: one kernel&lt;/b&gt;</source>
        <translation>&lt;b&gt;与 %1 合并：一个内核&lt;/b&gt;</translation>
    </message>
    <message>
        <source>runs beside nothing else</source>
        <translation>没有同时运行的其他单元</translation>
    </message>
    <message>
        <source>1 kernel in flight</source>
        <translation>1 个内核在运行</translation>
    </message>
    <message>
        <source>%1 kernels in flight</source>
        <translation>%1 个内核在运行</translation>
    </message>
    <message>
        <source>Tied with %1.</source>
        <translation>与 %1 不分高下。</translation>
    </message>
    <message>
        <source>an earlier search</source>
        <translation>较早的一次搜索</translation>
    </message>
    <message>
        <source>each network alone</source>
        <translation>每个网络单独运行时</translation>
    </message>
</context>
<context>
    <name>iosx::Actions</name>
    <message>
        <source>&amp;Graph…</source>
        <translation>计算图(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;Timeline…</source>
        <translation>时间线(&amp;T)…</translation>
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
        <source>Write the open networks, all their runs and notes to one file</source>
        <translation>把打开的网络及其全部运行和备注写入一个文件</translation>
    </message>
    <message>
        <source>Open &amp;last session</source>
        <translation>打开上次会话(&amp;L)</translation>
    </message>
    <message>
        <source>Open the last session again</source>
        <translation>重新打开程序上次结束时打开的内容</translation>
    </message>
    <message>
        <source>Sa&amp;ve run…</source>
        <translation>保存运行(&amp;V)…</translation>
    </message>
    <message>
        <source>Write the shown run to one file, to open it here or elsewhere</source>
        <translation>把显示的运行写入一个文件，以便在此处或别处打开</translation>
    </message>
    <message>
        <source>Ctrl+Alt+S</source>
        <translation>Ctrl+Alt+S</translation>
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
        <source>Ctrl+T</source>
        <translation>Ctrl+T</translation>
    </message>
    <message>
        <source>Ctrl+Shift+S</source>
        <translation>Ctrl+Shift+S</translation>
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
        <source>Show the selection</source>
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
        <source>Show or hide the meaning of colours and outlines</source>
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
        <source>Use the colours of the desktop</source>
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
        <source>Move all panels of this mode back to their first places</source>
        <translation>把此模式的所有面板放回最初的位置</translation>
    </message>
    <message>
        <source>&amp;Input sizes…</source>
        <translation>输入尺寸(&amp;I)…</translation>
    </message>
    <message>
        <source>Open the network again with other sizes for its open dimensions</source>
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
        <source>Stop the running job and keep the best result so far</source>
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
        <source>Compare the outputs of the shown schedule with those of the sequential schedule on the CPU in float32</source>
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
        <source>Profile the runs of all schedules: every launch, and hardware counters over time</source>
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
        <source>Ctrl+Shift+M</source>
        <translation>Ctrl+Shift+M</translation>
    </message>
    <message>
        <source>&amp;Kept measurements…</source>
        <translation>保留的测量(&amp;K)…</translation>
    </message>
    <message>
        <source>Set whether and where stage latencies are kept from run to run</source>
        <translation>是否在多次运行之间保留阶段延迟，以及保留在何处</translation>
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
        <source>Clear the selection</source>
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
        <source>Show the hints for beginners again, one after another</source>
        <translation>再次逐条提示可以看到的内容</translation>
    </message>
    <message>
        <source>&amp;Messages</source>
        <translation>消息(&amp;M)</translation>
    </message>
    <message>
        <source>Show all messages</source>
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
        <source>Move the keyboard focus to it: Return accepts its offer, Escape closes it</source>
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
        <source>Write the comparison as one interactive page for any browser</source>
        <translation>把比较的内容写成一个任何浏览器都能打开的交互页面</translation>
    </message>
    <message>
        <source>Ctrl+Alt+H</source>
        <translation>Ctrl+Alt+H</translation>
    </message>
    <message>
        <source>Compare with another program&apos;s recording of this network: a CSV table, a Chrome trace, a profile of ONNX Runtime or PyTorch, an nsys SQLite export</source>
        <translation>与其他程序对该网络的记录比较：CSV 表、Chrome 跟踪、ONNX Runtime 或 PyTorch 的性能剖析、nsys 的 SQLite 导出</translation>
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
        <source>Write the project to another file, and use that file from now on</source>
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
        <source>Undo the last change</source>
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
        <source>Redo the last undone change</source>
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
        <source>Edit a copy of the shown schedule by hand</source>
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
        <source>Search with all stages of the hand-made schedule as candidates: never worse than it is now</source>
        <translation>以手动调度的每个阶段为候选进行搜索：绝不会比现在差</translation>
    </message>
    <message>
        <source>Run the &amp;hand-made schedule</source>
        <translation>运行手动调度(&amp;H)</translation>
    </message>
    <message>
        <source>Run it end to end and add it to the schedules of the run</source>
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
        <source>Run it and compare its outputs with those of the sequential schedule</source>
        <translation>运行它，并将其计算结果与顺序调度的结果比较</translation>
    </message>
    <message>
        <source>&amp;New graph</source>
        <translation>新建计算图(&amp;N)</translation>
    </message>
    <message>
        <source>Draw a new network; the open networks stay open</source>
        <translation>在已打开的网络旁从零开始画一个网络</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>Move the selected operators to the clipboard</source>
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
        <source>Copy the selected operators to the clipboard as text</source>
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
        <source>Insert the operators from the clipboard</source>
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
        <source>Copy the selected operators, with the same inputs</source>
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
        <source>Delete the selection; its readers get open inputs</source>
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
        <source>Delete the selection and reconnect its readers to its inputs</source>
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
        <source>Find an operator or template by its name and add it after the selection</source>
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
        <source>Choose the reader of the selected operator with the arrow keys</source>
        <translation>用方向键选择由谁读取所选算子</translation>
    </message>
    <message>
        <source>&amp;Group into a unit</source>
        <translation>合组为一个单元(&amp;G)</translation>
    </message>
    <message>
        <source>The scheduler moves the selected operators as one unit</source>
        <translation>调度器把所选算子作为一个单元移动</translation>
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
        <source>Each of its operators becomes a separate unit</source>
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
        <source>The rest of the part, from the selected unit on, is scheduled by itself</source>
        <translation>所在部分中从所选单元起的内容单独调度</translation>
    </message>
    <message>
        <source>&amp;Join with the part before</source>
        <translation>与前一部分合并(&amp;J)</translation>
    </message>
    <message>
        <source>Schedule the part of the selected unit together with the part before it</source>
        <translation>所选单元的部分与前一部分一起调度</translation>
    </message>
    <message>
        <source>&amp;Lay out</source>
        <translation>自动布局(&amp;L)</translation>
    </message>
    <message>
        <source>Arrange all operators except those placed by hand</source>
        <translation>重新排列所有算子，手工放置的除外</translation>
    </message>
    <message>
        <source>Ctrl+Shift+Y</source>
        <translation>Ctrl+Shift+Y</translation>
    </message>
    <message>
        <source>Place b&amp;y layout</source>
        <translation>交给布局放置(&amp;Y)</translation>
    </message>
    <message>
        <source>Let the layout place the selected operators</source>
        <translation>由布局决定所选算子的位置</translation>
    </message>
    <message>
        <source>Save as &amp;template…</source>
        <translation>另存为模板(&amp;T)…</translation>
    </message>
    <message>
        <source>Save the selected operators under a name, to insert them again</source>
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
        <source>Write the network in the format of the original IOS program</source>
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
        <source>&amp;Start from the faster schedule</source>
        <translation>从胜过搜索的调度开始(&amp;S)</translation>
    </message>
    <message>
        <source>Optimize starts from the hand-made schedule that was faster than a search; the result is never worse</source>
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
        <source>Search schedules and run them on the best device of this machine</source>
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
    <message>
        <source>Three pages with pictures: draw a network, change a schedule, why stages cost</source>
        <translation>三页图文：绘制网络、更改调度、阶段为何有代价</translation>
    </message>
    <message>
        <source>Ca&amp;rd…</source>
        <translation>卡片(&amp;R)…</translation>
    </message>
    <message>
        <source>Write the race of the shown schedule against sequential as a GIF, MP4 or WebM</source>
        <translation>将所示调度与顺序调度的竞赛写为 GIF、MP4 或 WebM</translation>
    </message>
    <message>
        <source>Copy as &amp;image</source>
        <translation>复制为图像(&amp;I)</translation>
    </message>
    <message>
        <source>Copy one picture of the result to the clipboard: the speed-up, the network, both timelines</source>
        <translation>将结果的一张图片复制到剪贴板：加速比、网络、两条时间线</translation>
    </message>
    <message>
        <source>Ctrl+Shift+C</source>
        <translation>Ctrl+Shift+C</translation>
    </message>
    <message>
        <source>Sa&amp;vings by part…</source>
        <translation>各部分节省的时间(&amp;V)…</translation>
    </message>
    <message>
        <source>&amp;Import profile…</source>
        <translation>导入性能分析(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;Add network…</source>
        <translation>添加网络(&amp;A)…</translation>
    </message>
    <message>
        <source>Choose another network that runs on the device together with this one</source>
        <translation>选择另一个与此网络一起在设备上运行的网络</translation>
    </message>
    <message>
        <source>D&amp;istribution…</source>
        <translation>分布(&amp;I)…</translation>
    </message>
    <message>
        <source>Colour by &amp;my column…</source>
        <translation>按我的列着色(&amp;M)…</translation>
    </message>
    <message>
        <source>Colour the units by a table of values by node name, CSV or JSON: memory, an error after quantisation, sparsity, energy</source>
        <translation>按任意一张以节点名列出数值的表（CSV 或 JSON）为单元着色：内存、量化后的误差、稀疏度、能耗</translation>
    </message>
    <message>
        <source>No table of values is open: choose Colour by my column…</source>
        <translation>未打开数值表：请选择按我的列着色…</translation>
    </message>
    <message>
        <source>&amp;Devices…</source>
        <translation>设备(&amp;D)…</translation>
    </message>
    <message>
        <source>Devices of other machines: query, add or remove the workers that measure there</source>
        <translation>其他机器上的设备：询问在那里测量的工作进程，添加或移除它们</translation>
    </message>
    <message>
        <source>P&amp;redictors…</source>
        <translation>预测器(&amp;R)…</translation>
    </message>
    <message>
        <source>Predictors trained on measured operators, their errors, and the predicted latency of this network</source>
        <translation>以测量过的算子训练的预测器、其误差，以及此网络的预测延迟</translation>
    </message>
    <message>
        <source>Export as %1…</source>
        <translation>导出为%1…</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>导出(&amp;E)</translation>
    </message>
    <message>
        <source>Only in the mode %1</source>
        <translation>仅在“%1”模式下可用</translation>
    </message>
    <message>
        <source>This mode has no edits</source>
        <translation>这里没有可编辑的内容</translation>
    </message>
    <message>
        <source>A run file does not hold the network&apos;s weights; open the network itself</source>
        <translation>运行文件不包含网络的权重；请打开网络本身</translation>
    </message>
    <message>
        <source>No operator is selected</source>
        <translation>没有选择算子</translation>
    </message>
    <message>
        <source>Select one operator</source>
        <translation>请选择一个算子</translation>
    </message>
    <message>
        <source>No session is saved yet</source>
        <translation>尚未保留任何会话</translation>
    </message>
    <message>
        <source>Nothing is drawn</source>
        <translation>尚未绘制任何内容</translation>
    </message>
    <message>
        <source>Nothing is selected</source>
        <translation>没有选择内容</translation>
    </message>
    <message>
        <source>Nothing to undo</source>
        <translation>没有可撤销的操作</translation>
    </message>
    <message>
        <source>&amp;Undo: %1</source>
        <translation>撤销(&amp;U)：%1</translation>
    </message>
    <message>
        <source>Nothing to redo</source>
        <translation>没有可重做的操作</translation>
    </message>
    <message>
        <source>&amp;Redo: %1</source>
        <translation>重做(&amp;R)：%1</translation>
    </message>
    <message>
        <source>Select several operators</source>
        <translation>请选择多个算子</translation>
    </message>
    <message>
        <source>All sizes of this network are known</source>
        <translation>该网络的所有尺寸均已知</translation>
    </message>
    <message>
        <source>No hand-made schedule of this network was faster than a search</source>
        <translation>此网络还没有胜过搜索的手工调度</translation>
    </message>
    <message>
        <source>How networks are searched, timed and compared</source>
        <translation>网络如何搜索、计时和比较</translation>
    </message>
    <message>
        <source>Run se&amp;ttings…</source>
        <translation>运行设置(&amp;t)…</translation>
    </message>
    <message>
        <source>No network is open</source>
        <translation>没有打开的网络</translation>
    </message>
    <message>
        <source>Export a&amp;nimation…</source>
        <translation>导出动画(&amp;N)…</translation>
    </message>
    <message>
        <source>Ad&amp;vanced</source>
        <translation>高级(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Why it is faster…</source>
        <translation>为何更快(&amp;W)…</translation>
    </message>
    <message>
        <source>&amp;Matches of a profile…</source>
        <translation>性能分析的匹配(&amp;M)…</translation>
    </message>
    <message>
        <source>List the operators of the imported profile that match no unit, and the units that it lacks</source>
        <translation>列出所导入的性能分析中未匹配到单元的算子，以及其中缺少的单元</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>Choose a figure, a schedule, a model, a page or an animation, and write it to a file</source>
        <translation>选择图、调度、模型、网页或动画，并写入文件</translation>
    </message>
    <message>
        <source>Ctrl+Alt+E</source>
        <translation>Ctrl+Alt+E</translation>
    </message>
    <message>
        <source>Export for the original &amp;IOS</source>
        <translation>为原始 IOS 导出(&amp;I)</translation>
    </message>
    <message>
        <source>Export the &amp;result</source>
        <translation>导出结果(&amp;R)</translation>
    </message>
    <message>
        <source>E&amp;xperiments</source>
        <translation>实验(&amp;X)</translation>
    </message>
    <message>
        <source>Show the panel of experiments: what if one thing were different, and the experiments of the paper</source>
        <translation>显示实验面板：假设改变一项，以及论文中的实验</translation>
    </message>
    <message>
        <source>P&amp;ause</source>
        <translation>暂停(&amp;A)</translation>
    </message>
    <message>
        <source>Hold the running job after its present measurement, or let it go on</source>
        <translation>在当前测量之后暂停正在运行的任务，或让它继续</translation>
    </message>
    <message>
        <source>&amp;Go on</source>
        <translation>继续(&amp;G)</translation>
    </message>
    <message>
        <source>Open a network (ONNX or JSON), a recording of another program, a saved run or a schedule file</source>
        <translation>打开网络（ONNX 或 JSON）、其他程序的录制、已保存的运行或调度文件</translation>
    </message>
    <message>
        <source>Rec&amp;orded timeline…</source>
        <translation>录制的时间线(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Lanes predicted for a recording…</source>
        <translation>为录制预测的泳道(&amp;L)…</translation>
    </message>
    <message>
        <source>No recording with times is open</source>
        <translation>没有打开带时间的录制</translation>
    </message>
    <message>
        <source>No recording is open for which lanes are predicted</source>
        <translation>没有打开已预测泳道的录制</translation>
    </message>
</context>
<context>
    <name>iosx::AddWorkerDialog</name>
    <message>
        <source>The command that starts a worker</source>
        <translation>启动一个工作进程的命令</translation>
    </message>
    <message>
        <source>Reply of the worker</source>
        <translation>工作进程的回答</translation>
    </message>
    <message>
        <source>Add workers</source>
        <translation>添加工作进程</translation>
    </message>
    <message>
        <source>By &amp;ssh</source>
        <translation>通过 ssh(&amp;S)</translation>
    </message>
    <message>
        <source>By S&amp;lurm</source>
        <translation>通过 Slurm(&amp;L)</translation>
    </message>
    <message>
        <source>By any co&amp;mmand</source>
        <translation>通过任意命令(&amp;M)</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>Maximum time until a worker starts</source>
        <translation>工作进程开始前最多可用的时间</translation>
    </message>
    <message>
        <source>&amp;Wait at most</source>
        <translation>最多等待(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>添加(&amp;A)</translation>
    </message>
    <message>
        <source>The command:</source>
        <translation>命令：</translation>
    </message>
    <message>
        <source>The test was stopped.</source>
        <translation>测试已停止。</translation>
    </message>
    <message>
        <source>&amp;Program there</source>
        <translation>那里的程序(&amp;P)</translation>
    </message>
    <message>
        <source>iosx, or its path</source>
        <translation>iosx，或它的路径</translation>
    </message>
    <message>
        <source>iosx if the shell there finds it, or its path</source>
        <translation>那里的 shell 能找到的 iosx，或它的路径</translation>
    </message>
    <message>
        <source>&amp;Device there</source>
        <translation>那里的设备(&amp;D)</translation>
    </message>
    <message>
        <source>cpu or gpu</source>
        <translation>cpu 或 gpu</translation>
    </message>
    <message>
        <source>Its name in iosx devices there: cpu, gpu, or another one</source>
        <translation>那里的 iosx devices 对该设备的称呼：cpu、gpu 或其他</translation>
    </message>
    <message>
        <source>How many workers</source>
        <translation>工作进程数</translation>
    </message>
    <message>
        <source>The workers share the measurements; several workers on one device take turns</source>
        <translation>这么多工作进程分担测量；同一设备上的多个工作进程轮流测量</translation>
    </message>
    <message>
        <source>How ma&amp;ny</source>
        <translation>数量(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Host</source>
        <translation>主机(&amp;H)</translation>
    </message>
    <message>
        <source>node1, or user@node1</source>
        <translation>node1，或 user@node1</translation>
    </message>
    <message>
        <source>A host that ssh reaches without a password prompt</source>
        <translation>ssh 不询问密码就能到达的主机</translation>
    </message>
    <message>
        <source>&amp;Options of srun</source>
        <translation>srun 的选项(&amp;O)</translation>
    </message>
    <message>
        <source>Options separated by spaces; --exclusive reserves the device while it is measured</source>
        <translation>用空格分开的词；--exclusive 在测量时不让别人使用该设备</translation>
    </message>
    <message>
        <source>&amp;Command</source>
        <translation>命令(&amp;C)</translation>
    </message>
    <message>
        <source>The shell command here that starts one worker; &quot;4 x COMMAND&quot; starts four</source>
        <translation>这里的 shell 启动一个工作进程所执行的命令；“4 x COMMAND”是四个</translation>
    </message>
    <message>
        <source>It must forward standard input and output to iosx worker. Lines that it writes before the worker starts do no harm.</source>
        <translation>它必须把标准输入和输出传给 iosx worker。它在工作进程开始之前写出的行没有妨碍。</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>It works: %1, %2
%3</source>
        <translation>可用：%1，%2
%3</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Test</source>
        <translation>测试(&amp;T)</translation>
    </message>
    <message>
        <source>Stop waiting</source>
        <translation>不再等待</translation>
    </message>
    <message>
        <source>Start one worker and show its reply</source>
        <translation>启动一个工作进程，看它如何介绍自己</translation>
    </message>
    <message>
        <source>Test the command first</source>
        <translation>请先测试命令</translation>
    </message>
    <message>
        <source>Starting a worker… %1 of %2</source>
        <translation>正在启动工作进程… %1，最多 %2</translation>
    </message>
    <message>
        <source>Maximum time to wait until the worker starts; a change also applies to later searches. In a queue, a start can take a while</source>
        <translation>测试等待工作进程开始的最长时间；修改后以后的搜索也按此等待。排队可能需要一段时间</translation>
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
        <source>This is not a number</source>
        <translation>这不是数字</translation>
    </message>
    <message>
        <source>Enter whole numbers, such as 3 × 3</source>
        <translation>这里需要整数，例如 3 × 3</translation>
    </message>
    <message>
        <source>Select an operator to change its attributes</source>
        <translation>选择一个算子以更改其属性</translation>
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
        <source>Range of the channels to read, such as 0 – 64, without the last; empty: all</source>
        <translation>读取哪些通道，如 0 – 64：含起始通道，不含末尾通道；留空表示全部</translation>
    </message>
    <message>
        <source>Move input %1 up</source>
        <translation>将输入 %1 上移</translation>
    </message>
    <message>
        <source>Move input %1 down</source>
        <translation>将输入 %1 下移</translation>
    </message>
    <message>
        <source>Remove input %1</source>
        <translation>移除输入 %1</translation>
    </message>
    <message>
        <source>Enter two whole numbers, such as 0 – 64</source>
        <translation>此处需要两个整数，如 0 – 64</translation>
    </message>
    <message>
        <source>%1. not connected</source>
        <translation>%1. 尚未连接</translation>
    </message>
    <message>
        <source>%1. The value is kept</source>
        <translation>%1。保持原样</translation>
    </message>
</context>
<context>
    <name>iosx::Attributes</name>
    <message>
        <source>none</source>
        <translation>无</translation>
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
        <source>Make the selection a stage of its own; without a selection, split the stage in half (S)</source>
        <translation>阶段中选中的部分成为单独的阶段；未选中任何部分时对半拆分 (S)</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Join the stage and the next one (J)</source>
        <translation>将该阶段与下一个阶段连接为一个 (J)</translation>
    </message>
    <message>
        <source>New stage</source>
        <translation>新阶段</translation>
    </message>
    <message>
        <source>Put the selection into a stage of its own (N)</source>
        <translation>将选中的内容放入单独的阶段 (N)</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Merge the selected layers into one larger layer (M)</source>
        <translation>将选中的层合并为一个更大的层计算 (M)</translation>
    </message>
    <message>
        <source>Compute the merged layers one by one (T)</source>
        <translation>将合并的内容逐个计算 (T)</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁定</translation>
    </message>
    <message>
        <source>A locked stage cannot be changed; a search keeps it. Again: unlock (L)</source>
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
        <source>Search with all stages of this schedule as candidates: never worse than it is now</source>
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
        <source>Start from the shown schedule; Undo restores what was changed</source>
        <translation>从所显示的调度开始；之前的更改可一步撤回</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Measure the stages without a known latency</source>
        <translation>测量延迟未知的阶段</translation>
    </message>
    <message>
        <source>after each drop</source>
        <translation>每次放下后</translation>
    </message>
    <message>
        <source>Measure changed stages automatically after every change</source>
        <translation>每次更改后自动测量更改的阶段</translation>
    </message>
    <message>
        <source>Verify outputs</source>
        <translation>验证输出</translation>
    </message>
    <message>
        <source>Run it and compare its outputs with those of the sequential schedule</source>
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
        <source>Run it end to end and add it to the schedules of the run</source>
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
        <source>No schedule is being edited</source>
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
        <source>The search could not use %1</source>
        <translation>搜索无法采用：%1</translation>
    </message>
    <message>
        <source>The search could use its stages, but did not examine them.</source>
        <translation>搜索本可采用这些阶段，但没有查看它们。</translation>
    </message>
    <message>
        <source>%1, batch %2: the sum of the stages, each alone, and of the gaps between them. Run gives the latency end to end.</source>
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
        <source>; and %1 more.</source>
        <translation>；另有 %1 个阶段也是如此。</translation>
    </message>
    <message>
        <source>One by one</source>
        <translation>逐个执行</translation>
    </message>
    <message>
        <source>Start again with one stage per unit; Undo restores what was changed</source>
        <translation>重新开始，每个单元各占一个阶段；之前的修改可撤销一步找回</translation>
    </message>
    <message>
        <source>Own lane</source>
        <translation>独占泳道</translation>
    </message>
    <message>
        <source>Put the selected kernel on a lane of its own (N)</source>
        <translation>让所选内核独占一条泳道（N）</translation>
    </message>
    <message>
        <source>Best place</source>
        <translation>最佳位置</translation>
    </message>
    <message>
        <source>Move the selected kernel to the place with the lowest total latency, if any is faster; on simulated devices (B)</source>
        <translation>把所选内核移到总延迟最低的位置（如果有更快的位置）；用于模拟设备（B）</translation>
    </message>
    <message>
        <source>Show more time (−, Ctrl + wheel)</source>
        <translation>显示更长的时间（−，Ctrl + 滚轮）</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Show the whole run (F)</source>
        <translation>显示整次运行（F）</translation>
    </message>
    <message>
        <source>Show less time (+, Ctrl + wheel)</source>
        <translation>显示更短的时间（+，Ctrl + 滚轮）</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Its stages</source>
        <translation>其阶段</translation>
    </message>
    <message>
        <source>Edit the stages that these kernels come from instead; Undo returns here</source>
        <translation>改为更改选出这些内核的阶段；后退一步即回到这里</translation>
    </message>
    <message>
        <source>%1, batch %2: latency end to end.</source>
        <translation>%1，批大小 %2：端到端延迟。</translation>
    </message>
    <message>
        <source>computing the latency…</source>
        <translation>正在计算延迟…</translation>
    </message>
    <message>
        <source>not run yet: Run gives the latency. Bars are as long as in another run.</source>
        <translation>尚未运行：“运行”会给出延迟。条的长度取自另一次运行。</translation>
    </message>
    <message>
        <source>not run yet: Run gives the latency.</source>
        <translation>尚未运行：“运行”会给出延迟。</translation>
    </message>
    <message>
        <source>Run at batch %1</source>
        <translation>以批大小 %1 运行</translation>
    </message>
    <message>
        <source>Unmerge</source>
        <translation>取消合并</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>手动</translation>
    </message>
</context>
<context>
    <name>iosx::CanvasPair</name>
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
        <source>%1, per sample</source>
        <translation>%1，每样本</translation>
    </message>
    <message>
        <source>%1 – finished, %2</source>
        <translation>%1 – 已结束，%2</translation>
    </message>
    <message>
        <source>pairs at once: %1 in both, %2 in A, %3 in B</source>
        <translation>同时运行的对：两者共有 %1，仅 A %2，仅 B %3</translation>
    </message>
</context>
<context>
    <name>iosx::ColumnDialog</name>
    <message>
        <source>Colour by my column</source>
        <translation>按我的列着色</translation>
    </message>
    <message>
        <source>Which column of %1 should colour the graph?</source>
        <translation>计算图的颜色应表示 %1 的哪一列？</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>their values add up</source>
        <translation>其值相加</translation>
    </message>
    <message>
        <source>the value farthest from 0 counts</source>
        <translation>取离零最远的值</translation>
    </message>
    <message>
        <source>A unit of several operators</source>
        <translation>含多个算子的单元</translation>
    </message>
    <message>
        <source>Bytes, energy and times add up; an error, a share or a temperature does not</source>
        <translation>字节、能耗和时间可以相加；误差、占比或温度不可以</translation>
    </message>
    <message>
        <source>&amp;Column</source>
        <translation>列(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Of a unit&apos;s operators</source>
        <translation>单元中的各算子(&amp;O)</translation>
    </message>
</context>
<context>
    <name>iosx::ColumnMenu</name>
    <message>
        <source>A table of values by node name</source>
        <translation>按节点名列出数值的表</translation>
    </message>
    <message>
        <source>Tables (*.csv *.tsv *.txt *.json);;All files (*)</source>
        <translation>表 (*.csv *.tsv *.txt *.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>更改…</translation>
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
        <source>Search text</source>
        <translation>搜索文字</translation>
    </message>
    <message>
        <source>Matches, the best first</source>
        <translation>匹配的内容，最佳者在前</translation>
    </message>
    <message>
        <source>No results</source>
        <translation>没有结果</translation>
    </message>
    <message>
        <source>From a file…</source>
        <translation>从文件…</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>Device: %1</source>
        <translation>设备：%1</translation>
    </message>
    <message>
        <source>Devices ▸ %1: %2</source>
        <translation>设备 ▸ %1：%2</translation>
    </message>
    <message>
        <source>Devices ▸ %1</source>
        <translation>设备 ▸ %1</translation>
    </message>
    <message>
        <source>Type a few letters of an action, a network, a device, a file or a schedule</source>
        <translation>键入操作、网络、设备、文件或调度的几个字母</translation>
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
        <source>Only &amp;differences</source>
        <translation>只看有差异的(&amp;D)</translation>
    </message>
    <message>
        <source>Comparison of runs</source>
        <translation>运行比较</translation>
    </message>
    <message>
        <source>Baseline (&amp;A):</source>
        <translation>基线 (&amp;A)：</translation>
    </message>
    <message>
        <source>All others are compared with this</source>
        <translation>其他所有内容与之比较的对象</translation>
    </message>
    <message>
        <source>Shown in the second canvas and in the table of stages</source>
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
    <message>
        <source>Compare with (&amp;B):</source>
        <translation>比较对象 (&amp;B)：</translation>
    </message>
    <message>
        <source>&amp;Timelines</source>
        <translation>时间线(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Bars and tables</source>
        <translation>条形图与表格(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Graphs</source>
        <translation>计算图(&amp;G)</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Choose the views below the sentence; drag the lines between them to resize</source>
        <translation>选择句子下方显示的内容；其间的分隔线可以拖动</translation>
    </message>
    <message>
        <source>Bars and parts</source>
        <translation>条形图与部分</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>分布</translation>
    </message>
</context>
<context>
    <name>iosx::ComparedRuns</name>
    <message>
        <source>Timelines of the comparison</source>
        <translation>被比较内容的时间线</translation>
    </message>
    <message>
        <source>Show the chosen ones</source>
        <translation>显示所选项</translation>
    </message>
    <message>
        <source>These two are shown because of the question above; your choice has not changed</source>
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
        <source>Progress of the searches</source>
        <translation>搜索的过程</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Quantity of the horizontal axis</source>
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
    <message>
        <source>%1 has the kernels of %2. %3</source>
        <translation>%1 的内核来自 %2。%3</translation>
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
        <source>Side by side</source>
        <translation>并排</translation>
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
        <source>at least two units are needed</source>
        <translation>至少需要两个单元</translation>
    </message>
    <message>
        <source>a unit is neither one convolution nor a linear layer followed by operators that read only this unit</source>
        <translation>有单元既不是一个卷积，也不是其后算子只读取该单元的线性层</translation>
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
        <source>one is a convolution, another a linear layer</source>
        <translation>其中有卷积，也有线性层</translation>
    </message>
    <message>
        <source>their features begin at different axes</source>
        <translation>它们的特征起始轴不同</translation>
    </message>
    <message>
        <source>the unit has more than the merged linear layer, which this file format cannot express</source>
        <translation>该单元除合并的线性层外还有其他内容，该文件格式无法表示</translation>
    </message>
    <message>
        <source>is sliced along an axis that it does not have</source>
        <translation>沿着它没有的轴切片</translation>
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
        <source>with its padding, a kernel cannot be centred in the largest kernel</source>
        <translation>有卷积核以其填充无法在最大的核中居中</translation>
    </message>
    <message>
        <source>Schedules</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Latency of sequential, greedy, IOS and barrier-free schedules</source>
        <translation>顺序、贪心、IOS 与无屏障调度的延迟</translation>
    </message>
    <message>
        <source>Pruning</source>
        <translation>剪枝</translation>
    </message>
    <message>
        <source>Search effort that smaller r and s save, and latency they add</source>
        <translation>较小的 r 和 s 省去的搜索，以及增加的延迟</translation>
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
        <source>Samples per second by batch size</source>
        <translation>各批大小下每秒的样本数</translation>
    </message>
    <message>
        <source>Utilization</source>
        <translation>利用率</translation>
    </message>
    <message>
        <source>Device utilization over time: sequential and IOS-Both</source>
        <translation>设备利用率随时间的变化：顺序与 IOS-Both</translation>
    </message>
    <message>
        <source>Search cost</source>
        <translation>搜索代价</translation>
    </message>
    <message>
        <source>Lazy compared with exhaustive search: what it saves and loses</source>
        <translation>惰性搜索与穷举搜索对比：节省多少，又损失多少</translation>
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
        <source>stages measured</source>
        <translation>已测量的阶段数</translation>
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
        <source>share</source>
        <translation>占比</translation>
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
        <source>share of device capacity</source>
        <translation>占设备容量的比例</translation>
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
        <source>measuring stages</source>
        <translation>正在测量阶段</translation>
    </message>
    <message>
        <source>running end to end</source>
        <translation>正在端到端运行</translation>
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
        <source>Units per group (r)</source>
        <translation>每组单元数 (r)</translation>
    </message>
    <message>
        <source>r, maximum units per group</source>
        <translation>r，每组最多单元数</translation>
    </message>
    <message>
        <source>Groups per stage (s)</source>
        <translation>每阶段组数 (s)</translation>
    </message>
    <message>
        <source>s, maximum groups per stage</source>
        <translation>s，每阶段最多组数</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>流</translation>
    </message>
    <message>
        <source>streams (s and greedy)</source>
        <translation>流数（s 与贪心）</translation>
    </message>
    <message>
        <source>Input size</source>
        <translation>输入尺寸</translation>
    </message>
    <message>
        <source>input height (pixels; text: tokens)</source>
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
        <source>1×1, 5×5, two 3×3 and pooling in parallel, concatenated</source>
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
        <source>A 7×7 convolution as 1×7 and 7×1</source>
        <translation>以 1×7 和 7×1 代替 7×7 卷积</translation>
    </message>
    <message>
        <source>NASNet separable unit</source>
        <translation>NASNet 可分离单元</translation>
    </message>
    <message>
        <source>relu, depthwise and pointwise convolution, twice, in one unit</source>
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
        <source>Two 3×3 convolutions and a shortcut around them</source>
        <translation>两个 3×3 卷积以及绕过它们的捷径</translation>
    </message>
    <message>
        <source>Squeeze-expand</source>
        <translation>压缩-扩展</translation>
    </message>
    <message>
        <source>A 1×1 convolution, read by 1×1 and 3×3 ones, concatenated</source>
        <translation>1×1 卷积，由 1×1 与 3×3 卷积读取后拼接</translation>
    </message>
    <message>
        <source>Squeeze-and-excitation</source>
        <translation>压缩-激励</translation>
    </message>
    <message>
        <source>Channels scaled by weights from their means</source>
        <translation>以由均值得出的权重缩放通道</translation>
    </message>
    <message>
        <source>Attention heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Four heads in parallel</source>
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
        <source>Four experts in parallel, weighted by a gate</source>
        <translation>四个并列的专家，由门控加权</translation>
    </message>
    <message>
        <source>&apos;{}&apos; ({})</source>
        <translation>“{}”（{}）</translation>
    </message>
    <message>
        <source>&apos;{}&apos; ({}) has inputs: {}; it needs at least {}</source>
        <translation>“{}”（{}）的输入数：{}；至少需要 {}</translation>
    </message>
    <message>
        <source>&apos;{}&apos; ({}) has inputs: {}; it accepts at most {}</source>
        <translation>“{}”（{}）的输入数：{}；至多接受 {}</translation>
    </message>
    <message>
        <source>&apos;{}&apos; ({}) is not computed, so it belongs to no unit</source>
        <translation>“{}”（{}）不由任何计算得到，因此不属于任何单元</translation>
    </message>
    <message>
        <source>&apos;{}&apos; ({}) has no inputs yet</source>
        <translation>“{}”（{}）尚未读取任何内容</translation>
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
        <source>&apos;{}&apos; cannot read itself</source>
        <translation>“{}”不能读取自身</translation>
    </message>
    <message>
        <source>&apos;{}&apos; looks up more positions than this precision can count exactly</source>
        <translation>“{}”要查找的位置数超出该精度可表示的整数</translation>
    </message>
    <message>
        <source>&apos;{}&apos; has no input {}</source>
        <translation>“{}”没有输入 {}</translation>
    </message>
    <message>
        <source>&apos;{}&apos; has no kernel size that can be changed</source>
        <translation>“{}”没有可更改的内核大小</translation>
    </message>
    <message>
        <source>the number of output channels of &apos;{}&apos; cannot be set</source>
        <translation>“{}”的输出通道数无法设定</translation>
    </message>
    <message>
        <source>&apos;{}&apos; has the type {}, which the {} cannot execute</source>
        <translation>“{}”的类型为 {}，{} 无法执行</translation>
    </message>
    <message>
        <source>&apos;{}&apos; has {} channels, not {} to {}</source>
        <translation>“{}”有 {} 个通道，没有 {} 至 {}</translation>
    </message>
    <message>
        <source>&apos;{}&apos; has {} input(s)</source>
        <translation>“{}”有 {} 个输入</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is a scalar constant without a value</source>
        <translation>“{}”是单个数的常量，而这个数缺失</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is a kernel of kind {}, which the {} cannot execute</source>
        <translation>“{}”是 {} 类的内核，{} 无法执行</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is in stage {}, &apos;{}&apos; in stage {}: only layers of one stage can be merged</source>
        <translation>“{}”在阶段 {} 中，“{}”在阶段 {} 中：只有同一阶段中的层可以合并</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is needed by &apos;{}&apos;, which is in another lane of this stage</source>
        <translation>“{}”需要“{}”，前者在此阶段的另一条泳道中</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is needed by &apos;{}&apos;, which is in stage {}</source>
        <translation>“{}”需要“{}”，前者在阶段 {} 中</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is needed by &apos;{}&apos;, which would run earlier</source>
        <translation>“{}”需要“{}”，前者会更早运行</translation>
    </message>
    <message>
        <source>&apos;{}&apos; cannot be made from the graph</source>
        <translation>“{}”无法由该计算图生成</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is not merged</source>
        <translation>“{}”没有合并</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is not a parameter that can vary</source>
        <translation>“{}”不是可以变化的参数</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is on a cycle, so it cannot belong to a part</source>
        <translation>“{}”位于环上，因此不能划入任何部分</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is one operator and cannot be split</source>
        <translation>“{}”只有一个算子，无法拆分</translation>
    </message>
    <message>
        <source>&apos;{}&apos; has the kind {}, which cannot change</source>
        <translation>“{}”的类型是 {}，不能改变</translation>
    </message>
    <message>
        <source>&apos;{}&apos; needs &apos;{}&apos;, which is in another lane of this stage</source>
        <translation>“{}”需要“{}”，后者在此阶段的另一条泳道中</translation>
    </message>
    <message>
        <source>&apos;{}&apos; needs &apos;{}&apos;, which is in stage {}</source>
        <translation>“{}”需要“{}”，后者在阶段 {} 中</translation>
    </message>
    <message>
        <source>&apos;{}&apos; needs &apos;{}&apos;, which would run later</source>
        <translation>“{}”需要“{}”，后者会更晚运行</translation>
    </message>
    <message>
        <source>&apos;{}&apos; reads channels {} to {} of &apos;{}&apos;, which has {} channels</source>
        <translation>“{}”读取通道 {} 到 {}，来自“{}”，它共有 {}</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is given twice</source>
        <translation>“{}”给出了两次</translation>
    </message>
    <message>
        <source>use --dim {}={} to write it into the shapes</source>
        <translation>请用 --dim {}={} 把它写入形状</translation>
    </message>
    <message>
        <source>A {} with {:.0f} GB cannot run this: batch {} needs {:.1f} GB for tensors and {:.1f} GB for weights. The latency is simulated without this limit; a smaller batch fits</source>
        <translation>具有 {1:.0f} GB 的 {0} 无法运行它：批大小 {2} 需要 {3:.1f} GB 存放张量和 {4:.1f} GB 存放权重。延迟的模拟不考虑此限制；较小的批大小可以容纳</translation>
    </message>
    <message>
        <source>Add an input to {}</source>
        <translation>给 {} 增加一个输入</translation>
    </message>
    <message>
        <source>Add {}</source>
        <translation>添加 {}</translation>
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
        <source>All these searches were lazy and needed few stages, however many r and s allow; an exhaustive search needs all of them</source>
        <translation>所有这些搜索都是惰性的，无论 r 和 s 允许多少，都只需要少数阶段；穷举搜索则需要全部阶段</translation>
    </message>
    <message>
        <source>Begin part {} with {}</source>
        <translation>新部分 {} 从 {} 开始</translation>
    </message>
    <message>
        <source>CUPTI cannot be loaded: {}</source>
        <translation>无法加载 CUPTI：{}</translation>
    </message>
    <message>
        <source>CUPTI dropped {} kernel records</source>
        <translation>CUPTI 丢弃了 {} 条内核记录</translation>
    </message>
    <message>
        <source>Change {}</source>
        <translation>更改 {}</translation>
    </message>
    <message>
        <source>Connect {} to {}</source>
        <translation>将 {} 连到 {}</translation>
    </message>
    <message>
        <source>Disconnect {} from {}</source>
        <translation>断开 {} 与 {}</translation>
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
        <source>GPU {} cannot be reached: {}</source>
        <translation>无法访问 GPU {}：{}</translation>
    </message>
    <message>
        <source>Give {} a bias</source>
        <translation>给 {} 加上偏置</translation>
    </message>
    <message>
        <source>Group {} operators as {}</source>
        <translation>将 {} 个算子合组为 {}</translation>
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
        <source>Join parts {} and {}</source>
        <translation>合并部分 {} 与 {}</translation>
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
        <source>Move {}</source>
        <translation>移动 {}</translation>
    </message>
    <message>
        <source>Move {} operators</source>
        <translation>移动 {} 个算子</translation>
    </message>
    <message>
        <source>Operators of {} other types cannot be executed either.</source>
        <translation>另外 {} 种类型的算子也无法执行。</translation>
    </message>
    <message>
        <source>Remove an input of {}</source>
        <translation>去掉 {} 的一个输入</translation>
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
        <source>Reorder the inputs of {}</source>
        <translation>重排 {} 的输入</translation>
    </message>
    <message>
        <source>The budget ended these searches; more time may find better schedules: {}</source>
        <translation>以下搜索因预算用完而结束，更多时间或许能找到更好的调度：{}</translation>
    </message>
    <message>
        <source>Split {}</source>
        <translation>拆分 {}</translation>
    </message>
    <message>
        <source>Remove the bias of {}</source>
        <translation>去掉 {} 的偏置</translation>
    </message>
    <message>
        <source>The shape of {} of their outputs is not known, so the cost of what follows from them is unknown.</source>
        <translation>其中 {} 个输出的形状未知，因此由它们得到的部分的代价未知。</translation>
    </message>
    <message>
        <source>it is the shape of a tensor of unknown shape</source>
        <translation>它是形状未知的张量的形状</translation>
    </message>
    <message>
        <source>The file leaves the size of {} and {} more open, and nothing else gives it; 1 is used.</source>
        <translation>文件没有定下 {} 及另外 {} 个的大小，也没有其他依据；使用 1。</translation>
    </message>
    <message>
        <source>The file leaves the size of {} open, and nothing else gives it; 1 is used.</source>
        <translation>文件没有定下 {} 的大小，也没有其他依据；使用 1。</translation>
    </message>
    <message>
        <source>The gap of a part that is too large to list cannot be closed: {} was left aside.</source>
        <translation>部分过大而无法列出时，其差距无法消除：{} 未被采用。</translation>
    </message>
    <message>
        <source>The model is written for opset {}, newer than {}: operators that have changed since then may be read incorrectly.</source>
        <translation>模型为 opset {} 编写，比 {} 更新：此后有变化的算子可能被误读。</translation>
    </message>
    <message>
        <source>The model runs only with batch {}: {}.</source>
        <translation>模型只能以批大小 {} 运行：{}。</translation>
    </message>
    <message>
        <source>The model runs only with its current sizes, not with other batches: {}.</source>
        <translation>模型只能以当前的大小运行，不能用其他批大小：{}。</translation>
    </message>
    <message>
        <source>The training information of the model is ignored.</source>
        <translation>已略去模型的训练信息。</translation>
    </message>
    <message>
        <source>The stage latencies do not add up to the latency of the run in {}: {}</source>
        <translation>以下各项的阶段延迟之和与整次运行的延迟不同：{}：{}</translation>
    </message>
    <message>
        <source>Windows Subsystem for Linux has no counters: use Linux itself</source>
        <translation>Windows 的 Linux 子系统没有计数器：请直接使用 Linux</translation>
    </message>
    <message>
        <source>a batch of {}</source>
        <translation>批大小为 {}</translation>
    </message>
    <message>
        <source>a batch of {} cannot be exported</source>
        <translation>批大小 {} 无法导出</translation>
    </message>
    <message>
        <source>the enter_node of a block must be the network&apos;s input or an earlier exit_node</source>
        <translation>块从网络的输入或前面的 exit_node 进入</translation>
    </message>
    <message>
        <source>a branch cannot be read</source>
        <translation>无法读取某个分支</translation>
    </message>
    <message>
        <source>a constant cannot be read: {}</source>
        <translation>无法读取某个常量：{}</translation>
    </message>
    <message>
        <source>a constant has {} axes</source>
        <translation>某个常量有 {} 个轴</translation>
    </message>
    <message>
        <source>a constant input</source>
        <translation>常量输入</translation>
    </message>
    <message>
        <source>a stored device cannot be read back</source>
        <translation>无法读回已存入的设备</translation>
    </message>
    <message>
        <source>a dimension can have only one size</source>
        <translation>一个维度只能有一个大小</translation>
    </message>
    <message>
        <source>a graph has at least one part</source>
        <translation>计算图至少有一个部分</translation>
    </message>
    <message>
        <source>a key padding mask</source>
        <translation>键填充掩码</translation>
    </message>
    <message>
        <source>a letter of its equation stands for two sizes</source>
        <translation>其方程的某个字母代表两种大小</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>a list of {} {}</source>
        <translation>含 {} 个 {} 的列表</translation>
    </message>
    <message>
        <source>a mask with fewer positions than keys</source>
        <translation>掩码的位置数少于键的个数</translation>
    </message>
    <message>
        <source>a mask of integers</source>
        <translation>整数掩码</translation>
    </message>
    <message>
        <source>a matrix product with the batch as one side</source>
        <translation>以批次为一边的矩阵乘积</translation>
    </message>
    <message>
        <source>an average without padding</source>
        <translation>不含填充的平均值</translation>
    </message>
    <message>
        <source>a measurement contradicts its checksum</source>
        <translation>某个测量值与其校验和不符</translation>
    </message>
    <message>
        <source>a measurement has a batch size of {}</source>
        <translation>某个测量值的批大小为 {}</translation>
    </message>
    <message>
        <source>the device of a measurement has no fingerprint, or one of invalid length</source>
        <translation>某个测量值的设备没有指纹，或指纹长度无效</translation>
    </message>
    <message>
        <source>a measurement does not name its precision or device</source>
        <translation>某个测量值没有给出精度或设备</translation>
    </message>
    <message>
        <source>a merge stage has one group with one step of several units</source>
        <translation>合并阶段只有一个组，组中一个步骤含有多个单元</translation>
    </message>
    <message>
        <source>a merged layer cannot be split: unmerge it first</source>
        <translation>合并的层无法拆分：请先取消合并</translation>
    </message>
    <message>
        <source>the name of a merged layer has a space, but this file format separates such names by spaces</source>
        <translation>某个合并的层的名称含有空格，而该文件格式用空格分隔这些名称</translation>
    </message>
    <message>
        <source>a name cannot be empty</source>
        <translation>名称不能为空</translation>
    </message>
    <message>
        <source>a name has at most {} bytes</source>
        <translation>名称最多 {} 字节</translation>
    </message>
    <message>
        <source>a name must not be empty</source>
        <translation>名称不能为空</translation>
    </message>
    <message>
        <source>a network needs at least one operator</source>
        <translation>网络至少需要一个算子</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数</translation>
    </message>
    <message>
        <source>a part can have at most {} units</source>
        <translation>一个部分最多可有 {} 个单元</translation>
    </message>
    <message>
        <source>a part of a GPU (MIG) has no counters of its own: use a whole GPU</source>
        <translation>GPU 的一部分（MIG）没有自己的计数器：请使用完整的 GPU</translation>
    </message>
    <message>
        <source>a placeholder inside a block</source>
        <translation>块内有 placeholder</translation>
    </message>
    <message>
        <source>a quote is not closed</source>
        <translation>引号没有闭合</translation>
    </message>
    <message>
        <source>a result computed while reading has at most {} elements</source>
        <translation>读取时计算的结果最多有 {} 个元素</translation>
    </message>
    <message>
        <source>a row in the table of zoo figures is incomplete</source>
        <translation>网络库数据表的某一行缺少内容</translation>
    </message>
    <message>
        <source>a saved run has its own batch</source>
        <translation>保存的运行有自己的批大小</translation>
    </message>
    <message>
        <source>a saved run has its own device</source>
        <translation>保存的运行有自己的设备</translation>
    </message>
    <message>
        <source>a saved run has its own measurements</source>
        <translation>保存的运行有自己的测量值</translation>
    </message>
    <message>
        <source>a saved run has its own sizes</source>
        <translation>保存的运行有自己的大小</translation>
    </message>
    <message>
        <source>a saved run is a comparison, not an experiment</source>
        <translation>保存的运行是比较，不是实验</translation>
    </message>
    <message>
        <source>a sequential is inside a sequential</source>
        <translation>sequential（顺序）之内又有 sequential</translation>
    </message>
    <message>
        <source>a sequential needs operators</source>
        <translation>sequential（顺序）需要算子</translation>
    </message>
    <message>
        <source>a scalar without its value</source>
        <translation>单个数没有值</translation>
    </message>
    <message>
        <source>a slice needs 0 &lt;= begin &lt; end &lt;= channels</source>
        <translation>切片需要 0 &lt;= begin &lt; end &lt;= channels</translation>
    </message>
    <message>
        <source>a source cannot be added as an operator</source>
        <translation>源不能作为算子添加</translation>
    </message>
    <message>
        <source>a source has no bias</source>
        <translation>源没有偏置</translation>
    </message>
    <message>
        <source>a source is in no unit</source>
        <translation>源不属于任何单元</translation>
    </message>
    <message>
        <source>a source has no inputs</source>
        <translation>源不读取任何内容</translation>
    </message>
    <message>
        <source>a stage has 1 to {} nodes</source>
        <translation>一个阶段有 1 到 {} 个节点</translation>
    </message>
    <message>
        <source>select some operators of the stage, but not all</source>
        <translation>拆分阶段需要选中其中一部分算子</translation>
    </message>
    <message>
        <source>a stage can name only operators of its block</source>
        <translation>阶段只能给出其所在块中的算子</translation>
    </message>
    <message>
        <source>a stage can name only operators of its own block</source>
        <translation>阶段只能给出自己块中的算子</translation>
    </message>
    <message>
        <source>a step has no unit</source>
        <translation>某个步骤没有单元</translation>
    </message>
    <message>
        <source>a store cannot be merged with itself</source>
        <translation>测量库不能与自身合并</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a unit is called &apos;{}&apos;</source>
        <translation>有单元已命名为“{}”</translation>
    </message>
    <message>
        <source>a unit has the name &apos;{}&apos; of an operator that is not its last one</source>
        <translation>一个单元叫“{}”，而同名算子不是它的最后一个</translation>
    </message>
    <message>
        <source>a unit must come after what it reads: in a later stage, or later in the same group</source>
        <translation>单元必须排在它所读取的内容之后：在更晚的阶段，或在同一组中更靠后</translation>
    </message>
    <message>
        <source>a single operator is already a unit; choose several operators</source>
        <translation>单个算子本身就是一个单元；请选择多个算子</translation>
    </message>
    <message>
        <source>a window at {} depths in {} groups</source>
        <translation>在 {1} 个组中位于 {0} 个深度的窗口</translation>
    </message>
    <message>
        <source>abandoned</source>
        <translation>已放弃</translation>
    </message>
    <message>
        <source>add it</source>
        <translation>请添加它</translation>
    </message>
    <message>
        <source>add one and connect its inputs</source>
        <translation>请添加一个并连接其输入</translation>
    </message>
    <message>
        <source>add operators in topological order</source>
        <translation>请按拓扑顺序添加算子</translation>
    </message>
    <message>
        <source>adds a tensor of a different shape</source>
        <translation>加上形状不同的张量</translation>
    </message>
    <message>
        <source>an axis of {} elements does not split into {}</source>
        <translation>有 {} 个元素的轴不能拆成 {} 份</translation>
    </message>
    <message>
        <source>an empty file name</source>
        <translation>文件名为空</translation>
    </message>
    <message>
        <source>an empty folder name</source>
        <translation>文件夹名为空</translation>
    </message>
    <message>
        <source>an empty slice</source>
        <translation>空切片</translation>
    </message>
    <message>
        <source>an empty tensor</source>
        <translation>空张量</translation>
    </message>
    <message>
        <source>an equation of more than two terms</source>
        <translation>多于两项的方程</translation>
    </message>
    <message>
        <source>an integer</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>an interval of {:g} us between samples</source>
        <translation>样本之间的间隔为 {:g} us</translation>
    </message>
    <message>
        <source>an object with the key &apos;{}&apos;</source>
        <translation>带有键“{}”的对象</translation>
    </message>
    <message>
        <source>an operator ({}) has no name</source>
        <translation>一个算子（{}）没有名称</translation>
    </message>
    <message>
        <source>an operator has the name of its unit but is not its last operator</source>
        <translation>某个算子与其单元同名，却不是单元的最后一个</translation>
    </message>
    <message>
        <source>an operator is called &apos;{}&apos;</source>
        <translation>有算子已命名为“{}”</translation>
    </message>
    <message>
        <source>an operator must not need its own output</source>
        <translation>算子不能需要自己的输出</translation>
    </message>
    <message>
        <source>an output that is not a feature map</source>
        <translation>不是特征图的输出</translation>
    </message>
    <message>
        <source>an output that is not its unit&apos;s last one</source>
        <translation>不是所在单元最后一个输出的输出</translation>
    </message>
    <message>
        <source>another activation</source>
        <translation>其他激活函数</translation>
    </message>
    <message>
        <source>another axis</source>
        <translation>其他轴</translation>
    </message>
    <message>
        <source>another operator is called &apos;{}&apos;</source>
        <translation>另一个算子已命名为“{}”</translation>
    </message>
    <message>
        <source>another profiler uses the counters: end Nsight, nsys, ncu, DCGM&apos;s profiling and other CUPTI programs</source>
        <translation>另一个性能分析程序正在使用计数器：请结束 Nsight、nsys、ncu、DCGM 的性能分析和其他 CUPTI 程序</translation>
    </message>
    <message>
        <source>another program used the device at the same time, or its clock changed; measure again while the device is idle, without stored measurements ({}; in the window: Schedule, Kept measurements)</source>
        <translation>期间另有程序使用设备，或其时钟发生了变化；请在设备空闲时重新测量，不使用已存的测量值（{}；在窗口中：调度、保留的测量值）</translation>
    </message>
    <message>
        <source>another unit is called &apos;{}&apos;</source>
        <translation>另一个单元已命名为“{}”</translation>
    </message>
    <message>
        <source>asks for element {} of an axis with {} elements</source>
        <translation>要求有 {1} 个元素的轴的元素 {0}</translation>
    </message>
    <message>
        <source>at most {}</source>
        <translation>最多 {}</translation>
    </message>
    <message>
        <source>at most {} MiB</source>
        <translation>最多 {} MiB</translation>
    </message>
    <message>
        <source>at most {} are supported</source>
        <translation>最多支持 {} 个</translation>
    </message>
    <message>
        <source>at most {} are supported: export the model with dense weights</source>
        <translation>最多支持 {} 个：请以稠密权重导出模型</translation>
    </message>
    <message>
        <source>average pooling with dilation</source>
        <translation>带膨胀的平均池化</translation>
    </message>
    <message>
        <source>axes of ... that are repeated</source>
        <translation>重复的 ... 轴</translation>
    </message>
    <message>
        <source>axes that it does not change</source>
        <translation>保持不变的轴</translation>
    </message>
    <message>
        <source>axis {} has the size {} in the file, not {}</source>
        <translation>轴 {} 在文件中的大小为 {}，不是 {}</translation>
    </message>
    <message>
        <source>axis {} is outside its input of {} axes</source>
        <translation>轴 {} 在其有 {} 个轴的输入之外</translation>
    </message>
    <message>
        <source>batch axes that are transposed</source>
        <translation>被转置的批次轴</translation>
    </message>
    <message>
        <source>separate batch normalisation of each position</source>
        <translation>对每个位置分别进行的批归一化（批次）</translation>
    </message>
    <message>
        <source>batch normalisation with an epsilon below 0</source>
        <translation>epsilon 小于 0 的批归一化（批次）</translation>
    </message>
    <message>
        <source>batch normalisation without channels</source>
        <translation>没有通道的批归一化（批次）</translation>
    </message>
    <message>
        <source>begin must be less than end</source>
        <translation>begin 必须小于 end</translation>
    </message>
    <message>
        <source>begins before the previous one</source>
        <translation>开始时间早于前一个</translation>
    </message>
    <message>
        <source>binary values are not JSON</source>
        <translation>二进制值不是 JSON</translation>
    </message>
    <message>
        <source>blocks run one after another</source>
        <translation>块依次运行</translation>
    </message>
    <message>
        <source>brackets are nested more than {} deep</source>
        <translation>括号嵌套超过 {} 层</translation>
    </message>
    <message>
        <source>build the back end again</source>
        <translation>请重新构建后端</translation>
    </message>
    <message>
        <source>build the back end and this program together, from one source</source>
        <translation>请用同一份源代码一起构建后端和本程序</translation>
    </message>
    <message>
        <source>a run took {:.1f} us by its counters, {:.1f} us by its timeline: counters may be shifted against their kernels</source>
        <translation>按计数器一次运行用时 {:.1f} us，按时间线为 {:.1f} us：计数器可能与其所属内核错位</translation>
    </message>
    <message>
        <source>calls itself, or others too deeply</source>
        <translation>调用自身，或调用其他函数的层次过深</translation>
    </message>
    <message>
        <source>cancelled before any of these ran: {}</source>
        <translation>在以下各项运行之前已取消：{}</translation>
    </message>
    <message>
        <source>cannot apply {} itself</source>
        <translation>自身不能应用 {}</translation>
    </message>
    <message>
        <source>cannot be accessed: {}</source>
        <translation>无法访问：{}</translation>
    </message>
    <message>
        <source>cannot be opened: {}</source>
        <translation>无法打开：{}</translation>
    </message>
    <message>
        <source>cannot be read: {}</source>
        <translation>无法读取：{}</translation>
    </message>
    <message>
        <source>cannot cut {} x {} pixels into blocks of {} x {}</source>
        <translation>无法把 {} x {} 像素切成 {} x {} 的块</translation>
    </message>
    <message>
        <source>has invalid blank channels</source>
        <translation>空白通道无效</translation>
    </message>
    <message>
        <source>cannot resize to {} elements</source>
        <translation>无法缩放到 {} 个元素</translation>
    </message>
    <message>
        <source>cannot scale {} elements by {}</source>
        <translation>无法把 {} 个元素缩放 {} 倍</translation>
    </message>
    <message>
        <source>cannot divide {} channels among blocks of {} x {} pixels</source>
        <translation>无法把 {} 个通道分给 {} x {} 像素的块</translation>
    </message>
    <message>
        <source>cannot divide {} features among {} heads</source>
        <translation>无法把 {} 个特征分给 {} 个头</translation>
    </message>
    <message>
        <source>cannot start {} threads: {}</source>
        <translation>无法启动 {} 个线程：{}</translation>
    </message>
    <message>
        <source>casts to {}, which is not supported</source>
        <translation>转换为 {}，不受支持</translation>
    </message>
    <message>
        <source>ceil_mode</source>
        <translation>ceil_mode</translation>
    </message>
    <message>
        <source>channels [{}, {}) of a buffer with {}</source>
        <translation>有 {2} 个通道的缓冲区的通道 [{0}, {1})</translation>
    </message>
    <message>
        <source>channels [{}, {}) of {} are empty</source>
        <translation>{2} 的通道 [{0}, {1}) 为空</translation>
    </message>
    <message>
        <source>channels that come last</source>
        <translation>排在最后的通道</translation>
    </message>
    <message>
        <source>check its permissions</source>
        <translation>请检查其权限</translation>
    </message>
    <message>
        <source>check the disk</source>
        <translation>请检查磁盘</translation>
    </message>
    <message>
        <source>check the path</source>
        <translation>请检查路径</translation>
    </message>
    <message>
        <source>check the path, and the permissions of its folder</source>
        <translation>请检查路径及其文件夹的权限</translation>
    </message>
    <message>
        <source>check the permissions of its folder</source>
        <translation>请检查其文件夹的权限</translation>
    </message>
    <message>
        <source>check the permissions of its folder, or move it away</source>
        <translation>请检查其文件夹的权限，或将其移走</translation>
    </message>
    <message>
        <source>check the permissions of the file and of its folder</source>
        <translation>请检查文件及其文件夹的权限</translation>
    </message>
    <message>
        <source>choose 1 to {} units</source>
        <translation>请选择 1 到 {} 个单元</translation>
    </message>
    <message>
        <source>choose a CSV table, a trace in JSON, or an nsys export</source>
        <translation>请选择 CSV 表、JSON 跟踪或 nsys 导出</translation>
    </message>
    <message>
        <source>choose a Chrome trace, or a profile of ONNX Runtime or PyTorch</source>
        <translation>请选择 Chrome 跟踪，或 ONNX Runtime、PyTorch 的性能分析</translation>
    </message>
    <message>
        <source>choose a device that computes, such as cpu</source>
        <translation>请选择能够计算的设备，例如 cpu</translation>
    </message>
    <message>
        <source>choose a file in it</source>
        <translation>请选择其中的文件</translation>
    </message>
    <message>
        <source>choose a file that iosx store export wrote</source>
        <translation>请选择由 iosx store export 写出的文件</translation>
    </message>
    <message>
        <source>choose a project file</source>
        <translation>请选择项目文件</translation>
    </message>
    <message>
        <source>choose a run file</source>
        <translation>请选择运行文件</translation>
    </message>
    <message>
        <source>choose a file that contains a network</source>
        <translation>请选择包含网络的文件</translation>
    </message>
    <message>
        <source>choose an existing, writable folder</source>
        <translation>请选择存在且可写入的文件夹</translation>
    </message>
    <message>
        <source>choose a writable folder</source>
        <translation>请选择可写入的文件夹</translation>
    </message>
    <message>
        <source>choose a larger k</source>
        <translation>请选择较大的 k</translation>
    </message>
    <message>
        <source>choose a model with a graph</source>
        <translation>请选择含有计算图的模型</translation>
    </message>
    <message>
        <source>choose a smaller r or s, or a smaller maximum part size</source>
        <translation>请选择较小的 r 或 s，或较小的部分大小上限</translation>
    </message>
    <message>
        <source>choose an ONNX model</source>
        <translation>请选择 ONNX 模型</translation>
    </message>
    <message>
        <source>choose another device</source>
        <translation>请选择其他设备</translation>
    </message>
    <message>
        <source>choose another file</source>
        <translation>请选择其他文件</translation>
    </message>
    <message>
        <source>choose another file for the measurements</source>
        <translation>请为测量值另选文件</translation>
    </message>
    <message>
        <source>choose another model</source>
        <translation>请选择其他模型</translation>
    </message>
    <message>
        <source>choose another name for the report&apos;s folder</source>
        <translation>请为报告的文件夹另选名称</translation>
    </message>
    <message>
        <source>choose another place</source>
        <translation>请选择其他位置</translation>
    </message>
    <message>
        <source>choose from {}</source>
        <translation>请从以下选择：{}</translation>
    </message>
    <message>
        <source>choose one in 1..{}</source>
        <translation>请在 1..{} 中选择</translation>
    </message>
    <message>
        <source>choose one of {}</source>
        <translation>请选择以下之一：{}</translation>
    </message>
    <message>
        <source>choosing algorithms for concurrent convolutions</source>
        <translation>正在为并发的卷积选择算法</translation>
    </message>
    <message>
        <source>close other programs, or choose smaller r, s or batch</source>
        <translation>请关闭其他程序，或选择较小的 r、s 或批大小</translation>
    </message>
    <message>
        <source>combines by &apos;{}&apos;</source>
        <translation>以“{}”结合</translation>
    </message>
    <message>
        <source>compare a network first</source>
        <translation>请先比较一个网络</translation>
    </message>
    <message>
        <source>contradicts the batch of {} that --shape or --dim gives</source>
        <translation>与 --shape 或 --dim 给出的批大小 {} 矛盾</translation>
    </message>
    <message>
        <source>contradicts the shape of {}, which has {} there</source>
        <translation>与 {} 的形状矛盾，它在那里为 {}</translation>
    </message>
    <message>
        <source>contradicts {}={}</source>
        <translation>与 {}={} 矛盾</translation>
    </message>
    <message>
        <source>copies dim {}, which its input does not have</source>
        <translation>复制维度 {}，而其输入没有该维度</translation>
    </message>
    <message>
        <source>copy it again from where it was saved</source>
        <translation>请从保存处重新复制</translation>
    </message>
    <message>
        <source>correct the name or add the operator</source>
        <translation>请更正名称或添加该算子</translation>
    </message>
    <message>
        <source>correct the wrong one, or omit output_shape</source>
        <translation>请更正错误的一个，或去掉 output_shape</translation>
    </message>
    <message>
        <source>could not be read or written: {}</source>
        <translation>无法读取或写入：{}</translation>
    </message>
    <message>
        <source>could not be read: {}</source>
        <translation>无法读取：{}</translation>
    </message>
    <message>
        <source>could not be written</source>
        <translation>无法写入</translation>
    </message>
    <message>
        <source>could not be written: its folder does not exist</source>
        <translation>无法写入：其文件夹不存在</translation>
    </message>
    <message>
        <source>could not be written: no program reads this pipe</source>
        <translation>无法写入：没有程序读取该管道</translation>
    </message>
    <message>
        <source>could not be written: the disk is full</source>
        <translation>无法写入：磁盘已满</translation>
    </message>
    <message>
        <source>could not be written: {}</source>
        <translation>无法写入：{}</translation>
    </message>
    <message>
        <source>counters were read every {:g} us, not every {:g} us: shorter intervals lose samples, in this schedule or in an earlier one, or this GPU does not support them</source>
        <translation>计数器每 {:g} us 读取一次，而不是每 {:g} us：更短的间隔会在该调度或之前的调度中丢失样本，或该 GPU 不支持</translation>
    </message>
    <message>
        <source>counting {}</source>
        <translation>正在计数 {}</translation>
    </message>
    <message>
        <source>depends on the batch size, which no input gives</source>
        <translation>取决于批大小，而没有输入给出它</translation>
    </message>
    <message>
        <source>device &apos;{}&apos; cannot be used: {}</source>
        <translation>设备“{}”不可用：{}</translation>
    </message>
    <message>
        <source>did you mean {}? networks: {}; or give a graph file</source>
        <translation>您是否想用 {}？网络有：{}；或给出计算图文件</translation>
    </message>
    <message>
        <source>dilation</source>
        <translation>膨胀</translation>
    </message>
    <message>
        <source>divides an integer by 0</source>
        <translation>整数除以 0</translation>
    </message>
    <message>
        <source>does not begin with the batch axis</source>
        <translation>不以批次轴开头</translation>
    </message>
    <message>
        <source>does not fit one ONNX file</source>
        <translation>一个 ONNX 文件装不下</translation>
    </message>
    <message>
        <source>does not fit the stage</source>
        <translation>与该阶段不符</translation>
    </message>
    <message>
        <source>does not say how often to repeat each axis</source>
        <translation>没有说明每个轴重复多少次</translation>
    </message>
    <message>
        <source>does not say which opset its operators use</source>
        <translation>没有说明其算子使用哪个 opset</translation>
    </message>
    <message>
        <source>the driver and CUPTI do not match: install NVIDIA driver 580 or newer</source>
        <translation>驱动与 CUPTI 不匹配：请安装 NVIDIA 驱动 580 或更新版本</translation>
    </message>
    <message>
        <source>dropout in training mode</source>
        <translation>训练方式的 dropout</translation>
    </message>
    <message>
        <source>drops an axis of {} elements</source>
        <translation>去掉了有 {} 个元素的轴</translation>
    </message>
    <message>
        <source>end other programs</source>
        <translation>请结束其他程序</translation>
    </message>
    <message>
        <source>end other programs that use the GPU, and try again</source>
        <translation>请结束其他使用 GPU 的程序，然后重试</translation>
    </message>
    <message>
        <source>end other programs that use the GPU, or choose another device</source>
        <translation>请结束其他使用 GPU 的程序，或选用其他设备</translation>
    </message>
    <message>
        <source>end that program, or try again</source>
        <translation>请结束该程序，或重试</translation>
    </message>
    <message>
        <source>ends before it begins</source>
        <translation>在开始之前就结束</translation>
    </message>
    <message>
        <source>enter_node differs from the node {} that it repeats, at {}</source>
        <translation>enter_node 与它所重复的节点 {} 不同，位于 {}</translation>
    </message>
    <message>
        <source>enter_node {} is not a node of an earlier block</source>
        <translation>enter_node {} 不是前面块的节点</translation>
    </message>
    <message>
        <source>epsilon {} must not be negative</source>
        <translation>epsilon {} 不能为负</translation>
    </message>
    <message>
        <source>every operator needs an input</source>
        <translation>每个算子都需要输入</translation>
    </message>
    <message>
        <source>every operator runs once</source>
        <translation>每个算子运行一次</translation>
    </message>
    <message>
        <source>every unit runs once</source>
        <translation>每个单元运行一次</translation>
    </message>
    <message>
        <source>export it again</source>
        <translation>请重新导出</translation>
    </message>
    <message>
        <source>export it again, or convert it (onnx.version_converter), with opset 7 to 23</source>
        <translation>请重新导出，或转换（onnx.version_converter）为 opset 7 到 23</translation>
    </message>
    <message>
        <source>export it with other sizes</source>
        <translation>请以其他大小导出</translation>
    </message>
    <message>
        <source>export or download it again</source>
        <translation>请重新导出或下载</translation>
    </message>
    <message>
        <source>export the model again</source>
        <translation>请重新导出模型</translation>
    </message>
    <message>
        <source>export the model again in one piece</source>
        <translation>请以完整的一段重新导出模型</translation>
    </message>
    <message>
        <source>export the model again, with each tensor&apos;s own data</source>
        <translation>请重新导出模型，使每个张量有各自的数据</translation>
    </message>
    <message>
        <source>export the model again, with its weights</source>
        <translation>请连同权重重新导出模型</translation>
    </message>
    <message>
        <source>export the model with dense weights</source>
        <translation>请以稠密权重导出模型</translation>
    </message>
    <message>
        <source>export the model without sequences and maps</source>
        <translation>请导出不含序列和映射的模型</translation>
    </message>
    <message>
        <source>export the part of the model without it</source>
        <translation>请导出模型中不含它的部分</translation>
    </message>
    <message>
        <source>export with a fixed batch</source>
        <translation>请以固定的批大小导出</translation>
    </message>
    <message>
        <source>fewer than two devices</source>
        <translation>少于两个设备</translation>
    </message>
    <message>
        <source>gates that are clipped</source>
        <translation>被截断的门</translation>
    </message>
    <message>
        <source>returned a counter &apos;{}&apos; with invalid times or values</source>
        <translation>返回的计数器“{}”的时间或值无效</translation>
    </message>
    <message>
        <source>returned a counter of {} times but {} values</source>
        <translation>返回的计数器有 {} 个时间，但有 {} 个值</translation>
    </message>
    <message>
        <source>returned a counter of {} values but {} errors</source>
        <translation>返回的计数器有 {} 个值，但有 {} 个误差</translation>
    </message>
    <message>
        <source>returned a counter with {} stage errors for {} stages</source>
        <translation>返回的计数器有 {} 个阶段误差，而阶段有 {} 个</translation>
    </message>
    <message>
        <source>returned a latency of {} ms +- {} ms</source>
        <translation>返回的延迟为 {} ms +- {} ms</translation>
    </message>
    <message>
        <source>returned a latency of {} samples at {} MHz</source>
        <translation>返回的延迟有 {} 个样本，频率为 {} MHz</translation>
    </message>
    <message>
        <source>returned a latency that is not {}</source>
        <translation>返回的延迟不是{}</translation>
    </message>
    <message>
        <source>returned a trace of {} kernels for a plan of {}</source>
        <translation>返回的跟踪有 {} 个内核，而计划有 {} 个</translation>
    </message>
    <message>
        <source>returned a trace of {} lanes for a plan of {}</source>
        <translation>返回的跟踪有 {} 条泳道，而计划有 {} 条</translation>
    </message>
    <message>
        <source>returned a trace of {} stages for a plan of {}</source>
        <translation>返回的跟踪有 {} 个阶段，而计划有 {} 个</translation>
    </message>
    <message>
        <source>returned a trace of {} us</source>
        <translation>返回的跟踪长 {} us</translation>
    </message>
    <message>
        <source>returned a trace whose kernels are not ordered by start time</source>
        <translation>返回的跟踪中内核未按开始时间排列</translation>
    </message>
    <message>
        <source>returned a trace with a kernel that is not in the plan, &apos;{}&apos;</source>
        <translation>返回的跟踪中有计划里没有的内核，“{}”</translation>
    </message>
    <message>
        <source>returned a trace with an invalid launch of &apos;{}&apos;</source>
        <translation>返回的跟踪中“{}”的启动无效</translation>
    </message>
    <message>
        <source>returned a trace with kernel &apos;{}&apos; in the wrong stage or lane</source>
        <translation>返回的跟踪中内核“{}”位于错误的阶段或泳道</translation>
    </message>
    <message>
        <source>returned a trace with kernel &apos;{}&apos; twice</source>
        <translation>返回的跟踪中内核“{}”出现了两次</translation>
    </message>
    <message>
        <source>returned a trace with the threads of {} lanes for a stage of {} lanes</source>
        <translation>返回的跟踪中有 {} 条泳道的线程，而该阶段有 {} 条泳道</translation>
    </message>
    <message>
        <source>returned a trace with {} from {} to {} us</source>
        <translation>返回的跟踪中 {} 从 {} 到 {} us</translation>
    </message>
    <message>
        <source>returned output &apos;{}&apos; as {} instead of {}</source>
        <translation>返回的输出“{}”为 {}，应为 {}</translation>
    </message>
    <message>
        <source>returned output &apos;{}&apos; with {} numbers instead of {}</source>
        <translation>返回的输出“{}”有 {} 个数，应为 {} 个</translation>
    </message>
    <message>
        <source>returned {} outputs, but the network has {}</source>
        <translation>返回了 {} 个输出，而网络有 {} 个</translation>
    </message>
    <message>
        <source>give --dim NAME=640: a whole number from 1 to {}</source>
        <translation>请给出 --dim NAME=640：1 到 {} 的整数</translation>
    </message>
    <message>
        <source>give --shape INPUT=1x3x640x640: whole numbers from 1 to {}</source>
        <translation>请给出 --shape INPUT=1x3x640x640：1 到 {} 的整数</translation>
    </message>
    <message>
        <source>give 1 to {}</source>
        <translation>请给出 1 到 {}</translation>
    </message>
    <message>
        <source>give all or none</source>
        <translation>请全部给出，或全不给出</translation>
    </message>
    <message>
        <source>give each once</source>
        <translation>每项请只给出一次</translation>
    </message>
    <message>
        <source>give each row a name and a number</source>
        <translation>请为每行给出名称和数值</translation>
    </message>
    <message>
        <source>give each row a name and a number, with a decimal point</source>
        <translation>请为每行给出名称和数值，小数点用点号</translation>
    </message>
    <message>
        <source>give every operator its own name</source>
        <translation>请给每个算子各自的名称</translation>
    </message>
    <message>
        <source>give fewer samples</source>
        <translation>请给出较少的样本</translation>
    </message>
    <message>
        <source>give it with --shape {}=1x3x224x224</source>
        <translation>请用 --shape {}=1x3x224x224 给出</translation>
    </message>
    <message>
        <source>give {:.0f} mm or more</source>
        <translation>请给出 {:.0f} mm 或更大的宽度</translation>
    </message>
    <message>
        <source>give no batch</source>
        <translation>请不要给出批大小</translation>
    </message>
    <message>
        <source>give a width such as 84mm, 3.3in, single or double (column)</source>
        <translation>请写作 84mm、3.3in、single 或 double（栏）</translation>
    </message>
    <message>
        <source>give at least one</source>
        <translation>请至少给出一个</translation>
    </message>
    <message>
        <source>give at least one; 0 = unlimited</source>
        <translation>请至少给出一个；0 = 不限</translation>
    </message>
    <message>
        <source>give one of them</source>
        <translation>请给出其中之一</translation>
    </message>
    <message>
        <source>give one of them another fingerprint</source>
        <translation>请给其中一个另设指纹</translation>
    </message>
    <message>
        <source>give one shape per input</source>
        <translation>每个输入请只给出一个形状</translation>
    </message>
    <message>
        <source>give one size per dimension</source>
        <translation>每个维度请只给出一个大小</translation>
    </message>
    <message>
        <source>give other sizes</source>
        <translation>请给出其他大小</translation>
    </message>
    <message>
        <source>give sizes that match each other</source>
        <translation>请给出相互一致的大小</translation>
    </message>
    <message>
        <source>give the schedule itself</source>
        <translation>请给出调度本身</translation>
    </message>
    <message>
        <source>give those sizes instead</source>
        <translation>请改为给出那些大小</translation>
    </message>
    <message>
        <source>give at least two</source>
        <translation>请至少给出两个</translation>
    </message>
    <message>
        <source>give {:g} to {:g}</source>
        <translation>请给出 {:g} 到 {:g}</translation>
    </message>
    <message>
        <source>give {:g} to {:g} {}</source>
        <translation>请给出 {:g} 到 {:g} {}</translation>
    </message>
    <message>
        <source>give {}</source>
        <translation>请给出 {}</translation>
    </message>
    <message>
        <source>give {} to {}</source>
        <translation>请给出 {} 到 {}</translation>
    </message>
    <message>
        <source>gives the function {} more inputs or outputs than it has</source>
        <translation>给函数 {} 的输入或输出多于它所具有的</translation>
    </message>
    <message>
        <source>gives {} the size {}, but elsewhere it has {}</source>
        <translation>给 {} 的大小为 {}，而在别处为 {}</translation>
    </message>
    <message>
        <source>groups {} must divide the {} input and the {} output channels</source>
        <translation>组数 {} 必须能整除 {} 个输入通道和 {} 个输出通道</translation>
    </message>
    <message>
        <source>hardware counters are not shown: {}</source>
        <translation>不显示硬件计数器：{}</translation>
    </message>
    <message>
        <source>has its own bias but not its own weights</source>
        <translation>有自己的偏置而没有权重</translation>
    </message>
    <message>
        <source>has a damaged attribute</source>
        <translation>有损坏的属性</translation>
    </message>
    <message>
        <source>has a depth of {}</source>
        <translation>深度为 {}</translation>
    </message>
    <message>
        <source>has a dim that cannot be inferred</source>
        <translation>有无法推断的维度</translation>
    </message>
    <message>
        <source>has a kernel that belongs to a plan</source>
        <translation>含有属于某个计划的内核</translation>
    </message>
    <message>
        <source>has a kernel that belongs to no entry</source>
        <translation>含有不属于任何条目的内核</translation>
    </message>
    <message>
        <source>has a kernel on a lane that does not exist</source>
        <translation>含有位于不存在的泳道上的内核</translation>
    </message>
    <message>
        <source>has a kernel that ends before it begins</source>
        <translation>含有在开始之前就结束的内核</translation>
    </message>
    <message>
        <source>has a launch outside its own time</source>
        <translation>有不在其范围之内的启动</translation>
    </message>
    <message>
        <source>has a negative or too large size</source>
        <translation>大小为负或过大</translation>
    </message>
    <message>
        <source>has a step of 0</source>
        <translation>有为 0 的步长</translation>
    </message>
    <message>
        <source>has an axis twice</source>
        <translation>同一个轴出现两次</translation>
    </message>
    <message>
        <source>has an input whose numbers cannot be read</source>
        <translation>有数值无法读取的输入</translation>
    </message>
    <message>
        <source>has different numbers of outputs and sizes</source>
        <translation>输出数与大小数不同</translation>
    </message>
    <message>
        <source>has blank channels</source>
        <translation>有空白通道</translation>
    </message>
    <message>
        <source>has dims whose product is too large</source>
        <translation>维度的乘积过大</translation>
    </message>
    <message>
        <source>has more indices than data</source>
        <translation>索引多于数据</translation>
    </message>
    <message>
        <source>has more outputs than its branches</source>
        <translation>输出多于其分支</translation>
    </message>
    <message>
        <source>has more than {} CUDA calls</source>
        <translation>CUDA 调用超过 {} 个</translation>
    </message>
    <message>
        <source>has more than {} bytes</source>
        <translation>超过 {} 字节</translation>
    </message>
    <message>
        <source>has more than {} columns</source>
        <translation>列数超过 {}</translation>
    </message>
    <message>
        <source>has more than {} elements</source>
        <translation>超过 {} 个元素</translation>
    </message>
    <message>
        <source>has more than {} events</source>
        <translation>事件超过 {} 个</translation>
    </message>
    <message>
        <source>has more than {} kernels</source>
        <translation>内核超过 {} 个</translation>
    </message>
    <message>
        <source>has more than {} parts (nodes, attributes, names, ...)</source>
        <translation>超过 {} 个部分（节点、属性、名称等）</translation>
    </message>
    <message>
        <source>has more than {} ranges</source>
        <translation>区间超过 {} 个</translation>
    </message>
    <message>
        <source>has more than {} rows</source>
        <translation>行数超过 {}</translation>
    </message>
    <message>
        <source>has more than {} weights</source>
        <translation>权重超过 {} 个</translation>
    </message>
    <message>
        <source>does not contain &apos;{}&apos;</source>
        <translation>其中没有“{}”</translation>
    </message>
    <message>
        <source>has no axes</source>
        <translation>没有轴</translation>
    </message>
    <message>
        <source>has no axis {}</source>
        <translation>没有轴 {}</translation>
    </message>
    <message>
        <source>has no axis {} in its input {}</source>
        <translation>没有轴 {}，其输入为 {}</translation>
    </message>
    <message>
        <source>has no bias to omit</source>
        <translation>没有可以省去的偏置</translation>
    </message>
    <message>
        <source>has no cell state to output</source>
        <translation>没有可输出的细胞状态</translation>
    </message>
    <message>
        <source>has no declared shape</source>
        <translation>没有声明形状</translation>
    </message>
    <message>
        <source>has no inputs</source>
        <translation>没有输入</translation>
    </message>
    <message>
        <source>has no latency</source>
        <translation>没有延迟</translation>
    </message>
    <message>
        <source>has no name</source>
        <translation>没有名称</translation>
    </message>
    <message>
        <source>has no operator type</source>
        <translation>没有算子类型</translation>
    </message>
    <message>
        <source>has no operators</source>
        <translation>没有算子</translation>
    </message>
    <message>
        <source>has no output {}</source>
        <translation>没有输出 {}</translation>
    </message>
    <message>
        <source>has no outputs</source>
        <translation>没有输出</translation>
    </message>
    <message>
        <source>has no outputs to compare</source>
        <translation>没有可比较的输出</translation>
    </message>
    <message>
        <source>has no rows with a name and a latency</source>
        <translation>没有含名称和延迟的行</translation>
    </message>
    <message>
        <source>cannot use blank channels</source>
        <translation>无法使用空白通道</translation>
    </message>
    <message>
        <source>has no {}</source>
        <translation>没有 {}</translation>
    </message>
    <message>
        <source>does not have one grid per sample</source>
        <translation>并非每个样本各有一个网格</translation>
    </message>
    <message>
        <source>does not have one zero point per scale</source>
        <translation>并非每个缩放系数各有一个零点</translation>
    </message>
    <message>
        <source>does not have one begin and end for each axis of {}</source>
        <translation>并非 {} 的每个轴各有一个起点和终点</translation>
    </message>
    <message>
        <source>does not have one begin and step for each axis of {}</source>
        <translation>并非 {} 的每个轴各有一个起点和步长</translation>
    </message>
    <message>
        <source>does not have one error per stage</source>
        <translation>并非每个阶段各有一个误差</translation>
    </message>
    <message>
        <source>does not have one error per value</source>
        <translation>并非每个值各有一个误差</translation>
    </message>
    <message>
        <source>does not have one latency per stage</source>
        <translation>并非每个阶段各有一个延迟</translation>
    </message>
    <message>
        <source>does not have one scale for each axis of {}</source>
        <translation>并非 {} 的每个轴各有一个缩放系数</translation>
    </message>
    <message>
        <source>does not have one value per time</source>
        <translation>并非每个时间各有一个值</translation>
    </message>
    <message>
        <source>does not have the stages of the schedule</source>
        <translation>没有该调度的阶段</translation>
    </message>
    <message>
        <source>has scales of several axes without a block_size</source>
        <translation>有多个轴的缩放系数而没有 block_size</translation>
    </message>
    <message>
        <source>has axis {}, but its input has {} axes</source>
        <translation>有轴 {}，而其输入有 {} 个轴</translation>
    </message>
    <message>
        <source>has the axis {}, but its tensor has {} axes</source>
        <translation>有轴 {}，而其张量有 {} 个轴</translation>
    </message>
    <message>
        <source>has too many axes</source>
        <translation>轴过多</translation>
    </message>
    <message>
        <source>has too many output channels</source>
        <translation>输出通道过多</translation>
    </message>
    <message>
        <source>has two dims to infer</source>
        <translation>有两个需要推断的维度</translation>
    </message>
    <message>
        <source>has version {}, but this program reads {}</source>
        <translation>版本为 {}，而本程序读取 {}</translation>
    </message>
    <message>
        <source>has {} MiB</source>
        <translation>有 {} MiB</translation>
    </message>
    <message>
        <source>has {} MiB of weights, but an ONNX file can have at most 2047</source>
        <translation>有 {} MiB 权重，而一个 ONNX 文件最多 2047</translation>
    </message>
    <message>
        <source>has {} MiB, but an ONNX file can have at most 2047</source>
        <translation>有 {} MiB，而一个 ONNX 文件最多 2047</translation>
    </message>
    <message>
        <source>has {} axes</source>
        <translation>有 {} 个轴</translation>
    </message>
    <message>
        <source>has {} axes, at most {} are allowed</source>
        <translation>有 {} 个轴，最多允许 {} 个</translation>
    </message>
    <message>
        <source>has {} bytes of elements, which do not match its dims</source>
        <translation>元素共 {} 字节，与其维度不符</translation>
    </message>
    <message>
        <source>has {} factors for {} channels</source>
        <translation>有 {} 个因子，而通道有 {} 个</translation>
    </message>
    <message>
        <source>has {} inputs</source>
        <translation>有 {} 个输入</translation>
    </message>
    <message>
        <source>has {} lanes, but the plan has {}</source>
        <translation>有 {} 条泳道，计划有 {} 条</translation>
    </message>
    <message>
        <source>has {} of the {} remaining units</source>
        <translation>含有剩余 {1} 个单元中的 {0} 个</translation>
    </message>
    <message>
        <source>has {} outputs</source>
        <translation>有 {} 个输出</translation>
    </message>
    <message>
        <source>has {} outputs, but is split into {} parts</source>
        <translation>有 {} 个输出，却分成 {} 份</translation>
    </message>
    <message>
        <source>has {} pads for {} axes</source>
        <translation>有 {} 个填充，而轴有 {} 个</translation>
    </message>
    <message>
        <source>has {} scales for {} places</source>
        <translation>有 {} 个缩放系数，而位置有 {} 个</translation>
    </message>
    <message>
        <source>has {} scales or sizes for {} axes</source>
        <translation>有 {} 个缩放系数或大小，而轴有 {} 个</translation>
    </message>
    <message>
        <source>has {} stages, but the plan has {}</source>
        <translation>有 {} 个阶段，计划有 {} 个</translation>
    </message>
    <message>
        <source>contains no events with a begin and an end</source>
        <translation>不含有开始和结束的事件</translation>
    </message>
    <message>
        <source>contains no kernels or operators with times</source>
        <translation>不含带时间的内核或算子</translation>
    </message>
    <message>
        <source>contains no measurements</source>
        <translation>不含测量值</translation>
    </message>
    <message>
        <source>holds {} MiB</source>
        <translation>占 {} MiB</translation>
    </message>
    <message>
        <source>imports two versions of the operators {}</source>
        <translation>导入了算子 {} 的两个版本</translation>
    </message>
    <message>
        <source>indices {} do not fit {}</source>
        <translation>索引 {} 与 {} 不符</translation>
    </message>
    <message>
        <source>indices {} of {} make too many axes</source>
        <translation>{1} 的索引 {0} 使轴过多</translation>
    </message>
    <message>
        <source>inline the model&apos;s functions (onnx.inliner) before opening it</source>
        <translation>请在打开之前内联模型的函数（onnx.inliner）</translation>
    </message>
    <message>
        <source>input &apos;{}&apos; does not have the dims {} times {}</source>
        <translation>输入“{}”的维度不是 {} 乘 {}</translation>
    </message>
    <message>
        <source>input and forget gates that are coupled</source>
        <translation>耦合的输入门与遗忘门</translation>
    </message>
    <message>
        <source>inputs have different shapes, {} and {}</source>
        <translation>各输入的形状不同，{} 和 {}</translation>
    </message>
    <message>
        <source>inputs of different shapes</source>
        <translation>形状不同的输入</translation>
    </message>
    <message>
        <source>inputs {} and {} differ in more than axis {}, so they cannot be concatenated</source>
        <translation>输入 {} 与 {} 除轴 {} 外还有不同，因此无法拼接</translation>
    </message>
    <message>
        <source>inputs {} and {} differ in more than channels, so they cannot be concatenated</source>
        <translation>输入 {} 与 {} 除通道外还有不同，因此无法拼接</translation>
    </message>
    <message>
        <source>install CUDA toolkit 13 and cuDNN 9 and build again</source>
        <translation>请安装 CUDA toolkit 13 和 cuDNN 9 后重新构建</translation>
    </message>
    <message>
        <source>install CUPTI 13 (part of the CUDA toolkit; pip install nvidia-cuda-cupti), or set IOS_CUPTI to the path of libcupti.so.13</source>
        <translation>请安装 CUPTI 13（CUDA toolkit 的一部分；pip install nvidia-cuda-cupti），或把 IOS_CUPTI 设为 libcupti.so.13 的路径</translation>
    </message>
    <message>
        <source>install NVIDIA driver 580 or newer</source>
        <translation>请安装 NVIDIA 驱动 580 或更新版本</translation>
    </message>
    <message>
        <source>install cuDNN 9 for CUDA 13, or set LD_LIBRARY_PATH to the folder that has libcudnn.so.9</source>
        <translation>请安装适用于 CUDA 13 的 cuDNN 9，或把 LD_LIBRARY_PATH 设为含有 libcudnn.so.9 的文件夹</translation>
    </message>
    <message>
        <source>install the package of that library, or set LD_LIBRARY_PATH to the folder that has it</source>
        <translation>请安装该库所属的软件，或把 LD_LIBRARY_PATH 设为含有它的文件夹</translation>
    </message>
    <message>
        <source>iosx store import FILE imports the measurements of another computer</source>
        <translation>iosx store import FILE 可导入另一台计算机的测量值</translation>
    </message>
    <message>
        <source>is JSON, but not a list of trace events</source>
        <translation>是 JSON，但不是跟踪事件的列表</translation>
    </message>
    <message>
        <source>is a constant without a value</source>
        <translation>是没有值的常量</translation>
    </message>
    <message>
        <source>is a constant, but its source is not a constant of its shape</source>
        <translation>是常量，但其来源不是该形状的常量</translation>
    </message>
    <message>
        <source>is a file</source>
        <translation>是文件</translation>
    </message>
    <message>
        <source>is a file, not a folder</source>
        <translation>是文件，不是文件夹</translation>
    </message>
    <message>
        <source>is a folder</source>
        <translation>是文件夹</translation>
    </message>
    <message>
        <source>is a folder, not a file</source>
        <translation>是文件夹，不是文件</translation>
    </message>
    <message>
        <source>is a measurement store, which is never overwritten</source>
        <translation>是测量库，不会被覆盖</translation>
    </message>
    <message>
        <source>is a run of another network</source>
        <translation>是另一个网络的运行</translation>
    </message>
    <message>
        <source>is a schedule file that does not name its graph</source>
        <translation>是没有给出其计算图的调度文件</translation>
    </message>
    <message>
        <source>is a schedule of &apos;{}&apos;, which is not a built-in network</source>
        <translation>是“{}”的调度，而它不是内置网络</translation>
    </message>
    <message>
        <source>is a zip archive</source>
        <translation>是 zip 压缩包</translation>
    </message>
    <message>
        <source>is an SQLite database without CUDA kernels</source>
        <translation>是不含 CUDA 内核的 SQLite 数据库</translation>
    </message>
    <message>
        <source>is called too often</source>
        <translation>调用次数过多</translation>
    </message>
    <message>
        <source>is truncated: the data from byte {} is incomplete</source>
        <translation>被截断：从字节 {} 开始的内容不完整</translation>
    </message>
    <message>
        <source>is damaged and could not be renamed: {}</source>
        <translation>已损坏且无法改名：{}</translation>
    </message>
    <message>
        <source>is damaged or truncated</source>
        <translation>已损坏或被截断</translation>
    </message>
    <message>
        <source>is damaged: {}</source>
        <translation>已损坏：{}</translation>
    </message>
    <message>
        <source>is defined twice</source>
        <translation>定义了两次</translation>
    </message>
    <message>
        <source>is empty</source>
        <translation>为空</translation>
    </message>
    <message>
        <source>is encrypted</source>
        <translation>已加密</translation>
    </message>
    <message>
        <source>applies to ONNX models with open sizes, but all sizes of this network are known</source>
        <translation>适用于留有未定大小的 ONNX 模型，而该网络的所有大小都已知</translation>
    </message>
    <message>
        <source>is in no lane or stage of the plan</source>
        <translation>不在计划的任何泳道或阶段中</translation>
    </message>
    <message>
        <source>is in a part that does not exist</source>
        <translation>位于不存在的部分中</translation>
    </message>
    <message>
        <source>is in no unit</source>
        <translation>不在任何单元中</translation>
    </message>
    <message>
        <source>is in no unit of the graph</source>
        <translation>不在计算图的任何单元中</translation>
    </message>
    <message>
        <source>is in a unit that does not exist</source>
        <translation>位于不存在的单元中</translation>
    </message>
    <message>
        <source>is in unit {}, which is not the next unit</source>
        <translation>在单元 {} 中，而它不是下一个</translation>
    </message>
    <message>
        <source>check that it is a schedule file</source>
        <translation>请检查它是否是调度文件</translation>
    </message>
    <message>
        <source>check that it is a table of names and latencies</source>
        <translation>请检查它是否是含名称和延迟的表</translation>
    </message>
    <message>
        <source>check that it is a latency</source>
        <translation>请检查它是否是延迟</translation>
    </message>
    <message>
        <source>check that it is the right file, and that a run was recorded</source>
        <translation>请检查文件是否正确，以及是否录制了运行</translation>
    </message>
    <message>
        <source>check that it is the right file, and complete</source>
        <translation>请检查文件是否正确且完整</translation>
    </message>
    <message>
        <source>check that it is the right file</source>
        <translation>请检查文件是否正确</translation>
    </message>
    <message>
        <source>is locked by another program</source>
        <translation>被另一个程序锁定</translation>
    </message>
    <message>
        <source>is missing</source>
        <translation>缺少</translation>
    </message>
    <message>
        <source>is nested too deeply</source>
        <translation>嵌套过深</translation>
    </message>
    <message>
        <source>is not JSON but {}</source>
        <translation>不是 JSON，而是{}</translation>
    </message>
    <message>
        <source>is not a back end: it has no function {}</source>
        <translation>不是后端：没有函数 {}</translation>
    </message>
    <message>
        <source>is not a buffer that can be filled</source>
        <translation>不是可填充的缓冲区</translation>
    </message>
    <message>
        <source>is not an id, or is the id of another schedule</source>
        <translation>不是标识符，或是另一个调度的标识符</translation>
    </message>
    <message>
        <source>is not a kernel of the plan</source>
        <translation>不是计划的内核</translation>
    </message>
    <message>
        <source>is not a part of the graph</source>
        <translation>不是计算图的部分</translation>
    </message>
    <message>
        <source>is not text</source>
        <translation>不是文本</translation>
    </message>
    <message>
        <source>is not a JSON object</source>
        <translation>不是 JSON 对象</translation>
    </message>
    <message>
        <source>is not a dimension name with a size</source>
        <translation>不是维度名及其大小</translation>
    </message>
    <message>
        <source>is not a file</source>
        <translation>不是文件</translation>
    </message>
    <message>
        <source>is not a known key</source>
        <translation>不是已知的键</translation>
    </message>
    <message>
        <source>is not a measurement store</source>
        <translation>不是测量库</translation>
    </message>
    <message>
        <source>is not a project file</source>
        <translation>不是项目文件</translation>
    </message>
    <message>
        <source>is not a regular file</source>
        <translation>不是普通文件</translation>
    </message>
    <message>
        <source>is not a run file</source>
        <translation>不是运行文件</translation>
    </message>
    <message>
        <source>is not a shape</source>
        <translation>不是形状</translation>
    </message>
    <message>
        <source>is not a tensor</source>
        <translation>不是张量</translation>
    </message>
    <message>
        <source>is not an ONNX model, or is damaged</source>
        <translation>不是 ONNX 模型，或已损坏</translation>
    </message>
    <message>
        <source>is not an ONNX model, or is damaged at byte {}</source>
        <translation>不是 ONNX 模型，或在字节 {} 处损坏</translation>
    </message>
    <message>
        <source>is not an ONNX model: it has no graph</source>
        <translation>不是 ONNX 模型：不含计算图</translation>
    </message>
    <message>
        <source>is not an object</source>
        <translation>不是对象</translation>
    </message>
    <message>
        <source>is not base64</source>
        <translation>不是 base64</translation>
    </message>
    <message>
        <source>is not computed</source>
        <translation>没有被计算</translation>
    </message>
    <message>
        <source>is not empty and not an earlier export</source>
        <translation>不为空，且不是先前的导出</translation>
    </message>
    <message>
        <source>is not in ascending order</source>
        <translation>未按升序排列</translation>
    </message>
    <message>
        <source>is not of the form &apos;{}&apos;</source>
        <translation>不是“{}”格式</translation>
    </message>
    <message>
        <source>does not start like exported measurements</source>
        <translation>开头不是导出的测量值</translation>
    </message>
    <message>
        <source>does not match the comparison</source>
        <translation>与比较不符</translation>
    </message>
    <message>
        <source>is not a file name</source>
        <translation>不是文件名</translation>
    </message>
    <message>
        <source>is not the name of enter_node, {}</source>
        <translation>不是 enter_node 的名称 {}</translation>
    </message>
    <message>
        <source>has rank {}, but the input has rank {}</source>
        <translation>秩为 {}，而输入的秩为 {}</translation>
    </message>
    <message>
        <source>has the type {}, which this program cannot write</source>
        <translation>类型为 {}，本程序无法写出</translation>
    </message>
    <message>
        <source>is the same for all samples</source>
        <translation>对所有样本相同</translation>
    </message>
    <message>
        <source>appears twice</source>
        <translation>出现了两次</translation>
    </message>
    <message>
        <source>is written for opset {}; {} and newer are supported</source>
        <translation>为 opset {} 编写；支持 {} 及更新的版本</translation>
    </message>
    <message>
        <source>is {}, not a regular file</source>
        <translation>是{}，不是普通文件</translation>
    </message>
    <message>
        <source>it adds a number for each sample</source>
        <translation>它为每个样本加上一个数</translation>
    </message>
    <message>
        <source>it adds axes before the batch</source>
        <translation>它在批次之前添加轴</translation>
    </message>
    <message>
        <source>it cannot be computed while reading</source>
        <translation>读取时无法计算它</translation>
    </message>
    <message>
        <source>it combines a constant without elements</source>
        <translation>它与没有元素的常量结合</translation>
    </message>
    <message>
        <source>it combines samples with a constant for each</source>
        <translation>它把样本与逐样本的常量结合</translation>
    </message>
    <message>
        <source>it combines tensors of different ranks</source>
        <translation>它结合了秩不同的张量</translation>
    </message>
    <message>
        <source>it flattens the batch axis too</source>
        <translation>它把批次轴也展平</translation>
    </message>
    <message>
        <source>it has {} dims</source>
        <translation>它有 {} 个维度</translation>
    </message>
    <message>
        <source>it has {} of the {} operators of the network, so its latency is not compared</source>
        <translation>它含有网络 {1} 个算子中的 {0} 个，因此其延迟不与任何内容比较</translation>
    </message>
    <message>
        <source>it holds integers of 2^63 and more, which are not supported</source>
        <translation>它含有 2^63 及更大的整数，不受支持</translation>
    </message>
    <message>
        <source>it is computed</source>
        <translation>它由计算得出</translation>
    </message>
    <message>
        <source>it is cut into segments</source>
        <translation>它被切成多段</translation>
    </message>
    <message>
        <source>it is inside {}</source>
        <translation>它在 {} 的内部</translation>
    </message>
    <message>
        <source>the form in which stages run on {} is unknown</source>
        <translation>不知道阶段在 {} 上以何种形式运行</translation>
    </message>
    <message>
        <source>it is sparse and has {} elements</source>
        <translation>它是稀疏的，有 {} 个元素</translation>
    </message>
    <message>
        <source>it is too large to be computed while reading</source>
        <translation>它过大，读取时无法计算</translation>
    </message>
    <message>
        <source>it looks up in each sample the indices of all samples</source>
        <translation>它在每个样本中按所有样本的索引查找</translation>
    </message>
    <message>
        <source>it moves the batch axis</source>
        <translation>它移动批次轴</translation>
    </message>
    <message>
        <source>it places elements of the whole batch</source>
        <translation>它放置整个批次的元素</translation>
    </message>
    <message>
        <source>it puts axes before the batch</source>
        <translation>它把轴放在批次之前</translation>
    </message>
    <message>
        <source>it reads a tensor of unknown shape: {}</source>
        <translation>它读取形状未知的内容：{}</translation>
    </message>
    <message>
        <source>it resizes along the batch axis</source>
        <translation>它沿批次轴缩放</translation>
    </message>
    <message>
        <source>it scales all samples together</source>
        <translation>它对所有样本一起缩放</translation>
    </message>
    <message>
        <source>it sums over the batch</source>
        <translation>它沿批次求和</translation>
    </message>
    <message>
        <source>it sums over the batch axis</source>
        <translation>它沿批次轴求和</translation>
    </message>
    <message>
        <source>it selects some samples of the batch</source>
        <translation>它从批次中取出部分样本</translation>
    </message>
    <message>
        <source>it works along the batch axis</source>
        <translation>它沿批次轴工作</translation>
    </message>
    <message>
        <source>it works on elements of type {}</source>
        <translation>它处理类型为 {} 的元素</translation>
    </message>
    <message>
        <source>its attribute &apos;auto_pad&apos; is &apos;{}&apos;</source>
        <translation>其属性 auto_pad 为“{}”</translation>
    </message>
    <message>
        <source>its attribute &apos;kernel_shape&apos; is missing</source>
        <translation>缺少其属性 kernel_shape（卷积核）</translation>
    </message>
    <message>
        <source>its attribute &apos;kernel_shape&apos; does not match its weights</source>
        <translation>其属性 kernel_shape（卷积核）与权重不一致</translation>
    </message>
    <message>
        <source>its attribute &apos;pads&apos; has {} values instead of {}</source>
        <translation>其属性 pads 有 {} 个值，应为 {} 个</translation>
    </message>
    <message>
        <source>its attribute &apos;scales&apos; is not a list of numbers</source>
        <translation>其属性 scales 不是数的列表</translation>
    </message>
    <message>
        <source>its attribute &apos;{}&apos; [{}, {}] has values outside {}..{}</source>
        <translation>其属性“{}”[{}, {}] 有 {}..{} 以外的值</translation>
    </message>
    <message>
        <source>its attribute &apos;{}&apos; does not fit three axes</source>
        <translation>其属性“{}”与三个轴不符</translation>
    </message>
    <message>
        <source>its attribute &apos;{}&apos; has {} values instead of {}</source>
        <translation>其属性“{}”有 {} 个值，应为 {} 个</translation>
    </message>
    <message>
        <source>its attribute &apos;{}&apos; is not a value</source>
        <translation>其属性“{}”不是值</translation>
    </message>
    <message>
        <source>its attribute {} is not {}</source>
        <translation>其属性 {} 不是 {}</translation>
    </message>
    <message>
        <source>its axes are missing</source>
        <translation>缺少其轴</translation>
    </message>
    <message>
        <source>its axes are not a permutation</source>
        <translation>其轴不是一个排列</translation>
    </message>
    <message>
        <source>its axis is not one number</source>
        <translation>其轴不是单个数</translation>
    </message>
    <message>
        <source>its axis {} is not one of the {} of its input</source>
        <translation>其轴 {} 不在输入的 {} 个轴之内</translation>
    </message>
    <message>
        <source>its axis {} is not one of {}</source>
        <translation>其轴 {} 不在 {} 个之内</translation>
    </message>
    <message>
        <source>its batch is not the leading axis</source>
        <translation>其批次不是首轴</translation>
    </message>
    <message>
        <source>its bias has {} elements for {} channels</source>
        <translation>其偏置有 {} 个元素，而通道有 {} 个</translation>
    </message>
    <message>
        <source>its bias is too short</source>
        <translation>其偏置过短</translation>
    </message>
    <message>
        <source>its bounds are the same for all samples</source>
        <translation>其上下界对所有样本相同</translation>
    </message>
    <message>
        <source>its branch cannot be read</source>
        <translation>无法读取其分支</translation>
    </message>
    <message>
        <source>a transform of {} elements</source>
        <translation>{} 个元素的变换</translation>
    </message>
    <message>
        <source>its input {} has no last axis of one or two parts</source>
        <translation>其输入 {} 的最后一个轴不是一个或两个分量</translation>
    </message>
    <message>
        <source>its length is not one number above 0</source>
        <translation>其长度不是单个大于 0 的数</translation>
    </message>
    <message>
        <source>an inverse transform of one side</source>
        <translation>单边的逆变换</translation>
    </message>
    <message>
        <source>its sizes are not those of an image or a volume</source>
        <translation>其大小不是图像或体数据的大小</translation>
    </message>
    <message>
        <source>a grid of that many places</source>
        <translation>位置如此之多的网格</translation>
    </message>
    <message>
        <source>its transforms {} do not fit</source>
        <translation>其变换 {} 不匹配</translation>
    </message>
    <message>
        <source>it computes the statistics of the whole batch</source>
        <translation>它计算整个批次的统计量</translation>
    </message>
    <message>
        <source>the cost of an operator is unknown, and so are all latencies</source>
        <translation>有算子的代价未知，因此所有延迟都未知</translation>
    </message>
    <message>
        <source>its body cannot be read</source>
        <translation>其循环体无法读取</translation>
    </message>
    <message>
        <source>the number of its trips is not constant</source>
        <translation>其循环次数不是常量</translation>
    </message>
    <message>
        <source>not all of its trips can be computed: {}</source>
        <translation>其循环并非每次都能计算：{}</translation>
    </message>
    <message>
        <source>has fewer outputs than it carries</source>
        <translation>输出少于其传递的值</translation>
    </message>
    <message>
        <source>they are too many</source>
        <translation>次数过多</translation>
    </message>
    <message>
        <source>its condition is not constant</source>
        <translation>其条件不是常量</translation>
    </message>
    <message>
        <source>a sequence of tensors</source>
        <translation>张量序列</translation>
    </message>
    <message>
        <source>a transposed convolution over 3 axes to a given size</source>
        <translation>到给定大小的三轴转置卷积</translation>
    </message>
    <message>
        <source>a transposed convolution over 3 axes in groups</source>
        <translation>分组的三轴转置卷积</translation>
    </message>
    <message>
        <source>a transposed convolution with depths that nothing reaches</source>
        <translation>有深度位置无输入可达的转置卷积</translation>
    </message>
    <message>
        <source>a stack of nothing</source>
        <translation>空的堆叠</translation>
    </message>
    <message>
        <source>its branches yield {} and {}</source>
        <translation>其分支得出 {} 和 {}</translation>
    </message>
    <message>
        <source>its condition cannot be read</source>
        <translation>无法读取其条件</translation>
    </message>
    <message>
        <source>its condition is not constant, and not both of its branches can be computed: {}</source>
        <translation>其条件不是常量，且其两个分支无法都计算：{}</translation>
    </message>
    <message>
        <source>its condition is not of type bool</source>
        <translation>其条件不是 bool 类型</translation>
    </message>
    <message>
        <source>its condition is not a single truth value</source>
        <translation>其条件不是单个真值</translation>
    </message>
    <message>
        <source>its condition depends on the whole batch</source>
        <translation>其条件涉及整个批次</translation>
    </message>
    <message>
        <source>its data is at the absolute path {}</source>
        <translation>其数据位于绝对路径 {}</translation>
    </message>
    <message>
        <source>its data is at {}, a link out of the model&apos;s folder</source>
        <translation>其数据位于 {}，是指向模型文件夹之外的链接</translation>
    </message>
    <message>
        <source>its data is at {}, outside of the model&apos;s folder</source>
        <translation>其数据位于 {}，在模型的文件夹之外</translation>
    </message>
    <message>
        <source>its data is at {}, which is not a regular file</source>
        <translation>其数据位于 {}，不是普通文件</translation>
    </message>
    <message>
        <source>its data is bytes {} to {}+{} of the file {}, which has {}</source>
        <translation>其数据为字节 {} 到 {}+{}，所在文件 {} 有 {}</translation>
    </message>
    <message>
        <source>its data is in the file {}, but the model has no folder</source>
        <translation>其数据在文件 {} 中，而模型没有文件夹</translation>
    </message>
    <message>
        <source>its data is in the file {}, which cannot be read: {}</source>
        <translation>其数据在文件 {} 中，而该文件无法读取：{}</translation>
    </message>
    <message>
        <source>its diagonal is not one number</source>
        <translation>其对角线不是单个数</translation>
    </message>
    <message>
        <source>its dims are negative or too large</source>
        <translation>其维度为负或过大</translation>
    </message>
    <message>
        <source>its dims do not fit the number of elements</source>
        <translation>其维度与元素个数不符</translation>
    </message>
    <message>
        <source>its dims need {} bytes, but its data has {}</source>
        <translation>其维度要求 {} 字节，而其数据有 {}</translation>
    </message>
    <message>
        <source>its dims need {} bytes, but its external data has {}</source>
        <translation>其维度要求 {} 字节，而其外部数据有 {}</translation>
    </message>
    <message>
        <source>its dims need {} elements, but its data has {}</source>
        <translation>其维度要求 {} 个元素，而其数据有 {} 个</translation>
    </message>
    <message>
        <source>its dims {} are negative or too large</source>
        <translation>其维度 {} 为负或过大</translation>
    </message>
    <message>
        <source>its elements are not base64</source>
        <translation>其元素不是 base64</translation>
    </message>
    <message>
        <source>its elements are of type {} (ONNX&apos;s number {}), which is not supported</source>
        <translation>其元素的类型为 {}（ONNX 编号 {}），不受支持</translation>
    </message>
    <message>
        <source>its equation does not keep the batch axis first</source>
        <translation>其方程没有把批次轴保持在最前</translation>
    </message>
    <message>
        <source>its equation does not have one term per input</source>
        <translation>其方程并非每个输入各有一项</translation>
    </message>
    <message>
        <source>its equation has characters other than letters, commas, ... and one -&gt;</source>
        <translation>其方程含有字母、逗号、... 和一个 -&gt; 以外的内容</translation>
    </message>
    <message>
        <source>its equation has the batch axis twice</source>
        <translation>其方程中批次轴出现了两次</translation>
    </message>
    <message>
        <source>its equation names {} axes of input {}, which has {}</source>
        <translation>其方程给出输入 {1} 的 {0} 个轴，而它有 {2} 个</translation>
    </message>
    <message>
        <source>its external data has no usable location</source>
        <translation>其外部数据没有可用的位置</translation>
    </message>
    <message>
        <source>its first page is broken, or its end is missing</source>
        <translation>其首页已损坏，或缺少末尾</translation>
    </message>
    <message>
        <source>its first two inputs are absent</source>
        <translation>缺少其前两个输入</translation>
    </message>
    <message>
        <source>its folder could not be created: {}</source>
        <translation>无法创建其文件夹：{}</translation>
    </message>
    <message>
        <source>its hidden_size is {}</source>
        <translation>其 hidden_size 为 {}</translation>
    </message>
    <message>
        <source>its index {} is not one of {} elements</source>
        <translation>其索引 {} 不在 {} 个元素之内</translation>
    </message>
    <message>
        <source>its indices are not whole numbers</source>
        <translation>其索引不是整数</translation>
    </message>
    <message>
        <source>its indices are not integers</source>
        <translation>其索引不是整数类型</translation>
    </message>
    <message>
        <source>its indices do not fit its data</source>
        <translation>其索引与数据不符</translation>
    </message>
    <message>
        <source>its indices do not name positions in its data</source>
        <translation>其索引没有给出数据的位置</translation>
    </message>
    <message>
        <source>its indices and its data have different numbers of axes</source>
        <translation>其索引的轴数与数据不同</translation>
    </message>
    <message>
        <source>its input 0 is absent</source>
        <translation>缺少其输入 0</translation>
    </message>
    <message>
        <source>its input 1 is absent</source>
        <translation>缺少其输入 1</translation>
    </message>
    <message>
        <source>its input 2 has {} elements for {} features</source>
        <translation>其输入 2 有 {} 个元素，而特征有 {} 个</translation>
    </message>
    <message>
        <source>its input 2 is not a matrix</source>
        <translation>其输入 2 不是矩阵</translation>
    </message>
    <message>
        <source>its input is not of type bool</source>
        <translation>其输入不是 bool 类型</translation>
    </message>
    <message>
        <source>its input is of type bool</source>
        <translation>其输入为 bool 类型</translation>
    </message>
    <message>
        <source>its input is of type {}</source>
        <translation>其输入的类型为 {}</translation>
    </message>
    <message>
        <source>its input {} cannot be read: {}</source>
        <translation>无法读取其输入 {}：{}</translation>
    </message>
    <message>
        <source>its input {} has no values here: {}</source>
        <translation>其输入 {} 在此没有值：{}</translation>
    </message>
    <message>
        <source>its input {} does not have the {} numbers that its sizes require</source>
        <translation>其输入 {} 没有其大小所要求的 {} 个数</translation>
    </message>
    <message>
        <source>its input {} has {} elements</source>
        <translation>其输入 {} 有 {} 个元素</translation>
    </message>
    <message>
        <source>its input {} has {} elements for {} channels</source>
        <translation>其输入 {} 有 {} 个元素，而通道有 {} 个</translation>
    </message>
    <message>
        <source>its input {} is absent</source>
        <translation>缺少其输入 {}</translation>
    </message>
    <message>
        <source>its input {} is not a constant for each direction</source>
        <translation>其输入 {} 并非每个方向各有一个常量</translation>
    </message>
    <message>
        <source>its input {} is not a list of integers</source>
        <translation>其输入 {} 不是整数列表</translation>
    </message>
    <message>
        <source>its input {} is not constant</source>
        <translation>其输入 {} 不是常量</translation>
    </message>
    <message>
        <source>its input {} is not one number</source>
        <translation>其输入 {} 不是单个数</translation>
    </message>
    <message>
        <source>its input {} is of type {}</source>
        <translation>其输入 {} 的类型为 {}</translation>
    </message>
    <message>
        <source>its input {} is the same for all samples</source>
        <translation>其输入 {} 对所有样本相同</translation>
    </message>
    <message>
        <source>its inputs are not of type bool</source>
        <translation>其输入不是 bool 类型</translation>
    </message>
    <message>
        <source>its inputs are of different types: {} and {}</source>
        <translation>其输入的类型不同：{} 和 {}</translation>
    </message>
    <message>
        <source>its inputs are of type bool</source>
        <translation>其输入是 bool 类型</translation>
    </message>
    <message>
        <source>its inputs are {}</source>
        <translation>其输入为 {}</translation>
    </message>
    <message>
        <source>the leading axes of its inputs differ with other batches</source>
        <translation>批大小不同时，其各输入的首轴不一致</translation>
    </message>
    <message>
        <source>its result for one sample depends on the number of samples</source>
        <translation>它对一个样本的结果取决于样本的数量</translation>
    </message>
    <message>
        <source>its inputs do not share a leading axis</source>
        <translation>其各输入没有共同的首轴</translation>
    </message>
    <message>
        <source>its inputs have different dims</source>
        <translation>其各输入的维度不同</translation>
    </message>
    <message>
        <source>its inputs have different numbers of axes</source>
        <translation>其各输入的轴数不同</translation>
    </message>
    <message>
        <source>its kernel is deeper than its input</source>
        <translation>其卷积核比输入更深</translation>
    </message>
    <message>
        <source>its latency is out of range</source>
        <translation>其延迟超出范围</translation>
    </message>
    <message>
        <source>its latency is the sum of its rows: a table does not say what ran in parallel</source>
        <translation>其延迟是各行之和：表格没有说明哪些是并行运行的</translation>
    </message>
    <message>
        <source>its mask does not begin with the batch axis</source>
        <translation>其掩码不以批次轴开头</translation>
    </message>
    <message>
        <source>its mask does not fit the scores {}</source>
        <translation>其掩码与得分 {} 不符</translation>
    </message>
    <message>
        <source>its matrices are not whole samples</source>
        <translation>其矩阵不是完整的样本</translation>
    </message>
    <message>
        <source>its new shape is missing</source>
        <translation>缺少其新形状</translation>
    </message>
    <message>
        <source>the weights of its operators have different dims</source>
        <translation>其算子的权重维度不同</translation>
    </message>
    <message>
        <source>its output does not begin with the batch axis</source>
        <translation>其输出不以批次轴开头</translation>
    </message>
    <message>
        <source>its output has a letter that no input has</source>
        <translation>其输出含有任何输入都没有的字母</translation>
    </message>
    <message>
        <source>its output has a letter twice</source>
        <translation>其输出中某个字母出现了两次</translation>
    </message>
    <message>
        <source>its output has too many axes</source>
        <translation>其输出的轴过多</translation>
    </message>
    <message>
        <source>its output has {} axes</source>
        <translation>其输出有 {} 个轴</translation>
    </message>
    <message>
        <source>its output is the same for all samples</source>
        <translation>其输出对所有样本相同</translation>
    </message>
    <message>
        <source>its output is too large</source>
        <translation>其输出过大</translation>
    </message>
    <message>
        <source>its output {}</source>
        <translation>其输出{}</translation>
    </message>
    <message>
        <source>its output {} is already defined by {}</source>
        <translation>其输出 {} 已由 {} 定义</translation>
    </message>
    <message>
        <source>its pads are missing</source>
        <translation>缺少其填充</translation>
    </message>
    <message>
        <source>its past keys or values are not samples x heads x positions x features</source>
        <translation>其过去的键或值不是样本 x 头 x 位置 x 特征</translation>
    </message>
    <message>
        <source>its perm does not name every axis</source>
        <translation>其 perm 没有给出每个轴</translation>
    </message>
    <message>
        <source>its queries {}, keys {} and values {} do not fit together</source>
        <translation>其查询 {}、键 {} 和值 {} 互不相符</translation>
    </message>
    <message>
        <source>its range has {} elements</source>
        <translation>其范围有 {} 个元素</translation>
    </message>
    <message>
        <source>its range is not finite or too large</source>
        <translation>其范围不是有限的或过大</translation>
    </message>
    <message>
        <source>its reduction is &apos;{}&apos;</source>
        <translation>其 reduction 为“{}”</translation>
    </message>
    <message>
        <source>its region has {} numbers for {} axes</source>
        <translation>其区域有 {} 个数，而轴有 {} 个</translation>
    </message>
    <message>
        <source>its result has integers of 2^63 and more, which are not supported</source>
        <translation>其结果含有 2^63 及更大的整数，不受支持</translation>
    </message>
    <message>
        <source>its result has the dims [{}], which are negative or too many elements</source>
        <translation>其结果的维度 [{}] 为负或元素过多</translation>
    </message>
    <message>
        <source>its result has {} axes</source>
        <translation>其结果有 {} 个轴</translation>
    </message>
    <message>
        <source>its result is too large</source>
        <translation>其结果过大</translation>
    </message>
    <message>
        <source>its scale and bias are the same for all samples</source>
        <translation>其缩放和偏置对所有样本相同</translation>
    </message>
    <message>
        <source>its scales do not lead from {} to {}, and ONNX accepts scales or sizes, not both</source>
        <translation>其缩放系数不能从 {} 得到 {}，而 ONNX 只接受缩放系数或大小之一</translation>
    </message>
    <message>
        <source>has an invalid shape</source>
        <translation>形状无效</translation>
    </message>
    <message>
        <source>its source is not an operator</source>
        <translation>其来源不是算子</translation>
    </message>
    <message>
        <source>its sparse value {} is outside of its dims</source>
        <translation>其稀疏值 {} 在维度之外</translation>
    </message>
    <message>
        <source>its sparse values and their indices do not match</source>
        <translation>其稀疏值与索引互不相符</translation>
    </message>
    <message>
        <source>its starts or ends are missing</source>
        <translation>缺少其起点或终点</translation>
    </message>
    <message>
        <source>its starts, ends, axes and steps differ in number</source>
        <translation>其起点、终点、轴和步长个数不同</translation>
    </message>
    <message>
        <source>its starts, ends, axes and steps do not match</source>
        <translation>其起点、终点、轴和步长不相配</translation>
    </message>
    <message>
        <source>its step is 0</source>
        <translation>其步长为 0</translation>
    </message>
    <message>
        <source>its tables are not those of a measurement store</source>
        <translation>其数据表不是测量库的数据表</translation>
    </message>
    <message>
        <source>its text would be smaller than 6 pt at this width</source>
        <translation>在此宽度下其文字将小于 6 pt</translation>
    </message>
    <message>
        <source>its times do not ascend</source>
        <translation>其时间不是递增的</translation>
    </message>
    <message>
        <source>its unit has no name</source>
        <translation>其单元没有名称</translation>
    </message>
    <message>
        <source>its updates and its data have different types</source>
        <translation>其更新的类型与数据不同</translation>
    </message>
    <message>
        <source>its updates do not fit</source>
        <translation>其更新不相符</translation>
    </message>
    <message>
        <source>its updates do not have the dims of its indices</source>
        <translation>其更新没有索引的维度</translation>
    </message>
    <message>
        <source>its updates do not have the dims that its indices require</source>
        <translation>其更新没有索引所要求的维度</translation>
    </message>
    <message>
        <source>its value has different dims</source>
        <translation>其值的维度不同</translation>
    </message>
    <message>
        <source>its value is not a tensor of one element</source>
        <translation>其值不是单个元素的张量</translation>
    </message>
    <message>
        <source>its value is not one number</source>
        <translation>其值不是单个数</translation>
    </message>
    <message>
        <source>its weights [{}] should be [{}]</source>
        <translation>其权重 [{}] 应为 [{}]</translation>
    </message>
    <message>
        <source>its weights are for {} channels per group</source>
        <translation>其权重适用于每组 {} 个通道</translation>
    </message>
    <message>
        <source>its weights are for {} channels in {} groups, its input has {}</source>
        <translation>其权重适用于 {} 个通道、{} 个组，其输入有 {} 个通道</translation>
    </message>
    <message>
        <source>its weights are for {} channels, its input has {}</source>
        <translation>其权重适用于 {} 个通道，其输入有 {} 个</translation>
    </message>
    <message>
        <source>its weights cannot be read</source>
        <translation>无法读取其权重</translation>
    </message>
    <message>
        <source>its weights do not fit three axes</source>
        <translation>其权重与三个轴不符</translation>
    </message>
    <message>
        <source>its weights have {} axes and {} elements</source>
        <translation>其权重有 {} 个轴和 {} 个元素</translation>
    </message>
    <message>
        <source>its weights {} x {} do not fit an input of {} elements</source>
        <translation>其权重 {} x {} 与有 {} 个元素的输入不符</translation>
    </message>
    <message>
        <source>its {} groups do not divide {} channels</source>
        <translation>其 {} 个组不能整除 {} 个通道</translation>
    </message>
    <message>
        <source>its {} kernels or operators are not {} repetitions of the same ones</source>
        <translation>其 {} 个内核或算子不是同一组重复 {} 次</translation>
    </message>
    <message>
        <source>joining parts: {} windows, {:.3f} ms instead of {:.3f}</source>
        <translation>正在连接各部分：{} 个窗口，{:.3f} ms（原为 {:.3f}）</translation>
    </message>
    <message>
        <source>k {} must lie in 1..{}, the size of axis {}</source>
        <translation>k {} 必须在 1..{} 之内，即轴 {} 的大小</translation>
    </message>
    <message>
        <source>pin only stages that span at most {} units</source>
        <translation>请只固定跨越最多 {} 个单元的阶段</translation>
    </message>
    <message>
        <source>kernel [{}, {}] does not fit the input {}</source>
        <translation>卷积核 [{}, {}] 与输入 {} 不符</translation>
    </message>
    <message>
        <source>kernel {} should come next</source>
        <translation>接下来应为内核 {}</translation>
    </message>
    <message>
        <source>keys and values of earlier calls</source>
        <translation>先前调用的键和值</translation>
    </message>
    <message>
        <source>known are conv, pool, relu, activation, element, identity, sequential</source>
        <translation>已知的有 conv、pool、relu、activation、element、identity、sequential（顺序）</translation>
    </message>
    <message>
        <source>has the unknown direction &apos;{}&apos;</source>
        <translation>没有方向“{}”</translation>
    </message>
    <message>
        <source>has the unknown mode &apos;{}&apos;</source>
        <translation>没有模式“{}”</translation>
    </message>
    <message>
        <source>has the unknown padding_mode &apos;{}&apos;</source>
        <translation>没有 padding_mode“{}”</translation>
    </message>
    <message>
        <source>lacks a value, or has one of the wrong kind: {}</source>
        <translation>缺少某个值，或其类型不符：{}</translation>
    </message>
    <message>
        <source>launches are not shown, and times come from event marks: {}</source>
        <translation>不显示启动，时间取自事件标记：{}</translation>
    </message>
    <message>
        <source>leave it out</source>
        <translation>请去掉它</translation>
    </message>
    <message>
        <source>leave it out, or give a network instead of a run</source>
        <translation>请去掉它，或给出网络而不是一次运行</translation>
    </message>
    <message>
        <source>leave one of them out</source>
        <translation>请去掉其中之一</translation>
    </message>
    <message>
        <source>omit the number of runs, or record fewer of them</source>
        <translation>请不要给出运行次数，或录制较少的次数</translation>
    </message>
    <message>
        <source>listing the stages of part {} of {}</source>
        <translation>正在列出部分 {}（共 {} 个）的阶段</translation>
    </message>
    <message>
        <source>locks a stage that does not exist</source>
        <translation>锁定了不存在的阶段</translation>
    </message>
    <message>
        <source>log in to a desktop, or make a report: ios-explorer --report DIR GRAPH</source>
        <translation>请登录桌面，或为计算图生成报告：ios-explorer --report DIR GRAPH</translation>
    </message>
    <message>
        <source>can find a position along one axis only</source>
        <translation>只能沿一个轴查找位置</translation>
    </message>
    <message>
        <source>make both the same</source>
        <translation>请使二者相同</translation>
    </message>
    <message>
        <source>create it again with tests/bench/zoo_figures.py</source>
        <translation>请用 tests/bench/zoo_figures.py 重新生成</translation>
    </message>
    <message>
        <source>create it with nsys export --type sqlite, from a report with --trace cuda,nvtx and --cuda-graph-trace=node</source>
        <translation>请用 nsys export --type sqlite 生成，其报告用 --trace cuda,nvtx 和 --cuda-graph-trace=node 录制</translation>
    </message>
    <message>
        <source>free space on the disk</source>
        <translation>请在磁盘上腾出空间</translation>
    </message>
    <message>
        <source>make the file readable</source>
        <translation>请使文件可读</translation>
    </message>
    <message>
        <source>create the folder first</source>
        <translation>请先创建文件夹</translation>
    </message>
    <message>
        <source>produces {}, not {}</source>
        <translation>得出 {}，而不是 {}</translation>
    </message>
    <message>
        <source>is not writable</source>
        <translation>不可写</translation>
    </message>
    <message>
        <source>measure something on that device again</source>
        <translation>请在该设备上再测量一次</translation>
    </message>
    <message>
        <source>measurements are not kept: {}</source>
        <translation>测量值未保留：{}</translation>
    </message>
    <message>
        <source>measuring convolutions</source>
        <translation>正在测量卷积</translation>
    </message>
    <message>
        <source>measuring the stages of {}</source>
        <translation>正在测量 {} 的阶段</translation>
    </message>
    <message>
        <source>models of this size are not supported</source>
        <translation>不支持这样大小的模型</translation>
    </message>
    <message>
        <source>move the file away</source>
        <translation>请移走该文件</translation>
    </message>
    <message>
        <source>must be &apos;placeholder&apos;, not {}</source>
        <translation>必须是 placeholder，实际是 {}</translation>
    </message>
    <message>
        <source>must be &apos;{}&apos;</source>
        <translation>必须是“{}”</translation>
    </message>
    <message>
        <source>must be a list of at most {} objects</source>
        <translation>必须是最多 {} 个对象的列表</translation>
    </message>
    <message>
        <source>must be a list of {}</source>
        <translation>必须是含 {} 项的列表</translation>
    </message>
    <message>
        <source>must be a list of {} {}, but has {}</source>
        <translation>必须是含 {} 个 {} 的列表，实际有 {} 个</translation>
    </message>
    <message>
        <source>must be a number from {} to {}</source>
        <translation>必须是 {} 到 {} 的数</translation>
    </message>
    <message>
        <source>must be a non-empty text</source>
        <translation>必须是非空文本</translation>
    </message>
    <message>
        <source>must be a whole number</source>
        <translation>必须是整数</translation>
    </message>
    <message>
        <source>must be an integer, not {}</source>
        <translation>必须是整数，实际是 {}</translation>
    </message>
    <message>
        <source>must be true or false</source>
        <translation>必须是 true 或 false</translation>
    </message>
    <message>
        <source>must be {}, not {}</source>
        <translation>必须是{}，实际是 {}</translation>
    </message>
    <message>
        <source>must hold at least one tile</source>
        <translation>必须至少包含一个分块</translation>
    </message>
    <message>
        <source>can wait only for earlier kernels</source>
        <translation>只能等待更早的内核</translation>
    </message>
    <message>
        <source>n is 3 to {}, k an even number from 2 to n - 1, p from 0 to 1</source>
        <translation>n 为 3 到 {}，k 为 2 到 n - 1 的偶数，p 为 0 到 1</translation>
    </message>
    <message>
        <source>name a file</source>
        <translation>请给出文件名</translation>
    </message>
    <message>
        <source>name a file for them</source>
        <translation>请为它们指定文件</translation>
    </message>
    <message>
        <source>name a folder</source>
        <translation>请给出文件夹名</translation>
    </message>
    <message>
        <source>name a new folder</source>
        <translation>请给出新文件夹</translation>
    </message>
    <message>
        <source>name another file</source>
        <translation>请给出其他文件</translation>
    </message>
    <message>
        <source>name another folder</source>
        <translation>请给出其他文件夹</translation>
    </message>
    <message>
        <source>name it in one stage, or remove the stages of all blocks</source>
        <translation>请在一个阶段中给出它，或删除所有块的阶段</translation>
    </message>
    <message>
        <source>choose one by its fingerprint with --device: {}</source>
        <translation>请用 --device 给出其指纹以指定一组：{}</translation>
    </message>
    <message>
        <source>name the back end&apos;s library</source>
        <translation>请指定后端的库</translation>
    </message>
    <message>
        <source>names a stage that does not exist</source>
        <translation>给出了不存在的阶段</translation>
    </message>
    <message>
        <source>names a unit that the graph does not have</source>
        <translation>给出了计算图没有的单元</translation>
    </message>
    <message>
        <source>names an axis twice</source>
        <translation>给出同一个轴两次</translation>
    </message>
    <message>
        <source>names axis {} twice</source>
        <translation>给出轴 {} 两次</translation>
    </message>
    <message>
        <source>names element {} of an axis with {} elements</source>
        <translation>给出了有 {1} 个元素的轴的元素 {0}</translation>
    </message>
    <message>
        <source>names no dimension that the file leaves open</source>
        <translation>没有给出文件留下未定的维度</translation>
    </message>
    <message>
        <source>names no input of the network</source>
        <translation>没有给出网络的输入</translation>
    </message>
    <message>
        <source>names no input with its shape</source>
        <translation>没有给出输入及其形状</translation>
    </message>
    <message>
        <source>names no network</source>
        <translation>没有给出网络</translation>
    </message>
    <message>
        <source>names no operator</source>
        <translation>没有给出算子</translation>
    </message>
    <message>
        <source>names operators that do not exist</source>
        <translation>给出了不存在的算子</translation>
    </message>
    <message>
        <source>needs a condition and two values</source>
        <translation>需要一个条件和两个值</translation>
    </message>
    <message>
        <source>needs a matrix</source>
        <translation>需要矩阵</translation>
    </message>
    <message>
        <source>needs a state {}, has {}</source>
        <translation>需要状态 {}，实际为 {}</translation>
    </message>
    <message>
        <source>needs at least {} inputs, has {}</source>
        <translation>至少需要 {} 个输入，实际有 {} 个</translation>
    </message>
    <message>
        <source>needs channels x height x width and a grid height x width x 2, has {} and {}</source>
        <translation>需要通道 x 高 x 宽和网格高 x 宽 x 2，实际为 {} 和 {}</translation>
    </message>
    <message>
        <source>needs channels x height x width, has {}</source>
        <translation>需要通道 x 高 x 宽，实际为 {}</translation>
    </message>
    <message>
        <source>needs matrices, has {} and {}</source>
        <translation>需要矩阵，实际为 {} 和 {}</translation>
    </message>
    <message>
        <source>needs one depth and two values</source>
        <translation>需要一个深度和两个值</translation>
    </message>
    <message>
        <source>needs one number of elements</source>
        <translation>需要单个元素个数</translation>
    </message>
    <message>
        <source>needs one size</source>
        <translation>需要单个大小</translation>
    </message>
    <message>
        <source>needs positions x sequences x features</source>
        <translation>需要位置 x 序列 x 特征</translation>
    </message>
    <message>
        <source>needs positions x sequences x features, but has {}</source>
        <translation>需要位置 x 序列 x 特征，实际为 {}</translation>
    </message>
    <message>
        <source>needs queries, keys and values with three axes each, or with four</source>
        <translation>需要各有三个轴或各有四个轴的查询、键和值</translation>
    </message>
    <message>
        <source>needs samples x channels</source>
        <translation>需要样本 x 通道</translation>
    </message>
    <message>
        <source>needs samples x channels x height x width</source>
        <translation>需要样本 x 通道 x 高 x 宽</translation>
    </message>
    <message>
        <source>needs samples x channels x sizes</source>
        <translation>需要样本 x 通道 x 尺寸</translation>
    </message>
    <message>
        <source>needs samples x channels x sizes, has {}</source>
        <translation>需要样本 x 通道 x 尺寸，实际为 {}</translation>
    </message>
    <message>
        <source>needs samples x classes</source>
        <translation>需要样本 x 类别</translation>
    </message>
    <message>
        <source>needs tensors of samples x positions x features</source>
        <translation>需要样本 x 位置 x 特征的张量</translation>
    </message>
    <message>
        <source>needs two matrices</source>
        <translation>需要两个矩阵</translation>
    </message>
    <message>
        <source>needs {} input(s), has {}</source>
        <translation>需要 {} 个输入，实际有 {} 个</translation>
    </message>
    <message>
        <source>needs {} state(s) as further inputs, or none, but has {}</source>
        <translation>需要 {} 个状态作为另外的输入或不需要，实际有 {} 个</translation>
    </message>
    <message>
        <source>neither XDG_DATA_HOME nor HOME names a folder for measurements</source>
        <translation>XDG_DATA_HOME 和 HOME 都没有给出可保存测量值的文件夹</translation>
    </message>
    <message>
        <source>networks: {}; or give a graph file</source>
        <translation>网络有：{}；或给出计算图文件</translation>
    </message>
    <message>
        <source>no Watts-Strogatz graph has n = {}, k = {}, p = {}</source>
        <translation>没有 n = {}、k = {}、p = {} 的 Watts-Strogatz 图形</translation>
    </message>
    <message>
        <source>no batch size</source>
        <translation>没有批大小</translation>
    </message>
    <message>
        <source>no built-in network has this name, and there is no such file</source>
        <translation>没有内置网络叫这个名称，也没有这样的文件</translation>
    </message>
    <message>
        <source>no counterpart in this format</source>
        <translation>在该格式中没有对应内容的部分</translation>
    </message>
    <message>
        <source>no kernel of the plan could be identified in its graph</source>
        <translation>在其计算图中认不出计划的任何内核</translation>
    </message>
    <message>
        <source>no limits to try</source>
        <translation>没有可尝试的上限</translation>
    </message>
    <message>
        <source>is not a valid measurement: {} ms ± {} ms of {} samples at {} MHz</source>
        <translation>不是有效的测量值：{} ms ± {} ms，{} 个样本，{} MHz</translation>
    </message>
    <message>
        <source>no network needs that; check that it is the right file</source>
        <translation>没有网络需要那么多；请检查文件是否正确</translation>
    </message>
    <message>
        <source>no operator can be computed yet</source>
        <translation>尚无可计算的算子</translation>
    </message>
    <message>
        <source>no schedule to compare</source>
        <translation>没有可比较的调度</translation>
    </message>
    <message>
        <source>no set of counters can be sampled on {}: {}</source>
        <translation>无法在 {} 上对任何一组计数器采样：{}</translation>
    </message>
    <message>
        <source>no size</source>
        <translation>没有大小</translation>
    </message>
    <message>
        <source>no stage follows the last one</source>
        <translation>最后一个阶段之后没有阶段</translation>
    </message>
    <message>
        <source>no stage runs {}</source>
        <translation>没有阶段运行 {}</translation>
    </message>
    <message>
        <source>is not a width of a figure</source>
        <translation>不是图的宽度</translation>
    </message>
    <message>
        <source>nodes are 0 to {}, and an edge leads to a higher number</source>
        <translation>节点为 0 到 {}，边指向编号更大的节点</translation>
    </message>
    <message>
        <source>not valid JSON: {}</source>
        <translation>不是有效的 JSON：{}</translation>
    </message>
    <message>
        <source>is a source, which no kernel computes</source>
        <translation>是源，不由任何内核计算</translation>
    </message>
    <message>
        <source>no node computes it</source>
        <translation>没有节点计算它</translation>
    </message>
    <message>
        <source>no node computes output {} of its branch</source>
        <translation>没有节点计算其分支的输出 {}</translation>
    </message>
    <message>
        <source>nothing is computed yet</source>
        <translation>尚无任何计算</translation>
    </message>
    <message>
        <source>nothing is connected to input {} of &apos;{}&apos;</source>
        <translation>未连接输入 {}：“{}”</translation>
    </message>
    <message>
        <source>nothing is connected to input {} of {} of &apos;{}&apos; ({})</source>
        <translation>输入 {}（共 {} 个）空着：“{}”（{}）</translation>
    </message>
    <message>
        <source>nothing ran within the runs that the file marks, so all of it counts as one</source>
        <translation>在文件标出的运行之内没有任何内容运行，因此全部算作一次</translation>
    </message>
    <message>
        <source>nothing was measured on {} with batch {}</source>
        <translation>在 {} 上没有批大小为 {} 的测量值</translation>
    </message>
    <message>
        <source>numbers of type {}</source>
        <translation>类型为 {} 的数</translation>
    </message>
    <message>
        <source>of {} possible stages, {} were never measured there: schedules use only the others</source>
        <translation>在可组成调度的 {} 个阶段中，有 {} 个从未在那里测量过：调度只从其余阶段中选择</translation>
    </message>
    <message>
        <source>one batch size</source>
        <translation>只有一个批大小</translation>
    </message>
    <message>
        <source>one fingerprint cannot belong to a simulated and to a real device</source>
        <translation>同一个指纹不能既代表模拟设备又代表真实设备</translation>
    </message>
    <message>
        <source>one letter of its equation stands for {} and for {} elements</source>
        <translation>其方程的某个字母代表 {} 个和 {} 个元素</translation>
    </message>
    <message>
        <source>one of its inputs is absent</source>
        <translation>缺少其某个输入</translation>
    </message>
    <message>
        <source>one operator cannot be split</source>
        <translation>单个算子不能拆分</translation>
    </message>
    <message>
        <source>oneDNN: {}</source>
        <translation>oneDNN：{}</translation>
    </message>
    <message>
        <source>only a constant has a value</source>
        <translation>只有常量有值</translation>
    </message>
    <message>
        <source>only a unit&apos;s last operator can be read outside it</source>
        <translation>在单元之外只能读取单元的最后一个算子</translation>
    </message>
    <message>
        <source>only sizes that the file leaves open can be given</source>
        <translation>只能给出文件留下未定的大小</translation>
    </message>
    <message>
        <source>only the whole unit can be read: write {}</source>
        <translation>只能读取整个单元：请写 {}</translation>
    </message>
    <message>
        <source>only {} of {} replays could be distinguished in {} samples</source>
        <translation>在 {2} 个样本中只能区分 {1} 次重放中的 {0} 次</translation>
    </message>
    <message>
        <source>open a smaller one</source>
        <translation>请打开较小的模型</translation>
    </message>
    <message>
        <source>open that graph</source>
        <translation>请打开那个计算图</translation>
    </message>
    <message>
        <source>open the file of its graph, and the schedule with it</source>
        <translation>请打开其计算图的文件，并随之打开调度</translation>
    </message>
    <message>
        <source>open the graph itself</source>
        <translation>请打开计算图本身</translation>
    </message>
    <message>
        <source>open the model from its file</source>
        <translation>请从文件打开模型</translation>
    </message>
    <message>
        <source>open the network first, then the schedule</source>
        <translation>请先打开网络，再打开调度</translation>
    </message>
    <message>
        <source>operators depend on one another in a cycle: {} → {}</source>
        <translation>算子在环中相互依赖：{} → {}</translation>
    </message>
    <message>
        <source>permutes {} axes, but its input has {}</source>
        <translation>置换了 {} 个轴，而其输入有 {} 个</translation>
    </message>
    <message>
        <source>output_shape is declared as [{}], but its inputs and attributes give [{}]</source>
        <translation>output_shape 声明为 [{}]，但其输入和属性给出 [{}]</translation>
    </message>
    <message>
        <source>padding [{}, {}] before and [{}, {}] after must be smaller than the kernel [{}, {}]</source>
        <translation>前填充 [{}, {}] 和后填充 [{}, {}] 必须小于核 [{}, {}]</translation>
    </message>
    <message>
        <source>padding of mode &apos;{}&apos;</source>
        <translation>模式为“{}”的填充</translation>
    </message>
    <message>
        <source>padding {} of axis {} exceeds {}</source>
        <translation>轴 {1} 的填充 {0} 超过 {2}</translation>
    </message>
    <message>
        <source>part &apos;{}&apos; begins with &apos;{}&apos; already</source>
        <translation>部分“{}”已从“{}”开始</translation>
    </message>
    <message>
        <source>part &apos;{}&apos; is the first, so there is no part before it to join</source>
        <translation>部分“{}”是第一个，前面没有可以合并的部分</translation>
    </message>
    <message>
        <source>part {} of {}, units searched</source>
        <translation>部分 {}（共 {} 个），已搜索的单元</translation>
    </message>
    <message>
        <source>positions among {} elements</source>
        <translation>{} 个元素中的位置</translation>
    </message>
    <message>
        <source>computed positions</source>
        <translation>由计算得出的位置</translation>
    </message>
    <message>
        <source>planning: {} stages requested</source>
        <translation>正在规划：已请求 {} 个阶段</translation>
    </message>
    <message>
        <source>planning: {} stages requested, best {:.3f} ms</source>
        <translation>正在规划：已请求 {} 个阶段，最佳 {:.3f} ms</translation>
    </message>
    <message>
        <source>plans are launched one by one, so launches cannot be assigned to kernels</source>
        <translation>计划被逐个启动，无法将启动对应到内核</translation>
    </message>
    <message>
        <source>preparing {}</source>
        <translation>正在准备 {}</translation>
    </message>
    <message>
        <source>profiling {}</source>
        <translation>正在剖析 {}</translation>
    </message>
    <message>
        <source>put the file into the folder &apos;{}&apos;</source>
        <translation>请把文件放入文件夹“{}”</translation>
    </message>
    <message>
        <source>put the file into the model&apos;s folder and use a relative path</source>
        <translation>请把文件放入模型的文件夹，并以相对路径给出</translation>
    </message>
    <message>
        <source>put what it reads into an earlier stage, or before it in the same group</source>
        <translation>请把它读取的内容放入更早的阶段，或放在同一组中它的前面</translation>
    </message>
    <message>
        <source>quantises to the type {}</source>
        <translation>量化为类型 {}</translation>
    </message>
    <message>
        <source>queries, keys and values packed in one tensor</source>
        <translation>打包在一个张量中的查询、键和值</translation>
    </message>
    <message>
        <source>queries, keys or values that are not samples x positions x features</source>
        <translation>不是样本 x 位置 x 特征的查询、键或值</translation>
    </message>
    <message>
        <source>reaches outside axis {} of {}</source>
        <translation>超出 {1} 的轴 {0}</translation>
    </message>
    <message>
        <source>reads &apos;{}&apos; from the inside of unit &apos;{}&apos;</source>
        <translation>从单元“{1}”的内部读取“{0}”</translation>
    </message>
    <message>
        <source>reads an operator that does not exist (yet)</source>
        <translation>读取（尚）不存在的算子</translation>
    </message>
    <message>
        <source>reads an operator that does not exist</source>
        <translation>读取不存在的算子</translation>
    </message>
    <message>
        <source>reads channels [{}, {}) of &apos;{}&apos;, which has {} channels</source>
        <translation>读取“{2}”的通道 [{0}, {1})，而它有 {3} 个通道</translation>
    </message>
    <message>
        <source>must read at least one channel, from 0 on</source>
        <translation>应读取从 0 开始的通道，至少一个</translation>
    </message>
    <message>
        <source>reads two operators at once</source>
        <translation>同时读取两个算子</translation>
    </message>
    <message>
        <source>reads channels that it writes</source>
        <translation>读取自己写入的通道</translation>
    </message>
    <message>
        <source>reads channels that no kernel has written</source>
        <translation>读取没有内核写入的通道</translation>
    </message>
    <message>
        <source>reads {} from the inside of {}</source>
        <translation>从 {1} 的内部读取 {0}</translation>
    </message>
    <message>
        <source>reads {} inputs, but can read only one</source>
        <translation>读取 {} 个输入，而只能读取一个</translation>
    </message>
    <message>
        <source>reads {}, which does not come before it in its sequential</source>
        <translation>读取 {}，而它在其 sequential（顺序）中并不在前</translation>
    </message>
    <message>
        <source>reads {}, which does not exist</source>
        <translation>读取 {}，而它不存在</translation>
    </message>
    <message>
        <source>reads {}, which is computed in a later block, at {}</source>
        <translation>读取 {}，而它在后面的块中产生，位于 {}</translation>
    </message>
    <message>
        <source>reads {}, which is not an input, an initializer or the output of a node</source>
        <translation>读取 {}，而它既不是输入、初始值，也不是任何节点的输出</translation>
    </message>
    <message>
        <source>reads {}, which no earlier node computes</source>
        <translation>读取 {}，而前面没有节点计算它</translation>
    </message>
    <message>
        <source>record fewer runs</source>
        <translation>请录制较少的运行</translation>
    </message>
    <message>
        <source>record less</source>
        <translation>请少录制一些</translation>
    </message>
    <message>
        <source>record less: fewer runs, no Python stacks</source>
        <translation>请少录制一些：较少的运行，不含 Python 调用栈</translation>
    </message>
    <message>
        <source>recorded on {}, {}</source>
        <translation>记录于 {}，{}</translation>
    </message>
    <message>
        <source>reduces no elements at all</source>
        <translation>没有对任何元素进行归约</translation>
    </message>
    <message>
        <source>refers to something that no earlier line defines</source>
        <translation>引用了前面各行都没有定义的内容</translation>
    </message>
    <message>
        <source>reflects {} of the {} elements of axis {}</source>
        <translation>反射轴 {2} 的 {1} 个元素中的 {0} 个</translation>
    </message>
    <message>
        <source>remove it</source>
        <translation>请删除它</translation>
    </message>
    <message>
        <source>remove it or name what it reads</source>
        <translation>请删除它，或给出它读取的内容</translation>
    </message>
    <message>
        <source>remove line breaks, tabs and other control characters</source>
        <translation>请去掉换行、制表符等字符</translation>
    </message>
    <message>
        <source>remove one</source>
        <translation>请删除一个</translation>
    </message>
    <message>
        <source>removes axis {}, which has {} elements</source>
        <translation>去掉轴 {}，而它有 {} 个元素</translation>
    </message>
    <message>
        <source>rename it, or save the schedule alone</source>
        <translation>请将其改名，或只保存调度</translation>
    </message>
    <message>
        <source>rename one of them</source>
        <translation>请将其中之一改名</translation>
    </message>
    <message>
        <source>repeats axis {} {} times</source>
        <translation>把轴 {} 重复 {} 次</translation>
    </message>
    <message>
        <source>replace the operator, or use a simulated device, which only estimates it</source>
        <translation>请替换该算子，或使用只作估计的模拟设备</translation>
    </message>
    <message>
        <source>resizing that keeps the aspect ratio</source>
        <translation>保持宽高比的缩放</translation>
    </message>
    <message>
        <source>resizing with the coordinates &apos;{}&apos;</source>
        <translation>以坐标“{}”进行的缩放</translation>
    </message>
    <message>
        <source>resizing with {} &apos;{}&apos;</source>
        <translation>以 {}“{}”进行的缩放</translation>
    </message>
    <message>
        <source>rounds its output size up over a dilated window, which ONNX cannot do</source>
        <translation>在膨胀窗口上把输出尺寸向上取整，ONNX 做不到</translation>
    </message>
    <message>
        <source>run it in float32</source>
        <translation>请以 float32 运行</translation>
    </message>
    <message>
        <source>run them on this device first</source>
        <translation>请先在本设备上运行它们</translation>
    </message>
    <message>
        <source>run them in parallel instead</source>
        <translation>请改为并行运行</translation>
    </message>
    <message>
        <source>runs only with a batch of 1, not {}</source>
        <translation>只能以批大小 1 运行，不能用 {}</translation>
    </message>
    <message>
        <source>samples were lost, even at the maximum interval of {:g} us</source>
        <translation>样本有丢失，即使使用最大间隔 {:g} us</translation>
    </message>
    <message>
        <source>sampling along other than two axes</source>
        <translation>不沿两个轴的采样</translation>
    </message>
    <message>
        <source>sampling of too many samples, whose axis is not the batch axis</source>
        <translation>样本过多而其轴不是批次轴的采样</translation>
    </message>
    <message>
        <source>save the model with external data: its weights in files beside it</source>
        <translation>请以外部数据保存模型：其权重存入旁边的文件</translation>
    </message>
    <message>
        <source>save the schedule alone, as iosx-schedule JSON or CSV</source>
        <translation>请只保存调度，保存为 iosx-schedule JSON 或 CSV</translation>
    </message>
    <message>
        <source>does not name one entry per kernel</source>
        <translation>并非每个内核各对应一个条目</translation>
    </message>
    <message>
        <source>says {}, which does not match the groups</source>
        <translation>写明为{}，但各组并非如此</translation>
    </message>
    <message>
        <source>scale {} must be positive</source>
        <translation>缩放系数 {} 必须为正</translation>
    </message>
    <message>
        <source>scales for blocks</source>
        <translation>分块的缩放系数</translation>
    </message>
    <message>
        <source>scales that are computed for each position of an axis</source>
        <translation>为轴的每个位置计算的缩放系数</translation>
    </message>
    <message>
        <source>search on that device first, with the same network and search options; a narrower search needs fewer stages</source>
        <translation>请先用相同的网络和搜索选项在该设备上搜索；范围较窄的搜索需要较少的阶段</translation>
    </message>
    <message>
        <source>searching {} for {} with batch {}</source>
        <translation>正在为批大小为 {2} 的 {1} 搜索 {0}</translation>
    </message>
    <message>
        <source>see the descriptions that come with the program</source>
        <translation>请参考随程序提供的描述</translation>
    </message>
    <message>
        <source>sequences of their own lengths</source>
        <translation>长度各异的序列</translation>
    </message>
    <message>
        <source>set ceil_mode to false</source>
        <translation>请把 ceil_mode 设为 false</translation>
    </message>
    <message>
        <source>simplify the model (constant folding) when it is exported</source>
        <translation>请在导出时简化模型（常量折叠）</translation>
    </message>
    <message>
        <source>simulates times but computes no outputs, so there is nothing to verify</source>
        <translation>只模拟时间而不计算输出，因此没有可验证的内容</translation>
    </message>
    <message>
        <source>size {} must lie in 1..{}</source>
        <translation>大小 {} 必须在 1..{} 之内</translation>
    </message>
    <message>
        <source>some stages have a latency_ms and some do not</source>
        <translation>有些阶段有 latency_ms，有些没有</translation>
    </message>
    <message>
        <source>splits an axis of {} into {}</source>
        <translation>把有 {} 个元素的轴拆成 {}</translation>
    </message>
    <message>
        <source>stage {} is locked</source>
        <translation>阶段 {} 已锁定</translation>
    </message>
    <message>
        <source>several files cannot be written to standard output</source>
        <translation>标准输出不能接受多个文件</translation>
    </message>
    <message>
        <source>this cannot be written to standard output</source>
        <translation>标准输出不能接受它</translation>
    </message>
    <message>
        <source>is in another stage or lane</source>
        <translation>位于其他阶段或泳道</translation>
    </message>
    <message>
        <source>is in no lane</source>
        <translation>不在任何泳道中</translation>
    </message>
    <message>
        <source>start the program that reads it first</source>
        <translation>请先启动读取它的程序</translation>
    </message>
    <message>
        <source>step {} of axis {} must be in 1..{} or its negative</source>
        <translation>轴 {1} 的步长 {0} 必须在 1..{2} 之内或为其负数</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>stopped before anything was finished</source>
        <translation>在完成任何一项之前已停止</translation>
    </message>
    <message>
        <source>stopped before every alternative was listed</source>
        <translation>在列出每个替代方案之前已停止</translation>
    </message>
    <message>
        <source>stopped before every schedule had run</source>
        <translation>在每个调度都运行之前已停止</translation>
    </message>
    <message>
        <source>stopped before every stage of &apos;{}&apos; was measured</source>
        <translation>在测量完“{}”的每个阶段之前已停止</translation>
    </message>
    <message>
        <source>stopped before every stage was measured</source>
        <translation>在测量每个阶段之前已停止</translation>
    </message>
    <message>
        <source>store what the device measures</source>
        <translation>请保存设备测得的内容</translation>
    </message>
    <message>
        <source>takes a root or logarithm of integers</source>
        <translation>对整数取根或对数</translation>
    </message>
    <message>
        <source>uses an attribute of a function, but is in no function</source>
        <translation>从函数取用属性，却不在任何函数之内</translation>
    </message>
    <message>
        <source>takes the mean of integers</source>
        <translation>对整数取平均值</translation>
    </message>
    <message>
        <source>takes too long to read</source>
        <translation>读取耗时过长</translation>
    </message>
    <message>
        <source>does not report its utilization</source>
        <translation>不报告其利用率</translation>
    </message>
    <message>
        <source>texts are not supported</source>
        <translation>不支持文本</translation>
    </message>
    <message>
        <source>that would make a cycle: {}</source>
        <translation>这会形成环：{}</translation>
    </message>
    <message>
        <source>this program can no longer use the GPU: restart the program</source>
        <translation>本程序已无法再使用该 GPU：请重新启动</translation>
    </message>
    <message>
        <source>the activation {}</source>
        <translation>激活函数 {}</translation>
    </message>
    <message>
        <source>the back end cannot be loaded: {}</source>
        <translation>无法加载后端：{}</translation>
    </message>
    <message>
        <source>the back end returned no device</source>
        <translation>后端没有给出设备</translation>
    </message>
    <message>
        <source>the batch {} must lie in 1..{}</source>
        <translation>批大小 {} 必须在 1..{} 之内</translation>
    </message>
    <message>
        <source>the computer has not enough memory</source>
        <translation>计算机内存不足</translation>
    </message>
    <message>
        <source>the date does not have the form 2026-03-01T12:00:00Z</source>
        <translation>日期不符合 2026-03-01T12:00:00Z 的形式</translation>
    </message>
    <message>
        <source>the device returned no loaded plan</source>
        <translation>设备没有给出已加载的计划</translation>
    </message>
    <message>
        <source>the device returned {} outputs, the reference {}; the network has {}</source>
        <translation>设备给出 {} 个输出，参考设备给出 {} 个；网络有 {} 个</translation>
    </message>
    <message>
        <source>the device returned {}, the reference {}</source>
        <translation>设备给出 {}，参考设备给出 {}</translation>
    </message>
    <message>
        <source>the device {}</source>
        <translation>设备{}</translation>
    </message>
    <message>
        <source>the dims [{}] and [{}] cannot be broadcast</source>
        <translation>维度 [{}] 和 [{}] 无法广播</translation>
    </message>
    <message>
        <source>the driver lets only administrators read the counters{}: run this program with sudo, or in a container with --cap-add SYS_ADMIN, or allow everyone (options nvidia NVreg_RestrictProfilingToAdminUsers=0 in /etc/modprobe.d, then restart)</source>
        <translation>驱动只允许管理员读取计数器{}：请用 sudo 运行本程序，或在容器中加上 --cap-add SYS_ADMIN，或允许所有人（在 /etc/modprobe.d 中设 options nvidia NVreg_RestrictProfilingToAdminUsers=0，然后重启）</translation>
    </message>
    <message>
        <source>the figure could not be written: {}</source>
        <translation>无法写入图：{}</translation>
    </message>
    <message>
        <source>the file has more than {} values</source>
        <translation>文件中的值超过 {} 个</translation>
    </message>
    <message>
        <source>the file is truncated or belongs to another model: copy or export it again</source>
        <translation>文件被截断或属于另一个模型：请重新复制或导出</translation>
    </message>
    <message>
        <source>the file is truncated</source>
        <translation>文件被截断</translation>
    </message>
    <message>
        <source>the file is damaged: export the model again</source>
        <translation>文件已损坏：请重新导出模型</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>文件为空</translation>
    </message>
    <message>
        <source>the file leaves no dimension open</source>
        <translation>文件没有留下未定的维度</translation>
    </message>
    <message>
        <source>the file leaves {} open</source>
        <translation>文件留有未定的 {}</translation>
    </message>
    <message>
        <source>the file {} cannot be read</source>
        <translation>无法读取文件 {}</translation>
    </message>
    <message>
        <source>the folder could not be created</source>
        <translation>无法创建文件夹</translation>
    </message>
    <message>
        <source>the folder could not be created: {}</source>
        <translation>无法创建文件夹：{}</translation>
    </message>
    <message>
        <source>the graph has a cycle</source>
        <translation>计算图中有环</translation>
    </message>
    <message>
        <source>the graph has no operators</source>
        <translation>计算图没有算子</translation>
    </message>
    <message>
        <source>the graph {} has no unit {}</source>
        <translation>计算图 {} 没有单元 {}</translation>
    </message>
    <message>
        <source>the group is empty</source>
        <translation>该组为空</translation>
    </message>
    <message>
        <source>the job failed: {}</source>
        <translation>任务失败：{}</translation>
    </message>
    <message>
        <source>the job ran out of memory</source>
        <translation>任务内存不足</translation>
    </message>
    <message>
        <source>the key &apos;{}&apos; is missing</source>
        <translation>缺少键“{}”</translation>
    </message>
    <message>
        <source>the key &apos;{}&apos; is not part of this format</source>
        <translation>键“{}”不属于该格式</translation>
    </message>
    <message>
        <source>the key is not 32 hexadecimal digits</source>
        <translation>键不是 32 位十六进制数</translation>
    </message>
    <message>
        <source>the key {} appears twice in one object</source>
        <translation>键 {} 在一个对象中出现了两次</translation>
    </message>
    <message>
        <source>the last units have no operators</source>
        <translation>最后的单元没有算子</translation>
    </message>
    <message>
        <source>the latency source returned {} latencies for {} stages</source>
        <translation>延迟来源对 {1} 个阶段返回了 {0} 个延迟</translation>
    </message>
    <message>
        <source>the latency source returned {} ms for a stage</source>
        <translation>延迟来源返回的某个阶段为 {} ms</translation>
    </message>
    <message>
        <source>the mask of a dropout</source>
        <translation>dropout 的掩码</translation>
    </message>
    <message>
        <source>the maximum part size is {}</source>
        <translation>部分大小上限为 {}</translation>
    </message>
    <message>
        <source>the model has more than {} nodes</source>
        <translation>模型的节点超过 {} 个</translation>
    </message>
    <message>
        <source>the model&apos;s folder cannot be read: {}</source>
        <translation>无法读取模型的文件夹：{}</translation>
    </message>
    <message>
        <source>the sparse tensors of the model would need more than {} MB</source>
        <translation>模型的稀疏张量将占用超过 {} MB</translation>
    </message>
    <message>
        <source>the name &apos;{}&apos; is used twice</source>
        <translation>名称“{}”用了两次</translation>
    </message>
    <message>
        <source>the name {} is used twice, first at {}</source>
        <translation>名称 {} 用了两次，首次在 {}</translation>
    </message>
    <message>
        <source>the network has no input with a size</source>
        <translation>网络没有带尺寸的输入</translation>
    </message>
    <message>
        <source>the network has {} inputs; this file format has exactly one</source>
        <translation>网络有 {} 个输入；该文件格式恰好有一个</translation>
    </message>
    <message>
        <source>the network&apos;s only placeholder is its &apos;input&apos;</source>
        <translation>网络唯一的 placeholder 是它的 input</translation>
    </message>
    <message>
        <source>the norm of order {}</source>
        <translation>{} 阶范数</translation>
    </message>
    <message>
        <source>the operator {} cannot be computed while reading</source>
        <translation>读取时无法计算算子 {}</translation>
    </message>
    <message>
        <source>the operator {}, which it consists of</source>
        <translation>构成它的算子 {}</translation>
    </message>
    <message>
        <source>the operators of a sequential run in the order in which they are written</source>
        <translation>sequential（顺序）的算子按书写的先后运行</translation>
    </message>
    <message>
        <source>the output {} has a dimension outside 1..{}</source>
        <translation>输出 {} 的某个维度在 1..{} 之外</translation>
    </message>
    <message>
        <source>the output {} has more than {} elements</source>
        <translation>输出 {} 的元素超过 {} 个</translation>
    </message>
    <message>
        <source>the page shows the {} longest of its {} kernels</source>
        <translation>页面显示 {1} 个内核中最长的 {0} 个</translation>
    </message>
    <message>
        <source>the positions of the maxima</source>
        <translation>最大值的位置</translation>
    </message>
    <message>
        <source>the profiler saw {} of {} runs of a kernel</source>
        <translation>性能分析只看到某个内核 {1} 次运行中的 {0} 次</translation>
    </message>
    <message>
        <source>the rows of {} and the columns of {} differ in length</source>
        <translation>{} 的行与 {} 的列长度不同</translation>
    </message>
    <message>
        <source>the schedule is for the graph {}, not for {}</source>
        <translation>该调度属于计算图 {}，而不是 {}</translation>
    </message>
    <message>
        <source>the schedules were run on {} ({})</source>
        <translation>这些调度是在 {} 上运行的（{}）</translation>
    </message>
    <message>
        <source>attention scores as an output</source>
        <translation>把注意力得分作为输出</translation>
    </message>
    <message>
        <source>the search has more than {} states</source>
        <translation>搜索的状态超过 {} 个</translation>
    </message>
    <message>
        <source>the search has more than {} transitions</source>
        <translation>搜索的转移超过 {} 个</translation>
    </message>
    <message>
        <source>the size of the file {} is unknown: {}</source>
        <translation>文件 {} 的大小未知：{}</translation>
    </message>
    <message>
        <source>the given sizes make {} {}, outside 1..{}</source>
        <translation>给定的大小使 {} 为 {}，超出 1..{}</translation>
    </message>
    <message>
        <source>the stage has no groups</source>
        <translation>该阶段没有组</translation>
    </message>
    <message>
        <source>the stage is empty</source>
        <translation>该阶段为空</translation>
    </message>
    <message>
        <source>the statistics of a batch</source>
        <translation>批次的统计量</translation>
    </message>
    <message>
        <source>the statistics of a normalisation</source>
        <translation>归一化的统计量</translation>
    </message>
    <message>
        <source>the step is empty</source>
        <translation>该步骤为空</translation>
    </message>
    <message>
        <source>the sums of {} elements</source>
        <translation>{} 个元素的和</translation>
    </message>
    <message>
        <source>the table of zoo figures has no rows</source>
        <translation>网络库数据表没有行</translation>
    </message>
    <message>
        <source>the table of zoo figures is missing</source>
        <translation>缺少网络库数据表</translation>
    </message>
    <message>
        <source>the term has no values</source>
        <translation>该项没有值</translation>
    </message>
    <message>
        <source>the text has control characters</source>
        <translation>文本含有控制字符</translation>
    </message>
    <message>
        <source>the text {} has {} bytes</source>
        <translation>文本 {} 有 {} 字节</translation>
    </message>
    <message>
        <source>the unit has no operators</source>
        <translation>该单元没有算子</translation>
    </message>
    <message>
        <source>the unit of &apos;{}&apos; has no name</source>
        <translation>“{}”的单元没有名称</translation>
    </message>
    <message>
        <source>the version of its format is missing</source>
        <translation>缺少其格式的版本</translation>
    </message>
    <message>
        <source>the weights given to &apos;{}&apos; do not fit its current sizes; made-up weights are used instead</source>
        <translation>给“{}”的权重与现在的尺寸不符；以虚构的权重代替</translation>
    </message>
    <message>
        <source>the word {} is unknown here</source>
        <translation>词 {} 在此未知</translation>
    </message>
    <message>
        <source>the {} has {}, which this file format cannot express</source>
        <translation>{} 具有{}，该文件格式无法表达</translation>
    </message>
    <message>
        <source>the {} of its external data, &apos;{}&apos;, is not a number of bytes</source>
        <translation>其外部数据的 {}“{}”不是字节数</translation>
    </message>
    <message>
        <source>there are no blocks</source>
        <translation>没有块</translation>
    </message>
    <message>
        <source>there are no counters while SLI is on</source>
        <translation>启用 SLI 时没有计数器</translation>
    </message>
    <message>
        <source>there are no counters while confidential computing is on</source>
        <translation>启用机密计算时没有计数器</translation>
    </message>
    <message>
        <source>there is no GPU {}, only {}</source>
        <translation>没有 GPU {}，只有 {} 个</translation>
    </message>
    <message>
        <source>there is no NVIDIA driver: {}</source>
        <translation>没有 NVIDIA 驱动：{}</translation>
    </message>
    <message>
        <source>there is no built-in network &apos;{}&apos;</source>
        <translation>没有内置网络“{}”</translation>
    </message>
    <message>
        <source>there is no device &apos;{}&apos;</source>
        <translation>没有设备“{}”</translation>
    </message>
    <message>
        <source>there is no display</source>
        <translation>没有显示器</translation>
    </message>
    <message>
        <source>there is no schedule to report</source>
        <translation>没有可报告的调度</translation>
    </message>
    <message>
        <source>there is no such back end: it was not built or not installed</source>
        <translation>没有这样的后端；它未构建或未安装</translation>
    </message>
    <message>
        <source>there is no such buffer</source>
        <translation>没有这样的缓冲区</translation>
    </message>
    <message>
        <source>there is no such device</source>
        <translation>没有这样的设备</translation>
    </message>
    <message>
        <source>there is no such file</source>
        <translation>没有这样的文件</translation>
    </message>
    <message>
        <source>this program has no such operator</source>
        <translation>本程序没有这样的算子</translation>
    </message>
    <message>
        <source>there is no unit {}</source>
        <translation>没有单元 {}</translation>
    </message>
    <message>
        <source>there is not enough memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>there is not enough memory for samples: end other programs on the GPU</source>
        <translation>没有足够的内存存放样本：请结束 GPU 上的其他程序</translation>
    </message>
    <message>
        <source>available: {}</source>
        <translation>可用：{}</translation>
    </message>
    <message>
        <source>they cannot be merged: {}</source>
        <translation>它们不能合并：{}</translation>
    </message>
    <message>
        <source>this GPU cannot be sampled: GPUs of the Turing generation (7.5) or newer can; a newer CUPTI may support it</source>
        <translation>该 GPU 无法采样：Turing 一代（7.5）或更新的才可以；较新的 CUPTI 或许认识它</translation>
    </message>
    <message>
        <source>this back end provides no devices</source>
        <translation>该后端不提供设备</translation>
    </message>
    <message>
        <source>this back end was built differently: &apos;{}&apos;, this program &apos;{}&apos;</source>
        <translation>该后端的构建方式不同：“{}”，本程序为“{}”</translation>
    </message>
    <message>
        <source>this back end was built for another version: its interface has number {}, this program&apos;s {}</source>
        <translation>该后端是为其他版本构建的：其接口编号为 {}，本程序为 {}</translation>
    </message>
    <message>
        <source>this is a bug of the back end</source>
        <translation>这是后端的程序错误</translation>
    </message>
    <message>
        <source>this is a bug of the device</source>
        <translation>这是设备的程序错误</translation>
    </message>
    <message>
        <source>this is a schedule, not a network</source>
        <translation>这是调度，不是网络</translation>
    </message>
    <message>
        <source>this kind of GPU has no counters</source>
        <translation>这种 GPU 没有计数器</translation>
    </message>
    <message>
        <source>this processor does not compute in bfloat16</source>
        <translation>该处理器不支持 bfloat16 计算</translation>
    </message>
    <message>
        <source>this virtual GPU provides no counters: its administrator must allow profiling</source>
        <translation>该虚拟 GPU 不提供计数器：其管理员须允许对它进行性能分析</translation>
    </message>
    <message>
        <source>too many tensors share their data in the file {}</source>
        <translation>文件 {} 中有过多张量共用数据</translation>
    </message>
    <message>
        <source>try again</source>
        <translation>请重试</translation>
    </message>
    <message>
        <source>try again; if it happens again, check that the driver and cuDNN match</source>
        <translation>请重试；若再次出现，请检查驱动与 cuDNN 是否匹配</translation>
    </message>
    <message>
        <source>two units are called &apos;{}&apos;</source>
        <translation>两个单元都叫“{}”</translation>
    </message>
    <message>
        <source>uneven padding</source>
        <translation>不均匀的填充</translation>
    </message>
    <message>
        <source>unit &apos;{}&apos; already runs in {}</source>
        <translation>单元“{}”已在 {} 运行</translation>
    </message>
    <message>
        <source>unit &apos;{}&apos; reads another unit and is read by it</source>
        <translation>单元“{}”读取另一单元，又被其读取</translation>
    </message>
    <message>
        <source>unit &apos;{}&apos; reads another unit and is read by it: nothing in the unit reads &apos;{}&apos;; make it a separate unit</source>
        <translation>单元“{}”读取另一单元，又被其读取：单元中没有内容读取“{}”；请使其自成一个单元</translation>
    </message>
    <message>
        <source>unit &apos;{}&apos; is not connected: nothing in it connects &apos;{}&apos; and &apos;{}&apos;</source>
        <translation>单元“{}”不连通：其中没有内容连接“{}”与“{}”</translation>
    </message>
    <message>
        <source>unit &apos;{}&apos; is in no stage</source>
        <translation>单元“{}”不在任何阶段中</translation>
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
        <source>unit &apos;{}&apos; of part &apos;{}&apos; reads &apos;{}&apos;, which runs in the later part &apos;{}&apos;, so it also runs there</source>
        <translation>单元“{}”（部分“{}”）读取“{}”，后者在更后的部分“{}”中运行；它也在那里运行</translation>
    </message>
    <message>
        <source>unit &apos;{}&apos; reads &apos;{}&apos;, which runs in {}</source>
        <translation>单元“{}”读取“{}”，后者在 {} 运行</translation>
    </message>
    <message>
        <source>unit {} already runs at {}</source>
        <translation>单元 {} 已在 {} 处运行</translation>
    </message>
    <message>
        <source>some units are in no part</source>
        <translation>有单元不在任何部分中</translation>
    </message>
    <message>
        <source>units {} cannot be merged: {}</source>
        <translation>单元 {} 无法合并：{}</translation>
    </message>
    <message>
        <source>unknown activation {}</source>
        <translation>未知的激活函数 {}</translation>
    </message>
    <message>
        <source>unknown element-wise operation {}</source>
        <translation>未知的逐元素运算 {}</translation>
    </message>
    <message>
        <source>unknown kind of figure file</source>
        <translation>未知的图文件类型</translation>
    </message>
    <message>
        <source>unknown operator type {}</source>
        <translation>未知的算子类型 {}</translation>
    </message>
    <message>
        <source>unknown pool type {}</source>
        <translation>未知的池化类型 {}</translation>
    </message>
    <message>
        <source>unknown schedule &apos;{}&apos;</source>
        <translation>未知调度“{}”</translation>
    </message>
    <message>
        <source>unknown strategy &apos;{}&apos;</source>
        <translation>未知策略“{}”</translation>
    </message>
    <message>
        <source>unknown strategy {}</source>
        <translation>未知策略 {}</translation>
    </message>
    <message>
        <source>unset IOS_GPU_EAGER</source>
        <translation>请取消设置 IOS_GPU_EAGER</translation>
    </message>
    <message>
        <source>update this program</source>
        <translation>请更新本程序</translation>
    </message>
    <message>
        <source>use 1 to {}</source>
        <translation>请使用 1 到 {}</translation>
    </message>
    <message>
        <source>use a name that ends in .svg, .pdf, .png or .csv</source>
        <translation>请使用以 .svg、.pdf、.png 或 .csv 结尾的名称</translation>
    </message>
    <message>
        <source>use a newer version of this program</source>
        <translation>请使用本程序的较新版本</translation>
    </message>
    <message>
        <source>use a schedule made for this graph</source>
        <translation>请使用为该计算图生成的调度</translation>
    </message>
    <message>
        <source>use a smaller batch</source>
        <translation>请使用较小的批大小</translation>
    </message>
    <message>
        <source>use a smaller batch, or another device, such as cpu</source>
        <translation>请使用较小的批大小，或其他设备，例如 cpu</translation>
    </message>
    <message>
        <source>use a smaller batch, or end other programs that use the GPU</source>
        <translation>请使用较小的批大小，或结束其他使用 GPU 的程序</translation>
    </message>
    <message>
        <source>use at most {}</source>
        <translation>最多使用 {}</translation>
    </message>
    <message>
        <source>use concurrent or merge</source>
        <translation>请使用 concurrent（并发）或 merge（合并）</translation>
    </message>
    <message>
        <source>use fewer cores, or raise the limit on threads</source>
        <translation>请使用更少的核，或提高线程数的上限</translation>
    </message>
    <message>
        <source>use float32</source>
        <translation>请使用 float32</translation>
    </message>
    <message>
        <source>use input() or constant()</source>
        <translation>请使用 input() 或 constant()</translation>
    </message>
    <message>
        <source>use max, avg, global_max or global_avg</source>
        <translation>请使用 max、avg、global_max 或 global_avg</translation>
    </message>
    <message>
        <source>use mul or add</source>
        <translation>请使用 mul 或 add</translation>
    </message>
    <message>
        <source>use relu, sigmoid, tanh or identity</source>
        <translation>请使用 relu、sigmoid、tanh 或 identity</translation>
    </message>
    <message>
        <source>it was made with finer units: open the graph with --finer-units</source>
        <translation>它是用更细的单元生成的：请用 --finer-units 打开计算图</translation>
    </message>
    <message>
        <source>use the graph that the schedule was made for</source>
        <translation>请使用生成该调度的计算图</translation>
    </message>
    <message>
        <source>validation was stopped</source>
        <translation>验证已停止</translation>
    </message>
    <message>
        <source>verifying {}</source>
        <translation>正在验证 {}</translation>
    </message>
    <message>
        <source>version {} is unknown</source>
        <translation>版本 {} 未知</translation>
    </message>
    <message>
        <source>waiting for the GPU</source>
        <translation>正在等待 GPU</translation>
    </message>
    <message>
        <source>the measurements are kept, so the next search continues from there</source>
        <translation>已测量的内容会保留，下次搜索从那里继续</translation>
    </message>
    <message>
        <source>windows over {} axes</source>
        <translation>跨 {} 个轴的窗口</translation>
    </message>
    <message>
        <source>with it the plan needs more than {} TiB</source>
        <translation>加上它，计划超过 {} TiB</translation>
    </message>
    <message>
        <source>its {} elements of type {} exceed the limit for small integer constants of the model</source>
        <translation>其 {} 个类型为 {} 的元素超出模型小整数常量的上限</translation>
    </message>
    <message>
        <source>with recorded launches a run took {:.3f} ms, otherwise {:.3f} ms</source>
        <translation>记录启动时一次运行用时 {:.3f} ms，否则为 {:.3f} ms</translation>
    </message>
    <message>
        <source>with {}: give other sizes with {}</source>
        <translation>现用 {}：请用 {} 给出其他大小</translation>
    </message>
    <message>
        <source>would be replaced, but is not from an earlier export</source>
        <translation>将被替换，且不属于先前的导出</translation>
    </message>
    <message>
        <source>write it to a file: the weights then go into another file beside it</source>
        <translation>请写入文件：权重随后存入旁边的另一个文件</translation>
    </message>
    <message>
        <source>write its operators directly into the outer one</source>
        <translation>请把其中的算子直接写入外层</translation>
    </message>
    <message>
        <source>write its output to a file, and choose that file</source>
        <translation>请把它的输出写入文件，然后选择该文件</translation>
    </message>
    <message>
        <source>write whole numbers without a fraction or an exponent</source>
        <translation>请写不带小数和指数的整数</translation>
    </message>
    <message>
        <source>writes a constant</source>
        <translation>写入常量</translation>
    </message>
    <message>
        <source>writes a tensor with blank channels</source>
        <translation>写入含空白通道的张量</translation>
    </message>
    <message>
        <source>yields numbers that are not floating-point</source>
        <translation>得出非浮点数</translation>
    </message>
    <message>
        <source>yields the type {}</source>
        <translation>得出类型 {}</translation>
    </message>
    <message>
        <source>{} ({:.0f} % less)</source>
        <translation>{}（少 {:.0f} %）</translation>
    </message>
    <message>
        <source>{} ({:.0f} % more)</source>
        <translation>{}（多 {:.0f} %）</translation>
    </message>
    <message>
        <source>{} ({})</source>
        <translation>{}（{}）</translation>
    </message>
    <message>
        <source>{} If has a computed condition: both branches are executed, and the condition chooses between their results.</source>
        <translation>{} 个 If 的条件由计算得出：两个分支都执行，再由条件在其结果之间选择。</translation>
    </message>
    <message>
        <source>{} Ifs have computed conditions: both branches are executed, and the condition chooses between their results.</source>
        <translation>{} 个 If 的条件均由计算得出：两个分支都执行，再由条件在其结果之间选择。</translation>
    </message>
    <message>
        <source>{} [{}, {}] must lie in {}..{}</source>
        <translation>{} [{}, {}] 必须在 {}..{} 之内</translation>
    </message>
    <message>
        <source>{} and {} have different numbers of elements</source>
        <translation>{} 与 {} 的元素个数不同</translation>
    </message>
    <message>
        <source>{} belongs to another block</source>
        <translation>{} 属于另一个块</translation>
    </message>
    <message>
        <source>{} cannot be repeated to {}</source>
        <translation>{} 不能重复为 {}</translation>
    </message>
    <message>
        <source>{} cannot be sampled</source>
        <translation>无法对 {} 采样</translation>
    </message>
    <message>
        <source>{} cannot be sampled; CUPTI gives no reason</source>
        <translation>无法对 {} 采样，CUPTI 没有说明原因</translation>
    </message>
    <message>
        <source>{} does not accept {}: {}</source>
        <translation>{} 不接受 {}：{}</translation>
    </message>
    <message>
        <source>{} events without a begin or without an end are left out</source>
        <translation>去掉了 {} 个只有开始或只有结束的事件</translation>
    </message>
    <message>
        <source>{} events without a valid time are left out</source>
        <translation>去掉了 {} 个没有时间或时间无效的事件</translation>
    </message>
    <message>
        <source>{} random graphs with k = {} were not connected</source>
        <translation>以 k = {1} 随机生成的 {0} 个图形都不连通</translation>
    </message>
    <message>
        <source>{} groups do not divide {} channels</source>
        <translation>{} 个组不能整除 {} 个通道</translation>
    </message>
    <message>
        <source>{} has no input {}; it accepts {}</source>
        <translation>{} 没有输入 {}；它接受 {} 个</translation>
    </message>
    <message>
        <source>{} has no input {}; it now has {}</source>
        <translation>{} 没有输入 {}；它现有 {} 个</translation>
    </message>
    <message>
        <source>{} inputs are given, but the network has {}</source>
        <translation>给出了 {} 个输入，网络有 {} 个</translation>
    </message>
    <message>
        <source>{} is a cycle; an operator cannot read its own result</source>
        <translation>{} 成环；算子不能读取由自身得出的结果</translation>
    </message>
    <message>
        <source>{} is a separate operator</source>
        <translation>{} 是单独的算子</translation>
    </message>
    <message>
        <source>{} is damaged: {}</source>
        <translation>{} 已损坏：{}</translation>
    </message>
    <message>
        <source>{} is in a stage already</source>
        <translation>{} 已在某个阶段中</translation>
    </message>
    <message>
        <source>{} is not a number of cores</source>
        <translation>{} 不是核数</translation>
    </message>
    <message>
        <source>{} is too large</source>
        <translation>{} 过大</translation>
    </message>
    <message>
        <source>{} kernels or ranges without a time are left out</source>
        <translation>去掉了 {} 个没有时间的内核或区间</translation>
    </message>
    <message>
        <source>{} kernels with uninformative names are too many to match by order</source>
        <translation>有 {} 个内核的名称没有提供信息，数量过多，无法按顺序匹配</translation>
    </message>
    <message>
        <source>{} more numbers must be computed to read the model, and all together need too much memory</source>
        <translation>读取该模型还需计算 {} 个数，合计将占用过多内存</translation>
    </message>
    <message>
        <source>{} must be a number of at least 0</source>
        <translation>{} 必须是不小于 0 的数</translation>
    </message>
    <message>
        <source>{} must lie in 1..{}</source>
        <translation>{} 必须在 1..{} 之内</translation>
    </message>
    <message>
        <source>{} must lie in {}..{}</source>
        <translation>{} 必须在 {}..{} 之内</translation>
    </message>
    <message>
        <source>{} needs at least {} input(s)</source>
        <translation>{} 至少需要 {} 个输入</translation>
    </message>
    <message>
        <source>{} nodes</source>
        <translation>{} 个节点</translation>
    </message>
    <message>
        <source>{} of the stages that are requested next were never measured on {}</source>
        <translation>接下来请求的阶段中有 {} 个从未在 {} 上测量过</translation>
    </message>
    <message>
        <source>{} cannot be {:g} {}</source>
        <translation>{} 不能为 {:g} {}</translation>
    </message>
    <message>
        <source>{} of {} kernels or operators are outside the {} runs of the file and are left out</source>
        <translation>{1} 个内核或算子中有 {0} 个不在文件的 {2} 次运行之内，已去掉</translation>
    </message>
    <message>
        <source>{} of {} stage latencies spread over more than {:.0f} % of their median: {}</source>
        <translation>{} 个（共 {} 个）阶段延迟的离散度超过其中位数的 {:.0f} %：{}</translation>
    </message>
    <message>
        <source>{} operator of type {} cannot be executed ({}).</source>
        <translation>{} 个类型为 {} 的算子无法执行（{}）。</translation>
    </message>
    <message>
        <source>{} operators of type {} cannot be executed ({}).</source>
        <translation>{} 个类型为 {} 的算子均无法执行（{}）。</translation>
    </message>
    <message>
        <source>{} quantised operator is computed in float32.</source>
        <translation>{} 个量化算子以 float32 计算。</translation>
    </message>
    <message>
        <source>{} quantised operators are computed in float32.</source>
        <translation>{} 个量化算子均以 float32 计算。</translation>
    </message>
    <message>
        <source>{} has no inputs</source>
        <translation>{} 不读取任何内容</translation>
    </message>
    <message>
        <source>{} has no inputs, so it cannot be inserted into a connection</source>
        <translation>{} 没有输入，因此不能插入到连接上</translation>
    </message>
    <message>
        <source>{} reads {}, which has not run yet</source>
        <translation>{} 读取 {}，而后者那时尚未运行</translation>
    </message>
    <message>
        <source>{} replays</source>
        <translation>{} 次重放</translation>
    </message>
    <message>
        <source>{} samples at once in a model that mixes them</source>
        <translation>在混合样本的模型中一次使用 {} 个样本</translation>
    </message>
    <message>
        <source>{} sets were measured on {} with batch {}</source>
        <translation>有 {} 组测量值是在 {} 上以批大小 {} 测得的</translation>
    </message>
    <message>
        <source>{} is given twice</source>
        <translation>{} 给出了两次</translation>
    </message>
    <message>
        <source>{} needs exactly {} input(s)</source>
        <translation>{} 恰好接受 {} 个输入</translation>
    </message>
    <message>
        <source>{} to {} repeats</source>
        <translation>重复 {} 到 {} 次</translation>
    </message>
    <message>
        <source>{} was given the size {}, but the other sizes make it {}</source>
        <translation>{} 的给定大小为 {}，而其他大小得出 {}</translation>
    </message>
    <message>
        <source>{} was given the size {}, which does not determine the sizes that it depends on</source>
        <translation>{} 的给定大小为 {}，由此得不出它所依据的大小</translation>
    </message>
    <message>
        <source>{} was moved away and is replaced by a new file</source>
        <translation>{} 已被移走；由新文件代替</translation>
    </message>
    <message>
        <source>No requested schedule is searched, so these options have no effect: {}</source>
        <translation>所请求的调度都无需搜索，因此这些选项不起作用：{}</translation>
    </message>
    <message>
        <source>{} has no effect: no search was lazy</source>
        <translation>{} 不起作用：没有惰性搜索</translation>
    </message>
    <message>
        <source>{} has no effect: it draws errors of the model of a device that this program simulates. Measured latencies show the noise of the measurements</source>
        <translation>{} 不起作用：它抽取的是由本程序模拟的设备的模型误差。实测延迟显示测量噪声</translation>
    </message>
    <message>
        <source>Schedules on lanes are left out: only stages were recorded</source>
        <translation>泳道上的调度已略去：只记录了阶段</translation>
    </message>
    <message>
        <source>the given number of runs has no effect: the file contains its own number</source>
        <translation>所给的运行次数不起作用：此文件含有自己的运行次数</translation>
    </message>
    <message>
        <source>{} was not used; latencies are sums of stages that were {} there earlier</source>
        <translation>未使用 {}；延迟是此前在那里{}的各阶段之和</translation>
    </message>
    <message>
        <source>{} {}</source>
        <translation>{} {}</translation>
    </message>
    <message>
        <source>{} → … {} more … → {}</source>
        <translation>{} → … 另外 {} 个 … → {}</translation>
    </message>
    <message>
        <source>{}, {}</source>
        <translation>{}、{}</translation>
    </message>
    <message>
        <source>{}: {}</source>
        <translation>{}：{}</translation>
    </message>
    <message>
        <source>{}: {} ({})</source>
        <translation>{}：{}（{}）</translation>
    </message>
    <message>
        <source>{}{} {}</source>
        <translation>{}{} {}</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>writing</source>
        <translation>正在写入</translation>
    </message>
    <message>
        <source>start run.sh on the computer with the GPU, or build the target gpu_backend</source>
        <translation>请在有 GPU 的机器上启动 run.sh，或构建目标 gpu_backend</translation>
    </message>
    <message>
        <source>the GPU back end is not built yet; run.sh builds it on a computer with an NVIDIA driver</source>
        <translation>GPU 后端尚未构建；run.sh 会在有 NVIDIA 驱动的机器上构建它</translation>
    </message>
    <message>
        <source>this program was built without it: {}</source>
        <translation>本程序构建时未包含它：{}</translation>
    </message>
    <message>
        <source>with CUDA toolkit 13 and cuDNN 9 installed, build again with IOS_WITH_GPU=ON</source>
        <translation>安装 CUDA toolkit 13 和 cuDNN 9 之后，请以 IOS_WITH_GPU=ON 重新构建</translation>
    </message>
    <message>
        <source>CUDA says {}; {}</source>
        <translation>CUDA 报告 {}；{}</translation>
    </message>
    <message>
        <source>CUDA_VISIBLE_DEVICES hides GPUs: unset it or name one that exists</source>
        <translation>CUDA_VISIBLE_DEVICES 隐藏了 GPU：请取消设置，或给出存在的 GPU</translation>
    </message>
    <message>
        <source>CUDA_VISIBLE_DEVICES names a GPU that does not exist: unset it</source>
        <translation>CUDA_VISIBLE_DEVICES 给出的 GPU 不存在：请取消设置</translation>
    </message>
    <message>
        <source>GPU {}: {}</source>
        <translation>GPU {}：{}</translation>
    </message>
    <message>
        <source>NVIDIA driver {} runs, but its library cannot be loaded here: {}; a container must be started with --gpus all, elsewhere install the driver&apos;s libraries</source>
        <translation>NVIDIA 驱动 {} 正在运行，但其库无法在此加载：{}；容器须以 --gpus all 启动，其他情况请安装驱动的库</translation>
    </message>
    <message>
        <source>The CPU device has one core here: operators of a stage run one after another, so no schedule gains by running them in parallel. Simulated devices show what a GPU would gain</source>
        <translation>CPU 设备在此只有一个核心：阶段中的算子逐个运行，因此没有调度能靠并行运行它们获益。模拟设备可显示 GPU 能获得的收益</translation>
    </message>
    <message>
        <source>The CPU device has {} cores here, and most convolutions alone keep them busy: running operators in parallel gains little. Simulated devices show what a GPU would gain</source>
        <translation>CPU 设备在此有 {} 个核心，多数卷积单独就能占满它们：并行运行算子收益很小。模拟设备可显示 GPU 能获得的收益</translation>
    </message>
    <message>
        <source>a pinned stage spans parts with {} units in total</source>
        <translation>有固定的阶段跨越共 {} 个单元的多个部分</translation>
    </message>
    <message>
        <source>trials</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>a window operator on an axis of more than 500 million elements cannot be computed on the GPU</source>
        <translation>GPU 无法计算轴上元素超过 5 亿个的窗口算子</translation>
    </message>
    <message>
        <source>allow more memory, or use a smaller batch or network</source>
        <translation>请允许使用更多内存，或使用较小的批大小或网络</translation>
    </message>
    <message>
        <source>another process uses the GPU exclusively: wait for it, or end it</source>
        <translation>另有进程独占该 GPU：请等待其结束，或结束它</translation>
    </message>
    <message>
        <source>choose another device with --device, for example cpu</source>
        <translation>请用 --device 选择其他设备，例如 cpu</translation>
    </message>
    <message>
        <source>cuDNN has no {} with these parameters</source>
        <translation>cuDNN 没有这些参数的 {}</translation>
    </message>
    <message>
        <source>delete it to measure again, or choose another file for the measurements</source>
        <translation>请删除它以重新测量，或为测量值另选文件</translation>
    </message>
    <message>
        <source>does not compute outputs</source>
        <translation>不计算输出</translation>
    </message>
    <message>
        <source>does not say which CUDA it supports</source>
        <translation>没有说明适用于哪个 CUDA 版本</translation>
    </message>
    <message>
        <source>run nvidia-smi; if it fails, repair the driver, or start the container with --gpus all</source>
        <translation>请运行 nvidia-smi；若失败，请修复驱动，或以 --gpus all 启动容器</translation>
    </message>
    <message>
        <source>the driver and libcuda.so.1 have different versions: restart the computer</source>
        <translation>驱动与 libcuda.so.1 的版本不同：请重新启动计算机</translation>
    </message>
    <message>
        <source>every way to compute {} ended an earlier run of this program; delete the file {} to try them again</source>
        <translation>计算 {} 的每种实现都曾使本程序先前的运行终止；请删除文件 {} 以重新尝试它们</translation>
    </message>
    <message>
        <source>give a larger {}</source>
        <translation>请给出更大的 {}</translation>
    </message>
    <message>
        <source>supports CUDA {}</source>
        <translation>适用于 CUDA {}</translation>
    </message>
    <message>
        <source>is needed for this</source>
        <translation>为此所必需</translation>
    </message>
    <message>
        <source>is written in version {} of its format, but this program knows version {}</source>
        <translation>以其格式的版本 {} 写成，而本程序认识版本 {}</translation>
    </message>
    <message>
        <source>libcuda.so.1 is the toolkit&apos;s stub: remove its folder from LD_LIBRARY_PATH and {}</source>
        <translation>libcuda.so.1 是工具包的桩库：请从 LD_LIBRARY_PATH 中移除其文件夹，并且{}</translation>
    </message>
    <message>
        <source>nvidia-smi lists the available GPUs; a container needs --gpus all; where MIG is on, an instance must exist</source>
        <translation>nvidia-smi 会列出现有的 GPU；容器需要 --gpus all；启用 MIG 时必须存在一个实例</translation>
    </message>
    <message>
        <source>oneDNN needs up to {:.0f} MB of memory to create a kernel, but {:.0f} MB are left of what ulimit -v allows</source>
        <translation>oneDNN 生成一个内核最多需要 {:.0f} MB 内存，而 ulimit -v 允许的内存还剩 {:.0f} MB</translation>
    </message>
    <message>
        <source>only measured stages were searched; others may be better</source>
        <translation>只在已测量的阶段中搜索；其他阶段可能更好</translation>
    </message>
    <message>
        <source>start the services that the GPUs need, on NVSwitch systems nvidia-fabricmanager</source>
        <translation>请启动系统 GPU 所需的服务，在 NVSwitch 系统上为 nvidia-fabricmanager</translation>
    </message>
    <message>
        <source>stopped before the search had ended</source>
        <translation>在搜索结束之前已停止</translation>
    </message>
    <message>
        <source>temporary tensors</source>
        <translation>临时张量</translation>
    </message>
    <message>
        <source>tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>the NVIDIA driver{} is too old: it {}, but CUDA {} is needed; {}</source>
        <translation>NVIDIA 驱动{}太旧：它{}，而需要 CUDA {}；{}</translation>
    </message>
    <message>
        <source>the budget ended the search</source>
        <translation>搜索因预算用完而结束</translation>
    </message>
    <message>
        <source>the next search moves it away and starts a new one</source>
        <translation>下次搜索会将它搁置并新建一个</translation>
    </message>
    <message>
        <source>the search found no schedule within its budget</source>
        <translation>搜索在其预算内没有找到调度</translation>
    </message>
    <message>
        <source>there is no NVIDIA GPU; {}</source>
        <translation>没有 NVIDIA GPU；{}</translation>
    </message>
    <message>
        <source>there is no NVIDIA driver: {}; {}, or start the container with --gpus all</source>
        <translation>没有 NVIDIA 驱动：{}；{}，或以 --gpus all 启动容器</translation>
    </message>
    <message>
        <source>there is not enough memory: {:.0f} MB of the {:.0f} MB that ulimit -v allows are in use</source>
        <translation>内存不足：ulimit -v 允许 {1:.0f} MB，已占用 {0:.0f} MB</translation>
    </message>
    <message>
        <source>this GPU does not support a compatibility libcuda.so.1: {}</source>
        <translation>该 GPU 不支持兼容版 libcuda.so.1：{}</translation>
    </message>
    <message>
        <source>this program was built without it; install oneDNN (Debian: libdnnl-dev and ocl-icd-opencl-dev) and build again</source>
        <translation>本程序构建时未包含它；请安装 oneDNN（Debian：libdnnl-dev 与 ocl-icd-opencl-dev）后重新构建</translation>
    </message>
    <message>
        <source>this user or container is not allowed to use the GPU: check /dev/nvidia*, or start the container with --gpus all</source>
        <translation>该用户或容器无权使用 GPU：请检查 /dev/nvidia*，并以 --gpus all 启动容器</translation>
    </message>
    <message>
        <source>unknown reason</source>
        <translation>原因不明</translation>
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
        <source>packed weights</source>
        <translation>已打包的权重</translation>
    </message>
    <message>
        <source>unpacked weights</source>
        <translation>未打包的权重</translation>
    </message>
    <message>
        <source>use a smaller batch or network</source>
        <translation>请使用较小的批大小或网络</translation>
    </message>
    <message>
        <source>use the version of IOS Explorer that wrote it</source>
        <translation>请使用写入它的 IOS Explorer 版本</translation>
    </message>
    <message>
        <source>{:.1f} MiB of GPU memory are needed, {:.1f} of {:.1f} MiB are free</source>
        <translation>需要 {0:.1f} MiB GPU 内存，而 {2:.1f} MiB 中有 {1:.1f} MiB 空闲</translation>
    </message>
    <message>
        <source>{} does not support bfloat16; a GPU of the Ampere generation (8.0) or newer does; use float16</source>
        <translation>{} 不能计算 bfloat16，Ampere 一代（8.0）或更新的 GPU 才可以；请使用 float16</translation>
    </message>
    <message>
        <source>{} has no plan for the convolution {}</source>
        <translation>{} 没有卷积 {} 的计划</translation>
    </message>
    <message>
        <source>{} is in compute mode &apos;prohibited&apos;; its administrator can allow it with nvidia-smi -c DEFAULT</source>
        <translation>{} 处于“prohibited”计算模式；其管理员可用 nvidia-smi -c DEFAULT 允许使用</translation>
    </message>
    <message>
        <source>{} is too old: its compute capability is {}.{}; a GPU of the Turing generation (7.5) or newer is needed</source>
        <translation>{} 太旧：其计算能力为 {}.{}；需要 Turing 一代（7.5）或更新的 GPU</translation>
    </message>
    <message>
        <source>{} need {:.0f} MB of memory, but {:.0f} MB are left</source>
        <translation>{}需要 {:.0f} MB 内存，还剩 {:.0f} MB</translation>
    </message>
    <message>
        <source>{}; GPU {}: {}</source>
        <translation>{}；GPU {}：{}</translation>
    </message>
    <message>
        <source>{}; IOS_GPU_BACKEND names it: unset it to use the program&apos;s own back end</source>
        <translation>{}；它由 IOS_GPU_BACKEND 指定：取消设置该变量以使用本程序自带的后端</translation>
    </message>
    <message>
        <source>{}; it is kept as {} and replaced by a new file</source>
        <translation>{}；原文件保留为 {}，并以新文件代替</translation>
    </message>
    <message>
        <source>{}; its last message: {}</source>
        <translation>{}；其最后的消息：{}</translation>
    </message>
    <message>
        <source>the display cannot be used</source>
        <translation>无法使用显示器</translation>
    </message>
    <message>
        <source>there is no stage {}</source>
        <translation>没有阶段 {}</translation>
    </message>
    <message>
        <source>One by one</source>
        <translation>逐个执行</translation>
    </message>
    <message>
        <source>as many kernels in flight, of the same kernel time</source>
        <translation>同时执行的内核一样多，内核时间相同</translation>
    </message>
    <message>
        <source>{:.2f} times the kernel time, as many kernels in flight</source>
        <translation>内核时间为 {:.2f} 倍，同时执行的内核一样多</translation>
    </message>
    <message>
        <source>{:.2f} times as many kernels in flight, of the same kernel time</source>
        <translation>同时执行的内核为 {:.2f} 倍，内核时间相同</translation>
    </message>
    <message>
        <source>{:.2f} times as many kernels in flight, on average each {:.2f} times as long</source>
        <translation>同时执行的内核为 {:.2f} 倍，每个内核的时间平均为 {:.2f} 倍</translation>
    </message>
    <message>
        <source>{:.2f} times as many kernels in flight, {:.2f} times the kernel time</source>
        <translation>同时执行的内核为 {:.2f} 倍，内核时间为 {:.2f} 倍</translation>
    </message>
    <message>
        <source>{}; no kernel in flight {:.1f} % → {:.1f} % of the time</source>
        <translation>{}；没有内核执行的时间占比 {:.1f} % → {:.1f} %</translation>
    </message>
    <message>
        <source>sees elements outside of it, or some of them twice</source>
        <translation>所见的元素超出了它的范围，或有的被看到两次</translation>
    </message>
    <message>
        <source>sees a tensor in other axes, as only matrix products can</source>
        <translation>以其他轴来看张量，只有矩阵乘积能这样做</translation>
    </message>
    <message>
        <source>does not see all that it writes</source>
        <translation>没有看到它所写入的全部</translation>
    </message>
    <message>
        <source>is seen in other axes</source>
        <translation>被以其他轴来看</translation>
    </message>
    <message>
        <source>its pieces have the length {}</source>
        <translation>各片的长度为 {}</translation>
    </message>
    <message>
        <source>its pieces are larger than its input</source>
        <translation>各片大于其输入</translation>
    </message>
    <message>
        <source>its pieces are smaller than its input</source>
        <translation>各片小于其输入</translation>
    </message>
    <message>
        <source>cannot apply a function to what it reads</source>
        <translation>不能对其读取的内容应用函数</translation>
    </message>
    <message>
        <source>data sheet, and launches of another device or format</source>
        <translation>数据手册，以及另一设备或格式的启动数据</translation>
    </message>
    <message>
        <source>data sheet only</source>
        <translation>仅依据数据手册</translation>
    </message>
    <message>
        <source>fitted to {} network latencies</source>
        <translation>按 {} 个网络延迟拟合</translation>
    </message>
    <message>
        <source>fitted to {} operators</source>
        <translation>按 {} 个算子拟合</translation>
    </message>
    <message>
        <source>line {}: {}</source>
        <translation>第 {} 行：{}</translation>
    </message>
    <message>
        <source>must be one of {}</source>
        <translation>必须是以下之一：{}</translation>
    </message>
    <message>
        <source>must have at least one item</source>
        <translation>必须至少包含一项</translation>
    </message>
    <message>
        <source>precision must be float32, tf32 or float16</source>
        <translation>precision 必须是 float32、tf32 或 float16</translation>
    </message>
    <message>
        <source>the filter is larger than the image</source>
        <translation>卷积核大于图像</translation>
    </message>
    <message>
        <source>there is no column {}</source>
        <translation>没有列 {}</translation>
    </message>
    <message>
        <source>{} must be a number, at least {}</source>
        <translation>{} 必须是不小于 {} 的数</translation>
    </message>
    <message>
        <source>drawing errors of the model</source>
        <translation>正在抽取模型误差</translation>
    </message>
    <message>
        <source>a value is longer than {} bytes</source>
        <translation>有一个值超过 {} 字节</translation>
    </message>
    <message>
        <source>has more than {} tables</source>
        <translation>表多于 {} 个</translation>
    </message>
    <message>
        <source>contains only asynchronous events, which do not say where they ran</source>
        <translation>只包含异步事件，它们不说明在哪里运行</translation>
    </message>
    <message>
        <source>contains no events with a begin and an end, but {} that lack one</source>
        <translation>没有同时具有开始和结束的事件，只有 {} 个缺少其一的事件</translation>
    </message>
    <message>
        <source>check that it is a duration</source>
        <translation>请检查它是否是一段时长</translation>
    </message>
    <message>
        <source>is not valid JSON: {}</source>
        <translation>不是有效的 JSON：{}</translation>
    </message>
    <message>
        <source>it has no tables</source>
        <translation>它没有任何表</translation>
    </message>
    <message>
        <source>it has format {} of an older version of this program</source>
        <translation>它的格式为 {}，属于本程序的旧版本</translation>
    </message>
    <message>
        <source>its begin is out of range</source>
        <translation>其开始时间超出范围</translation>
    </message>
    <message>
        <source>its header says that it has format {}, but its tables are those of format {}</source>
        <translation>其文件头说格式为 {}，但其中的表属于格式 {}</translation>
    </message>
    <message>
        <source>its rows are {} launches, too many to list: each row counts as one</source>
        <translation>其各行共代表 {} 次启动，太多而无法逐一列出：每行算作一次</translation>
    </message>
    <message>
        <source>its rows are {} launches: each counts as the average of its row</source>
        <translation>其各行共代表 {} 次启动：每次按所在行的平均值计算</translation>
    </message>
    <message>
        <source>it is measured in &apos;{}&apos;, which is not a time</source>
        <translation>其度量“{}”不是时间</translation>
    </message>
    <message>
        <source>of its time columns, &apos;{}&apos; is used as the latency</source>
        <translation>在多个时间列中，“{}”被当作延迟</translation>
    </message>
    <message>
        <source>record complete events, or begins and ends</source>
        <translation>请记录完整事件，或成对的开始与结束</translation>
    </message>
    <message>
        <source>record it again</source>
        <translation>请重新记录</translation>
    </message>
    <message>
        <source>was written by a newer version of this program</source>
        <translation>由本程序的较新版本写成</translation>
    </message>
    <message>
        <source>{} rows of other metrics are left out</source>
        <translation>其他指标的 {} 行已略去</translation>
    </message>
    <message>
        <source>does not contain numbers: float, integer or bool</source>
        <translation>其中不是数字：浮点、整数或布尔</translation>
    </message>
    <message>
        <source>does not contain numbers: its elements are structures or arrays themselves</source>
        <translation>其中不是数字：其元素本身是结构或数组</translation>
    </message>
    <message>
        <source>give it a value, or leave it out</source>
        <translation>请给出一个值，或省略它</translation>
    </message>
    <message>
        <source>has a damaged header: descr, fortran_order or shape is missing</source>
        <translation>文件头已损坏：缺少 descr、fortran_order 或 shape</translation>
    </message>
    <message>
        <source>has a damaged header: fortran_order is neither True nor False</source>
        <translation>文件头已损坏：fortran_order 既不是 True 也不是 False</translation>
    </message>
    <message>
        <source>has a damaged header: its keys are not descr, fortran_order and shape once each</source>
        <translation>文件头已损坏：其键不是各出现一次的 descr、fortran_order 和 shape</translation>
    </message>
    <message>
        <source>has a damaged header: it is not a Python dictionary</source>
        <translation>文件头已损坏：它不是 Python 的字典</translation>
    </message>
    <message>
        <source>has a damaged header: its shape is not a tuple of sizes</source>
        <translation>文件头已损坏：其形状不是由大小组成的元组</translation>
    </message>
    <message>
        <source>contains a text of more than {} MiB</source>
        <translation>其中有一段文字超过 {} MiB</translation>
    </message>
    <message>
        <source>record fewer runs, or shorter names</source>
        <translation>请减少记录的运行次数，或使用较短的名称</translation>
    </message>
    <message>
        <source>computed places of {} updates among {} elements</source>
        <translation>{} 个更新在 {} 个元素中的位置由计算得出</translation>
    </message>
    <message>
        <source>its batch_dims {} do not fit its inputs</source>
        <translation>其 batch_dims {} 与其输入不匹配</translation>
    </message>
    <message>
        <source>its inputs differ in their axes</source>
        <translation>其各输入的轴数不同</translation>
    </message>
    <message>
        <source>its updates are larger than its data</source>
        <translation>其更新大于其数据</translation>
    </message>
    <message>
        <source>runs only with a batch of {}, not {}</source>
        <translation>只能以批大小 {} 运行，不能用 {}</translation>
    </message>
    <message>
        <source>{} channels at once</source>
        <translation>一次 {} 个通道</translation>
    </message>
    <message>
        <source>it computes integers that may lie beyond 2^24</source>
        <translation>它计算的整数可能超过 2^24</translation>
    </message>
    <message>
        <source>its result has integers beyond 2^24</source>
        <translation>其结果含有超过 2^24 的整数</translation>
    </message>
    <message>
        <source>the names of its kernels and ranges have more than {} MiB</source>
        <translation>其内核与区间的名称超过 {} MiB</translation>
    </message>
    <message>
        <source>this program was built without the CPU device</source>
        <translation>本程序构建时未包含 CPU 设备</translation>
    </message>
    <message>
        <source>choose a schedule with stages, or another device</source>
        <translation>请选择有阶段的调度，或换用其他设备</translation>
    </message>
    <message>
        <source>do not belong to the plan</source>
        <translation>不属于该计划</translation>
    </message>
    <message>
        <source>does not wait for kernel {}, which touches the same channels</source>
        <translation>没有等待内核 {}，而它访问相同的通道</translation>
    </message>
    <message>
        <source>give all three</source>
        <translation>请三项都给出</translation>
    </message>
    <message>
        <source>has {} lanes for {} kernels, too many</source>
        <translation>有 {} 条泳道和 {} 个内核，过多</translation>
    </message>
    <message>
        <source>has {} of {} kernels</source>
        <translation>只有 {} 个内核，应有 {} 个</translation>
    </message>
    <message>
        <source>kernel {} comes before kernel {}, which it needs</source>
        <translation>内核 {} 排在它所需的内核 {} 之前</translation>
    </message>
    <message>
        <source>kernel {} is launched twice</source>
        <translation>内核 {} 被启动两次</translation>
    </message>
    <message>
        <source>kernel {} is not &apos;{}&apos; here: these lanes are for the kernels of another device or batch size</source>
        <translation>内核 {} 在此处不是“{}”：这些泳道属于另一设备或另一批大小的内核</translation>
    </message>
    <message>
        <source>lane {} must lie in 0..{}</source>
        <translation>泳道 {} 必须在 0 至 {} 之间</translation>
    </message>
    <message>
        <source>must be [kernel, lane, name]</source>
        <translation>必须是 [内核、泳道、名称]</translation>
    </message>
    <message>
        <source>use the schedule that chose its kernels</source>
        <translation>请使用选定其内核的调度</translation>
    </message>
    <message>
        <source>the JSON of the original program</source>
        <translation>原程序的 JSON</translation>
    </message>
    <message>
        <source>there is no such kernel</source>
        <translation>没有这样的内核</translation>
    </message>
    <message>
        <source>trying lanes</source>
        <translation>正在尝试泳道</translation>
    </message>
    <message>
        <source>use the device and batch size that they were found for, or search lanes again</source>
        <translation>请使用找到它们时的设备和批大小，或重新搜索泳道</translation>
    </message>
    <message>
        <source>{} has stages, but this schedule has none</source>
        <translation>{}有阶段，而此调度不分阶段运行</translation>
    </message>
    <message>
        <source>{} kernels, but this device has {}: these lanes are for the kernels of another device or batch size</source>
        <translation>有 {} 个内核，而此设备有 {} 个：这些泳道属于另一设备或另一批大小的内核</translation>
    </message>
    <message>
        <source>{} runs only stages, but &apos;{}&apos; has none</source>
        <translation>{} 只运行阶段，而“{}”没有阶段</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>IOS-Flow</source>
        <translation>IOS-Flow</translation>
    </message>
    <message>
        <source>two classes with this transform or with base values</source>
        <translation>两个类别搭配这样的变换或基值</translation>
    </message>
    <message>
        <source>its lists of nodes differ in length</source>
        <translation>它的节点列表长度不一</translation>
    </message>
    <message>
        <source>its lists of weights differ in length</source>
        <translation>它的权重列表长度不一</translation>
    </message>
    <message>
        <source>its nodes do not form trees</source>
        <translation>它的节点不构成树</translation>
    </message>
    <message>
        <source>text labels</source>
        <translation>文本形式的标签</translation>
    </message>
    <message>
        <source>the condition {}</source>
        <translation>条件 {}</translation>
    </message>
    <message>
        <source>the norm {}</source>
        <translation>范数 {}</translation>
    </message>
    <message>
        <source>the transform {}</source>
        <translation>变换 {}</translation>
    </message>
    <message>
        <source>trees for {} targets</source>
        <translation>面向 {} 个目标的树</translation>
    </message>
    <message>
        <source>trees whose results are not summed</source>
        <translation>不求和的树</translation>
    </message>
    <message>
        <source>trees with a direction for NaN</source>
        <translation>规定 NaN 走向的树</translation>
    </message>
    <message>
        <source>trees with conditions of several kinds</source>
        <translation>含多种条件的树</translation>
    </message>
    <message>
        <source>trees without conditions</source>
        <translation>没有条件的树</translation>
    </message>
    <message>
        <source>two of its nodes have the same id</source>
        <translation>它的两个节点的标识相同</translation>
    </message>
    <message>
        <source>weight {} belongs to no existing leaf or target</source>
        <translation>第 {} 个权重不属于任何存在的叶节点或目标</translation>
    </message>
    <message>
        <source>two classes, of which not only the first has weights</source>
        <translation>两个类别，而有权重的不只是第一个</translation>
    </message>
    <message>
        <source>with {}: give {}</source>
        <translation>现用 {}：请给出 {}</translation>
    </message>
    <message>
        <source>{} coefficients and {} intercepts for {} classes of {} features</source>
        <translation>{} 个系数和 {} 个截距，而有 {} 个类别、{} 个特征</translation>
    </message>
    <message>
        <source>does not wait for kernel {}, the last on lane {} of the stage before</source>
        <translation>没有等待内核 {}，即前一阶段泳道 {} 上的最后一个</translation>
    </message>
    <message>
        <source>its lane must lie in 0..{}</source>
        <translation>其泳道必须在 0 至 {} 之间</translation>
    </message>
    <message>
        <source>only stages were recorded; a schedule without stages was never run</source>
        <translation>只记录了阶段，从未运行过无阶段的调度</translation>
    </message>
    <message>
        <source>write version {}</source>
        <translation>请写版本 {}</translation>
    </message>
    <message>
        <source>version {} has no lanes</source>
        <translation>版本 {} 没有泳道</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is needed by &apos;{}&apos;, which comes before &apos;{}&apos; on lane {}</source>
        <translation>&apos;{1}&apos; 需要 &apos;{0}&apos;，而前者在泳道 {3} 上的 &apos;{2}&apos; 之前</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is needed by &apos;{}&apos;, which comes earlier on lane {}</source>
        <translation>&apos;{1}&apos; 需要 &apos;{0}&apos;，而前者在泳道 {2} 上更早</translation>
    </message>
    <message>
        <source>&apos;{}&apos; needs &apos;{}&apos;, which comes after &apos;{}&apos; on lane {}</source>
        <translation>&apos;{}&apos; 需要 &apos;{}&apos;，而后者在 &apos;{}&apos; 之后（泳道 {}）</translation>
    </message>
    <message>
        <source>&apos;{}&apos; needs &apos;{}&apos;, which comes later on lane {}</source>
        <translation>&apos;{}&apos; 需要 &apos;{}&apos;，而后者在泳道 {} 上更晚</translation>
    </message>
    <message>
        <source>has lanes, which cannot be edited here</source>
        <translation>含有泳道，而这里无法编辑泳道</translation>
    </message>
    <message>
        <source>there are already {} lanes, which is the maximum</source>
        <translation>已有 {} 条泳道，达到上限</translation>
    </message>
    <message>
        <source>there is no device</source>
        <translation>没有可用的设备</translation>
    </message>
    <message>
        <source>they were found on {} with batch {}: show such a run, then open them</source>
        <translation>它们是在 {} 上以批大小 {} 找到的：显示那里的一次运行，然后再打开</translation>
    </message>
    <message>
        <source>shares bytes with buffer {}, which may be in use at the same time</source>
        <translation>与缓冲区 {} 共用字节，而后者可能同时在用</translation>
    </message>
    <message>
        <source>No schedule fits in {:.2f} MB: the smallest planned peak of tensors that was found is {:.2f} MB</source>
        <translation>{:.2f} MB 放不下任何调度：找到的最小张量计划峰值为 {:.2f} MB</translation>
    </message>
    <message>
        <source>{} cannot run lanes, so a memory limit does not apply</source>
        <translation>{} 不能运行泳道，因此内存限制不适用</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Latency over tensor memory: lanes under memory limits</source>
        <translation>延迟随张量所占内存的变化：内存限制下的泳道</translation>
    </message>
    <message>
        <source>planned peak</source>
        <translation>计划峰值</translation>
    </message>
    <message>
        <source>lanes</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>belong to no schedule with stages</source>
        <translation>不属于任何带阶段的调度</translation>
    </message>
    <message>
        <source>animations are .gif, .mp4 or .webm</source>
        <translation>动画的扩展名为 .gif、.mp4 或 .webm</translation>
    </message>
    <message>
        <source>animations are written by ffmpeg, which is not installed</source>
        <translation>动画由 ffmpeg 写入，但它未安装</translation>
    </message>
    <message>
        <source>cannot be written: {}</source>
        <translation>无法写入：{}</translation>
    </message>
    <message>
        <source>drawing</source>
        <translation>正在绘制</translation>
    </message>
    <message>
        <source>ffmpeg ended with an error: {}</source>
        <translation>ffmpeg 因错误而结束：{}</translation>
    </message>
    <message>
        <source>laying out</source>
        <translation>正在布局</translation>
    </message>
    <message>
        <source>compared with {} network latencies</source>
        <translation>与 {} 个网络延迟对比</translation>
    </message>
    <message>
        <source>compared with {} network latencies: off by {:.3g} %</source>
        <translation>与 {} 个网络延迟对比：偏差 {:.3g} %</translation>
    </message>
    <message>
        <source>compared with {} operators</source>
        <translation>与 {} 个算子对比</translation>
    </message>
    <message>
        <source>compared with {} operators: convolutions off by {:.3g} %</source>
        <translation>与 {} 个算子对比：卷积偏差 {:.3g} %</translation>
    </message>
    <message>
        <source>fitted to {} operators; other convolutions off by {:.3g} %</source>
        <translation>按 {} 个算子拟合；其他卷积偏差 {:.3g} %</translation>
    </message>
    <message>
        <source>&apos;{}&apos; needs several networks, but &apos;{}&apos; is one</source>
        <translation>“{}”需要多个网络，而“{}”只是一个网络</translation>
    </message>
    <message>
        <source>give a name that one of them has, or NETWORK/NAME</source>
        <translation>请给出其中某个网络具有的名称，或“网络/名称”</translation>
    </message>
    <message>
        <source>give several networks, NETWORK+NETWORK, or another schedule</source>
        <translation>请给出多个网络（网络+网络），或另一个调度</translation>
    </message>
    <message>
        <source>give at most {}</source>
        <translation>最多给出 {}</translation>
    </message>
    <message>
        <source>names no input or open dimension of these networks</source>
        <translation>不属于这些网络的任何输入或开放维度</translation>
    </message>
    <message>
        <source>names no network before or after a plus, and there is no such file</source>
        <translation>加号之前或之后没有网络名称，也没有这样的文件</translation>
    </message>
    <message>
        <source>names operator {}, which is already in &apos;{}&apos;</source>
        <translation>指定了算子 {}，而它已在“{}”中</translation>
    </message>
    <message>
        <source>choose at least two networks</source>
        <translation>请至少选择两个网络</translation>
    </message>
    <message>
        <source>operator {} is in no network</source>
        <translation>算子 {} 不属于任何网络</translation>
    </message>
    <message>
        <source>the batches of the networks differ ({}): all run with a batch of {}</source>
        <translation>各网络自身的批大小不同（{}）：全部以批大小 {} 运行</translation>
    </message>
    <message>
        <source>write NETWORK+NETWORK, of names or files</source>
        <translation>请写成“网络+网络”，可用名称或文件</translation>
    </message>
    <message>
        <source>{} networks are too many to run together</source>
        <translation>{} 个网络过多，无法一起运行</translation>
    </message>
    <message>
        <source>{}: its schedule is not used, because it is for this network alone</source>
        <translation>{}：其中的调度未被采用：它只属于这一个网络</translation>
    </message>
    <message>
        <source>Frameworks</source>
        <translation>框架</translation>
    </message>
    <message>
        <source>Our schedules and other inference engines with the same network, weights, input and threads</source>
        <translation>在相同网络、权重、输入和线程数下，将我们的调度与其他推理引擎比较</translation>
    </message>
    <message>
        <source>engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>output error</source>
        <translation>输出偏差</translation>
    </message>
    <message>
        <source>preparation</source>
        <translation>准备用时</translation>
    </message>
    <message>
        <source>ppm</source>
        <translation>ppm</translation>
    </message>
    <message>
        <source>build the engine with --profilingVerbosity=detailed</source>
        <translation>用 --profilingVerbosity=detailed 构建引擎</translation>
    </message>
    <message>
        <source>cannot be created: {}</source>
        <translation>无法创建：{}</translation>
    </message>
    <message>
        <source>cannot be opened</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <source>cannot be started: {}</source>
        <translation>无法启动：{}</translation>
    </message>
    <message>
        <source>cannot be written</source>
        <translation>无法写入</translation>
    </message>
    <message>
        <source>check its name</source>
        <translation>请检查其名称</translation>
    </message>
    <message>
        <source>computes different results: {} is off by {:.2g} of its magnitude</source>
        <translation>计算结果不同：{} 的偏差为其幅值的 {:.2g}</translation>
    </message>
    <message>
        <source>does not compute the output {}</source>
        <translation>没有计算输出 {}</translation>
    </message>
    <message>
        <source>does not run on {}</source>
        <translation>不能在 {} 上运行</translation>
    </message>
    <message>
        <source>does not say what its layers consist of</source>
        <translation>没有说明各层由什么组成</translation>
    </message>
    <message>
        <source>ends too early</source>
        <translation>结束得太早</translation>
    </message>
    <message>
        <source>give it together with a profile, as --layers</source>
        <translation>请与性能分析一起用 --layers 给出</translation>
    </message>
    <message>
        <source>has a damaged header</source>
        <translation>文件头已损坏</translation>
    </message>
    <message>
        <source>has ended with exit code {}</source>
        <translation>已结束，退出码 {}</translation>
    </message>
    <message>
        <source>has no adapters (*.py)</source>
        <translation>没有适配器（*.py）</translation>
    </message>
    <message>
        <source>has no executed layer</source>
        <translation>没有执行过的层</translation>
    </message>
    <message>
        <source>has no times of layers or runs</source>
        <translation>没有层或运行的时间</translation>
    </message>
    <message>
        <source>has not read its input for {:.0f} s</source>
        <translation>{:.0f} s 内没有读取其输入</translation>
    </message>
    <message>
        <source>has not replied for {:.0f} s</source>
        <translation>{:.0f} s 内没有回应</translation>
    </message>
    <message>
        <source>has the shape {} instead of {}</source>
        <translation>形状是 {} 而不是 {}</translation>
    </message>
    <message>
        <source>holds {:g}, which is too large for float32</source>
        <translation>含有 {:g}，超出 float32 的范围</translation>
    </message>
    <message>
        <source>is not an engine</source>
        <translation>不是引擎</translation>
    </message>
    <message>
        <source>is not a time in ms</source>
        <translation>不是以 ms 为单位的时间</translation>
    </message>
    <message>
        <source>is not a NumPy file</source>
        <translation>不是 NumPy 文件</translation>
    </message>
    <message>
        <source>its adapter sent an invalid reply: {}</source>
        <translation>其适配器的回答无效：{}</translation>
    </message>
    <message>
        <source>its adapter has too many operators</source>
        <translation>其适配器给出的算子过多</translation>
    </message>
    <message>
        <source>its adapter refused without a reason</source>
        <translation>其适配器拒绝了请求但没有说明原因</translation>
    </message>
    <message>
        <source>its adapter measured no time</source>
        <translation>其适配器没有测得时间</translation>
    </message>
    <message>
        <source>its adapter returned a time of {:g} ms</source>
        <translation>其适配器给出的时间为 {:g} ms</translation>
    </message>
    <message>
        <source>its row &apos;{}&apos; is the sum of the others and is left out</source>
        <translation>其中的行“{}”是其他行之和，已略去</translation>
    </message>
    <message>
        <source>check the free space</source>
        <translation>请检查是否还有空间</translation>
    </message>
    <message>
        <source>name a Python interpreter with --python</source>
        <translation>用 --python 指定 Python 解释器</translation>
    </message>
    <message>
        <source>name an existing folder</source>
        <translation>请指定存在的文件夹</translation>
    </message>
    <message>
        <source>name a folder with adapters</source>
        <translation>请指定含有适配器的文件夹</translation>
    </message>
    <message>
        <source>name another folder with TMPDIR</source>
        <translation>用 TMPDIR 指定另一个文件夹</translation>
    </message>
    <message>
        <source>not installed: {}</source>
        <translation>未安装：{}</translation>
    </message>
    <message>
        <source>record it with -report_type detailed_counters -json_stats</source>
        <translation>请用 -report_type detailed_counters -json_stats 记录</translation>
    </message>
    <message>
        <source>describes the layers of TensorRT, but not how long they take</source>
        <translation>说明了 TensorRT 的层是什么，但没有说明用时</translation>
    </message>
    <message>
        <source>scale or clip it</source>
        <translation>请缩放或截断</translation>
    </message>
    <message>
        <source>stopped answering</source>
        <translation>不再回应</translation>
    </message>
    <message>
        <source>was ended by a signal: {}</source>
        <translation>被信号终止：{}</translation>
    </message>
    <message>
        <source>only the computation on the GPU counts; copies to and from it are left out</source>
        <translation>只计 GPU 的计算时间；与其之间的复制已略去</translation>
    </message>
    <message>
        <source>wrote a line of more than {} bytes</source>
        <translation>写出了超过 {} 字节的一行</translation>
    </message>
    <message>
        <source>{}, {}: {}</source>
        <translation>{}，{}：{}</translation>
    </message>
    <message>
        <source>times ours</source>
        <translation>相对我们（倍）</translation>
    </message>
    <message>
        <source>trtexec --exportProfile and --exportTimes write such files</source>
        <translation>trtexec --exportProfile 和 --exportTimes 会写出这样的文件</translation>
    </message>
    <message>
        <source>all {} names of {} are operators of {}</source>
        <translation>{1} 的全部 {0} 个名称都是 {2} 的算子</translation>
    </message>
    <message>
        <source>name the column of node names &quot;name&quot; in its first row</source>
        <translation>请在第一行把节点名所在的列命名为 &quot;name&quot;</translation>
    </message>
    <message>
        <source>choose a table in CSV or JSON</source>
        <translation>请选择 CSV 或 JSON 格式的表</translation>
    </message>
    <message>
        <source>give each object of the list the name of its node as &quot;name&quot;</source>
        <translation>请为列表中的每个对象以 &quot;name&quot; 给出其节点</translation>
    </message>
    <message>
        <source>has more than {} values</source>
        <translation>有超过 {} 个值</translation>
    </message>
    <message>
        <source>has no column of names</source>
        <translation>没有名称列</translation>
    </message>
    <message>
        <source>has no column of numbers</source>
        <translation>没有数值列</translation>
    </message>
    <message>
        <source>has no column of numbers called {}</source>
        <translation>没有名为 {} 的数值列</translation>
    </message>
    <message>
        <source>has no rows</source>
        <translation>没有行</translation>
    </message>
    <message>
        <source>does not have one value per unit</source>
        <translation>不是每个单元一个值</translation>
    </message>
    <message>
        <source>has several columns of numbers</source>
        <translation>有多个数值列</translation>
    </message>
    <message>
        <source>check that it is a table of names and numbers</source>
        <translation>请检查它是否是名称和数值的表</translation>
    </message>
    <message>
        <source>check that it is a table with one row per node</source>
        <translation>请检查它是否是每个节点一行的表</translation>
    </message>
    <message>
        <source>is too large</source>
        <translation>太大</translation>
    </message>
    <message>
        <source>its columns of numbers are {}</source>
        <translation>其数值列为 {}</translation>
    </message>
    <message>
        <source>its columns of numbers are {} and {} more</source>
        <translation>其数值列为 {}，另有 {} 列</translation>
    </message>
    <message>
        <source>leave out columns</source>
        <translation>请去掉一些列</translation>
    </message>
    <message>
        <source>none of the {} names of {} is an operator of {}; they may belong to another network: {}</source>
        <translation>{1} 的 {0} 个名称都不是 {2} 的算子；它们可能属于另一个网络：{3}</translation>
    </message>
    <message>
        <source>{} fields of the column are not finite numbers and are left out</source>
        <translation>该列有 {} 个字段不是有限的数，已略去</translation>
    </message>
    <message>
        <source>{} names have several rows: the median of each is used</source>
        <translation>{} 个名称有多行：各取其中位数</translation>
    </message>
    <message>
        <source>{} of {} names of {} are operators of {}; these are not: {}</source>
        <translation>{2} 的 {1} 个名称中有 {0} 个是 {3} 的算子；以下不是：{4}</translation>
    </message>
    <message>
        <source>{} of {} names of {} are operators of {}; these are not: {} and {} more</source>
        <translation>{2} 的 {1} 个名称中有 {0} 个是 {3} 的算子；以下不是：{4}，另有 {5} 个</translation>
    </message>
    <message>
        <source>{} of {} units have a value</source>
        <translation>{1} 个单元中有 {0} 个有值</translation>
    </message>
    <message>
        <source>a line of more than {} MiB</source>
        <translation>一行超过 {} MiB</translation>
    </message>
    <message>
        <source>a worker sent an unexpected reply</source>
        <translation>一个工作进程发送了意外的回复</translation>
    </message>
    <message>
        <source>sent an unexpected reply</source>
        <translation>发送了意外的回复</translation>
    </message>
    <message>
        <source>answers no request</source>
        <translation>没有回答任何请求</translation>
    </message>
    <message>
        <source>replied to a request that was not sent</source>
        <translation>回复了未发送的请求</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>choose another name</source>
        <translation>请选择另一个名称</translation>
    </message>
    <message>
        <source>does not use the protocol of this program: {}</source>
        <translation>没有使用本程序的协议：{}</translation>
    </message>
    <message>
        <source>does not stop</source>
        <translation>没有停下来</translation>
    </message>
    <message>
        <source>give it its own name</source>
        <translation>请给它一个自己的名称</translation>
    </message>
    <message>
        <source>give its id on that computer: cpu, gpu</source>
        <translation>请给出它在那台计算机上的标识：cpu、gpu</translation>
    </message>
    <message>
        <source>give a host that ssh knows</source>
        <translation>请给出 ssh 所知道的主机</translation>
    </message>
    <message>
        <source>give a command such as &quot;ssh HOST iosx worker --device gpu&quot;</source>
        <translation>请给出一条命令，例如“ssh HOST iosx worker --device gpu”</translation>
    </message>
    <message>
        <source>give the path of iosx on that computer</source>
        <translation>请给出 iosx 在那台计算机上的路径</translation>
    </message>
    <message>
        <source>has an invalid seed</source>
        <translation>含有无效的种子</translation>
    </message>
    <message>
        <source>has no outline of parameters {}</source>
        <translation>没有参数 {} 的概要</translation>
    </message>
    <message>
        <source>has not started after {:.0f} s</source>
        <translation>{:.0f} s 后仍未开始工作</translation>
    </message>
    <message>
        <source>has not loaded plan {}</source>
        <translation>没有载入计划 {}</translation>
    </message>
    <message>
        <source>has numbers that belong to no operator</source>
        <translation>含有不属于任何算子的数值</translation>
    </message>
    <message>
        <source>has numbers whose dims differ from the outline</source>
        <translation>数值的维度与概要不同</translation>
    </message>
    <message>
        <source>has numbers that do not continue the previous ones</source>
        <translation>数值与之前的不相连</translation>
    </message>
    <message>
        <source>has too many weights</source>
        <translation>权重过多</translation>
    </message>
    <message>
        <source>has worked on one request for more than {:.0f} s</source>
        <translation>处理一个请求已超过 {:.0f} s</translation>
    </message>
    <message>
        <source>install the same version of IOS Explorer on that computer</source>
        <translation>请在那台计算机上安装相同版本的 IOS Explorer</translation>
    </message>
    <message>
        <source>is an option, not a host</source>
        <translation>是选项，不是主机</translation>
    </message>
    <message>
        <source>is another device now: {}</source>
        <translation>现在是另一个设备：{}</translation>
    </message>
    <message>
        <source>is another device: &apos;{}&apos;, not &apos;{}&apos;</source>
        <translation>是另一个设备：“{}”，不是“{}”</translation>
    </message>
    <message>
        <source>is no longer connected</source>
        <translation>已断开连接</translation>
    </message>
    <message>
        <source>is the name of another device, &apos;{}&apos;</source>
        <translation>是另一个设备“{}”的名称</translation>
    </message>
    <message>
        <source>left out: {}. {} workers were lost while they measured it</source>
        <translation>略去：{}。{} 个工作进程在测量它时丢失</translation>
    </message>
    <message>
        <source>check the queue, or allow more time</source>
        <translation>请查看队列，或允许更长的时间</translation>
    </message>
    <message>
        <source>names no command that starts a worker</source>
        <translation>没有给出启动工作进程的命令</translation>
    </message>
    <message>
        <source>names no device</source>
        <translation>没有给出设备</translation>
    </message>
    <message>
        <source>names no host</source>
        <translation>没有给出主机</translation>
    </message>
    <message>
        <source>names no program</source>
        <translation>没有给出程序</translation>
    </message>
    <message>
        <source>neither XDG_CONFIG_HOME nor HOME names a folder for settings</source>
        <translation>XDG_CONFIG_HOME 和 HOME 都没有给出存放设置的文件夹</translation>
    </message>
    <message>
        <source>sent an invalid reply: {}</source>
        <translation>发送了无效的回复：{}</translation>
    </message>
    <message>
        <source>must start 1 to {} workers</source>
        <translation>启动的工作进程数必须在 1 到 {} 之间</translation>
    </message>
    <message>
        <source>the list of workers is not used: {}</source>
        <translation>没有使用工作进程列表：{}</translation>
    </message>
    <message>
        <source>waiting for a worker</source>
        <translation>正在等待工作进程</translation>
    </message>
    <message>
        <source>{} was lost and is started again: {}</source>
        <translation>{} 已丢失，正在重新启动：{}</translation>
    </message>
    <message>
        <source>{}; its message: {}</source>
        <translation>{}；其消息：{}</translation>
    </message>
    <message>
        <source>{}; its output: {}</source>
        <translation>{}；其输出：{}</translation>
    </message>
    <message>
        <source>{}{}</source>
        <translation>{}{}</translation>
    </message>
    <message>
        <source>give each worker a command: &quot;4 x ...&quot;</source>
        <translation>请为每个工作进程各给一条命令：“4 x …”</translation>
    </message>
    <message>
        <source>install the same version on both sides</source>
        <translation>请在两端安装同一版本</translation>
    </message>
    <message>
        <source>is a worker with protocol {}, but this program uses {}</source>
        <translation>这个工作进程使用协议 {}，本程序使用 {}</translation>
    </message>
    <message>
        <source>is longer than {} characters</source>
        <translation>超过 {} 个字符</translation>
    </message>
    <message>
        <source>several workers reply to one command</source>
        <translation>一条命令有多个工作进程应答</translation>
    </message>
    <message>
        <source>stage {} of &apos;{}&apos; cannot be measured: workers were lost while they measured it</source>
        <translation>“{1}”的阶段 {0} 无法测量：测量时工作进程丢失</translation>
    </message>
    <message>
        <source>this is a bug of the worker</source>
        <translation>这是工作进程的错误</translation>
    </message>
    <message>
        <source>waiting for {}</source>
        <translation>正在等待 {}</translation>
    </message>
    <message>
        <source>{} was lost and is not started again: {}</source>
        <translation>{} 已丢失，不再启动：{}</translation>
    </message>
    <message>
        <source>{}. The schedule is left out</source>
        <translation>{}。该调度已略去</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is not a column</source>
        <translation>“{}”不是列名</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is not a condition</source>
        <translation>“{}”不是条件</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is not a kind of operator</source>
        <translation>“{}”不是算子种类</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is not a number</source>
        <translation>“{}”不是数字</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is not a size from 1 to {}</source>
        <translation>“{}”不是 1 到 {} 之间的大小</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is not a size of {}</source>
        <translation>“{}”不是 {} 的大小参数</translation>
    </message>
    <message>
        <source>XGBoost: {}</source>
        <translation>XGBoost：{}</translation>
    </message>
    <message>
        <source>a predictor is not used: {}</source>
        <translation>有一个预测器未被使用：{}</translation>
    </message>
    <message>
        <source>a time of {} ms</source>
        <translation>时间为 {} ms</translation>
    </message>
    <message>
        <source>add it again</source>
        <translation>请重新添加</translation>
    </message>
    <message>
        <source>add its command again</source>
        <translation>请重新添加其命令</translation>
    </message>
    <message>
        <source>choose a schedule with stages, or a simulated device</source>
        <translation>请选择分阶段的调度，或模拟设备</translation>
    </message>
    <message>
        <source>choose one with --device, or a card of the tables with --card</source>
        <translation>用 --device 选择一个，或用 --card 选择表中的一块显卡</translation>
    </message>
    <message>
        <source>uses other methods (&apos;{}&apos;) than at the last request (&apos;{}&apos;)</source>
        <translation>使用的计算方法（“{}”）与上次请求时（“{}”）不同</translation>
    </message>
    <message>
        <source>give lines such as &quot;conv channels=64 filters=64 size=28&quot;</source>
        <translation>请给出形如“conv channels=64 filters=64 size=28”的行</translation>
    </message>
    <message>
        <source>has no scale</source>
        <translation>没有比例尺</translation>
    </message>
    <message>
        <source>contains no predictor: {}</source>
        <translation>不含预测器：{}</translation>
    </message>
    <message>
        <source>is not a predictor name: letters, digits, &apos;.&apos;, &apos;_&apos; and &apos;-&apos;, at most {}</source>
        <translation>不能作为预测器名称：只能用字母、数字、“.”、“_”和“-”，最多 {} 个字符</translation>
    </message>
    <message>
        <source>is not a set of boosted trees</source>
        <translation>不是一组提升树</translation>
    </message>
    <message>
        <source>is not a ridge regression</source>
        <translation>不是岭回归</translation>
    </message>
    <message>
        <source>is not the model of {}</source>
        <translation>不是 {} 的模型</translation>
    </message>
    <message>
        <source>cannot keep operators without a store</source>
        <translation>没有测量库就无法保存算子</translation>
    </message>
    <message>
        <source>makes more than {} operators</source>
        <translation>产生的算子超过 {} 个</translation>
    </message>
    <message>
        <source>measure more: iosx profile-operators</source>
        <translation>请测量更多：iosx profile-operators</translation>
    </message>
    <message>
        <source>measuring operators</source>
        <translation>正在测量算子</translation>
    </message>
    <message>
        <source>choose a device made by iosx operators train</source>
        <translation>请指定由 iosx operators train（学习算子）得到的设备</translation>
    </message>
    <message>
        <source>name a file for the measurements with --store</source>
        <translation>请用 --store 指定测量文件</translation>
    </message>
    <message>
        <source>off by {:.0f} % for single operators</source>
        <translation>单独算子误差 {:.0f} %</translation>
    </message>
    <message>
        <source>off by {:.0f} % for single operators, {:.0f} % in parallel</source>
        <translation>单独算子误差 {:.0f} %，并行 {:.0f} %</translation>
    </message>
    <message>
        <source>one of conv, depthwise, linear, matmul, pool, relu, add, mul, softmax</source>
        <translation>可用：conv、depthwise、linear、matmul、pool、relu、add、mul、softmax</translation>
    </message>
    <message>
        <source>one of {}</source>
        <translation>可用：{}</translation>
    </message>
    <message>
        <source>makes no predictions</source>
        <translation>不作预测</translation>
    </message>
    <message>
        <source>predicts only stages, but a schedule without barriers has none</source>
        <translation>只预测阶段，而无屏障的调度没有阶段</translation>
    </message>
    <message>
        <source>does not give &apos;{}&apos;</source>
        <translation>没有给出“{}”</translation>
    </message>
    <message>
        <source>the origin is neither measured, simulated nor recorded</source>
        <translation>来源既不是测量、模拟，也不是记录</translation>
    </message>
    <message>
        <source>train it again</source>
        <translation>请重新训练</translation>
    </message>
    <message>
        <source>a prediction is not a measurement</source>
        <translation>预测值不是测量值</translation>
    </message>
    <message>
        <source>{} devices each need their own predictor</source>
        <translation>有 {} 个设备，每个都需要自己的预测器</translation>
    </message>
    <message>
        <source>{} must be more than 0</source>
        <translation>{} 必须大于 0</translation>
    </message>
    <message>
        <source>{} single operators are too few to learn from; at least {} are needed</source>
        <translation>只有 {} 个单独测量的算子，不足以学习，至少需要 {} 个</translation>
    </message>
    <message>
        <source>give a condition such as &quot;stride=2&quot;</source>
        <translation>请给出形如“stride=2”的条件</translation>
    </message>
    <message>
        <source>learning</source>
        <translation>正在学习</translation>
    </message>
    <message>
        <source>op is &apos;{}&apos;, not conv, linear, bmm, gemm, add, mul, relu, tanh, copy, ln, softmax, max_pool, avg_pool, global_pool, chain, stage or ladder</source>
        <translation>op 是“{}”，而不是 conv、linear、bmm、gemm、add、mul、relu、tanh、copy、ln、softmax、max_pool、avg_pool、global_pool、chain、stage（阶段）或 ladder</translation>
    </message>
    <message>
        <source>source and device must be named</source>
        <translation>必须写明来源和设备</translation>
    </message>
    <message>
        <source>stages run in another form there: searches start without the predictions of {}</source>
        <translation>那里的阶段以另一种形式运行：搜索开始时不使用 {} 的预测</translation>
    </message>
    <message>
        <source>the columns are source, device, precision, latency_ms, and N C H W K R S pad_h pad_w stride_h stride_w, or op batch M N K, or op rows columns, or op lanes kernel_us</source>
        <translation>列为 source、device（设备）、precision、latency_ms，以及 N C H W K R S pad_h pad_w stride_h stride_w，或 op batch（批大小）M N K，或 op rows columns，或 op lanes（泳道）kernel_us</translation>
    </message>
    <message>
        <source>too few parallel operators were measured on this device: operators of a stage count as running one after another, so schedules differ only by what they merge</source>
        <translation>此设备上测量过的并行运行太少：阶段中的算子按依次运行计算，因此各调度只因合并而有差别</translation>
    </message>
    <message>
        <source>was fitted to other features</source>
        <translation>是用其他特征拟合的</translation>
    </message>
    <message>
        <source>{} must be a whole number up to {}</source>
        <translation>{} 必须是不超过 {} 的整数</translation>
    </message>
    <message>
        <source>{} predicts another device than {}</source>
        <translation>{} 针对的设备不是 {}</translation>
    </message>
    <message>
        <source>The schedule in the model is left out: {}.</source>
        <translation>模型中的调度未采用：{}。</translation>
    </message>
    <message>
        <source>cannot be created, or belongs to another user: {}</source>
        <translation>无法创建，或属于其他用户：{}</translation>
    </message>
    <message>
        <source>is unknown</source>
        <translation>是未知的</translation>
    </message>
    <message>
        <source>it has no barriers, but only schedules with stages are read from a model</source>
        <translation>它没有屏障，而从模型中只读取带阶段的调度</translation>
    </message>
    <message>
        <source>no node of it is in the schedule</source>
        <translation>调度中没有它的任何节点</translation>
    </message>
    <message>
        <source>waiting for other measurements on the same hardware</source>
        <translation>正在等待同一硬件上的其他测量</translation>
    </message>
    <message>
        <source>worker {}: {} measured, {} in flight</source>
        <translation>工作进程 {}：已测量 {}，进行中 {}</translation>
    </message>
    <message>
        <source>{} is not used: {}</source>
        <translation>{} 未被使用：{}</translation>
    </message>
    <message>
        <source>{} workers: {} measured, {} in flight</source>
        <translation>{} 个工作进程：已测量 {}，进行中 {}</translation>
    </message>
    <message>
        <source>{}; {}</source>
        <translation>{}；{}</translation>
    </message>
    <message>
        <source>all single operators are of one kind or card, so none can be left out for the test</source>
        <translation>单独测量的算子都属于同一种或同一块卡，没有可以留出用于检验的</translation>
    </message>
    <message>
        <source>choose a text file</source>
        <translation>请选择文本文件</translation>
    </message>
    <message>
        <source>has a line of more than {} MiB</source>
        <translation>有一行超过 {} MiB</translation>
    </message>
    <message>
        <source>contains no operators of &apos;{}&apos;</source>
        <translation>不含“{}”的算子</translation>
    </message>
    <message>
        <source>measure other operators too: iosx profile-operators</source>
        <translation>请再测量其他算子：iosx profile-operators</translation>
    </message>
    <message>
        <source>measure some: iosx profile-operators squeezenet --device cpu</source>
        <translation>请测量一些：iosx profile-operators squeezenet --device cpu</translation>
    </message>
    <message>
        <source>reading the measurements</source>
        <translation>正在读取测量值</translation>
    </message>
    <message>
        <source>has {}, but &apos;{}&apos; accepts only whole numbers ({})</source>
        <translation>含有 {}，而“{}”只接受整数（{}）</translation>
    </message>
    <message>
        <source>give it an integer type</source>
        <translation>请使用整数类型</translation>
    </message>
    <message>
        <source>counting parts</source>
        <translation>正在统计各部分</translation>
    </message>
    <message>
        <source>has more than {} states</source>
        <translation>状态多于 {} 个</translation>
    </message>
    <message>
        <source>has more than {} transitions</source>
        <translation>转移多于 {} 个</translation>
    </message>
    <message>
        <source>lower r, s or the size of parts</source>
        <translation>请减小 r、s 或部分的大小</translation>
    </message>
    <message>
        <source>is not an engine; {}</source>
        <translation>不是引擎；{}</translation>
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
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>not executable</source>
        <translation>不可执行</translation>
    </message>
    <message>
        <source>Stopped before these ran, so they are missing: {}.</source>
        <translation>在以下各项运行之前已停止，因此缺少它们：{}。</translation>
    </message>
    <message>
        <source>IOS Explorer schedule</source>
        <translation>IOS Explorer 调度</translation>
    </message>
    <message>
        <source>Write the schedule as JSON that IOS Explorer reads</source>
        <translation>将调度写为 IOS Explorer 可读取的 JSON</translation>
    </message>
    <message>
        <source>original IOS JSON</source>
        <translation>原版 IOS JSON</translation>
    </message>
    <message>
        <source>Write the graph and the schedule as JSON that the original IOS program reads</source>
        <translation>将计算图与调度写为原版 IOS 程序可读取的 JSON</translation>
    </message>
    <message>
        <source>stage table</source>
        <translation>阶段表</translation>
    </message>
    <message>
        <source>Write the schedule as a table, one line for each step or launch</source>
        <translation>将调度写为表格，每个步骤或启动一行</translation>
    </message>
    <message>
        <source>ONNX model</source>
        <translation>ONNX 模型</translation>
    </message>
    <message>
        <source>Write the network with its weights as an ONNX model</source>
        <translation>将网络及其权重写为 ONNX 模型</translation>
    </message>
    <message>
        <source>scheduled ONNX model</source>
        <translation>已调度的 ONNX 模型</translation>
    </message>
    <message>
        <source>Write the network as the schedule runs it: merged layers as one, nodes in launch order, the schedule in its metadata</source>
        <translation>按调度的运行方式写出网络：合并的层为一个，节点按启动顺序排列，调度位于元数据中</translation>
    </message>
    <message>
        <source>PyTorch package</source>
        <translation>PyTorch 包</translation>
    </message>
    <message>
        <source>Write the network and the schedule as a Python package that runs the schedule in PyTorch, on CUDA streams</source>
        <translation>将网络与调度写为 Python 包，它在 PyTorch 中用 CUDA 流运行该调度</translation>
    </message>
    <message>
        <source>Chrome trace</source>
        <translation>Chrome 跟踪</translation>
    </message>
    <message>
        <source>Write all timelines of the run for Perfetto or chrome://tracing</source>
        <translation>为 Perfetto 或 chrome://tracing 写出该运行的全部时间线</translation>
    </message>
    <message>
        <source>HTML report</source>
        <translation>HTML 报告</translation>
    </message>
    <message>
        <source>Write the run as one interactive page that any browser opens</source>
        <translation>将该运行写为一个任何浏览器都能打开的交互页面</translation>
    </message>
    <message>
        <source>run file</source>
        <translation>运行文件</translation>
    </message>
    <message>
        <source>Write the run to one file that IOS Explorer opens here or elsewhere</source>
        <translation>将该运行写入一个文件，IOS Explorer 可在此处或别处打开</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is not {}</source>
        <translation>“{}”不是{}</translation>
    </message>
    <message>
        <source>Also compare the outputs with the outputs of the sequential schedule on the CPU in float32, or on the device itself if no CPU device is available. The command fails if they differ</source>
        <translation>同时把输出与顺序调度在 CPU 上以 float32 得到的输出比较，没有 CPU 时在设备自身上比较；不一致则命令失败</translation>
    </message>
    <message>
        <source>Batch size. Default: the batch size in the network&apos;s file, else 1</source>
        <translation>批大小。默认：网络文件中的批大小，没有则为 1</translation>
    </message>
    <message>
        <source>Certified gap</source>
        <translation>已证实的差距</translation>
    </message>
    <message>
        <source>Ending rule</source>
        <translation>结尾规则</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>间隔</translation>
    </message>
    <message>
        <source>Longer search</source>
        <translation>更久的搜索</translation>
    </message>
    <message>
        <source>Maximum groups in a stage of the greedy schedule</source>
        <translation>贪心调度每个阶段的最多组数</translation>
    </message>
    <message>
        <source>Maximum groups in a stage, which run concurrently, each on its own stream</source>
        <translation>每个阶段的最多组数，各组同时运行，各用一个流</translation>
    </message>
    <message>
        <source>Maximum planned memory of tensors, without weights (1 MB is 10^6 bytes). The search for lanes respects the limit, and a schedule that exceeds it is marked and never the best</source>
        <translation>张量按计划最多占用的内存，不含权重（1 MB 为 10^6 字节）。搜索泳道时遵守此上限，超过的调度会被标出，且永远不是最好的</translation>
    </message>
    <message>
        <source>Maximum time</source>
        <translation>最长时间</translation>
    </message>
    <message>
        <source>Maximum timed runs</source>
        <translation>最多计时运行次数</translation>
    </message>
    <message>
        <source>Maximum units in a group, which run one after another on one stream</source>
        <translation>每组的最多单元数，这些单元在一个流上依次运行</translation>
    </message>
    <message>
        <source>Maximum units in a part. A search handles the network part by part, and cuts larger parts</source>
        <translation>每个部分的最多单元数；搜索逐个部分处理网络，更大的部分会被切分</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>Minimum time</source>
        <translation>最短时间</translation>
    </message>
    <message>
        <source>Minimum timed runs</source>
        <translation>最少计时运行次数</translation>
    </message>
    <message>
        <source>Number of lazy searches, each with a seed of its own, of the experiment on search cost</source>
        <translation>搜索代价实验中惰性搜索的次数，每次有自己的种子</translation>
    </message>
    <message>
        <source>Part size</source>
        <translation>部分大小</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Replays</source>
        <translation>重放次数</translation>
    </message>
    <message>
        <source>Run the schedules again on simulated devices that have the errors of the model, and report how often each schedule is the fastest</source>
        <translation>在按模型误差偏移的模拟设备上再次运行各调度，并报告每个调度最快的频率</translation>
    </message>
    <message>
        <source>Runs that are laid over one another, so that short stages are seen</source>
        <translation>叠加在一起的运行次数，使短的阶段也能看到</translation>
    </message>
    <message>
        <source>Search lazily until the result is certified to be within this fraction of the optimum, such as 0.05. 0 finds the optimum</source>
        <translation>惰性搜索，直到证实结果与最优相差不超过此比例，例如 0.05；0 表示最优本身</translation>
    </message>
    <message>
        <source>Search lazily, and stop each search after this time with the best schedule so far. The search always measures every unit once and measures the result carefully, even if that needs more time. End-to-end runs need extra time</source>
        <translation>惰性搜索，每次搜索到此时间停止，取当时最好的调度。每个单元总会测量一次，结果会仔细测量，即使需要更多时间。端到端运行另需时间</translation>
    </message>
    <message>
        <source>Search lazily, trust predictions less, make more attempts, then raise r and s</source>
        <translation>惰性搜索，更少信任预测，做更多尝试，然后增大 r 和 s</translation>
    </message>
    <message>
        <source>Search method</source>
        <translation>搜索方法</translation>
    </message>
    <message>
        <source>Searches</source>
        <translation>搜索次数</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Seed of the random attempts of a lazy search</source>
        <translation>惰性搜索中随机尝试的种子</translation>
    </message>
    <message>
        <source>Sensitivity</source>
        <translation>敏感度</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Streams of greedy</source>
        <translation>贪心的流数</translation>
    </message>
    <message>
        <source>Time between samples of hardware counters, if the device has them</source>
        <translation>硬件计数器两个样本之间的时间（若设备有计数器）</translation>
    </message>
    <message>
        <source>Time budget</source>
        <translation>时间预算</translation>
    </message>
    <message>
        <source>Time every stage this often, and every schedule this often in each of its rounds, instead of until the median is known well; a simulated device runs once</source>
        <translation>每个阶段计时这么多次，每个调度每轮计时这么多次，而不是直到中位数足够准确；模拟设备只运行一次</translation>
    </message>
    <message>
        <source>Time everything for at least this long, with as many runs as that takes</source>
        <translation>每项至少计时这么久，运行次数按需要而定</translation>
    </message>
    <message>
        <source>Timing ends after this long, however noisy the runs are, but not before the minimum of runs is made</source>
        <translation>无论运行多不稳定，到此时间计时结束，但不会少于最少运行次数</translation>
    </message>
    <message>
        <source>Timing ends after this many runs, however noisy they are</source>
        <translation>无论运行多不稳定，这么多次后计时结束</translation>
    </message>
    <message>
        <source>Timing ends when the 95 % confidence interval of the median is within this part of it</source>
        <translation>中位数的 95 % 置信区间在其此比例以内时计时结束</translation>
    </message>
    <message>
        <source>Untimed runs before the timed ones</source>
        <translation>计时运行之前不计时的运行</translation>
    </message>
    <message>
        <source>Verify outputs</source>
        <translation>验证输出</translation>
    </message>
    <message>
        <source>Warm-up runs</source>
        <translation>预热运行</translation>
    </message>
    <message>
        <source>Strategy of a stage: run groups concurrently (parallel), merge layers into one (merge), or use the better of the two (both)</source>
        <translation>阶段的策略：让各组同时运行（parallel），把层合并为一个（merge），或取两者中更好的（both）</translation>
    </message>
    <message>
        <source>Endings that the search tries. connected: all, as the paper defines them. single-root: only groups with one first unit, as in the authors&apos; code</source>
        <translation>搜索尝试的结尾。connected：论文定义的全部。single-root：每组只有一个首单元的结尾，与作者的代码相同</translation>
    </message>
    <message>
        <source>Latencies that the search needs. exhaustive: of all stages. lazy: of the stages that matter; the search reports what it may have missed. automatic: lazy if more than 100 stages are measured, or more than 50,000 are simulated</source>
        <translation>搜索需要的延迟。exhaustive（穷举）：所有阶段的。lazy（惰性）：只要重要阶段的，并报告可能遗漏了什么。automatic：测量的阶段超过 100 个或模拟的超过 50,000 个时用惰性</translation>
    </message>
    <message>
        <source>any</source>
        <translation>任意</translation>
    </message>
    <message>
        <source>is out of bounds: {}</source>
        <translation>超出界限：{}</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无上限</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>{}, {} and {} are for a lazy search, not for {} exhaustive</source>
        <translation>{}、{} 和 {} 用于惰性搜索，不用于 {} exhaustive（穷举）</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>connected</source>
        <translation>连通</translation>
    </message>
    <message>
        <source>exhaustive</source>
        <translation>穷举</translation>
    </message>
    <message>
        <source>lazy</source>
        <translation>惰性</translation>
    </message>
    <message>
        <source>single-root</source>
        <translation>单根</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
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
        <source>Axis</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>Begins</source>
        <translation>起点</translation>
    </message>
    <message>
        <source>Bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>Cell</source>
        <translation>单元类型</translation>
    </message>
    <message>
        <source>Channel groups</source>
        <translation>通道分组</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>Coordinates</source>
        <translation>坐标</translation>
    </message>
    <message>
        <source>Count the padding</source>
        <translation>计入填充</translation>
    </message>
    <message>
        <source>Dilation</source>
        <translation>膨胀</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>Elements or slices</source>
        <translation>元素或切片</translation>
    </message>
    <message>
        <source>Features from axis</source>
        <translation>特征起始轴</translation>
    </message>
    <message>
        <source>From axis</source>
        <translation>起始轴</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>Hidden units</source>
        <translation>隐藏单元数</translation>
    </message>
    <message>
        <source>Keep the axes</source>
        <translation>保留轴</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>卷积核</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>取最大</translation>
    </message>
    <message>
        <source>Known cost</source>
        <translation>已知代价</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>FLOP of one sample</source>
        <translation>单个样本的 FLOP</translation>
    </message>
    <message>
        <source>Bytes of weights</source>
        <translation>权重字节数</translation>
    </message>
    <message>
        <source>Unknown shape</source>
        <translation>未知形状</translation>
    </message>
    <message>
        <source>Last of equal elements</source>
        <translation>相等元素取最后一个</translation>
    </message>
    <message>
        <source>Merged from</source>
        <translation>由以下合并</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>More padding after</source>
        <translation>末端额外填充</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Output features</source>
        <translation>输出特征数</translation>
    </message>
    <message>
        <source>Output padding</source>
        <translation>输出填充</translation>
    </message>
    <message>
        <source>Outside</source>
        <translation>外部</translation>
    </message>
    <message>
        <source>Padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Peepholes</source>
        <translation>窥视孔</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Pooling</source>
        <translation>池化</translation>
    </message>
    <message>
        <source>Reset after the product</source>
        <translation>乘积之后重置</translation>
    </message>
    <message>
        <source>Return the last cell state</source>
        <translation>返回最后的细胞状态</translation>
    </message>
    <message>
        <source>Round sizes up</source>
        <translation>尺寸向上取整</translation>
    </message>
    <message>
        <source>Rounding</source>
        <translation>取整</translation>
    </message>
    <message>
        <source>Scale and bias</source>
        <translation>缩放与偏置</translation>
    </message>
    <message>
        <source>Scales</source>
        <translation>缩放比例</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步长</translation>
    </message>
    <message>
        <source>Stride</source>
        <translation>步幅</translation>
    </message>
    <message>
        <source>Subtract the mean</source>
        <translation>减去均值</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>align corners</source>
        <translation>角点对齐</translation>
    </message>
    <message>
        <source>asymmetric</source>
        <translation>非对称</translation>
    </message>
    <message>
        <source>average</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>border</source>
        <translation>边界</translation>
    </message>
    <message>
        <source>ceil</source>
        <translation>向上取整</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>常数</translation>
    </message>
    <message>
        <source>cubic</source>
        <translation>三次</translation>
    </message>
    <message>
        <source>edge</source>
        <translation>边缘</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>end padding [{}, {}] must lie in 0..{}</source>
        <translation>末端填充 [{}, {}] 必须在 0..{} 之内</translation>
    </message>
    <message>
        <source>floor</source>
        <translation>向下取整</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>正向</translation>
    </message>
    <message>
        <source>global average</source>
        <translation>全局平均</translation>
    </message>
    <message>
        <source>global max</source>
        <translation>全局最大</translation>
    </message>
    <message>
        <source>gru</source>
        <translation>gru</translation>
    </message>
    <message>
        <source>half pixel</source>
        <translation>半像素</translation>
    </message>
    <message>
        <source>indices</source>
        <translation>索引</translation>
    </message>
    <message>
        <source>lstm</source>
        <translation>lstm</translation>
    </message>
    <message>
        <source>max</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>nearest</source>
        <translation>最近邻</translation>
    </message>
    <message>
        <source>prefer ceil</source>
        <translation>四舍五入，一半向上</translation>
    </message>
    <message>
        <source>prefer floor</source>
        <translation>四舍五入，一半向下</translation>
    </message>
    <message>
        <source>pytorch half pixel</source>
        <translation>PyTorch 半像素</translation>
    </message>
    <message>
        <source>reflect</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>reflection</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>reverse</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>rnn</source>
        <translation>rnn</translation>
    </message>
    <message>
        <source>slices</source>
        <translation>切片</translation>
    </message>
    <message>
        <source>values</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>zeros</source>
        <translation>零</translation>
    </message>
    <message>
        <source>{} {} must lie in {}..{}</source>
        <translation>{} {} 必须在 {}..{} 之内</translation>
    </message>
    <message>
        <source>α</source>
        <translation>α</translation>
    </message>
    <message>
        <source>β</source>
        <translation>β</translation>
    </message>
    <message>
        <source>ε</source>
        <translation>ε</translation>
    </message>
    <message>
        <source>ms/sample</source>
        <translation>ms/样本</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>(now)</source>
        <translation>（当前）</translation>
    </message>
    <message>
        <source>95 % confidence interval of the speed-up</source>
        <translation>加速比的 95 % 置信区间</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 区间</translation>
    </message>
    <message>
        <source>95 % of median</source>
        <translation>中位数的 95 %</translation>
    </message>
    <message>
        <source>95 % of the single runs took no longer; shown for {} runs or more</source>
        <translation>95 % 的单次运行不超过此时间；{} 次及以上运行才给出</translation>
    </message>
    <message>
        <source>99 % of the single runs took no longer; shown for {} runs or more</source>
        <translation>99 % 的单次运行不超过此时间；{} 次及以上运行才给出</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>B minus A: B is faster below zero; ≈ means within the noise</source>
        <translation>B 减 A：小于零表示 B 更快；≈ 表示在噪声范围内</translation>
    </message>
    <message>
        <source>NO</source>
        <translation>否</translation>
    </message>
    <message>
        <source>against the baseline</source>
        <translation>与基线比较</translation>
    </message>
    <message>
        <source>latency of the baseline divided by this latency, per sample if the batches differ; ≈ means within the noise, ? means too few runs to decide</source>
        <translation>基线的延迟除以此延迟，批大小不同时按单个样本计；≈ 表示在噪声范围内，? 表示运行次数太少而无法判断</translation>
    </message>
    <message>
        <source>alone</source>
        <translation>单独运行</translation>
    </message>
    <message>
        <source>largest gain of all these parts together, by estimate: if each unrequested stage took only 0.9 of its predicted latency. This is not a bound</source>
        <translation>这些部分合计的最大增益估计值：假设每个未请求的阶段只需预测延迟的 0.9。不是界</translation>
    </message>
    <message>
        <source>between stages</source>
        <translation>阶段之间</translation>
    </message>
    <message>
        <source>concurrent</source>
        <translation>并发</translation>
    </message>
    <message>
        <source>cost</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>distinct stages whose latency the search needs. Each is measured once for all searches, and not again if an earlier run stored it</source>
        <translation>搜索需要其延迟的不同阶段数。每个阶段只为所有搜索测量一次，先前运行保留的不再测量</translation>
    </message>
    <message>
        <source>end to end, of all rounds</source>
        <translation>端到端，所有轮次</translation>
    </message>
    <message>
        <source>end to end, run alone; ± is the spread of a measured latency</source>
        <translation>端到端，单独运行；± 为实测延迟的离散度</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>few</source>
        <translation>次数太少</translation>
    </message>
    <message>
        <source>from the start of the run to the network&apos;s last kernel</source>
        <translation>从运行开始到该网络的最后一个内核</translation>
    </message>
    <message>
        <source>gain</source>
        <translation>收益</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>half width of the difference&apos;s 95 % interval, from the spread of the samples</source>
        <translation>差异的 95 % 区间的半宽，由样本的离散度得出</translation>
    </message>
    <message>
        <source>half width of the interval that holds 95 % of the samples</source>
        <translation>包含 95 % 样本的区间的半宽</translation>
    </message>
    <message>
        <source>number of equal parts</source>
        <translation>相同部分的数量</translation>
    </message>
    <message>
        <source>how the stage&apos;s units run</source>
        <translation>阶段的单元如何运行</translation>
    </message>
    <message>
        <source>latency of the baseline divided by this latency; ≈ means within the noise, ? means too few runs to decide</source>
        <translation>基线的延迟除以此调度的延迟；≈ 表示在噪声范围内，? 表示运行次数太少而无法判断</translation>
    </message>
    <message>
        <source>mean of the {} in the stage</source>
        <translation>阶段内{}的平均值</translation>
    </message>
    <message>
        <source>mean of the {} in the stage, of the {} {} that the device has</source>
        <translation>阶段内{}的平均值，占设备拥有的 {} {}</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>networks</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>noise</source>
        <translation>噪声</translation>
    </message>
    <message>
        <source>number of stages</source>
        <translation>阶段数</translation>
    </message>
    <message>
        <source>number of units</source>
        <translation>单元数</translation>
    </message>
    <message>
        <source>share of all these parts together in the time of the whole schedule</source>
        <translation>全部合计，占整个调度的时间</translation>
    </message>
    <message>
        <source>number of samples in all rounds</source>
        <translation>所有轮次的样本数</translation>
    </message>
    <message>
        <source>cost of one such part, with the best stages known so far</source>
        <translation>单个此类部分在目前已知最佳阶段下的代价</translation>
    </message>
    <message>
        <source>of the rounds&apos; medians</source>
        <translation>各轮中位数的平均</translation>
    </message>
    <message>
        <source>latency of the stage, run alone</source>
        <translation>阶段单独运行时的延迟</translation>
    </message>
    <message>
        <source>share of the sum of all stage latencies</source>
        <translation>占所有阶段延迟的总和</translation>
    </message>
    <message>
        <source>of {}</source>
        <translation>/ {}</translation>
    </message>
    <message>
        <source>one after another</source>
        <translation>依次执行</translation>
    </message>
    <message>
        <source>one group</source>
        <translation>单组</translation>
    </message>
    <message>
        <source>only in A: {}</source>
        <translation>仅在 A 中：{}</translation>
    </message>
    <message>
        <source>only in B: {}</source>
        <translation>仅在 B 中：{}</translation>
    </message>
    <message>
        <source>origin</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>other groups</source>
        <translation>分组不同</translation>
    </message>
    <message>
        <source>over the limit</source>
        <translation>超出上限</translation>
    </message>
    <message>
        <source>own latency of {}: from the start of the run to its last kernel</source>
        <translation>{} 自身的延迟：从运行开始到其最后一个内核</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>p99</source>
        <translation>p99</translation>
    </message>
    <message>
        <source>part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>part of the network</source>
        <translation>网络的部分</translation>
    </message>
    <message>
        <source>parts</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>parts of the network; equal parts are searched once</source>
        <translation>网络的部分；相同的部分只搜索一次</translation>
    </message>
    <message>
        <source>peak of tensors that the device reported, without weights</source>
        <translation>设备测得的张量峰值，不含权重</translation>
    </message>
    <message>
        <source>planned peak of tensors, with inputs and outputs, without weights; not measured</source>
        <translation>按计划布置的张量峰值，含输入与输出，不含权重；是计划值，不是测量值</translation>
    </message>
    <message>
        <source>range of rounds</source>
        <translation>轮次范围</translation>
    </message>
    <message>
        <source>remarks</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>rest</source>
        <translation>其余</translation>
    </message>
    <message>
        <source>rounds</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>saved against baseline</source>
        <translation>相对基线 节省</translation>
    </message>
    <message>
        <source>schedules of one run take turns: one round each</source>
        <translation>同一运行的各调度轮流执行：每轮一次</translation>
    </message>
    <message>
        <source>simulated, predicted, measured here, or recorded elsewhere</source>
        <translation>模拟、预测、在此实测，或在别处记录</translation>
    </message>
    <message>
        <source>split from {} into {} stages</source>
        <translation>由 {} 个阶段拆为 {} 个</translation>
    </message>
    <message>
        <source>spread</source>
        <translation>离散度</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>stage sum</source>
        <translation>阶段总和</translation>
    </message>
    <message>
        <source>stages requested</source>
        <translation>请求的阶段数</translation>
    </message>
    <message>
        <source>stages of A</source>
        <translation>A 的阶段</translation>
    </message>
    <message>
        <source>stages of A that hold the same operators as those of B</source>
        <translation>A 中与 B 的阶段包含相同算子的阶段</translation>
    </message>
    <message>
        <source>stages of B</source>
        <translation>B 的阶段</translation>
    </message>
    <message>
        <source>stages of B that hold the same operators as those of A</source>
        <translation>B 中与 A 的阶段包含相同算子的阶段</translation>
    </message>
    <message>
        <source>stages of such a part that have a latency, out of all its stages</source>
        <translation>此类部分中已有延迟的阶段数，相对全部阶段</translation>
    </message>
    <message>
        <source>stages run one after another</source>
        <translation>各阶段依次执行</translation>
    </message>
    <message>
        <source>stages that the search measured; the others were known</source>
        <translation>搜索所测量的阶段；其余为已知</translation>
    </message>
    <message>
        <source>strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>sum of the latencies of these stages of A</source>
        <translation>A 的这些阶段延迟之和</translation>
    </message>
    <message>
        <source>sum of the latencies of these stages of B</source>
        <translation>B 的这些阶段延迟之和</translation>
    </message>
    <message>
        <source>sum of the latencies of the stages, each run alone</source>
        <translation>各阶段单独运行时延迟的总和</translation>
    </message>
    <message>
        <source>the device does not report its utilization</source>
        <translation>该设备不报告其利用率</translation>
    </message>
    <message>
        <source>the fastest schedule is bold, and so are those that are as fast within the noise</source>
        <translation>最快的调度以粗体显示，在噪声范围内与之一样快的调度也是</translation>
    </message>
    <message>
        <source>the lowest and the highest of the rounds&apos; medians</source>
        <translation>各轮中位数的最小值与最大值</translation>
    </message>
    <message>
        <source>the same as a share of the time of the whole schedule. This is an estimate, not a bound</source>
        <translation>同上，占整个调度的时间；是估计值，不是界</translation>
    </message>
    <message>
        <source>time that the search took on this computer</source>
        <translation>在本机上搜索所用的时间</translation>
    </message>
    <message>
        <source>times</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>total</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>units</source>
        <translation>单元</translation>
    </message>
    <message>
        <source>units that these stages hold</source>
        <translation>这些阶段包含的单元</translation>
    </message>
    <message>
        <source>units: → one after another, | side by side, + merged into one layer</source>
        <translation>单元：→ 依次执行，| 并排执行，+ 合并为一个层</translation>
    </message>
    <message>
        <source>up to {} groups side by side</source>
        <translation>最多 {} 个组并排</translation>
    </message>
    <message>
        <source>use</source>
        <translation>使用率</translation>
    </message>
    <message>
        <source>verified</source>
        <translation>已验证</translation>
    </message>
    <message>
        <source>what a stage saves against the baseline: choose another one to compare with</source>
        <translation>阶段相对基线节省的时间：请选择另一个基线来比较</translation>
    </message>
    <message>
        <source>what changed</source>
        <translation>改动</translation>
    </message>
    <message>
        <source>what changed from A to B</source>
        <translation>从 A 到 B 的改动</translation>
    </message>
    <message>
        <source>what the units of the stage take with {}, less what the stage takes</source>
        <translation>阶段的单元在 {} 中的耗时，减去阶段的耗时</translation>
    </message>
    <message>
        <source>95 % confidence interval of the median, from the rounds</source>
        <translation>由各轮得出的中位数的 95 % 置信区间</translation>
    </message>
    <message>
        <source>whether the latencies are simulated or measured</source>
        <translation>延迟是模拟的还是实测的</translation>
    </message>
    <message>
        <source>whether the outputs are those of the sequential schedule</source>
        <translation>输出是否与顺序调度的相同</translation>
    </message>
    <message>
        <source>whole</source>
        <translation>整体</translation>
    </message>
    <message>
        <source>the schedule, with the details that distinguish it</source>
        <translation>调度，以及它与其他调度的区别</translation>
    </message>
    <message>
        <source>with {}</source>
        <translation>多出 {}</translation>
    </message>
    <message>
        <source>without {}</source>
        <translation>缺少 {}</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>{} and {}</source>
        <translation>{} 与 {}</translation>
    </message>
    <message>
        <source>{} and {} alike</source>
        <translation>{} 与另外 {} 个相似部分</translation>
    </message>
    <message>
        <source>{} and {} more</source>
        <translation>{} 等，另有 {} 个</translation>
    </message>
    <message>
        <source>{} kernels instead of {}</source>
        <translation>{} 个内核，原为 {} 个</translation>
    </message>
    <message>
        <source>{} lanes</source>
        <translation>{} 条泳道</translation>
    </message>
    <message>
        <source>{} merged</source>
        <translation>{} 已合并</translation>
    </message>
    <message>
        <source>{} more moves</source>
        <translation>另有 {} 处移动</translation>
    </message>
    <message>
        <source>{} moved from stage {} to {}</source>
        <translation>{} 从阶段 {} 移到阶段 {}</translation>
    </message>
    <message>
        <source>{} no longer merged</source>
        <translation>{} 不再合并</translation>
    </message>
    <message>
        <source>{} stages joined into {}</source>
        <translation>{} 个阶段并为 {} 个</translation>
    </message>
    <message>
        <source>±</source>
        <translation>±</translation>
    </message>
    <message>
        <source>Δ</source>
        <translation>Δ</translation>
    </message>
    <message>
        <source>Δ as a share of A&apos;s latency</source>
        <translation>Δ 占 A 延迟的比例</translation>
    </message>
    <message>
        <source>choose a format: {}</source>
        <translation>请选择格式：{}</translation>
    </message>
    <message>
        <source>is too large for the number of its calls</source>
        <translation>对其调用次数而言过大</translation>
    </message>
    <message>
        <source>is written for version {} of the operators {}, but the model for version {}</source>
        <translation>为算子 {1} 的版本 {0} 编写，而模型为版本 {2}</translation>
    </message>
    <message>
        <source>no format has the extension &apos;{}&apos;</source>
        <translation>没有扩展名为“{}”的格式</translation>
    </message>
    <message>
        <source>there is no such format</source>
        <translation>没有这种格式</translation>
    </message>
    <message>
        <source>use one of {}</source>
        <translation>请使用以下之一：{}</translation>
    </message>
    <message>
        <source>give --streams, or leave it out</source>
        <translation>请给出 --streams，或不给出</translation>
    </message>
    <message>
        <source>this format needs another input</source>
        <translation>此格式需要其他输入</translation>
    </message>
    <message>
        <source>names the device of the streams, but no streams are written</source>
        <translation>指定了流的设备，但没有写出流</translation>
    </message>
    <message>
        <source>only a scheduled ONNX model has streams</source>
        <translation>只有带调度的 ONNX 模型才有流</translation>
    </message>
    <message>
        <source>only an ONNX model has a batch size</source>
        <translation>只有 ONNX 模型才有批大小</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>重新测量</translation>
    </message>
    <message>
        <source>Measure everything again, and replace the kept measurements, for example after measurements on a busy machine</source>
        <translation>全部重新测量，并替换保存的测量值，例如曾在繁忙的机器上测量之后</translation>
    </message>
    <message>
        <source>Predictor</source>
        <translation>预测器</translation>
    </message>
    <message>
        <source>Reference device</source>
        <translation>参考设备</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>重放</translation>
    </message>
    <message>
        <source>Search again with the stored measurements of any computer, and measure nothing. --device is then the id of a stored device, or a fingerprint</source>
        <translation>用任意计算机上保存的测量值重新搜索，不测量任何内容。此时 --device 是已保存设备的 id，或者指纹</translation>
    </message>
    <message>
        <source>Start searches from the predictions of this device, such as predicted:cpu. Also run the schedule that a search finds from these predictions only, without measurements</source>
        <translation>搜索从该设备的预测开始，例如 predicted:cpu。同时运行仅凭这些预测、不经测量搜索到的调度</translation>
    </message>
    <message>
        <source>Schedules to compare</source>
        <translation>要比较的调度</translation>
    </message>
    <message>
        <source>all kinds that the device runs without a request</source>
        <translation>设备不经要求就会运行的所有种类</translation>
    </message>
    <message>
        <source>Warm start</source>
        <translation>热启动</translation>
    </message>
    <message>
        <source>A schedule made by hand. The search may use its stages, regardless of -r, -s and their form, and never finds a worse schedule</source>
        <translation>手工制作的调度。搜索可以使用它的各个阶段，不受 -r、-s 和阶段形式的限制，并且绝不会得到更差的调度</translation>
    </message>
    <message>
        <source>The device whose outputs verification uses as the reference</source>
        <translation>验证时以其输出为参考的设备</translation>
    </message>
    <message>
        <source>an input size of {}</source>
        <translation>输入尺寸 {}</translation>
    </message>
    <message>
        <source>{} does not apply to a replay: it searches stored measurements and runs nothing</source>
        <translation>{} 不适用于重放：重放只搜索保存的测量值，不运行任何内容</translation>
    </message>
    <message>
        <source>Shift first</source>
        <translation>先平移</translation>
    </message>
    <message>
        <source>The schedule&apos;s lanes are left out: they are for kernels of the whole units.</source>
        <translation>调度的泳道被省略：它们属于完整单元的内核。</translation>
    </message>
    <message>
        <source>the size of a tensor is unknown, so no limit on memory can be kept</source>
        <translation>有张量的大小未知，因此无法遵守内存限制</translation>
    </message>
    <message>
        <source>Quick</source>
        <translation>快速</translation>
    </message>
    <message>
        <source>Quick: merging was not tried. {} sets of layers can be merged; a search without {} tries them.</source>
        <translation>快速：没有尝试合并。有 {} 组层可以合并；不带 {} 的搜索会尝试它们。</translation>
    </message>
    <message>
        <source>Quick: the longest path of these kernels takes {:.3f} ms, so that other lanes are at most {:.2f} times as fast.</source>
        <translation>快速：这些内核的最长路径需要 {:.3f} ms，因此其他泳道最多快到 {:.2f} 倍。</translation>
    </message>
    <message>
        <source>Search no stages: put the kernels of the sequential schedule on lanes (List), and take the fastest of List, sequential and greedy. It says what a longer search could still find</source>
        <translation>不搜索阶段：把顺序调度的内核放到泳道上（List），取 List、顺序和贪心中最快的，并说明更长的搜索还能找到什么</translation>
    </message>
    <message>
        <source>leave them out</source>
        <translation>请去掉它们</translation>
    </message>
    <message>
        <source>searches no stages, so it takes no options of a search</source>
        <translation>不搜索阶段，因此不接受搜索的选项</translation>
    </message>
    <message>
        <source>concurrency gains less than {} % at every batch size tried</source>
        <translation>在所试的每个批大小下，并发的收益都小于 {} %</translation>
    </message>
    <message>
        <source>concurrency pays up to batch {} ({}); from batch {} on it gains less than {} %</source>
        <translation>并发在批大小不超过 {} 时有收益（{}）；从批大小 {} 起收益小于 {} %</translation>
    </message>
    <message>
        <source>concurrency still pays at batch {}, the largest tried: {}</source>
        <translation>在所试的最大批大小 {} 下并发仍有收益：{}</translation>
    </message>
    <message>
        <source>install it (Debian and Ubuntu: sudo apt install ffmpeg; other systems: ffmpeg.org), or export the card, a picture that needs no other program</source>
        <translation>请安装它（Debian 和 Ubuntu：sudo apt install ffmpeg；其他系统：ffmpeg.org），或导出卡片，这种图片不需要其他程序</translation>
    </message>
    <message>
        <source>{:.2f} times the kernel time, about as many kernels in flight</source>
        <translation>内核时间为 {:.2f} 倍，同时执行的内核大致一样多</translation>
    </message>
    <message>
        <source>has a scale, as only attention can</source>
        <translation>具有缩放系数，而只有注意力才可以有</translation>
    </message>
    <message>
        <source>is no squeeze and excitation</source>
        <translation>不是压缩-激励</translation>
    </message>
    <message>
        <source>{} is slower than {}: the limit s does not allow so many groups in a stage.</source>
        <translation>{} 比 {} 慢：限制 s 不允许一个阶段有这么多组。</translation>
    </message>
    <message>
        <source>a colon is missing</source>
        <translation>缺少冒号</translation>
    </message>
    <message>
        <source>a comma or a closing bracket is missing</source>
        <translation>缺少逗号或右括号</translation>
    </message>
    <message>
        <source>a key is missing</source>
        <translation>缺少键</translation>
    </message>
    <message>
        <source>a number is NaN or infinite, which JSON has no way to say</source>
        <translation>有数值为 NaN 或无穷大，JSON 无法表示</translation>
    </message>
    <message>
        <source>a text has more than {} MiB</source>
        <translation>有文本超过 {} MiB</translation>
    </message>
    <message>
        <source>a value is none of JSON&apos;s: no text, number, list, object, true, false or null</source>
        <translation>有值不属于 JSON：不是文本、数、列表、对象、true、false 或 null</translation>
    </message>
    <message>
        <source>choose another step</source>
        <translation>请选择另一个步骤</translation>
    </message>
    <message>
        <source>copy or record it again</source>
        <translation>请重新复制或录制</translation>
    </message>
    <message>
        <source>give it together with a recording</source>
        <translation>请将它与录制文件一同给出</translation>
    </message>
    <message>
        <source>has more than {} MiB</source>
        <translation>超过 {} MiB</translation>
    </message>
    <message>
        <source>has more than {} nodes</source>
        <translation>节点超过 {} 个</translation>
    </message>
    <message>
        <source>has more than {} operators</source>
        <translation>算子超过 {} 个</translation>
    </message>
    <message>
        <source>has more than {} streams</source>
        <translation>流超过 {} 个</translation>
    </message>
    <message>
        <source>has more than {} tensors</source>
        <translation>张量超过 {} 个</translation>
    </message>
    <message>
        <source>has more than {} {}</source>
        <translation>{1} 超过 {0}</translation>
    </message>
    <message>
        <source>has no begins of kernels</source>
        <translation>没有内核的开始时间</translation>
    </message>
    <message>
        <source>has no column of times</source>
        <translation>没有时间列</translation>
    </message>
    <message>
        <source>has no kernels on device {}</source>
        <translation>设备 {} 上没有内核</translation>
    </message>
    <message>
        <source>has no nodes of a CUDA graph</source>
        <translation>没有 CUDA 计算图的节点</translation>
    </message>
    <message>
        <source>has no range named &apos;{}&apos;</source>
        <translation>没有名为“{}”的范围</translation>
    </message>
    <message>
        <source>has no steps of PyTorch&apos;s profiler; name a range that is a step</source>
        <translation>没有 PyTorch 性能分析器的步骤；请指定一个作为步骤的范围</translation>
    </message>
    <message>
        <source>has only {} of them, the first is 0</source>
        <translation>只有 {} 个，第一个是 0</translation>
    </message>
    <message>
        <source>invalid string: an escape is unknown</source>
        <translation>字符串无效：转义未知</translation>
    </message>
    <message>
        <source>invalid string: half of a character is missing</source>
        <translation>字符串无效：字符缺少一半</translation>
    </message>
    <message>
        <source>invalid string: it has a control character</source>
        <translation>字符串无效：含有控制字符</translation>
    </message>
    <message>
        <source>invalid string: it is not UTF-8</source>
        <translation>字符串无效：不是 UTF-8</translation>
    </message>
    <message>
        <source>invalid string: its quote is not closed</source>
        <translation>字符串无效：引号未闭合</translation>
    </message>
    <message>
        <source>is JSON, but no execution trace</source>
        <translation>是 JSON，但不是执行跟踪</translation>
    </message>
    <message>
        <source>is a damaged trace of Perfetto</source>
        <translation>是已损坏的 Perfetto 跟踪</translation>
    </message>
    <message>
        <source>is a drawing of a graph, without times</source>
        <translation>是计算图的绘制文件，没有时间</translation>
    </message>
    <message>
        <source>is damaged or cut off: gzip cannot unpack it</source>
        <translation>已损坏或被截断：gzip 无法解压</translation>
    </message>
    <message>
        <source>is damaged or cut off: zlib cannot unpack it</source>
        <translation>已损坏或被截断：zlib 无法解压</translation>
    </message>
    <message>
        <source>is of another run: fewer than nine of ten operators are in both</source>
        <translation>属于另一次运行：两者共有的算子不到九成</translation>
    </message>
    <message>
        <source>it does not mark its runs, so all of it counts as one; the range &apos;{}&apos; repeats {} times and can be chosen as a run</source>
        <translation>它没有标记各次运行，因此整体算作一次；范围“{}”重复 {} 次，可以选作一次运行</translation>
    </message>
    <message>
        <source>it has &apos;{}&apos;</source>
        <translation>它有“{}”</translation>
    </message>
    <message>
        <source>it has no device: operators count as kernels, of unknown share</source>
        <translation>它没有设备：算子算作内核，占用份额未知</translation>
    </message>
    <message>
        <source>it has no ranges</source>
        <translation>它没有范围</translation>
    </message>
    <message>
        <source>it has several devices: {} of {} kernels are of device {}, which is shown</source>
        <translation>它有多个设备：{1} 个内核中有 {0} 个属于所显示的设备 {2}</translation>
    </message>
    <message>
        <source>it has {} runs, of which the first is shown</source>
        <translation>它有 {} 次运行，显示第一次</translation>
    </message>
    <message>
        <source>it is an execution trace alone, without times: each operator counts as 1 µs</source>
        <translation>它只是执行跟踪，没有时间：每个算子算作 1 µs</translation>
    </message>
    <message>
        <source>name one &apos;latency_ms&apos;</source>
        <translation>请将一列命名为“latency_ms”</translation>
    </message>
    <message>
        <source>no file says what depends on what, so no kernels are known to be independent; record an execution trace of the same run, and open both</source>
        <translation>没有文件说明依赖关系，因此不知道哪些内核相互独立；请录制同一次运行的执行跟踪，并一同打开</translation>
    </message>
    <message>
        <source>nodes on a GPU have the times of their kernels, not of their launches</source>
        <translation>GPU 上的节点采用其内核的时间，而不是启动的时间</translation>
    </message>
    <message>
        <source>one of its elements has more than {} values</source>
        <translation>它的一个元素有超过 {} 个值</translation>
    </message>
    <message>
        <source>open it with iosx external</source>
        <translation>请用 iosx external 打开</translation>
    </message>
    <message>
        <source>record both in one run</source>
        <translation>请在同一次运行中录制两者</translation>
    </message>
    <message>
        <source>record fewer steps</source>
        <translation>请录制更少的步骤</translation>
    </message>
    <message>
        <source>record it with PyTorch&apos;s ExecutionTraceObserver</source>
        <translation>请用 PyTorch 的 ExecutionTraceObserver 录制</translation>
    </message>
    <message>
        <source>record less: fewer runs</source>
        <translation>请录制更少内容：减少运行次数</translation>
    </message>
    <message>
        <source>the model replays the recording {:.1f} % off, so its predictions are unreliable</source>
        <translation>模型重放录制的偏差为 {:.1f} %，因此其预测不可靠</translation>
    </message>
    <message>
        <source>the text ends too early</source>
        <translation>文本过早结束</translation>
    </message>
    <message>
        <source>there is more text behind the end</source>
        <translation>结尾之后还有文本</translation>
    </message>
    <message>
        <source>unpack it, export a program of PyTorch as ONNX, or open a run with iosx show</source>
        <translation>请解压，或将 PyTorch 程序导出为 ONNX，或用 iosx show 打开运行文件</translation>
    </message>
    <message>
        <source>write it with cudaGraphDebugDotPrint(), or debug_dump() of PyTorch</source>
        <translation>请用 cudaGraphDebugDotPrint() 或 PyTorch 的 debug_dump() 写出</translation>
    </message>
    <message>
        <source>{} edges of the kind &apos;{}&apos; overlap in the recording, so this rule is off for the file</source>
        <translation>录制中有 {0} 条“{1}”类边两端重叠，因此对该文件不用此规则</translation>
    </message>
    <message>
        <source>{} kernels end after the next one of their stream, so they count until that begins</source>
        <translation>有 {} 个内核在同一流的下一个内核之后才结束，因此只计到后者开始</translation>
    </message>
    <message>
        <source>{} kernels on more than {} streams are left out</source>
        <translation>超过 {1} 个流上的 {0} 个内核被略去</translation>
    </message>
    <message>
        <source>{} launches of CUDA graphs were recorded as a whole, without their kernels; record with --cuda-graph-trace=node</source>
        <translation>有 {} 次 CUDA 计算图启动是整体录制的，没有其中的内核；请用 --cuda-graph-trace=node 录制</translation>
    </message>
    <message>
        <source>{} nodes in the body of another node count as part of it</source>
        <translation>有 {} 个位于其他节点体内的节点算作其一部分</translation>
    </message>
    <message>
        <source>as a CUDA graph</source>
        <translation>作为 CUDA 计算图</translation>
    </message>
    <message>
        <source>as launched</source>
        <translation>按录制时的启动</translation>
    </message>
    <message>
        <source>both gradients need the gradient of the output, and not each other</source>
        <translation>两个梯度都需要输出的梯度，彼此并不需要</translation>
    </message>
    <message>
        <source>both gradients should need the gradient of the output alone, but only the order of the stream is known</source>
        <translation>两个梯度应当都只需要输出的梯度，但只知道流中的次序</translation>
    </message>
    <message>
        <source>does not say what its layers read and write</source>
        <translation>没有说明各层读写什么</translation>
    </message>
    <message>
        <source>finding what waits for what</source>
        <translation>正在查找依赖关系</translation>
    </message>
    <message>
        <source>gain as a CUDA graph</source>
        <translation>作为 CUDA 计算图的收益</translation>
    </message>
    <message>
        <source>gain as launched</source>
        <translation>按录制时启动的收益</translation>
    </message>
    <message>
        <source>has no layers</source>
        <translation>没有层</translation>
    </message>
    <message>
        <source>has too many streams</source>
        <translation>流太多</translation>
    </message>
    <message>
        <source>independent</source>
        <translation>相互独立</translation>
    </message>
    <message>
        <source>it has no times, so nothing is predicted; open the trace of the same run</source>
        <translation>它没有时间，因此不作预测；请打开同一次运行的跟踪</translation>
    </message>
    <message>
        <source>it has no times: each layer counts as one</source>
        <translation>它没有时间：每层算作一</translation>
    </message>
    <message>
        <source>its dependencies and the order of its collectives are a cycle, so nothing is predicted</source>
        <translation>其依赖与集合通信的次序构成环，因此不作预测</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>known</source>
        <translation>已知</translation>
    </message>
    <message>
        <source>may be</source>
        <translation>可能</translation>
    </message>
    <message>
        <source>no dependency orders them, and they run at the same time on the predicted lanes</source>
        <translation>没有依赖规定它们的先后，并且它们在预测的泳道上同时运行</translation>
    </message>
    <message>
        <source>only {:.0f} % of its kernels&apos; time is of operators of the network</source>
        <translation>只有 {0:.0f} % 的内核时间属于该网络的算子</translation>
    </message>
    <message>
        <source>has {} steps</source>
        <translation>含有 {0} 个步骤</translation>
    </message>
    <message>
        <source>has {} runs of the network</source>
        <translation>含有该网络的 {0} 次运行</translation>
    </message>
    <message>
        <source>open one step of the recording</source>
        <translation>请打开录制中的一个步骤</translation>
    </message>
    <message>
        <source>open the network that ran, and one step of the recording</source>
        <translation>请打开所运行的网络，以及录制中的一步</translation>
    </message>
    <message>
        <source>predicted lanes</source>
        <translation>预测的泳道</translation>
    </message>
    <message>
        <source>reading the recording</source>
        <translation>正在读取录制</translation>
    </message>
    <message>
        <source>the recorded times do not fit its dependencies, so nothing is predicted from these</source>
        <translation>录制的时间与其依赖不符，因此不据此作预测</translation>
    </message>
    <message>
        <source>they are direct neighbours of one function and size, but only the order of the stream is known, and a chain of equal layers looks the same</source>
        <translation>它们是同一函数、同样大小的直接相邻者，但只知道流中的次序，而由相同层组成的链看起来也一样</translation>
    </message>
    <message>
        <source>they wait for the same kernels, and for none of each other</source>
        <translation>它们等待相同的内核，彼此互不等待</translation>
    </message>
    <message>
        <source>why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>write it by the inspector of TensorRT</source>
        <translation>请用 TensorRT 的检查器写出</translation>
    </message>
    <message>
        <source>{} kernels and waits of the host are more than {}, so nothing is predicted; choose a step</source>
        <translation>内核与主机等待共 {0} 个，多于 {1}，因此不作预测；请选择一步</translation>
    </message>
    <message>
        <source>{} kernels are matched to the network by their order and type, so dependencies of these are a guess</source>
        <translation>有 {0} 个内核按次序和类型与网络匹配，因此它们的依赖是推测</translation>
    </message>
    <message>
        <source>gain with gaps</source>
        <translation>有空隙时的收益</translation>
    </message>
    <message>
        <source>gain without gaps</source>
        <translation>无空隙时的收益</translation>
    </message>
    <message>
        <source>is a drawing of a CUDA graph, without times</source>
        <translation>是 CUDA 计算图的绘制文件，没有时间</translation>
    </message>
    <message>
        <source>open it together with the recording of its run</source>
        <translation>请与其运行的录制一同打开</translation>
    </message>
    <message>
        <source>with gaps</source>
        <translation>有空隙</translation>
    </message>
    <message>
        <source>without gaps</source>
        <translation>无空隙</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>一个设备</translation>
    </message>
    <message>
        <source>device {}</source>
        <translation>设备 {}</translation>
    </message>
    <message>
        <source>the processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>was not read to its end: reading was stopped</source>
        <translation>未读完：读取已停止</translation>
    </message>
    <message>
        <source>{} ({} multiprocessors)</source>
        <translation>{}（{} 个多处理器）</translation>
    </message>
    <message>
        <source>1 edge of the kind &apos;{}&apos; overlaps in the recording, so this rule is off for the file</source>
        <translation>有 1 条“{}”类的边在录制中重叠，因此该规则对此文件停用</translation>
    </message>
    <message>
        <source>a drawing of a CUDA graph fits no launch of the recording: it has other kernels</source>
        <translation>有一张 CUDA 计算图的绘图与录制中的任何启动都不符：其内核不同</translation>
    </message>
    <message>
        <source>choose another range</source>
        <translation>请选择其他区间</translation>
    </message>
    <message>
        <source>gaps between kernels cost {:.3f} ms</source>
        <translation>内核之间的间隙耗时 {0:.3f} ms</translation>
    </message>
    <message>
        <source>gaps between operators cost {:.3f} ms</source>
        <translation>算子之间的间隙耗时 {0:.3f} ms</translation>
    </message>
    <message>
        <source>gaps cost nothing</source>
        <translation>间隙没有代价</translation>
    </message>
    <message>
        <source>is an execution trace, to which no file can be added</source>
        <translation>是执行轨迹，不能再添加其他文件</translation>
    </message>
    <message>
        <source>it has more accesses to its tensors than are looked at, so its dependencies are not known; choose a step</source>
        <translation>它对张量的访问多于所能检查的数目，因此依赖关系未知；请选择一个步骤</translation>
    </message>
    <message>
        <source>it has {} steps, 0 to {}: the figures are of all of them and of the time between; choose one step</source>
        <translation>它有 {0} 个步骤（0 至 {1}）：这些数字包括所有步骤及其间的时间；请选择一个步骤</translation>
    </message>
    <message>
        <source>launch gaps cost {:.3f} ms, which a CUDA graph can save</source>
        <translation>启动间隙耗时 {0:.3f} ms，CUDA 计算图可以省去</translation>
    </message>
    <message>
        <source>more where the share of the device is not known, as of {:.0f} % of the kernels&apos; time</source>
        <translation>在设备占比未知之处还可能更多，这样的内核占内核时间的 {0:.0f} %</translation>
    </message>
    <message>
        <source>no known dependency orders them, but not all that they depend on is known for certain</source>
        <translation>没有已知的依赖关系规定其先后，但它们所依赖的并非全部确知</translation>
    </message>
    <message>
        <source>open the recording of its run, and add this file to it</source>
        <translation>请打开该次运行的录制，再添加此文件</translation>
    </message>
    <message>
        <source>stopped before {} ran alone</source>
        <translation>在 {} 单独运行之前已停止</translation>
    </message>
    <message>
        <source>streams can win at most {:.3f} ms</source>
        <translation>流最多可以赢得 {0:.3f} ms</translation>
    </message>
    <message>
        <source>streams can win at most {:.3f} ms of the rest</source>
        <translation>流最多可以赢得其余部分中的 {0:.3f} ms</translation>
    </message>
    <message>
        <source>the model is {:.0f} % off here, so take this as a guess</source>
        <translation>模型在此偏差 {0:.0f} %，请视为估计</translation>
    </message>
    <message>
        <source>the share of the device is not known of 1 kernel, so streams are not said to gain by it</source>
        <translation>有 1 个内核的设备占比未知，因此不说流能由它获益</translation>
    </message>
    <message>
        <source>the share of the device is not known of {} kernels, so streams are not said to gain by them</source>
        <translation>有 {} 个内核的设备占比未知，因此不说流能由它们获益</translation>
    </message>
    <message>
        <source>waits of the host cost {:.3f} ms</source>
        <translation>主机的等待耗时 {0:.3f} ms</translation>
    </message>
    <message>
        <source>waits of the host cost {:.3f} ms more</source>
        <translation>主机的等待另外耗时 {0:.3f} ms</translation>
    </message>
    <message>
        <source>what streams can win is not known, because nothing says how much of the device a kernel fills</source>
        <translation>流能赢得多少未知，因为没有信息说明一个内核占用设备的多少</translation>
    </message>
    <message>
        <source>what streams can win is not known, because nothing says how much of the processor an operator needs</source>
        <translation>流能赢得多少未知，因为没有信息说明一个算子需要处理器的多少</translation>
    </message>
    <message>
        <source>{} drawings of CUDA graphs fit no launch of the recording: they have other kernels</source>
        <translation>有 {} 张 CUDA 计算图的绘图与录制中的任何启动都不符：其内核不同</translation>
    </message>
    <message>
        <source>1 kernel ends after the next one of its stream does, so it counts until that begins</source>
        <translation>有 1 个内核在同一条流的下一个内核结束之后才结束，因此只计到后者开始</translation>
    </message>
    <message>
        <source>What each network takes alone is not known: {}</source>
        <translation>各网络单独运行需要多久未知：{}</translation>
    </message>
</context>
<context>
    <name>iosx::DeviceBox</name>
    <message>
        <source>Measured here</source>
        <translation>在本机测量</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Simulated</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>%1 (not available)</source>
        <translation>%1（不可用）</translation>
    </message>
    <message>
        <source>shows its newest run</source>
        <translation>显示其最新的运行</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Measured by workers</source>
        <translation>由工作进程测量</translation>
    </message>
    <message>
        <source>Devices of other machines…</source>
        <translation>其他机器上的设备…</translation>
    </message>
    <message>
        <source>Add devices of other machines, on which workers measure</source>
        <translation>添加由其他机器上的工作进程测量的设备</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
</context>
<context>
    <name>iosx::DevicesDialog</name>
    <message>
        <source>asking… %1</source>
        <translation>正在询问… %1</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>工作进程</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>The chosen workers</source>
        <translation>所选的工作进程</translation>
    </message>
    <message>
        <source>&amp;Add…</source>
        <translation>添加(&amp;A)…</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>How many workers the command starts</source>
        <translation>该命令启动多少个工作进程</translation>
    </message>
    <message>
        <source>There are no workers yet.
Add… starts one by ssh, by Slurm or by your own command, and lists its device.</source>
        <translation>还没有工作进程。
“添加…”通过 ssh、Slurm 或您的命令启动一个，并列出它的设备。</translation>
    </message>
    <message>
        <source>&amp;Devices of this machine that run in their own process:</source>
        <translation>在独立进程中运行的本机设备(&amp;D)：</translation>
    </message>
    <message>
        <source>Devices of this machine that run in their own process</source>
        <translation>在独立进程中运行的本机设备</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>all that measure</source>
        <translation>所有进行测量的设备</translation>
    </message>
    <message>
        <source>If the device&apos;s library crashes, then only one measurement is lost. A change takes effect at the next start.</source>
        <translation>这样，设备的库崩溃时最多损失一次测量。此处的选择从下次启动起生效。</translation>
    </message>
    <message>
        <source>&amp;Stop asking</source>
        <translation>停止询问(&amp;S)</translation>
    </message>
    <message>
        <source>Ask a&amp;gain</source>
        <translation>重新询问(&amp;G)</translation>
    </message>
    <message>
        <source>Remove the chosen workers from the list, and the device with its last worker</source>
        <translation>从列表中移除所选的工作进程；最后一个移除后，设备也随之移除</translation>
    </message>
    <message>
        <source>Choose a row to see its command and replies.</source>
        <translation>选择一行即可查看它的命令和全部回答。</translation>
    </message>
    <message>
        <source>Command: %1</source>
        <translation>命令：%1</translation>
    </message>
    <message>
        <source>A worker (iosx worker) measures on a device of another machine, or of this machine in a separate process, for this window and for the command line. This machine&apos;s own devices are not in this list.</source>
        <translation>工作进程（iosx worker）在另一台机器的设备上测量，或在本机的独立进程中测量，供此窗口和命令行使用。本机自有的设备不在此列表中。</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 个</translation>
    </message>
</context>
<context>
    <name>iosx::DistributionView</name>
    <message>
        <source>Distribution of the runs</source>
        <translation>各次运行的分布</translation>
    </message>
</context>
<context>
    <name>iosx::Edit</name>
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
        <source>Cycle</source>
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
</context>
<context>
    <name>iosx::EditCanvas</name>
    <message>
        <source>Drawn graph</source>
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
        <source>Words that must all occur in the name, kind, unit, part or problems</source>
        <translation>须全部出现的词，可在名称、类型、单元、部分或问题中</translation>
    </message>
    <message>
        <source>Laying out the graph…</source>
        <translation>正在布局计算图…</translation>
    </message>
</context>
<context>
    <name>iosx::EditLatencies</name>
    <message>
        <source>the drawing computes nothing</source>
        <translation>尚未绘制任何进行计算的算子</translation>
    </message>
    <message>
        <source>there is no device</source>
        <translation>没有可用的设备</translation>
    </message>
    <message>
        <source>Measuring the drawn graph</source>
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
        <source>Check at least two devices.</source>
        <translation>请至少勾选两个设备。</translation>
    </message>
    <message>
        <source>Enter whole numbers from 1 to %1, separated by commas, each once.</source>
        <translation>请填写 1 到 %1 的整数，用逗号分隔，每个一次。</translation>
    </message>
    <message>
        <source>Enter two or more whole numbers from 1 to %1, separated by commas, each once.</source>
        <translation>请填写两个或更多 1 到 %1 的整数，用逗号分隔，每个一次。</translation>
    </message>
    <message>
        <source>Enter whole numbers, separated by commas, each once; 0 means no limit.</source>
        <translation>请填写整数，用逗号分隔，每个一次；0 表示无限制。</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>&amp;Python interpreter</source>
        <translation>Python 解释器(&amp;P)</translation>
    </message>
    <message>
        <source>For example that of a virtual environment: its installed engines are compared</source>
        <translation>例如某个虚拟环境的解释器：比较其中已安装的引擎</translation>
    </message>
    <message>
        <source>&amp;Engines</source>
        <translation>引擎(&amp;E)</translation>
    </message>
    <message>
        <source>all installed, or ids with commas: onnxruntime, openvino</source>
        <translation>其中所有引擎；或用逗号分隔的标识：onnxruntime, openvino</translation>
    </message>
    <message>
        <source>Enter a Python interpreter.</source>
        <translation>请指定 Python 解释器。</translation>
    </message>
</context>
<context>
    <name>iosx::ExperimentPanel</name>
    <message>
        <source>Experiments</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Table and export…</source>
        <translation>表格与导出…</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>One value changed: batch size, device, limits, sizes</source>
        <translation>改变一个值：批大小、设备、限制、尺寸</translation>
    </message>
    <message>
        <source>From the paper</source>
        <translation>论文中的实验</translation>
    </message>
    <message>
        <source>Show the experiment in a window, with its table, and export both</source>
        <translation>在窗口中显示该实验及其表格，并可导出两者</translation>
    </message>
    <message>
        <source>%1. It searches the shown network several times, on the chosen device with the present settings.</source>
        <translation>%1。它在所选设备上以当前设置多次搜索所显示的网络。</translation>
    </message>
    <message>
        <source>&amp;Run…</source>
        <translation>运行(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
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
        <source>Stopped early: trials are missing, or ran only once.</source>
        <translation>提前停止：缺少部分试验，或只运行了一次。</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>Export table</source>
        <translation>导出表</translation>
    </message>
</context>
<context>
    <name>iosx::ExportDialog</name>
    <message>
        <source>What to export</source>
        <translation>导出内容</translation>
    </message>
    <message>
        <source>Unit of the width</source>
        <translation>宽度单位</translation>
    </message>
    <message>
        <source>Write its &amp;data beside it, as CSV</source>
        <translation>同时将其数据写为 CSV(&amp;D)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export figure</source>
        <translation>导出图</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
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
        <source>Size of ordinary text. All text grows if some would be under %1 pt</source>
        <translation>普通文字的字号。若有文字小于 %1 pt，则全部放大</translation>
    </message>
    <message>
        <source>dpi</source>
        <translation>dpi</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>格式(&amp;F)</translation>
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
        <source>Not possible now: %1</source>
        <translation>现在不可用：%1</translation>
    </message>
    <message>
        <source>The numbers of the figure as a table.</source>
        <translation>图中的数值，作为表格。</translation>
    </message>
    <message>
        <source>%1 mm wide, %2 mm high, no text under %3 pt. The colours also differ in grey.</source>
        <translation>宽 %1 mm，高 %2 mm，文字不小于 %3 pt。颜色在灰度下也可区分。</translation>
    </message>
    <message>
        <source>At its size in the window, in the light colours.</source>
        <translation>与窗口中绘制的大小相同，使用浅色。</translation>
    </message>
    <message>
        <source>%1 exists already. Replace it with the data of the figure?</source>
        <translation>%1 已存在。用图的数据替换它吗？</translation>
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
        <source>Wrote %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>Export statistics</source>
        <translation>导出统计</translation>
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
        <source>No schedule is being edited.</source>
        <translation>没有正在更改的调度。</translation>
    </message>
    <message>
        <source>There is nothing to compare yet: a card shows a schedule next to sequential.</source>
        <translation>还没有可比较的内容：卡片将一个调度与顺序调度并列显示。</translation>
    </message>
    <message>
        <source>A picture of the result is on the clipboard</source>
        <translation>结果的图片已放到剪贴板</translation>
    </message>
    <message>
        <source>There is nothing to compare yet: a race shows a schedule next to sequential.</source>
        <translation>还没有可比较的内容：竞赛将一个调度与顺序调度并列显示。</translation>
    </message>
    <message>
        <source>Export animation</source>
        <translation>导出动画</translation>
    </message>
    <message>
        <source>Export as %1</source>
        <translation>导出为%1</translation>
    </message>
    <message>
        <source>Export as %1: an empty folder, or one of an earlier export</source>
        <translation>导出为%1：请选择空文件夹，或之前导出的文件夹</translation>
    </message>
    <message>
        <source> and </source>
        <comment>between two files</comment>
        <translation> 和 </translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>图</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Animation</source>
        <translation>动画</translation>
    </message>
    <message>
        <source>Schedule and model</source>
        <translation>调度与模型</translation>
    </message>
    <message>
        <source>Graph without a schedule</source>
        <translation>不含调度的计算图</translation>
    </message>
    <message>
        <source>Advanced: original IOS program</source>
        <translation>高级：原版 IOS 程序</translation>
    </message>
</context>
<context>
    <name>iosx::ExternalMenu</name>
    <message>
        <source>Add an external run</source>
        <translation>添加其他程序测得的内容</translation>
    </message>
    <message>
        <source>Tables, traces and profiles (*.csv *.tsv *.json *.sqlite *.db);;All files (*)</source>
        <translation>表格、跟踪与性能剖析 (*.csv *.tsv *.json *.sqlite *.db);;所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 is a recording of another program. First open the network that it ran.</source>
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
        <source>Without a latency, no bar is drawn.</source>
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
        <source>It contains no operator of %1: is it of another network?</source>
        <translation>其中没有任何内容是 %1 的算子：它是否属于另一个网络？</translation>
    </message>
    <message>
        <source>It has %1 of %2 operators, so its latency is not compared.</source>
        <translation>其中只有 %2 个算子中的 %1 个，因此其延迟不与任何结果比较。</translation>
    </message>
    <message>
        <source>Show matches</source>
        <translation>显示匹配</translation>
    </message>
    <message>
        <source>No profile with operators was imported for this network</source>
        <translation>没有为该网络导入含算子的性能分析</translation>
    </message>
</context>
<context>
    <name>iosx::FirstMinute</name>
    <message>
        <source>These are the schedules and their latencies. Choose another one and see how it runs.</source>
        <translation>这些是各个调度及其延迟。选择另一个，看看它如何运行。</translation>
    </message>
    <message>
        <source>All this is simulated. This button measures it here; nothing is measured before you press it.</source>
        <translation>以上全是模拟结果。此按钮在本机实际测量；在您按下之前不会测量任何内容。</translation>
    </message>
    <message>
        <source>Open your own model here, or drop its ONNX file anywhere in the window.</source>
        <translation>在此打开您自己的模型，或把 ONNX 文件拖放到窗口的任意位置。</translation>
    </message>
    <message>
        <source>Boxes in one row of a frame ran at the same time: here %1. Point at a box: what ran beside it stays bright.</source>
        <translation>一个框内同一行的方框曾同时运行：此处有 %1 个。指向一个方框：与它同时运行的保持明亮。</translation>
    </message>
</context>
<context>
    <name>iosx::FoldCanvas</name>
    <message>
        <source>Graph of kernels</source>
        <translation>内核计算图</translation>
    </message>
    <message>
        <source>Find a kernel, operator or module</source>
        <translation>查找内核、算子或模块</translation>
    </message>
    <message>
        <source>Find in the graph of kernels</source>
        <translation>在内核计算图中查找</translation>
    </message>
    <message>
        <source>A part of a name</source>
        <translation>名称的一部分</translation>
    </message>
    <message>
        <source>At most %1 boxes are shown at once: fold others first.</source>
        <translation>一次最多显示 %1 个框：请先折叠其他框。</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>First kernel: %1</source>
        <translation>首个内核：%1</translation>
    </message>
    <message>
        <source>%1 equal ones; the boxes inside it are those of the first</source>
        <translation>%1 个相同者；框内为第一个的内容</translation>
    </message>
    <message>
        <source>A click on the header folds it</source>
        <translation>单击标题即可折叠</translation>
    </message>
    <message>
        <source>A double click unfolds it</source>
        <translation>双击即可展开</translation>
    </message>
</context>
<context>
    <name>iosx::GraphController</name>
    <message>
        <source>graph %1</source>
        <translation>计算图 %1</translation>
    </message>
    <message>
        <source>The clipboard is empty</source>
        <translation>剪贴板上没有内容</translation>
    </message>
    <message>
        <source>The clipboard has no piece of a graph</source>
        <translation>剪贴板上的内容不是计算图的一部分</translation>
    </message>
    <message>
        <source>part %1</source>
        <translation>部分 %1</translation>
    </message>
    <message>
        <source>The drawing has mistakes and cannot be computed. The view shows the state before</source>
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
    <message>
        <source>stages.md</source>
        <extracomment>The file of this page of the guide in this language.</extracomment>
        <translation>stages.zh_CN.md</translation>
    </message>
    <message>
        <source>&amp;3. Why stages cost</source>
        <translation>3. 阶段为何有代价(&amp;3)</translation>
    </message>
</context>
<context>
    <name>iosx::Headline</name>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
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
        <source>other strategies now</source>
        <translation>策略现已不同</translation>
    </message>
    <message>
        <source>Measure on this machine</source>
        <translation>在本机上测量</translation>
    </message>
    <message>
        <source>Made with other settings: %1</source>
        <translation>以其他设置得出：%1</translation>
    </message>
    <message>
        <source>Search the schedules and run them on %1; a large network takes minutes</source>
        <translation>在 %1 上实际搜索并运行调度；大型网络需要数分钟</translation>
    </message>
    <message>
        <source>Where did %1 go?</source>
        <translation>%1 去哪儿了？</translation>
    </message>
    <message>
        <source>Compare the two, stage by stage</source>
        <translation>逐阶段比较这两者</translation>
    </message>
    <message>
        <source>From an older file, which has changed since</source>
        <translation>来自较旧的文件：此后文件已更改</translation>
    </message>
    <message>
        <source>%1 elsewhere</source>
        <translation>在别处%1</translation>
    </message>
    <message>
        <source>Latencies and timelines come from a model of this GPU, not from a GPU. The README gives the distance of the model to published measurements.</source>
        <translation>延迟和时间线来自该 GPU 的模型，而非真实 GPU。README 说明了模型与已发表测量值的差距。</translation>
    </message>
    <message>
        <source>Latencies and timelines are measured on %1.</source>
        <translation>延迟和时间线是在 %1 上测量的。</translation>
    </message>
    <message>
        <source>Origin of the latencies: %1</source>
        <translation>延迟的来源：%1</translation>
    </message>
    <message>
        <source>Latencies and timelines are predicted from measured operators. Help &gt; Operators gives the errors of such predictions.</source>
        <translation>延迟和时间线由测量过的算子预测得到。“帮助 &gt; 算子”说明此类预测的误差。</translation>
    </message>
    <message>
        <source>Measure here</source>
        <translation>在此测量</translation>
    </message>
    <message>
        <source>%1 is over the memory limit</source>
        <translation>%1 超出内存上限</translation>
    </message>
    <message>
        <source>%1, the baseline</source>
        <translation>%1，即基线</translation>
    </message>
    <message>
        <source>as fast: %1 instead of %2</source>
        <translation>速度：%1，而非 %2</translation>
    </message>
    <message>
        <source>as fast as %1: %2 instead of %3</source>
        <translation>速度（相对%1）：%2，而非 %3</translation>
    </message>
    <message>
        <source>still searching</source>
        <translation>仍在搜索</translation>
    </message>
    <message>
        <source>stopped at %1 s</source>
        <translation>搜索在 %1 秒时停止</translation>
    </message>
    <message>
        <source>not searched yet</source>
        <translation>尚未搜索</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Faster schedules may still be found</source>
        <translation>仍可能找到更快的调度</translation>
    </message>
    <message>
        <source>The search has not ended: there may be faster schedules</source>
        <translation>搜索尚未结束：可能还有更快的调度</translation>
    </message>
    <message>
        <source>No schedule yet</source>
        <translation>尚无调度</translation>
    </message>
    <message>
        <source>%1 here</source>
        <translation>在本机%1</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
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
    <name>iosx::IdleBar</name>
    <message>
        <source>busy %1</source>
        <translation>忙碌 %1</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>忙碌</translation>
    </message>
</context>
<context>
    <name>iosx::Inspector</name>
    <message>
        <source>When %1 kernels began, in %2</source>
        <translation>%1 个内核何时开始，在 %2 中</translation>
    </message>
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
        <source>being computed</source>
        <translation>正在计算</translation>
    </message>
    <message>
        <source>Search of %1</source>
        <translation>%1 的搜索</translation>
    </message>
    <message>
        <source>Requested</source>
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
        <source>no batch axis: the shapes hold all axes</source>
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
        <source>; has values that are not finite</source>
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
        <source>%1 more outputs</source>
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
        <source>Computes</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>scale · x + shift, per channel</source>
        <translation>逐通道：scale · x + shift</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>the second input where the first is not 0, otherwise the third</source>
        <translation>第一个输入非 0 处取第二个输入，否则取第三个</translation>
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
        <source>Execution</source>
        <translation>执行</translation>
    </message>
    <message>
        <source>no device can run it; its cost is known</source>
        <translation>没有设备可以执行；其代价已知</translation>
    </message>
    <message>
        <source>no device can run it; its cost is unknown</source>
        <translation>没有设备可以执行；其代价未知</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
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
        <source>run %1 in parallel, not merged</source>
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
        <source>strategy parallel: a merged layer</source>
        <translation>并行策略：有合并的层</translation>
    </message>
    <message>
        <source>strategy merge: %1 units that are not merged</source>
        <translation>合并策略：%1 个单元未合并</translation>
    </message>
    <message>
        <source>parts: it would have units of parts %1 and %2</source>
        <translation>部分：它会包含部分 %1 和 %2 的单元</translation>
    </message>
    <message>
        <source>a search merges whole stages only</source>
        <translation>搜索只合并整个阶段</translation>
    </message>
    <message>
        <source>a search groups only units that read one another</source>
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
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>Tied with</source>
        <translation>不分胜负</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Without barriers</source>
        <translation>无屏障</translation>
    </message>
    <message>
        <source>lane %1, launch %2 of %3</source>
        <translation>泳道 %1，%3 次启动中的第 %2 次</translation>
    </message>
    <message>
        <source>%1 (lane %2, launch %3)</source>
        <translation>%1（泳道 %2，第 %3 次启动）</translation>
    </message>
    <message>
        <source>nothing: it has no dependency and is the first on its lane</source>
        <translation>无：它不需要任何内核，并且是泳道上的第一个</translation>
    </message>
    <message>
        <source>%1, a dependency that precedes it on its lane</source>
        <translation>%1，它需要此内核，此内核也在同一泳道上排在它前面</translation>
    </message>
    <message>
        <source>%1, a dependency</source>
        <translation>%1，它需要此内核</translation>
    </message>
    <message>
        <source>%1, a dependency: its lane was free %2 before</source>
        <translation>%1，它需要此内核；它的泳道早 %2 就已空闲</translation>
    </message>
    <message>
        <source>its lane, for %1: %2</source>
        <translation>它的泳道，等待 %1：%2</translation>
    </message>
    <message>
        <source>its lane: %1; its dependencies had ended %2 before</source>
        <translation>它的泳道：%1；它需要的内核早 %2 就已结束</translation>
    </message>
    <message>
        <source>by up to %1, if %2 had ended earlier</source>
        <translation>若 %2 更早结束，最多可早 %1</translation>
    </message>
    <message>
        <source>by up to %1 if before %2, on which it does not depend</source>
        <translation>若排在它不需要的 %2 之前，最多可早 %1</translation>
    </message>
    <message>
        <source>by up to %1 on lane %2, which was idle long enough</source>
        <translation>若放在空闲足够久的泳道 %2 上，最多可早 %1</translation>
    </message>
    <message>
        <source>When %1 began, in %2</source>
        <translation>%1 在 %2 中何时开始</translation>
    </message>
    <message>
        <source>Began at</source>
        <translation>开始于</translation>
    </message>
    <message>
        <source>Waited for</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>%1 until it began: its launch, and waits between lanes</source>
        <translation>%1 后才开始：启动以及泳道之间的等待</translation>
    </message>
    <message>
        <source>in the trace it began %1 earlier; the times of the trace are no finer</source>
        <translation>按跟踪记录，它早 %1 就已开始；记录的时间精度有限</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>可更早</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>Alternatives of a search here are not measured</source>
        <translation>搜索在此可取的其他方案尚未测量</translation>
    </message>
    <message>
        <source>A search has no alternatives here</source>
        <translation>搜索在此没有其他可取的方案</translation>
    </message>
    <message>
        <source>Better: %1, saves %2 ms (%3)</source>
        <translation>更好的是：%1，节省 %2 ms（%3）</translation>
    </message>
    <message>
        <source>As good: %1 (%2)</source>
        <translation>同样好的是：%1（%2）</translation>
    </message>
    <message>
        <source>Next best: %1, costs %2 ms more (%3)</source>
        <translation>次优：%1，多用 %2 ms（%3）</translation>
    </message>
    <message>
        <source>1 alternative excluded by limits</source>
        <translation>1 个备选方案被限制排除</translation>
    </message>
    <message>
        <source>%1 alternatives excluded by limits</source>
        <translation>%1 个备选方案被限制排除</translation>
    </message>
    <message>
        <source>Own latency of %1</source>
        <translation>%1 自身的延迟</translation>
    </message>
    <message>
        <source>Alone</source>
        <translation>单独运行</translation>
    </message>
    <message>
        <source>no value</source>
        <translation>无值</translation>
    </message>
    <message>
        <source>%1 in sum</source>
        <translation>合计 %1</translation>
    </message>
    <message>
        <source>%1, the farthest from zero</source>
        <translation>%1，离零最远者</translation>
    </message>
    <message>
        <source>Too many kernels to list what each waited for: select fewer units</source>
        <translation>内核太多，无法逐个说明等待了什么：请选择较少的单元</translation>
    </message>
    <message>
        <source>Sensitivity to the model&apos;s errors</source>
        <translation>对模型误差的敏感度</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>scale · (x + shift), per channel</source>
        <translation>scale · (x + shift)，按通道</translation>
    </message>
    <message>
        <source>%1 to %2 in nine of ten cases</source>
        <translation>十分之九的情况下为 %1 至 %2</translation>
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
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
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
        <source>Activity of the running job</source>
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
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stop and keep the best so far (Ctrl+.)</source>
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
    <message>
        <source>Time since the job started without pauses, and the estimated time left in its present step</source>
        <translation>任务开始以来的时间（不含暂停），以及当前步骤的估计剩余时间</translation>
    </message>
    <message>
        <source>Show all jobs and what workers do</source>
        <translation>显示所有任务以及工作进程的活动</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>best so far %1</source>
        <translation>目前最佳 %1</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Let the job go on</source>
        <translation>让任务继续</translation>
    </message>
    <message>
        <source>Hold the job after its present measurement</source>
        <translation>在当前测量之后暂停任务</translation>
    </message>
    <message>
        <source>paused at %1</source>
        <translation>已暂停，%1</translation>
    </message>
    <message>
        <source>Latency of the fastest schedule that is shown or that the running search has found so far</source>
        <translation>所显示的和正在运行的搜索目前找到的调度中最快者的延迟</translation>
    </message>
</context>
<context>
    <name>iosx::Jobs</name>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
    <message>
        <source>Opening the saved session</source>
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
        <source>A simulated device shows all its data without profiling</source>
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
        <source>Running the schedules of %1</source>
        <translation>正在运行 %1 的调度</translation>
    </message>
    <message>
        <source>This run was recorded, and the weights of its network are missing; open the network itself</source>
        <translation>此运行是记录的，而此处没有该网络的权重；请打开网络本身</translation>
    </message>
    <message>
        <source>This run was recorded on another device; run it here with Optimize, then profile it</source>
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
    <message>
        <source>Adding %1</source>
        <translation>正在添加 %1</translation>
    </message>
    <message>
        <source>No device here computes outputs, as engines do</source>
        <translation>这里没有像引擎那样进行计算的设备</translation>
    </message>
    <message>
        <source>Finding lanes of %1</source>
        <translation>正在为 %1 寻找泳道</translation>
    </message>
    <message>
        <source>Running the baselines of %1</source>
        <translation>正在运行 %1 的基线</translation>
    </message>
</context>
<context>
    <name>iosx::JobsPanel</name>
    <message>
        <source>Running and waiting jobs</source>
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
        <source>No job runs or waits. If you press Optimize during a search, the next one waits.</source>
        <translation>没有任务在运行或等待。在搜索运行时按“优化”，下一个任务会排队等待。</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>a job, and with what settings</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1: paused</source>
        <translation>%1：已暂停</translation>
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
        <source>Changed; default: %1</source>
        <translation>已更改；默认：%1</translation>
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
        <source>&apos;%2&apos; itself uses %1: one of the two will not work there.</source>
        <translation>%1 在“%2”中是其自身的按键：两者之一在那里将不起作用。</translation>
    </message>
    <message>
        <source>%1 is free.</source>
        <translation>%1 未被占用。</translation>
    </message>
</context>
<context>
    <name>iosx::LaneBoard</name>
    <message>
        <source>Lane board</source>
        <translation>泳道看板</translation>
    </message>
    <message>
        <source>%1, lane %2, %3 of %4</source>
        <translation>%1，泳道 %2，第 %3 个，共 %4 个</translation>
    </message>
    <message>
        <source>needs %1</source>
        <translation>需要 %1</translation>
    </message>
    <message>
        <source>needed by %1</source>
        <translation>%1 需要它</translation>
    </message>
    <message>
        <source>where it is</source>
        <translation>原来的位置</translation>
    </message>
    <message>
        <source>Run gives the latency</source>
        <translation>“运行”会给出延迟</translation>
    </message>
    <message>
        <source>computing the latency…</source>
        <translation>正在计算延迟…</translation>
    </message>
    <message>
        <source>no change</source>
        <translation>没有变化</translation>
    </message>
    <message>
        <source>+ a lane of its own</source>
        <translation>+ 独占一条泳道</translation>
    </message>
    <message>
        <source>time (%1)</source>
        <translation>时间（%1）</translation>
    </message>
    <message>
        <source>launch order; kernel times are not known here</source>
        <translation>启动顺序；这里不知道内核用时多长</translation>
    </message>
    <message>
        <source>Lane %1</source>
        <translation>泳道 %1</translation>
    </message>
    <message>
        <source>1 kernel</source>
        <translation>1 个内核</translation>
    </message>
    <message>
        <source>%1 kernels</source>
        <translation>%1 个内核</translation>
    </message>
    <message>
        <source>%1 busy</source>
        <translation>%1 忙碌</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动 %1</translation>
    </message>
    <message>
        <source>Only simulated devices know the cost of a place before a run</source>
        <translation>只有模拟设备能在运行之前得知各位置的代价</translation>
    </message>
    <message>
        <source>%1 has no faster place</source>
        <translation>%1 没有更快的位置</translation>
    </message>
</context>
<context>
    <name>iosx::LaneCosts</name>
    <message>
        <source>There is no device</source>
        <translation>没有可用的设备</translation>
    </message>
</context>
<context>
    <name>iosx::LatencyLine</name>
    <message>
        <source>after each edit</source>
        <translation>每次编辑后</translation>
    </message>
    <message>
        <source>Measure automatically after every edit</source>
        <translation>每次编辑后自动测量，无需询问</translation>
    </message>
    <message>
        <source>No latency is known:</source>
        <translation>延迟未知：</translation>
    </message>
    <message>
        <source>The latency is being computed</source>
        <translation>正在计算延迟</translation>
    </message>
    <message>
        <source>searching</source>
        <translation>正在搜索</translation>
    </message>
    <message>
        <source>pending</source>
        <translation>待定</translation>
    </message>
    <message>
        <source>%1 on %2, batch %3</source>
        <translation>%1，%2，批大小 %3</translation>
    </message>
    <message>
        <source>Latencies of the schedules for the drawn graph: the sum of the stages, each alone, and of the gaps between them. Changes are those of the last edit.</source>
        <translation>当前绘制的计算图在各调度下的延迟：各阶段单独运行的延迟与阶段间间隔之和。变化相对于上一次编辑之前。</translation>
    </message>
    <message>
        <source>%1 since opening: %2</source>
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
        <source>Search and measure the drawn graph on %1</source>
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
    <message>
        <source>Latencies of the schedules for the drawn graph. Changes are those of the last edit.</source>
        <translation>所绘计算图各调度的延迟。变化是最近一次编辑带来的。</translation>
    </message>
</context>
<context>
    <name>iosx::LatencyWords</name>
    <message>
        <source>the same</source>
        <translation>相同</translation>
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
        <source>Edit graph</source>
        <translation>编辑计算图</translation>
    </message>
    <message>
        <source>Add a network</source>
        <translation>添加网络</translation>
    </message>
    <message>
        <source>Networks (*.onnx *.json);;All files (*)</source>
        <translation>网络 (*.onnx *.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Devices…</source>
        <translation>设备…</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
</context>
<context>
    <name>iosx::MatchWindow</name>
    <message>
        <source>Matches</source>
        <translation>匹配</translation>
    </message>
    <message>
        <source>Matches of %1</source>
        <translation>%1 的匹配</translation>
    </message>
    <message>
        <source>%1 of the time of %2 is matched to operators of %3.</source>
        <translation>%2 的时间中有 %1 匹配到 %3 的算子。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Matched with</source>
        <translation>匹配对象</translation>
    </message>
    <message>
        <source>By</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Colour the &amp;graph</source>
        <translation>为计算图着色(&amp;G)</translation>
    </message>
    <message>
        <source>C&amp;opy</source>
        <translation>复制(&amp;O)</translation>
    </message>
    <message>
        <source>Copy the selected rows, or all of them, as tab-separated text</source>
        <translation>将所选行或全部行复制为以制表符分隔的文本</translation>
    </message>
    <message>
        <source>no match</source>
        <translation>没有匹配</translation>
    </message>
    <message>
        <source>Operators of the recording without a unit (%1)</source>
        <translation>记录中没有对应单元的算子（%1）</translation>
    </message>
    <message>
        <source>Units without an operator of the recording (%1)</source>
        <translation>记录中没有对应算子的单元（%1）</translation>
    </message>
    <message>
        <source>Matched (%1)</source>
        <translation>已匹配（%1）</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>name of the output</source>
        <translation>输出名称</translation>
    </message>
    <message>
        <source>similar name</source>
        <translation>相似名称</translation>
    </message>
    <message>
        <source>names of several</source>
        <translation>多个名称</translation>
    </message>
    <message>
        <source>order and kind</source>
        <translation>顺序和类型</translation>
    </message>
    <message>
        <source>Colour the units by their time in this recording; units without a match are hatched</source>
        <translation>按此记录中的时间为单元着色；没有匹配的单元带斜线</translation>
    </message>
</context>
<context>
    <name>iosx::MeasureOperatorsDialog</name>
    <message>
        <source>Measure operators</source>
        <translation>测量算子</translation>
    </message>
    <message>
        <source>Operators of %1 are measured alone, in a row and side by side, and kept with the measurements. Known values are not measured again.</source>
        <translation>对 %1 的算子进行单独、依次和并行测量，并与其他测量值一起保留。已知的不再测量。</translation>
    </message>
    <message>
        <source>On which device</source>
        <translation>在哪个设备上</translation>
    </message>
    <message>
        <source>Maximum number of stages</source>
        <translation>最多测量多少个阶段</translation>
    </message>
    <message>
        <source>A third of them are single operators</source>
        <translation>其中三分之一是单独的算子</translation>
    </message>
    <message>
        <source>&amp;Device</source>
        <translation>设备(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Stages, at most</source>
        <translation>阶段数上限(&amp;S)</translation>
    </message>
    <message>
        <source>No device here measures. Schedule ▸ Devices… adds devices of other machines.</source>
        <translation>这里没有能测量的设备。用“调度 ▸ 设备…”可添加其他机器的设备。</translation>
    </message>
    <message>
        <source>No measurements are kept: choose a file in Schedule ▸ Kept measurements….</source>
        <translation>目前不保留测量值：请在“调度 ▸ 保留的测量…”中指定保存位置。</translation>
    </message>
    <message>
        <source>&amp;Measure</source>
        <translation>测量(&amp;M)</translation>
    </message>
</context>
<context>
    <name>iosx::MessageButton</name>
    <message>
        <source>Show all messages</source>
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
        <source>One schedule: graph, stages, timeline, and the reasons for it</source>
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
        <source>Edit a copy of a schedule by hand: the cost of each change</source>
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
    <message>
        <source>Recording</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>A recording of another program by itself</source>
        <translation>其他程序的一次录制，单独查看</translation>
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
    <message>
        <source>%1 as fast, measured on an %2</source>
        <translation>在 %2 上实测速度为 %1</translation>
    </message>
</context>
<context>
    <name>iosx::NoPredictions</name>
    <message>
        <source>No lanes can be predicted: %1.</source>
        <translation>无法预测泳道：%1。</translation>
    </message>
</context>
<context>
    <name>iosx::NotesPanel</name>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Your notes about this project; they are saved with it</source>
        <translation>关于此项目想要记住的内容；随项目一起保存</translation>
    </message>
    <message>
        <source>Notes about the project</source>
        <translation>项目备注</translation>
    </message>
    <message>
        <source>Experiments and their results</source>
        <translation>实验及其结果</translation>
    </message>
</context>
<context>
    <name>iosx::Opening</name>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 个</translation>
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
    <message>
        <source>The file gives no batch size: that of the tool bar is used, %1.</source>
        <translation>该文件没有给出批大小：此处使用工具栏的批大小，%1。</translation>
    </message>
    <message>
        <source>Recordings (*.json *.json.gz *.sqlite *.db *.csv *.tsv *.pftrace *.perfetto-trace)</source>
        <translation>录制 (*.json *.json.gz *.sqlite *.db *.csv *.tsv *.pftrace *.perfetto-trace)</translation>
    </message>
    <message>
        <source>Add an execution trace or a graph dump</source>
        <translation>添加执行跟踪或计算图转储</translation>
    </message>
    <message>
        <source>Execution traces and graph dumps (*.json *.json.gz *.et *.dot);;All files (*)</source>
        <translation>执行跟踪和计算图转储 (*.json *.json.gz *.et *.dot);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Where is %1?</source>
        <translation>%1 在哪里？</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>A recording of the project cannot be read. %1</source>
        <translation>项目中的一个录制无法读取。%1</translation>
    </message>
    <message>
        <source>Find the file…</source>
        <translation>查找文件…</translation>
    </message>
    <message>
        <source>Open a network, recording, project, run or schedule</source>
        <translation>打开网络、录制、项目、运行或调度</translation>
    </message>
    <message>
        <source>Everything that can be opened (*.onnx *.json *.json.gz *.sqlite *.db *.csv *.tsv *.pftrace *.perfetto-trace *.iosproj *.iosrun)</source>
        <translation>所有可打开的文件 (*.onnx *.json *.json.gz *.sqlite *.db *.csv *.tsv *.pftrace *.perfetto-trace *.iosproj *.iosrun)</translation>
    </message>
    <message>
        <source>Projects (*.iosproj);;Runs (*.iosrun);;All files (*)</source>
        <translation>项目 (*.iosproj);;运行 (*.iosrun);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Import as a profile of %1</source>
        <translation>作为 %1 的性能剖析导入</translation>
    </message>
    <message>
        <source>The profile was opened as a recording of its own, without the open network.</source>
        <translation>该性能剖析已作为独立的录制打开，不属于已打开的网络。</translation>
    </message>
    <message>
        <source>Open the trace of the same run</source>
        <translation>打开同一次运行的跟踪</translation>
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
    <name>iosx::OpportunityPanel</name>
    <message>
        <source>No gain can be predicted: %1.</source>
        <translation>无法预测收益：%1。</translation>
    </message>
    <message>
        <source>These may be independent, and no gain can be predicted: %1.</source>
        <translation>这些内核可能相互独立，但无法预测收益：%1。</translation>
    </message>
    <message>
        <source>Gains are predicted, not recorded (replay of the recording: %1).</source>
        <translation>收益是预测的，不是录制的（重放录制：%1）。</translation>
    </message>
    <message>
        <source>No independent kernels win anything at the same time.</source>
        <translation>没有相互独立的内核能靠同时运行赢得时间。</translation>
    </message>
    <message>
        <source>No dependency orders the kernels of a row.</source>
        <translation>没有依赖规定同一行内核的先后。</translation>
    </message>
    <message>
        <source>What could run at the same time</source>
        <translation>哪些可以同时运行</translation>
    </message>
</context>
<context>
    <name>iosx::OptionForm</name>
    <message>
        <source>Schedules</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Timing, on devices that measure</source>
        <translation>计时（用于进行测量的设备）</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>高级</translation>
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
    <message>
        <source>rest of the run</source>
        <translation>运行的其余部分</translation>
    </message>
</context>
<context>
    <name>iosx::PredictedView</name>
    <message>
        <source>1 lane</source>
        <translation>1 条泳道</translation>
    </message>
    <message>
        <source>%1 lanes</source>
        <translation>%1 条泳道</translation>
    </message>
    <message>
        <source>Up and down choose the number of lanes</source>
        <translation>上下键选择泳道数</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>%1 as a CUDA graph · %2 as launched</source>
        <translation>作为 CUDA 计算图 %1 · 按录制时的启动 %2</translation>
    </message>
    <message>
        <source>Predicted lane %1</source>
        <translation>预测的泳道 %1</translation>
    </message>
    <message>
        <source>%1
Predicted: from %2 on, for %3; recorded: %4</source>
        <translation>%1
预测：从 %2 开始，持续 %3；录制：%4</translation>
    </message>
    <message>
        <source>%1 without gaps · %2 with gaps</source>
        <translation>无空隙 %1 · 有空隙 %2</translation>
    </message>
    <message>
        <source>Predicted: %1, without gaps; the width below is %2.</source>
        <translation>预测：%1，无间隙；下方宽度为 %2。</translation>
    </message>
    <message>
        <source>Predicted: %1, launched as a CUDA graph; the width below is %2.</source>
        <translation>预测：%1，作为 CUDA 计算图启动；下方宽度为 %2。</translation>
    </message>
    <message>
        <source> Click a row above to see its lanes.</source>
        <translation> 单击上方的一行可查看其泳道。</translation>
    </message>
</context>
<context>
    <name>iosx::PredictorKeeper</name>
    <message>
        <source>Training %1</source>
        <translation>训练 %1</translation>
    </message>
    <message>
        <source>Measuring operators of %1</source>
        <translation>测量 %1 的算子</translation>
    </message>
</context>
<context>
    <name>iosx::PredictorsDialog</name>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>alone, ridge regression</source>
        <translation>单独，岭回归</translation>
    </message>
    <message>
        <source>alone, boosted trees</source>
        <translation>单独，提升树</translation>
    </message>
    <message>
        <source>Predictors</source>
        <translation>预测器</translation>
    </message>
    <message>
        <source>Errors of the chosen predictor</source>
        <translation>所选预测器的误差</translation>
    </message>
    <message>
        <source>A predictor predicts stage latencies from measurements of other operators. Each is a device in the device list, under Predicted. Errors are for operators that it had not seen.</source>
        <translation>预测器根据其他算子的测量值预测阶段延迟。每个预测器都是设备列表“预测”一栏中的设备。误差针对它没有见过的算子。</translation>
    </message>
    <message>
        <source>Predictor</source>
        <translation>预测器</translation>
    </message>
    <message>
        <source>Trained on</source>
        <translation>学习来源</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Off alone</source>
        <translation>单独误差</translation>
    </message>
    <message>
        <source>Off side by side</source>
        <translation>并行误差</translation>
    </message>
    <message>
        <source>This network</source>
        <translation>此网络</translation>
    </message>
    <message>
        <source>Operators measured alone</source>
        <translation>单独测量的算子</translation>
    </message>
    <message>
        <source>Measured stages of several operators</source>
        <translation>测量过的多算子阶段</translation>
    </message>
    <message>
        <source>Mean error for unseen operators alone</source>
        <translation>未见过的单独算子的平均误差</translation>
    </message>
    <message>
        <source>No network is open</source>
        <translation>没有打开网络</translation>
    </message>
    <message>
        <source>Sequential latency of %1 at batch %2, as predicted</source>
        <translation>预测的 %1 在批大小 %2 下顺序运行的延迟</translation>
    </message>
    <message>
        <source>≈ %1 ms</source>
        <translation>≈ %1 ms</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>测量数</translation>
    </message>
    <message>
        <source>Mean error</source>
        <translation>平均误差</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Within 10 %</source>
        <translation>10 % 以内</translation>
    </message>
    <message>
        <source>Trained %1</source>
        <translation>训练于 %1</translation>
    </message>
    <message>
        <source>, without the operators of %1</source>
        <translation>，不含 %1 的算子</translation>
    </message>
    <message>
        <source>together, ridge regression</source>
        <translation>共同，岭回归</translation>
    </message>
    <message>
        <source>together, boosted trees</source>
        <translation>共同，提升树</translation>
    </message>
    <message>
        <source>in a row</source>
        <translation>依次运行</translation>
    </message>
    <message>
        <source>side by side</source>
        <translation>并行运行</translation>
    </message>
    <message>
        <source>Mean error for unseen stages of several groups</source>
        <translation>未见过的多组阶段的平均误差</translation>
    </message>
    <message>
        <source>, from other cards: errors are for cards that it had not seen</source>
        <translation>，学自其他显卡：误差针对它没有见过的显卡</translation>
    </message>
    <message>
        <source>. Too few concurrent operators were measured, so predictions assume that operators of a stage run one after another.</source>
        <translation>。测量过的并发算子太少：预测假设阶段中的算子依次运行。</translation>
    </message>
    <message>
        <source>other cards than %1</source>
        <translation>除 %1 以外的显卡</translation>
    </message>
    <message>
        <source>&amp;Train…</source>
        <translation>训练(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Measure operators…</source>
        <translation>测量算子(&amp;M)…</translation>
    </message>
    <message>
        <source>Train on measured operators; the predictor is a device at once</source>
        <translation>从测量过的算子中学习；得到的预测器立即成为设备</translation>
    </message>
    <message>
        <source>Measure operators of %1 as training data</source>
        <translation>测量 %1 的算子，用于学习</translation>
    </message>
    <message>
        <source>%1 stages were measured; of this network, %2 single operators and %3 stages of several are known.</source>
        <translation>测量了 %1 个阶段；该网络现有 %2 个单独的算子和 %3 个多算子阶段的数据。</translation>
    </message>
    <message>
        <source>There are no predictors yet.

Use Measure operators…, then Train…, or in a terminal

iosx profile-operators squeezenet googlenet --device cpu
iosx operators train cpu --device cpu</source>
        <translation>还没有预测器。

先“测量算子…”，再“训练…”；或在终端中运行

iosx profile-operators squeezenet googlenet --device cpu
iosx operators train cpu --device cpu</translation>
    </message>
    <message>
        <source>Progress of the running job</source>
        <translation>当前任务的进度</translation>
    </message>
    <message>
        <source>Ca&amp;ncel</source>
        <translation>取消(&amp;N)</translation>
    </message>
    <message>
        <source>%1: waits for another job</source>
        <translation>%1：等待其他任务</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Trained. The predictor is now the device predicted:%1.</source>
        <translation>训练完成。从现在起它就是设备 predicted:%1。</translation>
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
        <source>No problems: the whole graph can be computed</source>
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
        <source>Crash recovery cannot save the open networks: %1</source>
        <translation>崩溃恢复无法保存打开的网络：%1</translation>
    </message>
    <message>
        <source>IOS Explorer</source>
        <translation>IOS Explorer</translation>
    </message>
    <message>
        <source>IOS Explorer ended unexpectedly. What was open at %1 was saved.</source>
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
        <source>project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>%1. The file was renamed to %2.</source>
        <translation>%1。该文件已改名保留为 %2。</translation>
    </message>
    <message>
        <source>%1 was changed by another program or window since it was opened or saved here. If you replace it, those changes are lost.</source>
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
    <message>
        <source>Save the open networks as a project?</source>
        <translation>将打开的网络保存为项目吗？</translation>
    </message>
    <message>
        <source>Save changes to %1?</source>
        <translation>保存对 %1 的更改吗？</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>保存(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Don&apos;t save</source>
        <translation>不保存(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
</context>
<context>
    <name>iosx::ProjectModel</name>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
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
        <source>The sum of the best stages found so far; it has not run yet</source>
        <translation>目前找到的最佳阶段之和；尚未运行</translation>
    </message>
    <message>
        <source>The run was stopped: schedules are missing, or their search did not end</source>
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
        <source>End to end, run alone</source>
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
The file has changed since; its runs are of the earlier network</source>
        <translation>%1
文件此后已更改：其运行属于原来的网络</translation>
    </message>
    <message>
        <source>The search still runs: this is its best result so far</source>
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
    <message>
        <source>A: %1</source>
        <translation>A：%1</translation>
    </message>
    <message>
        <source>B: %1</source>
        <translation>B：%1</translation>
    </message>
    <message>
        <source>%1 (recording)</source>
        <translation>%1（录制）</translation>
    </message>
    <message>
        <source>%1 (missing recording)</source>
        <translation>%1（缺失的录制）</translation>
    </message>
    <message>
        <source>with %1</source>
        <translation>与 %1 一起</translation>
    </message>
</context>
<context>
    <name>iosx::ProjectPanel</name>
    <message>
        <source>&amp;Note…</source>
        <translation>备注(&amp;N)…</translation>
    </message>
    <message>
        <source>Use its &amp;settings</source>
        <translation>使用其设置(&amp;S)</translation>
    </message>
    <message>
        <source>Set device, batch and search of the tool bar to those of this run</source>
        <translation>工具栏的设备、批大小和搜索改为此运行的设置</translation>
    </message>
    <message>
        <source>&amp;Compare all</source>
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
    <message>
        <source>&amp;Matches of %1…</source>
        <translation>%1 的匹配(&amp;M)…</translation>
    </message>
    <message>
        <source>Networks, runs, schedules and recordings</source>
        <translation>网络、运行、调度和录制</translation>
    </message>
    <message>
        <source>&amp;Close recording</source>
        <translation>关闭录制(&amp;C)</translation>
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
        <source>Clear the range (Esc)</source>
        <translation>移除测量 (Esc)</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
</context>
<context>
    <name>iosx::RecordingHeader</name>
    <message>
        <source>Show or hide all notices</source>
        <translation>显示或隐藏所有提示</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>span</source>
        <translation>跨度</translation>
    </message>
    <message>
        <source>From the first kernel&apos;s begin to the last one&apos;s end</source>
        <translation>从首个内核开始到最后一个内核结束</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>忙碌</translation>
    </message>
    <message>
        <source>While at least one kernel ran</source>
        <translation>至少有一个内核在运行的时间</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>The part of the span in which no kernel ran</source>
        <translation>跨度中没有内核运行的部分</translation>
    </message>
    <message>
        <source>Modelled</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>without launch gaps</source>
        <translation>无启动空隙</translation>
    </message>
    <message>
        <source>The span of the same kernels on the same streams if all were launched at once, as in a CUDA graph</source>
        <translation>相同内核在相同流上、如 CUDA 计算图那样一次全部启动时的跨度</translation>
    </message>
    <message>
        <source>streams at most</source>
        <translation>流的上限</translation>
    </message>
    <message>
        <source>The most that streams can win: the part of the device that kernels leave idle while they run. Collectives do not count</source>
        <translation>流最多能赢得的时间：内核运行时设备未用到的部分。集合通信不计入</translation>
    </message>
    <message>
        <source>critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>The longest chain of kernels that wait for one another</source>
        <translation>相互等待的最长内核链</translation>
    </message>
    <message>
        <source>check of the model</source>
        <translation>模型的检验</translation>
    </message>
    <message>
        <source>How far the model is from the recorded span when it replays the recording as it was</source>
        <translation>模型按原样重放录制时，与录制跨度相差多少</translation>
    </message>
    <message>
        <source>1 stream</source>
        <translation>1 条流</translation>
    </message>
    <message>
        <source>%1 streams</source>
        <translation>%1 条流</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>without gaps</source>
        <translation>无空隙</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的 %1</translation>
    </message>
    <message>
        <source>Fewer notices</source>
        <translation>较少提示</translation>
    </message>
    <message>
        <source>All %1 notices</source>
        <translation>全部 %1 条提示</translation>
    </message>
    <message>
        <source>%1: %2 on %3 of %4</source>
        <translation>%1：%4 的 %3 上的 %2</translation>
    </message>
    <message>
        <source>%1: %2 without times</source>
        <translation>%1：%2，没有时间</translation>
    </message>
</context>
<context>
    <name>iosx::RecordingLines</name>
    <message>
        <source>How to record</source>
        <translation>如何录制</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy all lines</source>
        <translation>复制所有行</translation>
    </message>
    <message>
        <source>These lines record all that this page can show. The second file says which kernels wait for which: open both, or add it here.</source>
        <translation>这些代码录制此页所能显示的全部内容。第二个文件说明内核之间的等待关系：请一同打开，或在此添加。</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>iosx::RecordingPage</name>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>Range %1</source>
        <translation>范围 %1</translation>
    </message>
    <message>
        <source>Step or range</source>
        <translation>步或范围</translation>
    </message>
    <message>
        <source>Device of the recording</source>
        <translation>录制的设备</translation>
    </message>
    <message>
        <source>Share of unknown kernels</source>
        <translation>未知内核的份额</translation>
    </message>
    <message>
        <source>Share of the device of kernels of unknown share</source>
        <translation>份额未知的内核占设备的份额</translation>
    </message>
    <message>
        <source>Add execution trace or graph dump…</source>
        <translation>添加执行跟踪或计算图转储…</translation>
    </message>
    <message>
        <source>A file that says which kernels wait for which</source>
        <translation>说明内核之间等待关系的文件</translation>
    </message>
    <message>
        <source>The files that say which kernels wait for which</source>
        <translation>说明内核之间等待关系的各文件</translation>
    </message>
    <message>
        <source>Recorded beside predicted lanes</source>
        <translation>录制与预测的泳道对照</translation>
    </message>
    <message>
        <source>The chosen kernel</source>
        <translation>所选内核</translation>
    </message>
    <message>
        <source>Graph of kernels</source>
        <translation>内核计算图</translation>
    </message>
    <message>
        <source>What could run at once</source>
        <translation>哪些可以同时运行</translation>
    </message>
    <message>
        <source>Recorded beside predicted</source>
        <translation>录制与预测对照</translation>
    </message>
    <message>
        <source>How much of the device a kernel fills whose grid or device is not recorded</source>
        <translation>网格或设备未录制的内核占用设备的多少</translation>
    </message>
    <message>
        <source>How to record…</source>
        <translation>如何录制…</translation>
    </message>
    <message>
        <source>The lines of Python that record all of it</source>
        <translation>录制全部所需内容的 Python 代码</translation>
    </message>
    <message>
        <source>How to record</source>
        <translation>如何录制</translation>
    </message>
    <message>
        <source>Find the file…</source>
        <translation>查找文件…</translation>
    </message>
    <message>
        <source>Choose where the recording is now</source>
        <translation>选择录制文件现在的位置</translation>
    </message>
    <message>
        <source>%1 cannot be shown</source>
        <translation>%1 无法显示</translation>
    </message>
    <message>
        <source>No recording is open</source>
        <translation>没有打开录制</translation>
    </message>
    <message>
        <source>Open a recording…</source>
        <translation>打开录制…</translation>
    </message>
    <message>
        <source>Device %1</source>
        <translation>设备 %1</translation>
    </message>
    <message>
        <source>Without %1</source>
        <translation>不使用 %1</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Independent</source>
        <translation>相互独立</translation>
    </message>
    <message>
        <source>known</source>
        <translation>已知</translation>
    </message>
    <message>
        <source>may be</source>
        <translation>可能</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>组数</translation>
    </message>
    <message>
        <source>Predicted gain as a CUDA graph</source>
        <translation>作为 CUDA 计算图的预测收益</translation>
    </message>
    <message>
        <source>Predicted gain as launched</source>
        <translation>按录制时启动的预测收益</translation>
    </message>
    <message>
        <source>Go to</source>
        <translation>前往</translation>
    </message>
    <message>
        <source>Click a kernel in the timeline or a box of the graph to see what it is and what it waits for.</source>
        <translation>单击时间线中的内核或计算图中的框，即可查看它是什么、等待什么。</translation>
    </message>
    <message>
        <source>With 1 file</source>
        <translation>附带 1 个文件</translation>
    </message>
    <message>
        <source>With %1 files</source>
        <translation>附带 %1 个文件</translation>
    </message>
    <message>
        <source>Predicted gain without gaps</source>
        <translation>无空隙时的预测收益</translation>
    </message>
    <message>
        <source>Predicted gain with gaps</source>
        <translation>有空隙时的预测收益</translation>
    </message>
    <message>
        <source>Recording %1</source>
        <translation>录制 %1</translation>
    </message>
    <message>
        <source>Lanes predicted for %1 (modelled)</source>
        <translation>为 %1 预测的泳道（由模型得出）</translation>
    </message>
    <message>
        <source>Open the trace of the same run…</source>
        <translation>打开同一次运行的跟踪…</translation>
    </message>
    <message>
        <source>A recording that says when the operators of this file ran</source>
        <translation>说明此文件的算子何时运行的录制</translation>
    </message>
    <message>
        <source>Click a box of the graph to see what it is and what it waits for.</source>
        <translation>单击计算图中的框，可查看它是什么以及它等待什么。</translation>
    </message>
</context>
<context>
    <name>iosx::RecordingText</name>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>collective</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>matrix product</source>
        <translation>矩阵乘积</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>copy on the device</source>
        <translation>设备内复制</translation>
    </message>
    <message>
        <source>copy from or to the host</source>
        <translation>与主机之间的复制</translation>
    </message>
    <message>
        <source>many tensors at once</source>
        <translation>多张量操作</translation>
    </message>
    <message>
        <source>normalization or sum</source>
        <translation>归一化或求和</translation>
    </message>
    <message>
        <source>index or gather</source>
        <translation>索引或收集</translation>
    </message>
    <message>
        <source>elementwise</source>
        <translation>逐元素</translation>
    </message>
    <message>
        <source>between operators</source>
        <translation>算子之间</translation>
    </message>
    <message>
        <source>launched late</source>
        <translation>启动过晚</translation>
    </message>
    <message>
        <source>host waited</source>
        <translation>主机等待</translation>
    </message>
    <message>
        <source>launch latency</source>
        <translation>启动延迟</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>no launch recorded</source>
        <translation>未录制启动</translation>
    </message>
    <message>
        <source>No operator computed: the program did something else.</source>
        <translation>没有算子在计算：程序在做别的事。</translation>
    </message>
    <message>
        <source>The device had nothing to do, because the host had not launched the next kernel.</source>
        <translation>主机尚未启动下一个内核，设备无事可做。</translation>
    </message>
    <message>
        <source>The host had waited for the device before it launched the next kernel.</source>
        <translation>主机在启动下一个内核之前等待了设备。</translation>
    </message>
    <message>
        <source>The launch had ended, and the kernel had not yet begun.</source>
        <translation>启动已结束，而内核尚未开始。</translation>
    </message>
    <message>
        <source>The next kernel had been launched before the device became idle.</source>
        <translation>设备空闲之前，下一个内核已经启动。</translation>
    </message>
    <message>
        <source>The recording does not say when the next kernel was launched.</source>
        <translation>录制没有说明下一个内核何时启动。</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>CUDA graph</source>
        <translation>CUDA 计算图</translation>
    </message>
    <message>
        <source>event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>wait of the host</source>
        <translation>主机等待</translation>
    </message>
    <message>
        <source>order of collectives</source>
        <translation>集合通信的次序</translation>
    </message>
    <message>
        <source>same operator</source>
        <translation>同一算子</translation>
    </message>
    <message>
        <source>order of the stream</source>
        <translation>流的次序</translation>
    </message>
    <message>
        <source>Thread %1</source>
        <translation>线程 %1</translation>
    </message>
    <message>
        <source>Stream %1</source>
        <translation>流 %1</translation>
    </message>
    <message>
        <source>%1 … %2</source>
        <translation>%1 … %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>1 kernel</source>
        <translation>1 个内核</translation>
    </message>
    <message>
        <source>%1 kernels</source>
        <translation>%1 个内核</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Begin</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Launched</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>%1 before it began, by thread %2</source>
        <translation>开始前 %1，由线程 %2</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>未录制</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>on it</source>
        <translation>在其上</translation>
    </message>
    <message>
        <source>not on it</source>
        <translation>不在其上</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>及另外 %1 个</translation>
    </message>
    <message>
        <source>known</source>
        <translation>已知</translation>
    </message>
    <message>
        <source>assumed</source>
        <translation>推测</translation>
    </message>
    <message>
        <source>%1 (%2, %3)</source>
        <translation>%1（%2，%3）</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>no kernel</source>
        <translation>无内核</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>寄存器</translation>
    </message>
    <message>
        <source>Shared memory</source>
        <translation>共享内存</translation>
    </message>
    <message>
        <source>Share of the device</source>
        <translation>设备份额</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>%1 off: unreliable</source>
        <translation>相差 %1：不可靠</translation>
    </message>
    <message>
        <source>within %1</source>
        <translation>在 %1 以内</translation>
    </message>
    <message>
        <source>same inputs</source>
        <translation>输入相同</translation>
    </message>
    <message>
        <source>two gradients of a layer</source>
        <translation>同一层的两个梯度</translation>
    </message>
    <message>
        <source>at once on the lanes</source>
        <translation>在泳道上同时运行</translation>
    </message>
    <message>
        <source>alike neighbours</source>
        <translation>相似的相邻内核</translation>
    </message>
    <message>
        <source>The kernels wait for exactly the same kernels.</source>
        <translation>这些内核等待的内核完全相同。</translation>
    </message>
    <message>
        <source>The kernels compute the gradients of the input and of the weight of one layer.</source>
        <translation>这些内核计算同一层的输入梯度和权重梯度。</translation>
    </message>
    <message>
        <source>The kernels run at the same time on the predicted lanes.</source>
        <translation>这些内核在预测的泳道上同时运行。</translation>
    </message>
    <message>
        <source>The kernels are direct neighbours on a stream, of one function and size.</source>
        <translation>这些内核在同一个流上直接相邻，函数和大小相同。</translation>
    </message>
    <message>
        <source>1 operator</source>
        <translation>1 个算子</translation>
    </message>
    <message>
        <source>%1 operators</source>
        <translation>%1 个算子</translation>
    </message>
    <message>
        <source>not known, %1 given</source>
        <translation>未知，给定 %1</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Box</source>
        <translation>框</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>忙碌</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>流</translation>
    </message>
    <message>
        <source>The file says which operators wait for which, but not when they ran. To see times, open the trace of the same run together with it.</source>
        <translation>此文件说明算子之间的等待关系，但不说明它们何时运行。要查看时间，请将同一次运行的跟踪与它一同打开。</translation>
    </message>
    <message>
        <source>The file says which operators wait for which, but not when they ran. To see times, record a run.</source>
        <translation>此文件说明算子之间的等待关系，但不说明它们何时运行。要查看时间，请录制一次运行。</translation>
    </message>
</context>
<context>
    <name>iosx::RecordingTimeline</name>
    <message>
        <source>Timeline of the recording</source>
        <translation>录制的时间线</translation>
    </message>
    <message>
        <source>Idle, %1 together</source>
        <translation>空闲，合计 %1</translation>
    </message>
    <message>
        <source>%1, %2, %3 together</source>
        <translation>%1，%2，合计 %3</translation>
    </message>
    <message>
        <source>Launches of thread %1, %2 together</source>
        <translation>线程 %1 的启动，合计 %2</translation>
    </message>
    <message>
        <source>Idle: %1</source>
        <translation>空闲：%1</translation>
    </message>
    <message>
        <source>Launch, %1, of:</source>
        <translation>启动，%1，启动了：</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Launches, thread %1</source>
        <translation>启动，线程 %1</translation>
    </message>
    <message>
        <source>time (%1)</source>
        <translation>时间 (%1)</translation>
    </message>
    <message>
        <source>critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>Wheel zooms · drag measures · Ctrl+drag pans · F shows all</source>
        <translation>滚轮缩放 · 拖动测量 · Ctrl+拖动平移 · F 显示全部</translation>
    </message>
    <message>
        <source>Δt = %1 · %2 · busy %3</source>
        <translation>Δt = %1 · %2 · 忙碌 %3</translation>
    </message>
</context>
<context>
    <name>iosx::RunBar</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Built-in networks; File ▸ Open opens your own</source>
        <translation>网络：内置网络；“文件 ▸ 打开”可打开您自己的网络</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Device for the schedules</source>
        <translation>运行调度的设备</translation>
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
        <source>Optimize</source>
        <translation>优化</translation>
    </message>
    <message>
        <source>The batch size is fixed in the shapes of this model, so it runs only with that size</source>
        <translation>该模型的形状中含有批大小，因此只能按原样运行</translation>
    </message>
    <message>
        <source>%1, after the jobs before it</source>
        <translation>%1，在它之前的任务结束之后</translation>
    </message>
    <message>
        <source>%1, edited</source>
        <translation>%1（已编辑）</translation>
    </message>
</context>
<context>
    <name>iosx::RunSettingsDialog</name>
    <message>
        <source>Run settings</source>
        <translation>运行设置</translation>
    </message>
</context>
<context>
    <name>iosx::SavingView</name>
    <message>
        <source>Savings by part</source>
        <translation>各部分节省的时间</translation>
    </message>
    <message>
        <source>Show the savings by part</source>
        <translation>显示各部分节省的时间</translation>
    </message>
    <message>
        <source>Hide the savings by part</source>
        <translation>隐藏各部分节省的时间</translation>
    </message>
</context>
<context>
    <name>iosx::ScheduleChips</name>
    <message>
        <source>Schedules of this run</source>
        <translation>此次运行的调度</translation>
    </message>
    <message>
        <source>%1 baseline</source>
        <translation>%1（基线）</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>over the memory limit</source>
        <translation>超出内存上限</translation>
    </message>
    <message>
        <source>+%1</source>
        <translation>+%1</translation>
    </message>
    <message numerus="yes">
        <source>%n more schedules</source>
        <translation>
            <numerusform>还有 %n 个调度</numerusform>
        </translation>
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
        <source>No schedule faster than %1 ms was found%2</source>
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
        <source>No schedule is being edited</source>
        <translation>没有正在更改的调度</translation>
    </message>
    <message>
        <source>This schedule has already run</source>
        <translation>此调度已经运行过</translation>
    </message>
    <message>
        <source>Earlier changes</source>
        <translation>先前的更改</translation>
    </message>
    <message>
        <source>The hand-made schedule does not fit the changed network: start with a copy</source>
        <translation>手动调度不适合更改后的网络：请从一份副本开始</translation>
    </message>
    <message>
        <source>%1: the network has changed in the meantime, so the result does not fit it</source>
        <translation>%1：网络在此期间已更改，所找到的结果不再适合</translation>
    </message>
    <message>
        <source>%1 found %2 → %3 ms%4 for the earlier schedule; your later changes are kept</source>
        <translation>%1 为先前的调度找到了 %2 → %3 ms%4；您此后的更改保持不变</translation>
    </message>
    <message>
        <source>A search of this schedule already runs or waits</source>
        <translation>此调度的搜索已在运行或等待</translation>
    </message>
    <message>
        <source>The lanes were found on %1 with batch %2; their latency here is that on %3 with batch %4</source>
        <translation>这些泳道是在 %1 上以批大小 %2 找到的；这里的延迟是在 %3 上以批大小 %4 的延迟</translation>
    </message>
    <message>
        <source>A search uses stages, and these lanes have none</source>
        <translation>搜索使用阶段，而这些泳道没有阶段</translation>
    </message>
</context>
<context>
    <name>iosx::ScheduleEditor</name>
    <message>
        <source>Use it</source>
        <translation>采用</translation>
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
        <source>The device of this run is not available</source>
        <translation>此次运行的设备不在这里</translation>
    </message>
    <message>
        <source>The weights of the network are missing; open the network itself</source>
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
        <source>The search was stopped; its unsolved parts run sequentially.</source>
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
        <source>More than the limit of %1 MB: never the fastest</source>
        <translation>超过 %1 MB 的限制：不会算作最快</translation>
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
    <name>iosx::SearchLimits</name>
    <message>
        <source>A stage of the maximum size</source>
        <translation>最大的阶段</translation>
    </message>
    <message>
        <source>Usual values</source>
        <translation>常用值</translation>
    </message>
    <message>
        <source>Settings of the search: %1, r %2, s %3</source>
        <translation>搜索可以做什么：%1，r %2，s %3</translation>
    </message>
    <message>
        <source>Settings of the search: strategy, units per group (r), groups per stage (s)</source>
        <translation>搜索可以做什么：策略、组的单元数（r）、阶段的组数（s）</translation>
    </message>
    <message>
        <source>All settings…</source>
        <translation>全部设置…</translation>
    </message>
    <message>
        <source>Larger limits can find a faster schedule and make the search longer.</source>
        <translation>更大的限制可能找到更快的调度，搜索也更久。</translation>
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
    <name>iosx::SharedLegend</name>
    <message>
        <source>Legend of both graphs</source>
        <translation>两个图的图例</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
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
        <source>%1 leaves the sizes of these dimensions open. All computation depends on them.</source>
        <translation>%1 的以下维度大小未定。所有计算都由它们决定。</translation>
    </message>
    <message>
        <source>Check of the network</source>
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
        <source>Open it with usual sizes, and forget the sizes given for it</source>
        <translation>以通常的尺寸打开，并忘记先前给定的尺寸</translation>
    </message>
    <message>
        <source>Usual</source>
        <translation>通常</translation>
    </message>
    <message>
        <source>Usual sizes</source>
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
        <source>No schedule is being edited. “Edit a copy” starts from the shown one.</source>
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
    <message>
        <source>Unmerge</source>
        <translation>取消合并</translation>
    </message>
</context>
<context>
    <name>iosx::StageDifferenceModel</name>
    <message>
        <source>A: %1, B: %2, stage against stage</source>
        <translation>A：%1，B：%2，逐阶段对比</translation>
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
        <source>No stage latencies yet: press Optimize to run schedules on the device</source>
        <translation>还没有阶段延迟：请按“优化”在设备上运行调度</translation>
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
        <source>Stage %1 takes %2 ms more than its units with %3 (%4)</source>
        <translation>阶段 %1 比其单元在 %3 中多用 %2 ms（%4）</translation>
    </message>
    <message>
        <source>Stage %1 saves %2 ms against its units with %3 (%4)</source>
        <translation>阶段 %1 相对其单元在 %3 中节省 %2 ms（%4）</translation>
    </message>
    <message>
        <source>The time of %1 for these units alone is not known</source>
        <translation>不知道 %1 中仅这些单元的耗时</translation>
    </message>
    <message>
        <source>There is nothing to compare with</source>
        <translation>没有可比较的对象</translation>
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
        <source>&amp;Back to %1</source>
        <translation>返回 %1(&amp;B)</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>还没有</translation>
    </message>
    <message>
        <source>Open &amp;last session</source>
        <translation>打开上次会话(&amp;L)</translation>
    </message>
    <message>
        <source>Speed-up of the fastest schedule over one stream, batch 1. The height of a picture is the number of units with the same depth.</source>
        <translation>最快调度相对单个流的加速比，批大小 1。图的高度为同一深度的单元数。</translation>
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
        <source>, with generated weights: its own are in its file</source>
        <translation>，权重为虚构：其自身的权重在其文件中</translation>
    </message>
    <message>
        <source>The shown result was %1. Optimize runs the network here, on the chosen device%2.</source>
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
        <source>%1: the search still runs; its best result so far is shown.</source>
        <translation>%1：搜索仍在进行；显示的是目前找到的结果。</translation>
    </message>
    <message>
        <source>%1: from an older file. The current network is in the project panel too.</source>
        <translation>%1：来自较旧的文件。网络现在的样子也在项目面板中。</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>Up to date – %1</source>
        <translation>已是最新——%1</translation>
    </message>
    <message>
        <source>Settings changed – Optimize to update (shown: %1)</source>
        <translation>设置已更改——请优化以更新（显示：%1）</translation>
    </message>
    <message>
        <source>%1: the search was stopped; its result so far is shown. Optimize searches to the end.</source>
        <translation>%1：搜索已停止；显示的是已找到的结果。“优化”会搜索到底。</translation>
    </message>
    <message>
        <source>%1: schedules that need no search; a search for faster ones runs.</source>
        <translation>%1：无需搜索的调度；正在搜索更快的调度。</translation>
    </message>
    <message>
        <source>%1 here, %2, %3</source>
        <translation>在本机%1，%2，%3</translation>
    </message>
    <message>
        <source>The new graph is empty. %1: %2</source>
        <translation>新计算图是空的。%1：%2</translation>
    </message>
    <message>
        <source>A recording of another program: nothing of it was run here.</source>
        <translation>其他程序的录制：其中没有任何内容在本机运行。</translation>
    </message>
    <message>
        <source>The recording cannot be read.</source>
        <translation>录制无法读取。</translation>
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
        <source>Statistics: %1</source>
        <translation>统计：%1</translation>
    </message>
    <message>
        <source>external</source>
        <translation>外部数据</translation>
    </message>
    <message>
        <source>external, %1</source>
        <translation>非本程序所测，%1</translation>
    </message>
    <message>
        <source>over the memory limit</source>
        <translation>超过内存限制</translation>
    </message>
    <message>
        <source>own latencies: %1</source>
        <translation>自身延迟：%1</translation>
    </message>
</context>
<context>
    <name>iosx::StoreDialog</name>
    <message>
        <source>The file does not exist yet. The first measurement creates it.</source>
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
        <source>%1 is simulated: its latencies are not kept</source>
        <translation>%1 是模拟的：不保留其延迟</translation>
    </message>
    <message>
        <source>%1 with batch %2</source>
        <translation>%1 个（批大小 %2）</translation>
    </message>
    <message>
        <source>No measurements of %1 as it is now</source>
        <translation>没有与当前状态相符的 %1 的测量</translation>
    </message>
    <message>
        <source>%1 with other batches</source>
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
        <source>A stage is not measured again if it was measured before on the same device, with the same versions, batch size and precision and at least as thoroughly. Simulated latencies are not kept.</source>
        <translation>若某阶段先前已在同一设备上以相同版本、批大小和精度、且至少同样充分地测量过，则不再测量。模拟的延迟不保留。</translation>
    </message>
    <message>
        <source>If off, everything is measured again and nothing is kept</source>
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
        <source>Content of the file</source>
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
        <source>This computer has no usual place; choose a file.</source>
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
        <source>Value to read</source>
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
        <source>Values to try, such as 1, 2, 4; empty: usual values</source>
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
        <source>Measure the unknown values as a job</source>
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
    <message>
        <source>Searching: %1 of %2 values</source>
        <translation>正在搜索：第 %1 个值，共 %2 个</translation>
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
        <source>Where the time goes so far, and where the search may still gain, by estimate</source>
        <translation>到目前为止时间花在何处，以及估计搜索还能在何处改进</translation>
    </message>
    <message>
        <source>The possible gains are being computed</source>
        <translation>正在计算何处还能改进</translation>
    </message>
    <message>
        <source>No search yet</source>
        <translation>尚未搜索</translation>
    </message>
    <message>
        <source>%1 is not from a search: it has no tasks</source>
        <translation>%1 不是搜索得到的：没有任务</translation>
    </message>
    <message>
        <source>Exhaustive search: every stage was requested, so no gain is left</source>
        <translation>穷举搜索：请求了每个阶段，因此不可能再改进</translation>
    </message>
    <message>
        <source>%1: where the time goes, and where more may be gained, by estimate</source>
        <translation>%1：时间花在何处，以及估计何处还能改进</translation>
    </message>
</context>
<context>
    <name>iosx::TaskTableModel</name>
    <message>
        <source>Same structure, planned as one: %1</source>
        <translation>相似，作为一个规划：%1</translation>
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
        <source>Choose the shown schedules</source>
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
        <source>Start every part of the network at the same place in all schedules</source>
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
        <source>No timeline yet: press Optimize to run schedules on the device</source>
        <translation>还没有时间线：请按“优化”在设备上运行调度</translation>
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
        <source>Counter below the lanes</source>
        <translation>泳道下方的计数器</translation>
    </message>
    <message>
        <source>Keep this schedule at the top while the others scroll (P)</source>
        <translation>其他调度滚动时将此调度固定在顶部 (P)</translation>
    </message>
    <message>
        <source>This part of the network ends %1 earlier here than in the slowest shown schedule.</source>
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
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>Why it is faster (I)</source>
        <translation>为何更快 (I)</translation>
    </message>
    <message>
        <source>Why it is faster: all plots (U)</source>
        <translation>为何更快：全部图表 (U)</translation>
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
    <name>iosx::TrainDialog</name>
    <message>
        <source>%1, %2: %3 single operators, %4 stages of several</source>
        <translation>%1，%2：%3 个单独的算子，%4 个多算子阶段</translation>
    </message>
    <message>
        <source>Train a predictor</source>
        <translation>训练预测器</translation>
    </message>
    <message>
        <source>It trains on operators measured alone and on stages of several operators. Training takes seconds to a minute; the window stays usable.</source>
        <translation>预测器从单独测量的算子以及包含多个算子的阶段中学习。需要几秒到一分钟，其间窗口仍可使用。</translation>
    </message>
    <message>
        <source>Training data</source>
        <translation>从什么数据学习</translation>
    </message>
    <message>
        <source>Kind of regression</source>
        <translation>使用哪种回归</translation>
    </message>
    <message>
        <source>Better one on unseen data</source>
        <translation>在没有见过的数据上更准的一种</translation>
    </message>
    <message>
        <source>Boosted trees</source>
        <translation>提升树</translation>
    </message>
    <message>
        <source>Ridge regression</source>
        <translation>岭回归</translation>
    </message>
    <message>
        <source>Name of the predictor</source>
        <translation>预测器的名称</translation>
    </message>
    <message>
        <source>Notes before training</source>
        <translation>训练前须知</translation>
    </message>
    <message>
        <source>&amp;Data</source>
        <translation>数据(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Method</source>
        <translation>方法(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Train</source>
        <translation>训练(&amp;T)</translation>
    </message>
    <message>
        <source>Reading the measurements…</source>
        <translation>正在读取测量值…</translation>
    </message>
    <message>
        <source>No operators are measured yet. Measure operators… measures those of the open network; iosx profile-operators squeezenet googlenet --device cpu measures those of several.</source>
        <translation>还没有测量过算子。“测量算子…”可测量当前网络的算子，iosx profile-operators squeezenet googlenet --device cpu 可测量多个网络的算子。</translation>
    </message>
    <message>
        <source>%1 single operators are too few to train on, at least %2 are needed: iosx profile-operators measures more.</source>
        <translation>只有 %1 个单独测量的算子，不足以学习，至少需要 %2 个：用 iosx profile-operators 可测量更多。</translation>
    </message>
    <message>
        <source>“%1” %2</source>
        <translation>“%1”%2</translation>
    </message>
    <message>
        <source>It replaces the predictor of this name.</source>
        <translation>它会取代同名的预测器。</translation>
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
        <source>List the parts, and go to one</source>
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
        <source>Clear the selection</source>
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
        <source>Add to the selection, or remove from it</source>
        <translation>加入选择或从中移除</translation>
    </message>
    <message>
        <source>Double click on a part&apos;s header</source>
        <translation>双击部分的标题</translation>
    </message>
    <message>
        <source>Show only that part, or all again</source>
        <translation>只显示该部分，或重新显示全部</translation>
    </message>
    <message>
        <source>Right click</source>
        <translation>右击</translation>
    </message>
    <message>
        <source>Actions for the selection</source>
        <translation>可对选中内容执行的操作</translation>
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
        <source>Keep the schedule at the top while the others scroll</source>
        <translation>滚动时将该调度固定在顶部</translation>
    </message>
    <message>
        <source>Clear the measured range, the playhead or the selection</source>
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
        <source>Measure a time range, snapping to edges, with its statistics</source>
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
        <source>Actions for the selection, and the choice of schedules</source>
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
        <source>Filter the rows, if the table has a filter line</source>
        <translation>筛选行（表格有筛选栏时）</translation>
    </message>
    <message>
        <source>Click on a header</source>
        <translation>单击表头</translation>
    </message>
    <message>
        <source>Sort by that column; again: reverse the order</source>
        <translation>按该列排序；再次单击：反向</translation>
    </message>
    <message>
        <source>Actions for the rows</source>
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
        <source>Go to the operator, lane or stage in that direction; with Shift also select it</source>
        <translation>转到该方向的算子、泳道或阶段；按住 Shift 同时选中</translation>
    </message>
    <message>
        <source>Move the selection to the next stage that allows it; with Shift into a new stage</source>
        <translation>将选中的内容移到下一个允许的阶段；按住 Shift 则移到新阶段</translation>
    </message>
    <message>
        <source>Move the selection to the next lane that allows it</source>
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
        <source>Put the selection into a stage of its own</source>
        <translation>将选中的内容放入单独的阶段</translation>
    </message>
    <message>
        <source>Merge the selected layers</source>
        <translation>合并选中的层</translation>
    </message>
    <message>
        <source>Unmerge the merged layers</source>
        <translation>拆开合并的内容</translation>
    </message>
    <message>
        <source>Lock or unlock the selected stages</source>
        <translation>锁定或解锁选中的阶段</translation>
    </message>
    <message>
        <source>End a drag, or clear the selection</source>
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
        <source>Drawn graph</source>
        <translation>正在绘制的计算图</translation>
    </message>
    <message>
        <source>Go to the operator in that direction</source>
        <translation>转到该方向上的算子</translation>
    </message>
    <message>
        <source>Move the selection</source>
        <translation>移动所选内容</translation>
    </message>
    <message>
        <source>Connect the selected operator: arrows choose the reader, Tab the next possible reader, Return connects</source>
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
        <source>End a connection, or clear the selection</source>
        <translation>结束连接，或取消选择</translation>
    </message>
    <message>
        <source>Drag from below an operator</source>
        <translation>从算子下方拖动</translation>
    </message>
    <message>
        <source>Connect it to the operator where you drop it</source>
        <translation>连接到放下处的算子</translation>
    </message>
    <message>
        <source>Drag the end of a connection</source>
        <translation>拖动连接的末端</translation>
    </message>
    <message>
        <source>Reconnect or remove it</source>
        <translation>改接到别处，或断开</translation>
    </message>
    <message>
        <source>Drag on empty canvas</source>
        <translation>在空白画布上拖动</translation>
    </message>
    <message>
        <source>Select everything that the rubber band touches</source>
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
    <message>
        <source>Lane board</source>
        <translation>泳道看板</translation>
    </message>
    <message>
        <source>Go to the kernel in that direction</source>
        <translation>移到该方向的内核</translation>
    </message>
    <message>
        <source>Move the selected kernel before or after its neighbour</source>
        <translation>把所选内核移到相邻内核之前或之后</translation>
    </message>
    <message>
        <source>Move the selected kernel to the next lane, to about the same time</source>
        <translation>把所选内核移到相邻泳道上大致相同的时刻</translation>
    </message>
    <message>
        <source>Select the first or the last kernel of the lane</source>
        <translation>选择泳道上的第一个或最后一个内核</translation>
    </message>
    <message>
        <source>Put the selected kernel on a lane of its own</source>
        <translation>让所选内核独占一条泳道</translation>
    </message>
    <message>
        <source>Put the selected kernel where the total latency is lowest</source>
        <translation>把所选内核放到总延迟最低的位置</translation>
    </message>
    <message>
        <source>Move a kernel between lanes and along them</source>
        <translation>在泳道之间或沿泳道移动内核</translation>
    </message>
    <message>
        <source>Ctrl + wheel</source>
        <translation>Ctrl + 滚轮</translation>
    </message>
    <message>
        <source>Open or fold why it is faster</source>
        <translation>展开或折叠“为何更快”</translation>
    </message>
    <message>
        <source>Change the attributes of the selected operator; Escape returns</source>
        <translation>更改所选算子的属性；Esc 返回</translation>
    </message>
    <message>
        <source>Wherever the focus is</source>
        <translation>无论焦点在何处</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Show all plots of why it is faster, or the timeline again</source>
        <translation>显示“为何更快”的全部图表，或回到时间线</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>Open or fold the chosen box of the graph</source>
        <translation>展开或折叠计算图中选中的框</translation>
    </message>
</context>
<context>
    <name>iosx::Views</name>
    <message>
        <source>%1 so far</source>
        <translation>目前 %1</translation>
    </message>
</context>
<context>
    <name>iosx::WhyView</name>
    <message>
        <source>Why it is faster</source>
        <translation>为何更快</translation>
    </message>
    <message>
        <source>No traced run yet: press Optimize to run schedules on the device</source>
        <translation>还没有跟踪运行：请按“优化”在设备上运行调度</translation>
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
        <source>Stages of %1 (%2)</source>
        <translation>%1 的阶段（%2）</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Why it is faster</source>
        <translation>为何更快</translation>
    </message>
    <message>
        <source>Experiments</source>
        <translation>实验</translation>
    </message>
</context>
<context>
    <name>iosx::WindowTitle</name>
    <message>
        <source>IOS Explorer</source>
        <translation>IOS Explorer</translation>
    </message>
</context>
<context>
    <name>iosx::WorkerWords</name>
    <message>
        <source>1 core</source>
        <translation>1 核</translation>
    </message>
    <message>
        <source>%1 cores</source>
        <translation>%1 核</translation>
    </message>
    <message>
        <source>load %1</source>
        <translation>负载 %1</translation>
    </message>
    <message>
        <source>IOS Explorer %1</source>
        <translation>IOS Explorer %1</translation>
    </message>
    <message>
        <source>asking…</source>
        <translation>正在询问…</translation>
    </message>
    <message>
        <source>not asked</source>
        <translation>未询问</translation>
    </message>
    <message>
        <source>It becomes the device %1.</source>
        <translation>它成为设备 %1。</translation>
    </message>
    <message>
        <source>%1 has these workers already.</source>
        <translation>%1 已有这些工作进程。</translation>
    </message>
    <message>
        <source>%1 is the same device: it gets these workers as well.</source>
        <translation>%1 是同一设备：这些工作进程也归它。</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>未启动</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>waiting for the hardware</source>
        <translation>等待硬件</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>正在测量</translation>
    </message>
    <message>
        <source>running a schedule</source>
        <translation>正在运行调度</translation>
    </message>
    <message>
        <source>set aside</source>
        <translation>已搁置</translation>
    </message>
    <message>
        <source>%1 measured</source>
        <comment>stages</comment>
        <translation>已测量 %1</translation>
    </message>
    <message>
        <source>%1 in flight</source>
        <comment>stages</comment>
        <translation>进行中 %1</translation>
    </message>
    <message>
        <source>lost once</source>
        <translation>丢失 1 次</translation>
    </message>
    <message>
        <source>lost %1 times</source>
        <translation>丢失 %1 次</translation>
    </message>
    <message>
        <source>worker %1: %2</source>
        <translation>工作进程 %1：%2</translation>
    </message>
    <message>
        <source>%1 of %2 %3</source>
        <comment>3 of 4 measuring</comment>
        <translation>%2 个中 %1 个%3</translation>
    </message>
</context>
<context>
    <name>iosx::canvas::CanvasBar</name>
    <message>
        <source>Meaning of the colours</source>
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
        <source>Show or hide the meaning of colours and signs (L)</source>
        <translation>显示或隐藏颜色和符号的含义 (L)</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Show or hide the overview if only a part of the graph is in view (M)</source>
        <translation>只看到部分计算图时显示或隐藏概览 (M)</translation>
    </message>
    <message>
        <source>Graph bar</source>
        <translation>计算图工具栏</translation>
    </message>
    <message>
        <source>Show the whole network</source>
        <translation>网络：显示全部</translation>
    </message>
    <message>
        <source>Choose another part (G)</source>
        <translation>部分：选择另一个 (G)</translation>
    </message>
    <message>
        <source>Show the selection</source>
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
    <message>
        <source>Saved</source>
        <translation>节省</translation>
    </message>
    <message>
        <source>Show the meaning of colours and signs (L)</source>
        <translation>说明颜色和符号的含义 (L)</translation>
    </message>
    <message>
        <source>The savings of stages are not known here: they need a schedule that ran and is not the baseline</source>
        <translation>这里不知道阶段节省多少：只有运行过且不是基线的调度才知道</translation>
    </message>
    <message>
        <source>Colour the name of every part by what it saves against the baseline, and show the number</source>
        <translation>按相对基线节省的时间给每个部分的名称着色，并显示数值</translation>
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
        <source>Filter the parts</source>
        <translation>缩小部分的范围</translation>
    </message>
</context>
<context>
    <name>iosx::canvas::SignRow</name>
    <message>
        <source>Signs of the graph</source>
        <translation>计算图的符号</translation>
    </message>
</context>
</TS>
