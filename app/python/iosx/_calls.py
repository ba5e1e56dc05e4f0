"""The functions of the package. Each function passes its options to the core."""

from __future__ import annotations

import functools
import inspect
import os
import sys
import textwrap
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import _core, _progress
from ._documents import Experiment, Explanation, Sweep
from ._errors import Error, Interrupted

Graph = _core.Graph
Schedule = _core.Schedule
Run = _core.Run
Recording = _core.Recording
ScheduleResult = _core.ScheduleResult
Device = _core.Device
PathLike = Union[str, "os.PathLike[str]"]
AnySchedule = Union[Schedule, ScheduleResult, PathLike]
Progress = Union[None, bool, Callable[[str, int, int], None]]
Store = Union[None, bool, PathLike]

_OPTIONS = """
        device: A Device, its id (see iosx.devices()), or a device of torch: "cuda" is the GPU. Default: a GPU if the
            machine has one, else the simulated V100, or the CPU if the call needs outputs.
        batch: Batch size. Default: the batch size in the network's file, else 1.
        store: The file of measurements; True or None for the default file; False for none. Simulated latencies are kept
            only in a file that you name.
        progress: A function that is called with (phase, done, total), True for a bar of tqdm, False for none.
            Default: a bar in a terminal or notebook if tqdm is installed.
    Raises:
        Error: The operation failed. It has what, where and remedy.
        Interrupted: Ctrl-C stopped the call. Its .result contains the partial result.
"""


def _with_options(function, called: Optional[str] = None):
    """Adds the options that the core declares for a function of `**options` to its signature and documentation. The
    function rejects all other options."""
    name = called or function.__name__
    rows = _core.options(name)
    signature = inspect.signature(function)
    own = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
    made = [
        inspect.Parameter(keyword, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=f"Optional[{kind}]")
        for keyword, kind, _ in rows
    ]
    known = {each.name for each in own + made}

    @functools.wraps(function)
    def call(*arguments, **named):
        for each in named:
            if each not in known:
                raise TypeError(f"{name}() got an unexpected keyword argument '{each}'")
        return function(*arguments, **named)

    call.__signature__ = signature.replace(parameters=own + made)
    wrapper = textwrap.TextWrapper(120, initial_indent=" " * 8, subsequent_indent=" " * 12, break_on_hyphens=False)
    lines = [wrapper.fill(f"{keyword}: {text}") + "\n" for keyword, _, text in rows]
    for mark, text in {"{core}": "".join(lines), "{options}": "".join(lines) + _OPTIONS.lstrip("\n")}.items():
        call.__doc__ = call.__doc__.replace(" " * 8 + mark + "\n", text)
    return call


def _call(function, options: dict, wrap=lambda found: found) -> Any:
    """Calls the core with the options of a function and a progress listener. `wrap` converts the result, also the partial
    result of an interrupted call, to the return value of the function."""
    options.update(options.pop("options", {}))
    heard = _progress.listener(options.pop("progress"))
    options["listener"] = heard
    try:
        return wrap(function(options))
    except Interrupted as stopped:
        stopped.result = wrap(stopped.result)
        raise
    finally:
        heard.close()


def _of_result(options: dict) -> dict:
    """Sets the device and the batch of a result as defaults, if a result is given as the schedule."""
    result = options["schedule"]
    if isinstance(result, ScheduleResult):
        options["device"] = options["device"] or result.device
        options["batch"] = options["batch"] or result.batch
        options["schedule"] = result = result.schedule
    if isinstance(result, Schedule) and result.barrier_free:
        import logging

        logging.getLogger("iosx").warning("%s has no stages: the stages that chose its kernels are used", result.name)
    return options


def open(  # pylint: disable=redefined-builtin
    source: PathLike,
    *,
    shapes: Optional[Mapping[str, Sequence[int]]] = None,
    dims: Optional[Mapping[str, int]] = None,
) -> Graph:
    """Opens a network.

    Args:
        source: The name of a built-in network (see iosx.networks()), an ONNX model, the original IOS's JSON, or a
            schedule file of a built-in network. Several names joined with + run together.
        shapes: Full shapes, with the batch, of inputs whose shape is open in an ONNX model: {'x': (1, 3, 640, 640)}.
        dims: Sizes of open dimensions: {'height': 640}. A size may be 0: {'past_sequence_length': 0}.
    Returns:
        The Graph. Its .warnings list skipped contents and chosen sizes.
    Raises:
        Error: The name is unknown, or the file is not readable.
    """
    return _core.open(locals())


def networks() -> list[str]:
    """Returns the names of the built-in networks."""
    return [name for name, *_ in _core.networks()]


