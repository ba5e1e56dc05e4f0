# Written by: python -m pybind11_stubgen iosx._core -o .   (after a change of the bindings; tests/python compares)
"""
The core of IOS Explorer, for the package iosx.
"""
from __future__ import annotations
import typing
__all__: list[str] = ['Counter', 'Device', 'Graph', 'GraphBuilder', 'KernelSpan', 'Latency', 'LoadedPlan', 'MAX_PART_SIZE', 'Operator', 'Recording', 'Run', 'Schedule', 'ScheduleResult', 'Speedup', 'Trace', 'Unit', 'Value', 'compare', 'count', 'device', 'devices', 'experiment', 'explain', 'find_schedule', 'html_report', 'improve', 'in_python', 'load', 'measure_stages', 'networks', 'open', 'open_recording', 'open_run', 'optimize', 'options', 'parse_ios', 'profile', 'run', 'search', 'store_file', 'store_merge', 'store_sets', 'sweep', 'to_ios', 'write_text']
class Graph:
    """
    A computation graph with its weights. It is immutable: see iosx.open(), iosx.from_torch() and iosx.GraphBuilder.
    """
    def __copy__(self, _memo = None):
        ...
    def __deepcopy__(self, _memo = None):
        ...
    def __repr__(self) -> str:
        ...
    def _repr_html_(self) -> str:
        ...
    def finer_units(self) -> Graph:
        """
        The same graph, with the units split that have several independent first operators.
        """
    def flops(self, batch: typing.Any = None) -> float:
        """
        Floating-point operations of one run; a multiply-add is two.
        """
    def greedy(self, max_streams: int = 10) -> Schedule:
        """
        The schedule in which every stage runs all ready units, on at most max_streams streams.
        """
    def inputs(self, batch: typing.Any = None) -> dict:
        """
        Shapes of its inputs by name, including the batch, as the arrays for run() need them.
        """
    def one_by_one(self) -> Schedule:
        """
        The schedule with one operator per stage, which the IOS paper calls sequential.
        """
    def save(self, path: typing.Any, format: typing.Any = None, *, schedule: typing.Any = None, batch: typing.Any = None, streams: typing.Any = None, streams_on: typing.Any = None) -> None:
        """
        Writes the network with its weights as 'onnx' (ONNX model), or with a schedule as 'iosx' (IOS Explorer schedule), 'ios' (original IOS JSON), 'csv' (stage table), 'scheduled-onnx' (scheduled ONNX model), 'pytorch' (PyTorch package). Without a format the path's suffix decides.
        """
    def outputs(self, batch: typing.Any = None) -> dict:
        """
        Shapes of its outputs by name, including the batch.
        """
    def sequential(self) -> Schedule:
        """
        The schedule that runs its units one after another on one stream.
        """
    def weights(self, operator: str) -> tuple:
        """
        (weights, bias) of an operator as read-only float32 arrays; None for a missing one. Weights that are not in a file are made up, always with the same values.
        """
    def with_weights(self, weights: dict) -> Graph:
        """
        The same graph with other weights: {operator: array} or {operator: (weights, bias)}.
        """
    @property
    def batch(self) -> int:
        """
        The default batch size of its runs.
        """
    @property
    def batched(self) -> bool:
        """
        False if its shapes include the batch; then it runs only with batch size 1.
        """
    @property
    def name(self) -> str:
        ...
    @property
    def operators(self) -> list[Operator]:
        """
        Its Operators in topological order, including inputs and constants.
        """
    @property
    def parameters(self) -> int:
        """
        Number of its weights and biases.
        """
    @property
    def parts(self) -> list[list[str]]:
        """
        Names of the units of each part; parts run one after another.
        """
    @property
    def schedule(self) -> typing.Any:
        """
        The Schedule in its file; None if the file contains no schedule.
        """
    @property
    def source(self) -> str:
        """
        The name or path that it was opened from.
        """
    @property
    def units(self) -> list[Unit]:
        """
        Its Units in topological order.
        """
    @property
    def warnings(self) -> list[str]:
        """
        Warnings about open sizes in its file and skipped contents.
        """
