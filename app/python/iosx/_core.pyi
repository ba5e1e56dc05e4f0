# Written by: python -m pybind11_stubgen iosx._core -o .   (after a change of the bindings; tests/python compares)
"""
The core of IOS Explorer, for the package iosx.
"""
from __future__ import annotations
import typing
__all__: list[str] = ['Counter', 'Device', 'Graph', 'GraphBuilder', 'KernelSpan', 'Latency', 'LoadedPlan', 'MAX_PART_SIZE', 'Operator', 'Run', 'Schedule', 'ScheduleResult', 'Speedup', 'Trace', 'Unit', 'Value', 'compare', 'count', 'devices', 'experiment', 'explain', 'export_onnx', 'export_pytorch', 'find_schedule', 'html_report', 'improve', 'in_python', 'load', 'measure_stages', 'networks', 'open', 'open_run', 'optimize', 'parse_ios', 'profile', 'run', 'save_onnx', 'search', 'store_file', 'store_merge', 'store_sets', 'sweep', 'to_ios', 'write_text']
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
        The same graph with units parted that hold several independent first operators.
        """
    def flops(self, batch: typing.Any = None) -> float:
        """
        Floating-point operations of one run; a multiply-add is two.
        """
    def greedy(self, max_streams: int = 10) -> Schedule:
        """
        The schedule whose every stage runs all units that are ready, on so many streams at most.
        """
    def inputs(self, batch: typing.Any = None) -> dict:
        """
        Shapes of its inputs by name, as arrays for run() have them, batch included.
        """
    def one_by_one(self) -> Schedule:
        """
        The schedule with one operator a stage, as the IOS paper calls sequential.
        """
    def save(self, path: typing.Any, format: typing.Any = None, *, schedule: typing.Any = None, batch: typing.Any = None, streams: typing.Any = None, streams_on: typing.Any = None) -> None:
        """
        Writes the network with its weights as 'onnx' (ONNX model), or with a schedule as 'iosx' (IOS Explorer schedule), 'ios' (original IOS JSON), 'csv' (stage table), 'scheduled-onnx' (scheduled ONNX model), 'pytorch' (PyTorch package). Without a format the path's suffix decides.
        """
    def outputs(self, batch: typing.Any = None) -> dict:
        """
        Shapes of its outputs by name, batch included.
        """
    def sequential(self) -> Schedule:
        """
        The schedule that runs its units one after another on one stream.
        """
    def weights(self, operator: str) -> tuple:
        """
        (weights, bias) of an operator as float32 arrays that cannot be written; None for what it does not have. Weights that no file brought are made up, always the same.
        """
    def with_weights(self, weights: dict) -> Graph:
        """
        The same graph with other weights: {operator: array} or {operator: (weights, bias)}.
        """
    @property
    def batch(self) -> int:
        """
        The batch that it runs with unless another one is asked for.
        """
    @property
    def batched(self) -> bool:
        """
        False where the batch is in its shapes, so that it runs with a batch of 1 only.
        """
    @property
    def name(self) -> str:
        ...
    @property
    def operators(self) -> list[Operator]:
        """
        Its Operators in topological order, inputs and constants among them.
        """
    @property
    def parameters(self) -> int:
        """
        How many weights and biases it has.
        """
    @property
    def parts(self) -> list[list[str]]:
        """
        Names of the units of each part; parts run one after another.
        """
    @property
    def schedule(self) -> typing.Any:
        """
        The Schedule that its file holds; None where it holds none.
        """
    @property
    def source(self) -> str:
        """
        What it was opened by: a name or a path.
        """
    @property
    def units(self) -> list[Unit]:
        """
        Its Units in topological order.
        """
    @property
    def warnings(self) -> list[str]:
        """
        Sentences about what its file leaves open or what was left out.
        """
class Schedule:
    """
    In which stages, and side by side in which groups, the units of a graph run.
    
    Schedule(graph, stages) makes one: a list of stages, each a list of groups that run side by side, each a list of steps that run one after another; a step is a unit's name, or a tuple of names whose layers run merged into one.
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
        Whether it runs on lanes without barriers; `stages` are then those that chose its kernels.
        """
    @property
    def batch(self) -> int:
        ...
    @property
    def device(self) -> str:
        """
        Id of the device that it was found for; '' where it was not timed.
        """
    @property
    def graph(self) -> Graph:
        """
        The Graph that it is of, in the parts that were searched.
        """
    @property
    def lanes(self) -> typing.Any:
        """
        (kernel, lane) of every launch, in order, of one without barriers; else None.
        """
    @property
    def latency_ms(self) -> float | None:
        """
        End to end, as it was timed there; None where it was not.
        """
    @property
    def name(self) -> str:
        ...
    @property
    def stages(self) -> list:
        """
        As Schedule(graph, stages) takes them.
        """
class ScheduleResult:
    """
    One schedule of a run: what it is, and how it ran end to end.
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
        Writes its timeline as a Chrome trace, which Perfetto opens.
        """
    def stages_against(self, baseline: ScheduleResult) -> typing.Any:
        """
        Its stages against those of another result: a dict for stages that hold the same operators, {'stages_a' (of the baseline), 'stages_b', 'a_ms', 'b_ms', 'delta_ms', 'noise_ms', 'verdict', 'change', …}. Where the batches differ, times are of one sample, and names end with '_per_sample'.
        """
    def to_dict(self) -> typing.Any:
        """
        As iosx compare --json writes it.
        """
    @property
    def batch(self) -> int:
        ...
    @property
    def device(self) -> str:
        """
        Id of what it ran on.
        """
    @property
    def id(self) -> str:
        """
        Unique in its run: 'ios-both'.
        """
    @property
    def kind(self) -> str:
        """
        How it came about: 'sequential', 'greedy', 'ios-both', 'ios-flow', 'file', …
        """
    @property
    def lanes(self) -> int:
        """
        Streams or teams of cores that it runs on.
        """
    @property
    def latency(self) -> Latency:
        """
        End to end, timed by itself.
        """
    @property
    def peak_bytes(self) -> int:
        """
        The same as the device found it; 0: not known.
        """
    @property
    def planned_peak_bytes(self) -> int:
        """
        What its tensors take at most by its plan, weights left out; 0: not known.
        """
    @property
    def samples_ms(self) -> typing.Any:
        """
        Times of single runs, where they are known.
        """
    @property
    def schedule(self) -> Schedule:
        """
        The iosx.Schedule.
        """
    @property
    def search(self) -> typing.Any:
        """
        How it was found: {'seconds', 'complete', 'needed', 'measured', 'parts': [{'units', 'states', 'transitions', 'stages', 'cost_ms'}]}; None of what no search found.
        """
    @property
    def speedup(self) -> Speedup:
        """
        How many times as fast as the run's sequential schedule; of value 0 where there is none.
        """
    @property
    def stage_latencies(self) -> list[Latency]:
        """
        Of each stage on its own.
        """
    @property
    def stage_sum_ms(self) -> float:
        """
        Sum of the stages and of what lies between them: what a search minimises.
        """
    @property
    def title(self) -> str:
        ...
    @property
    def trace(self) -> Trace:
        """
        When its kernels ran, in one run.
        """
    @property
    def verified(self) -> typing.Any:
        """
        Whether its outputs are the sequential schedule's; None where nobody compared them.
        """
class Run:
    """
    Schedules of one network that ran side by side on a device: what iosx.compare() returns and run files hold. run['ios-both'] is one of them, for result in run goes through all.
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
        A row a schedule, as {column: values}.
        """
    def html(self) -> str:
        """
        The interactive report as one page of HTML that loads nothing.
        """
    def profile_table(self) -> str:
        """
        The table that iosx profile prints, of a run of iosx.profile().
        """
    def rows(self) -> typing.Any:
        """
        A dict a schedule: {'schedule', 'latency_ms', 'speedup', …}.
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
        How many times as fast a result is as the sequential schedule.
        """
    def stages_csv(self) -> str:
        """
        One line a stage of every schedule, as text.
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
        The fastest ScheduleResult; never slower than sequential and greedy, which ran beside it.
        """
    @property
    def complete(self) -> bool:
        """
        False: it was stopped, and schedules are missing or their search did not end.
        """
    @property
    def device(self) -> str:
        """
        Its id.
        """
    @property
    def device_name(self) -> str:
        ...
    @property
    def graph(self) -> Graph:
        """
        The Graph. That of a run file has made-up weights: the file does not hold them.
        """
    @property
    def network(self) -> str:
        ...
    @property
    def notices(self) -> list[str]:
        """
        Sentences about what it cannot show.
        """
    @property
    def origin(self) -> str:
        """
        Of its latencies: 'measured', 'simulated' or 'predicted'.
        """
    @property
    def recorded(self) -> str:
        """
        Where and when, of one that was opened from a file; '' of one that was made here and now.
        """
    @property
    def results(self) -> list[ScheduleResult]:
        """
        Its ScheduleResults in the order asked for.
        """
class Latency:
    """
    How long something takes, in ms: the median, with where it comes from. float(latency) is the median.
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
        Median of the device's clock meanwhile, in MHz; 0: not known.
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
        How many runs were timed; 0 of a model.
        """
    @property
    def spread_ms(self) -> float:
        """
        Half the width of the interval that holds 95 % of the samples, in ms; 0 of what has no noise.
        """
class Speedup:
    """
    How many times as fast one schedule is as another, with a 95 % interval. float(speedup) is the ratio.
    """
    def __float__(self) -> float:
        ...
    def __repr__(self) -> str:
        ...
    @property
    def high(self) -> float:
        """
        Upper end; infinite where there are too few runs to tell.
        """
    @property
    def low(self) -> float:
        """
        Lower end of the interval; equal to value where nothing has noise.
        """
    @property
    def value(self) -> float:
        """
        Ratio of the latencies: above 1 it is faster.
        """
    @property
    def within_noise(self) -> bool:
        """
        Whether the runs tell no difference.
        """
class KernelSpan:
    """
    When one kernel ran. Times are µs from the start of the run.
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
        Stage that it is of, from 0.
        """
class Counter:
    """
    A quantity over time, such as active warps: values[i] holds from times_us[i] to the next.
    """
    @property
    def name(self) -> str:
        ...
    @property
    def peak(self) -> float:
        """
        What the device can hold at most; 0: not known.
        """
    @property
    def source(self) -> str:
        """
        Where it comes from.
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
    What happened during one run of a schedule.
    """
    @property
    def counters(self) -> list[Counter]:
        """
        Counter of each quantity that was seen; the first is the main one.
        """
    @property
    def duration_us(self) -> float:
        ...
    @property
    def kernels(self) -> list[KernelSpan]:
        """
        KernelSpan of every kernel, by begin.
        """
    @property
    def lanes(self) -> int:
        """
        How many streams or teams of cores there were.
        """
    @property
    def source(self) -> str:
        """
        Where times come from: 'simulated', 'event marks', …
        """
class Device:
    """
    Something that schedules run on. See iosx.devices().
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
        Whether it can be used here and now.
        """
    @property
    def computes(self) -> bool:
        """
        Whether runs give outputs.
        """
    @property
    def fingerprint(self) -> str:
        """
        Equal only where latencies are comparable.
        """
    @property
    def grade(self) -> str:
        """
        How far a simulated device was compared with measurements.
        """
    @property
    def id(self) -> str:
        """
        How it is named: 'cpu'.
        """
    @property
    def name(self) -> str:
        ...
    @property
    def origin(self) -> str:
        """
        Of its latencies: 'measured', 'simulated' or 'predicted'.
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
        That it computes with, where it is a processor; else 0.
        """
    @property
    def unavailable(self) -> str:
        """
        Why it cannot be used, and what to do about it; empty where it can.
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
        What it computes with: {'kernel': (3, 3), 'activation': 'relu', …}.
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
        How many weights and biases it has.
        """
    @property
    def shape(self) -> tuple:
        """
        Of its output, without the batch: (channels, height, width) of a feature map.
        """
    @property
    def unit(self) -> typing.Any:
        """
        Name of its unit; None of an input or a constant.
        """
class Unit:
    """
    What a schedule moves as one piece: operators run in order on one stream.
    """
    def __repr__(self) -> str:
        ...
    @property
    def hint(self) -> str:
        """
        What people call it: 'ReluSepConv'.
        """
    @property
    def name(self) -> str:
        ...
    @property
    def operator_class(self) -> int:
        """
        Number of the class that pictures paint alike, of what it mainly computes; from 0: convolutions 1×1, 3×3, n×1 or 1×n, of another kernel, depthwise, grouped, transposed; then pooling, linear, what only moves data, arithmetic, activation, input, and what no device executes.
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
    What an operator of a GraphBuilder gives. value[a:b] are channels a to b of it.
    """
    def __getitem__(self, channels: slice) -> Value:
        ...
    def __repr__(self) -> str:
        ...
    @property
    def shape(self) -> tuple:
        """
        Without the batch.
        """
class GraphBuilder:
    """
    Writes a graph down, operator by operator, each after those that it reads. Shapes are without the batch, and axes count from the channels. A size along both axes is a number of pixels, or (height, width); an activation is a name, or a name with its parameters ('relu', ('leaky relu', 0.1), …). Weights that nobody gives are made up, always the same; bias=False: there is none. A mistake is an iosx.Error at once, and changes nothing.
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
    def affine(self, x: Value, activation: typing.Any = None, weights: typing.Any = None, bias: typing.Any = None, name: str = '') -> Value:
        """
        Adds an operator of the kind batch norm.
        """
    def begin_part(self, name: str) -> None:
        """
        Units from here on are of a new part; parts run one after another.
        """
    def begin_unit(self, name: str, hint: str = '') -> None:
        """
        Operators from here to end_unit() are one unit of schedules.
        """
    def binary(self, a: Value, b: Value, function: str = 'sub', name: str = '') -> Value:
        """
        Adds an operator of the kind element-wise function.
        """
    def build(self) -> Graph:
        """
        Returns the Graph. The builder is empty then.
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
    A schedule that a device holds, ready to run again and again: see iosx.load(). One run at a time; threads that call it wait for one another.
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
        Its id.
        """
    @property
    def methods(self) -> list[str]:
        """
        By what method each kernel is computed.
        """
def compare(arg0: dict) -> typing.Any:
    ...
def count(arg0: dict) -> typing.Any:
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
    What a message of the core is in Python.
    """
def load(arg0: dict) -> LoadedPlan:
    ...
def measure_stages(arg0: dict) -> typing.Any:
    ...
def networks() -> list:
    ...
def open(arg0: dict) -> Graph:
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