def devices() -> list[Device]:
    """Returns all known Devices: GPUs, simulated GPUs, the CPU, workers and predictors."""
    return _core.devices()


def device(id: Union[str, Device]) -> Device:  # pylint: disable=redefined-builtin
    """Returns the Device with this id, or that torch calls so: "cuda" is the GPU, "cuda:1" the second one."""
    try:
        return _core.device(id)
    except Error as error:
        raise KeyError(str(error)) from None


@_with_options
def compare(
    graph: Graph,
    device=None,
    *,
    batch: Optional[int] = None,
    store: Store = None,
    progress: Progress = None,
    **options: Any,
) -> Run:
    """Runs schedules of a network on a device and compares them. Searches find some of these schedules first.

    Args:
        graph: The Graph.
        {options}
    Returns:
        The Run. Its .best is never slower than sequential and greedy, which always run too.
    """
    return _call(_core.compare, locals())


@_with_options
def optimize(
    graph: Graph,
    device=None,
    *,
    batch: Optional[int] = None,
    barrier_free: Optional[bool] = None,
    store: Store = None,
    progress: Progress = None,
    **options: Any,
) -> Schedule:
    """Searches schedules, and returns the fastest: the one that compare() calls the best.

    Args:
        graph: The Graph.
        barrier_free: Also search lanes without barriers, on devices that support them. Default: with all strategies, or
            with a memory limit.
        {options}
    Returns:
        The Schedule with its end-to-end .latency_ms. compare() compares it with other schedules.
    """
    return _call(_core.optimize, locals(), lambda run: run.best.schedule)


@_with_options
def search(
    graph: Graph,
    latency: Callable[[list], float],
    *,
    progress: Progress = None,
    **options: Any,
) -> tuple[Schedule, dict[str, Any]]:
    """Searches the schedule with the smallest sum of stage latencies. A function, such as your model, gives the latencies.

    Args:
        graph: The Graph.
        latency: Returns the latency of a stage in ms. A stage is a list of groups that run concurrently. A group is a
            list of steps. A step is a unit's name, or a tuple of names whose layers run merged. An exception of the
            function ends the search.
        {core}
        progress: See compare().
    Returns:
        (schedule, facts): see ScheduleResult.search for the facts.
    """
    return _call(_core.search, locals())


@_with_options
def count(
    graph: Graph,
    *,
    progress: Progress = None,
    **options: Any,
) -> list[dict[str, int]]:
    """Counts the states, stages and schedules of the search space.

    Args:
        graph: The Graph.
        {core}
        progress: See compare().
    Returns:
        A dict for each part that the graph is cut into: 'units', 'width' (units at most of which none follows another),
        'states', 'transitions', 'stages', and 'schedules', of which there may be 10^22.
    """
    return _call(_core.count, locals())


@_with_options
def improve(
    graph: Graph,
    schedule: Optional[AnySchedule] = None,
    device=None,
    *,
    pinned: Optional[Sequence[int]] = None,
    batch: Optional[int] = None,
    store: Store = None,
    progress: Progress = None,
    **options: Any,
) -> Run:
    """Searches from a given schedule. Pinned stages do not change, and the result is never worse.

    Args:
        graph: The Graph.
        schedule: The start. Default: the schedule in the graph's file.
        pinned: Numbers of the stages, from 0, that do not change.
        {options}
    Returns:
        A Run with the start and the found schedule ('improved').
    """
    return _call(_core.improve, locals())


@_with_options
def run(
    graph: Graph,
    schedule: Optional[AnySchedule] = None,
    inputs=None,
    device=None,
    *,
    outputs: Optional[bool] = None,
    batch: Optional[int] = None,
    store: Store = None,
    progress: Progress = None,
    **options: Any,
) -> tuple[ScheduleResult, Optional[dict[str, Any]]]:
    """Runs one schedule of a network: for its outputs, or to time it. Use load() to run a schedule many times.

    Args:
        graph: The Graph.
        schedule: A Schedule, its file, or 'sequential', 'one-by-one' or 'greedy'. Default: the schedule in the graph's
            file.
        inputs: Arrays by input name, or in order, or one array, with the shapes of graph.inputs(batch): arrays of NumPy,
            torch, or any library with DLPack. With inputs, the call returns outputs.
        outputs: Return outputs. The inputs are made up if none are given.
        {options}
    Returns:
        (result, outputs): a ScheduleResult with latencies and trace; {name: array} with the types in the network's file,
        or None. With outputs, the schedule runs once, and .latency is that of this run, unless you give verify=True or
        an option of timing, such as repeat=5.
    """
    inputs = as_arrays(inputs)
    return _call(_core.run, locals())