class Schedule:
    """
    The stages in which the units of a graph run, and the groups that run concurrently in each stage.
    
    Schedule(graph, stages) creates a schedule from a list of stages. A stage is a list of groups that run concurrently. A group is a list of steps that run one after another. A step is a unit's name, or a tuple of names whose layers run merged into one.
    """
    __hash__: typing.ClassVar[None] = None
    def __copy__(self, _memo = None):
        ...
    def __deepcopy__(self, _memo = None):
        ...
    def __eq__(self, arg0: Schedule) -> bool:
        ...
    def __init__(self, graph: Graph, stages: typing.Any, name: str = 'by hand') -> None:
        ...
    def __len__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
    def _repr_html_(self) -> str:
        ...
    def save(self, path: typing.Any, format: typing.Any = None) -> None:
        """
        Writes a schedule file, or a table where the path ends in .csv.
        """
    @property
    def barrier_free(self) -> bool:
        """
        Whether it runs on lanes without barriers; then `stages` are the stages that chose its kernels.
        """
    @property
    def batch(self) -> int:
        ...
    @property
    def device(self) -> str:
        """
        Id of the device that it was found for; '' if it was not timed.
        """
    @property
    def graph(self) -> Graph:
        """
        Its Graph, cut into the parts that were searched.
        """
    @property
    def lanes(self) -> typing.Any:
        """
        (kernel, lane) of every launch in order, for a schedule without barriers; else None.
        """
    @property
    def latency_ms(self) -> float | None:
        """
        End-to-end latency on that device; None if it was not timed.
        """
    @property
    def name(self) -> str:
        ...
    @property
    def stages(self) -> list:
        """
        Its stages, in the form for Schedule(graph, stages).
        """
class ScheduleResult:
    """
    One schedule of a run, with its end-to-end latency.
    """
    def __copy__(self, _memo = None):
        ...
    def __deepcopy__(self, _memo = None):
        ...
    def __repr__(self) -> str:
        ...
    def _repr_html_(self) -> str:
        ...
    def save_trace(self, path: typing.Any) -> None:
        """
        Writes its timeline as a Chrome trace, which Perfetto can open.
        """
    def stages_against(self, baseline: ScheduleResult) -> typing.Any:
        """
        Compares its stages with the stages of another result: a dict for stages with the same operators, {'stages_a' (of the baseline), 'stages_b', 'a_ms', 'b_ms', 'delta_ms', 'noise_ms', 'verdict', 'change', …}. If the batches differ, times are per sample, and names end with '_per_sample'.
        """
    def to_dict(self) -> typing.Any:
        """
        The result as iosx compare --json writes it.
        """
    @property
    def batch(self) -> int:
        ...
    @property
    def device(self) -> str:
        """
        Id of the device that it ran on.
        """
    @property
    def id(self) -> str:
        """
        Unique in its run: 'ios-both'.
        """
    @property
    def kind(self) -> str:
        """
        Kind of the schedule: 'sequential', 'greedy', 'ios-both', 'ios-flow', 'file', …
        """
    @property
    def lanes(self) -> int:
        """
        Number of streams or teams of cores that it runs on.
        """
    @property
    def latency(self) -> Latency:
        """
        End-to-end latency, timed separately from the stages.
        """
    @property
    def peak_bytes(self) -> int:
        """
        Peak memory of its tensors, as the device reports it; 0: not known.
        """
    @property
    def planned_peak_bytes(self) -> int:
        """
        Planned peak memory of its tensors, without weights; 0: not known.
        """
    @property
    def samples_ms(self) -> typing.Any:
        """
        Times of single runs, if they are known.
        """
    @property
    def schedule(self) -> Schedule:
        """
        The iosx.Schedule.
        """
    @property
    def search(self) -> typing.Any:
        """
        Facts about its search: {'seconds', 'complete', 'needed', 'measured', 'parts': [{'units', 'states', 'transitions', 'stages', 'cost_ms'}]}; None if no search found it.
        """
    @property
    def speedup(self) -> Speedup:
        """
        Speed-up over the sequential schedule of the run; its value is 0 if the run has no sequential schedule.
        """
    @property
    def stage_latencies(self) -> list[Latency]:
        """
        Latency of each separate stage.
        """
    @property
    def stage_sum_ms(self) -> float:
        """
        Sum of the stages and the gaps between them, which a search minimises.
        """
    @property
    def title(self) -> str:
        ...
    @property
    def trace(self) -> Trace:
        """
        Start and end of its kernels in one run.
        """
    @property
    def verified(self) -> typing.Any:
        """
        Whether its outputs equal the outputs of the sequential schedule; None if they were not compared.
        """
class Run:
    """
    Schedules of one network that were compared on a device. iosx.compare() returns a Run, and run files contain one. run['ios-both'] is one ScheduleResult; `for result in run` visits all.
    """
    def __contains__(self, arg0: str) -> bool:
        ...
    def __copy__(self, _memo = None):
        ...
    def __deepcopy__(self, _memo = None):
        ...
    def __getitem__(self, id: str) -> ScheduleResult:
        ...
    def __iter__(self) -> typing.Iterator:
        ...
    def __len__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
    def __str__(self) -> str:
        ...
    def _repr_html_(self) -> str:
        ...
    def columns(self) -> dict:
        """
        One row per schedule, as {column: values}.
        """
    def html(self) -> str:
        """
        The interactive report as one HTML page that loads no other files.
        """
    def profile_table(self) -> str:
        """
        The table that iosx profile prints, for a run of iosx.profile().
        """
    def rows(self) -> typing.Any:
        """
        One dict per schedule: {'schedule', 'latency_ms', 'speedup', …}.
        """
    def save(self, path: typing.Any, format: typing.Any = None) -> None:
        """
        Writes a run file (.iosrun), which iosx.open_run(), iosx show and the window open.
        """
    def show(self) -> None:
        """
        Opens the window on this run, in a process of its own. The file that it reads goes with that process.
        """
    def speedup(self, result: ScheduleResult) -> Speedup:
        """
        Speed-up of a result over the sequential schedule.
        """
    def stages_csv(self) -> str:
        """
        CSV text with one line per stage of every schedule.
        """
    def table(self) -> str:
        """
        The table that iosx compare prints.
        """
    def to_dataframe(self):
        """
        Returns a pandas.DataFrame with a row a schedule: latency, spread, speed-up, stages, lanes, memory.
        """
    def to_dict(self) -> typing.Any:
        """
        The document that iosx compare --json prints.
        """
    def write_files(self, folder: typing.Any) -> list:
        """
        Writes table, JSON, CSV, schedules and traces to a folder; returns their paths.
        """
    @property
    def batch(self) -> int:
        ...
    @property
    def best(self) -> ScheduleResult:
        """
        The fastest ScheduleResult; never slower than sequential and greedy, which ran too. None that is over the memory limit: an error where all are.
        """
    @property
    def complete(self) -> bool:
        """
        False if it was stopped: then schedules are missing, or their search did not finish.
        """
    @property
    def device(self) -> str:
        """
        Id of its device.
        """
    @property
    def device_name(self) -> str:
        ...
    @property
    def graph(self) -> Graph:
        """
        The Graph. The graph of a run file has made-up weights, because the file contains no weights.
        """
    @property
    def network(self) -> str:
        ...
    @property
    def notices(self) -> list[str]:
        """
        Notices about missing data.
        """
    @property
    def origin(self) -> str:
        """
        Origin of its latencies: 'measured', 'simulated' or 'predicted'.
        """
    @property
    def recorded(self) -> str:
        """
        Place and time of a run that was opened from a file; '' for a run of this process.
        """
    @property
    def results(self) -> list[ScheduleResult]:
        """
        Its ScheduleResults in the requested order.
        """
class Latency:
    """
    A latency in ms: the median, with its noise and origin. float(latency) is the median.
    """
    __hash__: typing.ClassVar[None] = None
    def __copy__(self, _memo = None):
        ...
    def __deepcopy__(self, _memo = None):
        ...
    def __eq__(self, arg0: Latency) -> bool:
        ...
    def __float__(self) -> float:
        ...
    def __repr__(self) -> str:
        ...
    @property
    def clock_mhz(self) -> float:
        """
        Median of the device's clock during the runs, in MHz; 0: not known.
        """
    @property
    def ms(self) -> float:
        """
        Median, in ms.
        """
    @property
    def origin(self) -> str:
        """
        'measured', 'recorded' (measured elsewhere or earlier), 'simulated' or 'predicted'.
        """
    @property
    def samples(self) -> int:
        """
        Number of timed runs; 0 for a model.
        """
    @property
    def spread_ms(self) -> float:
        """
        Half the width of the interval that contains 95 % of the samples, in ms; 0 for a latency without noise.
        """