@_with_options
def load(
    graph: Graph,
    schedule: Optional[AnySchedule] = None,
    device=None,
    *,
    batch: Optional[int] = None,
    tune: Optional[bool] = None,
    store: Store = None,
    progress: Progress = None,
) -> _core.LoadedPlan:
    """Loads a schedule on a device that computes, so that you can run it many times.

    Args:
        graph: The Graph.
        schedule: A Schedule, its file, or 'sequential', 'one-by-one' or 'greedy'. Default: the schedule in the graph's
            file.
        tune: Spend time to find the fastest way to run its lanes concurrently.
        {options}
    Returns:
        A LoadedPlan: plan({'x': array}) returns the outputs by name.
    """
    return _call(_core.load, locals())


@_with_options
def measure_stages(
    graph: Graph,
    schedule: Optional[AnySchedule] = None,
    device=None,
    *,
    batch: Optional[int] = None,
    store: Store = None,
    progress: Progress = None,
    **options: Any,
) -> list[_core.Latency]:
    """Measures the latency of each separate stage of a schedule.

    Args:
        graph: The Graph.
        schedule: See run().
        {options}
    Returns:
        A Latency for each stage.
    """
    return _call(_core.measure_stages, _of_result(locals()))


@_with_options
def explain(
    graph: Graph,
    schedule: Optional[AnySchedule] = None,
    device=None,
    *,
    stage: Optional[int] = None,
    batch: Optional[int] = None,
    measure: Optional[bool] = None,
    store: Store = None,
    progress: Progress = None,
    **options: Any,
) -> Explanation:
    """Explains a schedule: the alternatives to its stages and their latencies.

    Args:
        graph: The Graph.
        schedule: A Schedule, its file, or the kind of a search ('ios-both'), which runs first. Default: the schedule in
            the graph's file, else the result of a search.
        stage: Explain only this stage, from 0.
        measure: Measure unknown latencies.
        {options}
    Returns:
        An Explanation: str() returns the text, .data is the document of iosx explain --json.
    """
    return _call(_core.explain, _of_result(locals()), lambda found: Explanation(*found))


@_with_options
def sweep(
    graph: Graph,
    vary: str,
    values: Optional[Sequence[Any]] = None,
    device=None,
    *,
    operator: Optional[str] = None,
    schedules: Optional[Sequence[str]] = None,
    batch: Optional[int] = None,
    store: Store = None,
    progress: Progress = None,
    **options: Any,
) -> Sweep:
    """Varies one parameter, and returns the latencies of the schedules for each value.

    Args:
        graph: The Graph.
        vary: 'batch', 'device', 'r', 's', 'streams', 'input-size', 'channels' or 'kernel'.
        values: The values; ids for 'device'. Default: common values around the current one.
        operator: The operator whose channels or kernel vary.
        schedules: Ids of kinds. Default: sequential, greedy and IOS-Both.
        {options}
    Returns:
        A Sweep: str() returns the table, .to_dataframe() has one row per value and schedule.
    """
    return _call(_core.sweep, locals(), lambda found: Sweep(*found))


@_with_options
def experiment(
    kind: str,
    graph: Graph,
    device=None,
    *,
    devices: Optional[Sequence[str]] = None,
    batch: Optional[int] = None,
    batches: Optional[Sequence[int]] = None,
    r_values: Optional[Sequence[int]] = None,
    s_values: Optional[Sequence[int]] = None,
    python: Optional[PathLike] = None,
    engines: Optional[Sequence[str]] = None,
    store: Store = None,
    progress: Progress = None,
    **options: Any,
) -> Experiment:
    """Runs an experiment of the IOS paper on any network and device.

    Args:
        kind: 'schedules', 'batches', 'devices', 'pruning', 'utilization', 'throughput', 'memory', 'search' or
            'frameworks' (see iosx experiment --help).
        graph: The Graph.
        devices: For 'devices': at least two.
        batches: Batch sizes, for 'batches' and 'throughput'.
        r_values, s_values: Limits, for 'pruning'.
        python: For 'frameworks': the interpreter with the engines to compare. Default: this interpreter.
        engines: Ids of the engines to compare.
        {options}
    Returns:
        An Experiment: str() returns the table; .run contains the compared schedules, or None.
    """
    python = python or sys.executable
    return _call(_core.experiment, locals(), lambda found: Experiment(*found))