class Speedup:
    """
    The speed-up of one schedule over another, with a 95 % interval. float(speedup) is the ratio.
    """
    def __float__(self) -> float:
        ...
    def __repr__(self) -> str:
        ...
    @property
    def high(self) -> float:
        """
        Upper end of the interval; infinite if there are too few runs.
        """
    @property
    def low(self) -> float:
        """
        Lower end of the interval; equal to value if the latencies have no noise.
        """
    @property
    def value(self) -> float:
        """
        Ratio of the latencies: above 1, the schedule is faster.
        """
    @property
    def within_noise(self) -> bool:
        """
        Whether the difference is within the noise.
        """
class KernelSpan:
    """
    Begin and end of one kernel. Times are µs from the start of the run.
    """
    def __repr__(self) -> str:
        ...
    @property
    def begin_us(self) -> float:
        ...
    @property
    def end_us(self) -> float:
        ...
    @property
    def lane(self) -> int:
        """
        Number of the stream or team of cores, from 0.
        """
    @property
    def name(self) -> str:
        ...
    @property
    def stage(self) -> int:
        """
        Number of its stage, from 0.
        """
class Counter:
    """
    A quantity over time, such as active warps: values[i] is valid from times_us[i] to the next time.
    """
    @property
    def name(self) -> str:
        ...
    @property
    def peak(self) -> float:
        """
        Maximum value on the device; 0: not known.
        """
    @property
    def source(self) -> str:
        """
        Source of the values.
        """
    @property
    def times_us(self) -> typing.Any:
        ...
    @property
    def unit(self) -> str:
        ...
    @property
    def values(self) -> typing.Any:
        ...
class Trace:
    """
    The timeline of one run of a schedule.
    """
    @property
    def counters(self) -> list[Counter]:
        """
        Counter of each recorded quantity; the first one is the main one.
        """
    @property
    def duration_us(self) -> float:
        ...
    @property
    def kernels(self) -> list[KernelSpan]:
        """
        KernelSpan of every kernel, sorted by begin.
        """
    @property
    def lanes(self) -> int:
        """
        Number of streams or teams of cores.
        """
    @property
    def source(self) -> str:
        """
        Source of the times: 'simulated', 'event marks', …
        """
class Device:
    """
    A device that schedules run on. See iosx.devices().
    """
    def __copy__(self, _memo = None):
        ...
    def __deepcopy__(self, _memo = None):
        ...
    def __repr__(self) -> str:
        ...
    @property
    def available(self) -> bool:
        """
        Whether it is usable now.
        """
    @property
    def computes(self) -> bool:
        """
        Whether runs compute outputs.
        """
    @property
    def fingerprint(self) -> str:
        """
        The latencies of two devices are comparable only if their fingerprints are equal.
        """
    @property
    def grade(self) -> str:
        """
        How a simulated device was compared with measurements.
        """
    @property
    def id(self) -> str:
        """
        Its id: 'cpu'.
        """
    @property
    def name(self) -> str:
        ...
    @property
    def origin(self) -> str:
        """
        Origin of its latencies: 'measured', 'simulated' or 'predicted'.
        """
    @property
    def precision(self) -> str:
        ...
    @property
    def summary(self) -> str:
        """
        One line: cores or SMs, clock, bandwidth.
        """
    @property
    def threads(self) -> int:
        """
        Number of threads of a CPU device; else 0.
        """
    @property
    def unavailable(self) -> str:
        """
        Why it is not usable, and what to do; empty if it is usable.
        """
class Operator:
    """
    One tensor computation of a graph.
    """
    def __repr__(self) -> str:
        ...
    def flops(self, batch: int = 1) -> float:
        """
        Floating-point operations of one run; a multiply-add is two.
        """
    @property
    def attributes(self) -> dict:
        """
        Its attributes: {'kernel': (3, 3), 'activation': 'relu', …}.
        """
    @property
    def inputs(self) -> list[str]:
        """
        Names of the operators that it reads, in order.
        """
    @property
    def kind(self) -> str:
        """
        'conv', 'max pool', 'add', …
        """
    @property
    def name(self) -> str:
        ...
    @property
    def parameters(self) -> int:
        """
        Number of its weights and biases.
        """
    @property
    def shape(self) -> tuple:
        """
        Shape of its output without the batch: (channels, height, width) for a feature map.
        """
    @property
    def unit(self) -> typing.Any:
        """
        Name of its unit; None for an input or a constant.
        """
class Unit:
    """
    The smallest piece that a schedule places: operators that run in order on one stream.
    """
    def __repr__(self) -> str:
        ...
    @property
    def hint(self) -> str:
        """
        A common name of this kind of unit: 'ReluSepConv'.
        """
    @property
    def name(self) -> str:
        ...
    @property
    def operator_class(self) -> int:
        """
        Number of the class of its main operator, which decides its colour in pictures. From 0: convolutions 1×1, 3×3, n×1 or 1×n, with another kernel, depthwise, grouped, transposed; then pooling, linear, data movement, arithmetic, activation, input, and operators that no device executes.
        """
    @property
    def operators(self) -> list[Operator]:
        ...
    @property
    def part(self) -> int:
        """
        Number of its part, from 0.
        """
    @property
    def predecessors(self) -> list[str]:
        """
        Names of the units that it reads.
        """
    @property
    def successors(self) -> list[str]:
        """
        Names of the units that read it.
        """
class Value:
    """
    The output of an operator of a GraphBuilder. value[a:b] selects its channels a to b.
    """
    def __getitem__(self, channels: slice) -> Value:
        ...
    def __repr__(self) -> str:
        ...
    @property
    def shape(self) -> tuple:
        """
        The shape without the batch.
        """
class GraphBuilder:
    """
    Builds a graph operator by operator. Add each operator after the operators that it reads. Shapes are without the batch, and axes count from the channels. A size along both axes is a number of pixels, or (height, width). An activation is a name, or a name with its parameters ('relu', ('leaky relu', 0.1), …). Weights that you do not give are made up, always with the same values; bias=False means no bias. A mistake raises an iosx.Error immediately, and changes nothing.
    """
    def __init__(self, name: str) -> None:
        ...
    def activate(self, x: Value, function: typing.Any = 'relu', name: str = '') -> Value:
        """
        Adds an operator of the kind activation.
        """
    def activation(self, x: Value, function: typing.Any = 'relu', name: str = '') -> Value:
        """
        Adds an operator of the kind activation.
        """
    def add(self, *args, name: str = '') -> Value:
        """
        Adds an operator of the kind add.
        """
    def affine(self, x: Value, activation: typing.Any = None, weights: typing.Any = None, bias: typing.Any = None, name: str = '', *, shift_first: bool = False) -> Value:
        """
        Adds an operator of the kind batch norm.
        """
    def begin_part(self, name: str) -> None:
        """
        Starts a new part: the next units belong to it. Parts run one after another.
        """
    def begin_unit(self, name: str, hint: str = '') -> None:
        """
        Starts a unit: all operators until end_unit() are one unit of schedules.
        """
    def binary(self, a: Value, b: Value, function: str = 'sub', name: str = '') -> Value:
        """
        Adds an operator of the kind element-wise function.
        """
    def build(self) -> Graph:
        """
        Returns the Graph, and empties the builder.
        """
    def concat(self, *args, axis: int = 0, name: str = '') -> Value:
        """
        Adds an operator of the kind concat.
        """
    def constant(self, value: typing.Any, name: str = '') -> Value:
        """
        Adds an array that is part of the model, the same for every sample.
        """
    def conv(self, x: Value, out_channels: int, kernel: typing.Any = (1, 1), stride: typing.Any = (1, 1), padding: typing.Any = (0, 0), dilation: typing.Any = (1, 1), groups: int = 1, end_padding: typing.Any = (0, 0), activation: typing.Any = None, weights: typing.Any = None, bias: typing.Any = None, name: str = '') -> Value:
        """
        Adds an operator of the kind conv.
        """
    def end_unit(self) -> Value:
        ...
    def expand(self, x: Value, shape: list[int], name: str = '') -> Value:
        """
        Adds an operator of the kind expand.
        """
    def gather(self, a: Value, b: Value, kind: str = 'slices', axis: int = 0, name: str = '') -> Value:
        """
        Adds an operator of the kind gather.
        """
    def global_pool(self, x: Value, kind: str = 'average', name: str = '') -> Value:
        """
        Adds pooling of the whole map.
        """
    def grid_sample(self, a: Value, b: Value, mode: str = 'linear', padding: str = 'zeros', align_corners: bool = False, name: str = '') -> Value:
        """
        Adds an operator of the kind grid sample.
        """
    def identity(self, x: Value, name: str = '') -> Value:
        """
        Adds an operator of the kind identity.
        """
    def input(self, shape: list[int], name: str = 'input') -> Value:
        """
        Adds an input of this shape: (channels, height, width) of an image.
        """
    def linear(self, x: Value, out_features: int, axis: int = 0, activation: typing.Any = None, weights: typing.Any = None, bias: typing.Any = None, name: str = '') -> Value:
        """
        Adds an operator of the kind linear.
        """
    def lrn(self, x: Value, size: int = 1, alpha: float = 0.0001, beta: float = 0.75, bias: float = 1.0, name: str = '') -> Value:
        """
        Adds an operator of the kind lrn.
        """
    def matmul(self, a: Value, b: Value, sparse: bool = False, name: str = '') -> Value:
        """
        Adds an operator of the kind matmul.
        """
    def mul(self, *args, name: str = '') -> Value:
        """
        Adds an operator of the kind mul.
        """
    def normalize(self, x: Value, axis: int = 0, epsilon: float = 1e-05, centred: bool = True, scaled: bool = True, weights: typing.Any = None, bias: typing.Any = None, name: str = '') -> Value:
        """
        Adds an operator of the kind layer norm.
        """
    def pad(self, x: Value, begins: list[int], ends: list[int], mode: str = 'constant', value: float = 0.0, name: str = '') -> Value:
        """
        Adds an operator of the kind pad.
        """
    def pool(self, x: Value, kind: str = 'max', kernel: typing.Any = (1, 1), stride: typing.Any = None, padding: typing.Any = (0, 0), ceil_mode: bool = False, dilation: typing.Any = (1, 1), count_padding: bool = True, end_padding: typing.Any = (0, 0), name: str = '') -> Value:
        """
        Adds an operator of the kind pool.
        """
    def recurrent(self, *args, kind: str = 'lstm', direction: str = 'forward', hidden: int = 1, linear_before_reset: bool = False, peepholes: bool = False, last_cell: bool = False, weights: typing.Any = None, bias: typing.Any = None, name: str = '') -> Value:
        """
        Adds an operator of the kind recurrent.
        """
    def reduce(self, x: Value, axes: list[int], kind: str = 'mean', keep_dims: bool = True, last: bool = False, name: str = '') -> Value:
        """
        Adds an operator of the kind reduce.
        """
    def reshape(self, x: Value, shape: list[int], name: str = '') -> Value:
        """
        Adds an operator of the kind reshape.
        """
    def resize(self, x: Value, scales: list[float], shape: list[int], mode: str = 'nearest', coordinates: str = 'half pixel', rounding: str = 'prefer floor', name: str = '') -> Value:
        """
        Adds an operator of the kind resize.
        """
    def slice(self, x: Value, begins: list[int], steps: list[int], shape: list[int], name: str = '') -> Value:
        """
        Adds an operator of the kind slice.
        """
    def softmax(self, x: Value, axis: int = 0, name: str = '') -> Value:
        """
        Adds an operator of the kind softmax.
        """
    def top_k(self, x: Value, k: int = 1, axis: int = 0, largest: bool = True, output: str = 'values', name: str = '') -> Value:
        """
        Adds an operator of the kind top k.
        """
    def transpose(self, x: Value, axes: list[int], name: str = '') -> Value:
        """
        Adds an operator of the kind transpose.
        """
    def transposed_conv(self, x: Value, out_channels: int, kernel: typing.Any = (1, 1), stride: typing.Any = (1, 1), padding: typing.Any = (0, 0), dilation: typing.Any = (1, 1), groups: int = 1, end_padding: typing.Any = (0, 0), output_padding: typing.Any = (0, 0), activation: typing.Any = None, weights: typing.Any = None, bias: typing.Any = None, name: str = '') -> Value:
        """
        Adds an operator of the kind transposed conv.
        """
    def where(self, a: Value, b: Value, c: Value, name: str = '') -> Value:
        """
        Adds an operator of the kind where.
        """