@_with_options
def profile(
    graph: Graph,
    device=None,
    *,
    schedules: Union[None, str, Schedule, Sequence[AnySchedule]] = None,
    batch: Optional[int] = None,
    store: Store = None,
    progress: Progress = None,
    **options: Any,
) -> Run:
    """Compares schedules, and profiles their runs: launches, and hardware counters if the device has them.

    Args:
        graph: The Graph.
        schedules: See compare(). Default: sequential, greedy, and the schedule in the network's file or else the result
            of a search.
        {options}
    Returns:
        The Run; .profile_table() is the table that iosx profile prints.
    """
    return _call(_core.profile, locals())


def open_run(path: PathLike) -> Run:
    """Opens a run file (.iosrun)."""
    return _core.open_run(path)


def open_recording(
    path: PathLike,
    with_files: Sequence[PathLike] = (),
    *,
    step: Optional[int] = None,
    range: Optional[str] = None,  # pylint: disable=redefined-builtin
    device: Optional[int] = None,
    share: Optional[float] = None,
    model: Optional[Graph] = None,
) -> Recording:
    """Opens what a profiler recorded, without its network: what launches cost, and what streams can win at most.

    Args:
        path: A trace of PyTorch's profiler or of JAX, a profile of ONNX Runtime, an SQLite export of nsys, or a table of
            kernels with begins. It may be packed by gzip.
        with_files: An execution trace of the same run, and drawings of its CUDA graphs (DOT). They say which kernels
            depend on which.
        step: Only this step of PyTorch's profiler, from 0 on, or the range of this number.
        range: The range of record_function() or NVTX that is a step.
        device: Only this device. Default: the one with the most kernels.
        share: The share of the device that a kernel fills of which it is not known. Default: 1.
        model: The Graph that ran: its operators are matched to the kernels, and say which of these depend on which.
    Returns:
        The Recording. str() of it is the text that iosx recording prints.
    Raises:
        Error: The file is no recording, or an execution trace or the model is of another run.
    """
    with_files = [os.fspath(file) for file in with_files]
    return _core.open_recording(locals())


def load_schedule(path: PathLike, graph: Graph) -> Schedule:
    """Reads a schedule file of this graph."""
    return _core.find_schedule(graph, path)


def html_report(runs: Sequence[Run]) -> str:
    """Returns the interactive report of several runs: one HTML page that loads no other files."""
    return _core.html_report(list(runs))


def save_onnx(graph: Graph, path: PathLike, *, batch: Optional[int] = None) -> None:
    """Writes a network with its weights as an ONNX model. Without a batch, the leading axis stays open."""
    _core.Graph.save(graph, path, "onnx", batch=batch)


def export_onnx(
    graph: Graph, schedule: AnySchedule, path: PathLike, *, streams: Optional[PathLike] = None, streams_on: str = "gpu"
) -> None:
    """Writes a network in the order of a schedule: an ONNX model for any engine, with merged layers as one layer.

    Args:
        streams: Also write the partition of the nodes into streams for ONNX Runtime to this file.
        streams_on: The device of the streams, 'gpu' or 'cpu': ONNX Runtime rejects streams of the other device.
    """
    _core.Graph.save(graph, path, "scheduled-onnx", schedule=schedule, streams=streams, streams_on=streams_on)


def export_pytorch(graph: Graph, schedule: AnySchedule, folder: PathLike) -> None:
    """Writes a network with its weights and a schedule as a Python package that runs the schedule in PyTorch."""
    _core.Graph.save(graph, folder, "pytorch", schedule=schedule)


def store_sets(store: Store = None) -> list[dict[str, Any]]:
    """Returns a summary of the stored measurements: one row for each device, batch and precision."""
    return _core.store_sets({"store": store})


def merge_store(other: PathLike, store: Store = None) -> int:
    """Imports new or newer measurements from another store, and returns their number."""
    return _core.store_merge(os.fspath(other), {"store": store})


def as_arrays(inputs):
    """Converts inputs to NumPy arrays for the core, without copies of arrays in main memory."""
    if inputs is None:
        return None
    import numpy

    def array(value):
        if isinstance(value, numpy.ndarray):
            return value
        if hasattr(value, "detach"):  # of torch, perhaps one that wants gradients or lies on a GPU
            value = value.detach().cpu()
        if hasattr(value, "__dlpack__"):
            return numpy.from_dlpack(value)
        return numpy.asarray(value)

    if isinstance(inputs, Mapping):
        return {name: array(value) for name, value in inputs.items()}
    if isinstance(inputs, (list, tuple)) and not all(isinstance(each, (int, float)) for each in inputs):
        return [array(value) for value in inputs]
    return [array(inputs)]