class LoadedPlan:
    """
    A schedule that is loaded on a device and can run many times: see iosx.load(). Only one run is active at a time; other threads that call it wait.
    """
    def __call__(self, inputs = None):
        """
        Runs it once. `inputs`: arrays as iosx.run() takes them; without them made-up numbers. Returns {name: array}: the
            outputs, which are the caller's.
        """
    def _call(self, arg0: typing.Any) -> dict:
        ...
    def _time(self, arg0: dict) -> typing.Any:
        ...
    def time(self, **options: typing.Any) -> Latency:
        """
        Times it, with made-up inputs: a Latency. Options are those of iosx.measure_stages() that say how to time.
        """
    @property
    def device(self) -> str:
        """
        Id of its device.
        """
    @property
    def methods(self) -> list[str]:
        """
        The method that computes each kernel.
        """
class Recording:
    """
    What a profiler saw of a program: kernels on streams. See iosx.open_recording().
    """
    def __copy__(self, _memo = None):
        ...
    def __deepcopy__(self, _memo = None):
        ...
    def __len__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
    def __str__(self) -> str:
        ...
    def columns(self) -> dict:
        """
        One row per kernel, in the order of their begin, as {column: values}.
        """
    def edges(self) -> dict:
        """
        One row per edge, as {column: values}: kernel 'after' begins after kernel 'before' has ended.
        """
    def lanes(self) -> dict:
        """
        One row per stream, as {column: values}.
        """
    def opportunities(self) -> dict:
        """
        One row per way to run kernels at the same time, the largest gain first, as {column: values}.
        """
    def predicted_lanes(self) -> dict:
        """
        One row per number of lanes, as {column: values}: modelled latencies, not recorded ones.
        """
    def streams(self, lanes: typing.Any = None) -> typing.Any:
        """
        On which lane each kernel should run, for iosx.apply_streams(). Default: the fewest lanes that are almost as fast as any.
        """
    def to_dataframe(self):
        """
        Returns a pandas.DataFrame with one row per kernel: name, kind, stream, begin, duration, launch, range, share.
        """
    def to_dict(self) -> typing.Any:
        """
        The document that iosx recording --json prints.
        """
    def trace_json(self) -> str:
        """
        A trace for Perfetto: what was recorded, and predicted lanes as processes of their own.
        """
def compare(arg0: dict) -> typing.Any:
    ...
def count(arg0: dict) -> typing.Any:
    ...
def device(arg0: typing.Any) -> Device:
    ...
def devices() -> list:
    ...
def experiment(arg0: dict) -> typing.Any:
    ...
def explain(arg0: dict) -> typing.Any:
    ...
def find_schedule(arg0: Graph, arg1: typing.Any) -> Schedule:
    ...
def html_report(arg0: list[Run]) -> str:
    ...
def improve(arg0: dict) -> typing.Any:
    ...
def in_python(arg0: str) -> str:
    """
    Converts the option names in a message of the core to Python.
    """
def load(arg0: dict) -> LoadedPlan:
    ...
def measure_stages(arg0: dict) -> typing.Any:
    ...
def networks() -> list:
    ...
def open(arg0: dict) -> Graph:
    ...
def open_recording(arg0: dict) -> Recording:
    ...
def open_run(arg0: typing.Any) -> Run:
    ...
def optimize(arg0: dict) -> typing.Any:
    ...
def options(function: str) -> list:
    ...
def parse_ios(arg0: str, arg1: str) -> Graph:
    ...
def profile(arg0: dict) -> typing.Any:
    ...
def run(arg0: dict) -> typing.Any:
    ...
def search(arg0: dict) -> typing.Any:
    ...
def store_file(arg0: dict) -> str:
    ...
def store_merge(arg0: str, arg1: dict) -> int:
    ...
def store_sets(arg0: dict) -> list:
    ...
def sweep(arg0: dict) -> typing.Any:
    ...
def to_ios(arg0: Graph, arg1: Schedule) -> str:
    ...
def write_text(arg0: typing.Any, arg1: str) -> None:
    ...
MAX_PART_SIZE: int = 64
__version__: str = '0.1.0'
