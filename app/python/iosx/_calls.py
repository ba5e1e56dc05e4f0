"""The functions of the package: each names its options, and hands them to the core."""

from __future__ import annotations

import functools
import inspect
import os
import sys
import textwrap
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import _core, _progress
from ._documents import Experiment, Explanation, Sweep
from ._errors import Interrupted

Graph = _core.Graph
Schedule = _core.Schedule
Run = _core.Run
ScheduleResult = _core.ScheduleResult
Device = _core.Device
PathLike = Union[str, "os.PathLike[str]"]
AnySchedule = Union[Schedule, ScheduleResult, PathLike]
Progress = Union[None, bool, Callable[[str, int, int], None]]
Store = Union[None, bool, PathLike]

_OPTIONS = """
        device: A Device or its id (see iosx.devices()); without it a GPU if one is there, else the simulated V100, or
            the CPU where outputs are wanted.
        batch: Batch size; without it the network's own where its file has one, else 1.
        store: Where measurements are kept: a file; True or None for the usual one; False for none. What is simulated
            is kept in a file that is named only.
        progress: A function that is called with (phase, done, total), True for a bar of tqdm, False for nothing;
            without it a bar where somebody looks and tqdm is installed.
    Raises:
        Error: What cannot be done, with what, where and remedy.
        Interrupted: Ctrl-C came; its .result has what was found.
"""


def _with_options(function, called: Optional[str] = None):
    """Gives a function of `**options` those that the core knows for it: in its signature, its documentation, and as the
    only ones that it takes. They are declared in the core, each once."""
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
    lines = [
        textwrap.fill(f"{keyword}: {text}", 120, initial_indent=" " * 8, subsequent_indent=" " * 12) + "\n"
        for keyword, _, text in rows
    ]
    if "remeasure" in known:
        lines.append("        remeasure: Measure anew what the store knows, and keep that.\n")
    for mark, text in {"{core}": "".join(lines), "{options}": "".join(lines) + _OPTIONS.lstrip("\n")}.items():
        call.__doc__ = call.__doc__.replace(" " * 8 + mark + "\n", text)
    return call


def _call(function, options: dict, wrap=lambda found: found) -> Any:
    """Calls the core with a function's options, while somebody hears how far it is; `wrap` makes of what is found, also
    of what an interrupted call has found, what the function returns."""
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
    """Lets a result be explained on the device and for the batch that it ran with, unless others are asked for."""
    result = options["schedule"]
    if isinstance(result, ScheduleResult):
        options["device"] = options["device"] or result.device
        options["batch"] = options["batch"] or result.batch
        options["schedule"] = result = result.schedule
    if isinstance(result, Schedule) and result.barrier_free:
        import logging

        logging.getLogger("iosx").warning("%s has no stages: those that chose its kernels are looked at", result.name)
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
            schedule file of a built-in network. Several with a plus between run together.
        shapes: Whole shapes of inputs that an ONNX model leaves open, batch included: {'x': (1, 3, 640, 640)}.
        dims: Sizes of dimensions that it leaves open: {'height': 640}.
    Returns:
        The Graph. Its .warnings say what was left out or chosen.
    Raises:
        Error: A name that nobody knows, a file that cannot be read.
    """
    return _core.open(locals())


def networks() -> list[str]:
    """Returns the names of the built-in networks."""
    return [name for name, *_ in _core.networks()]


def devices() -> list[Device]:
    """Returns all Devices that are known: GPUs, simulated GPUs, the processor, workers and predictors."""
    return _core.devices()


def device(id: Union[str, Device]) -> Device:  # pylint: disable=redefined-builtin
    """Returns the Device with this id; a Device as it is."""
    if isinstance(id, Device):
        return id
    for each in _core.devices():
        if each.id == id:
            return each
    raise KeyError(f"no device '{id}': there are {', '.join(each.id for each in _core.devices())}")


@_with_options
def compare(
    graph: Graph,
    device=None,
    *,
    batch: Optional[int] = None,
    schedules: Union[None, str, Schedule, Sequence[AnySchedule]] = None,
    warm_start: Optional[AnySchedule] = None,
    predictor: Optional[str] = None,
    reference: Optional[str] = None,
    store: Store = None,
    remeasure: Optional[bool] = None,
    replay: Optional[bool] = None,
    progress: Progress = None,
    **options: Any,
) -> Run:
    """Runs schedules of a network side by side on a device, those that a search has to find first among them.

    Args:
        graph: The Graph.
        schedules: Which: ids of kinds ('sequential', 'one-by-one', 'greedy', 'ios-merge', 'ios-parallel', 'ios-both',
            'list', 'ios-flow'), Schedules, schedule files. Without it all kinds that are made without being asked for.
        warm_start: A schedule whose stages the widest search may choose: nothing worse is found.
        predictor: Id of a device that predicts: searches begin with what it says, and its own schedule runs too.
        reference: The device whose outputs count as right where outputs are verified.
        replay: Ask the store alone, nothing is measured; `device` may then be a fingerprint.
        {options}
    Returns:
        The Run. Its .best is never slower than sequential and greedy, which run beside it.
    """
    return _call(_core.compare, locals())


@_with_options
def optimize(
    graph: Graph,
    device=None,
    *,
    batch: Optional[int] = None,
    barrier_free: Optional[bool] = None,
    warm_start: Optional[AnySchedule] = None,
    reference: Optional[str] = None,
    store: Store = None,
    remeasure: Optional[bool] = None,
    replay: Optional[bool] = None,
    progress: Progress = None,
    **options: Any,
) -> Schedule:
    """Searches a schedule, and returns the fastest of what is found, sequential and greedy.

    Args:
        graph: The Graph.
        barrier_free: Also look for lanes without barriers, on devices that run such.
        warm_start: A schedule whose stages the search may choose: nothing worse is found.
        reference: The device whose outputs count as right where outputs are verified.
        replay: Ask the store alone, nothing is measured.
        {options}
    Returns:
        The Schedule, with its .latency_ms end to end. compare() shows it beside others.
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
    """Searches the schedule whose stages take least together, by latencies that a function says: a model of yours.

    Args:
        graph: The Graph.
        latency: Returns how many ms a stage takes. A stage is a list of groups that run side by side, each a list of
            steps; a step is a unit's name, or a tuple of names whose layers run merged. Its exceptions end the search.
        {core}
        progress: As of compare().
    Returns:
        (schedule, facts): facts are those of ScheduleResult.search.
    """
    return _call(_core.search, locals())


@_with_options
def count(
    graph: Graph,
    *,
    progress: Progress = None,
    **options: Any,
) -> list[dict[str, int]]:
    """Counts what a search has to choose from.

    Args:
        graph: The Graph.
        {core}
        progress: As of compare().
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
    reference: Optional[str] = None,
    store: Store = None,
    remeasure: Optional[bool] = None,
    progress: Progress = None,
    **options: Any,
) -> Run:
    """Searches from a schedule that is there: some stages stay as they are, the rest is never worse.

    Args:
        graph: The Graph.
        schedule: Where to start; without it the schedule in the graph's file.
        pinned: Numbers of the stages, from 0, that stay as they are.
        reference: The device whose outputs count as right where outputs are verified.
        {options}
    Returns:
        A Run of the start and of what was found ('improved').
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
    reference: Optional[str] = None,
    store: Store = None,
    progress: Progress = None,
    **options: Any,
) -> tuple[ScheduleResult, Optional[dict[str, Any]]]:
    """Runs one schedule of a network, and times it. load() keeps it ready to run again and again.

    Args:
        graph: The Graph.
        schedule: A Schedule, its file, or 'sequential', 'one-by-one' or 'greedy'; without it the one in the graph's
            file.
        inputs: Arrays by the inputs' names, or in order, or one array, in the shapes of graph.inputs(batch): NumPy's,
            torch's, or any that DLPack knows. With inputs, outputs are returned.
        outputs: Return outputs, of made-up inputs where none are given.
        reference: The device whose outputs count as right where outputs are verified.
        {options}
    Returns:
        (result, outputs): a ScheduleResult with latencies and trace; {name: array} or None, of the types of the network's
        file.
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
    """Prepares a schedule on a device that computes, ready to be called again and again.

    Args:
        graph: The Graph.
        schedule: A Schedule, its file, or 'sequential', 'one-by-one' or 'greedy'; without it the one in the graph's
            file.
        tune: Take the time to find out how its lanes run fastest side by side.
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
    """Measures how long each stage of a schedule takes by itself.

    Args:
        graph: The Graph.
        schedule: As of run().
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
    remeasure: Optional[bool] = None,
    replay: Optional[bool] = None,
    progress: Progress = None,
    **options: Any,
) -> Explanation:
    """Says why a schedule is as it is: what else could be done at its stages, and what that would cost.

    Args:
        graph: The Graph.
        schedule: A Schedule, its file, or the kind of a search ('ios-both'), which runs first; without it the one in
            the graph's file, or else what a search finds.
        stage: Explain this stage alone, from 0.
        measure: Measure what nobody has measured yet.
        replay: Ask the store alone.
        {options}
    Returns:
        An Explanation: str() of it is the text, .data the document of iosx explain --json.
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
    remeasure: Optional[bool] = None,
    progress: Progress = None,
    **options: Any,
) -> Sweep:
    """Says what schedules take if one thing is different, value by value.

    Args:
        graph: The Graph.
        vary: 'batch', 'device', 'r', 's', 'streams', 'input-size', 'channels' or 'kernel'.
        values: Which values; without them usual ones around the present one. Of 'device' ids.
        operator: Whose channels or kernel.
        schedules: Ids of kinds; without it sequential, greedy and IOS-Both.
        {options}
    Returns:
        A Sweep: str() of it is the table, .to_dataframe() has a row a value and schedule.
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
    remeasure: Optional[bool] = None,
    progress: Progress = None,
    **options: Any,
) -> Experiment:
    """Runs an experiment of the IOS paper on any network and device.

    Args:
        kind: 'schedules', 'batches', 'devices', 'pruning', 'utilization', 'throughput', 'memory', 'search' or
            'frameworks' (see iosx experiment --help).
        graph: The Graph.
        devices: Of 'devices': two at least.
        batches: Batch sizes, of 'batches' and 'throughput'.
        r_values, s_values: Limits, of 'pruning'.
        python: Of 'frameworks': the interpreter whose engines are compared; without it this one.
        engines: Which of them.
        {options}
    Returns:
        An Experiment: str() of it is the table; .run has the schedules that were compared, where there are such.
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
    remeasure: Optional[bool] = None,
    progress: Progress = None,
    **options: Any,
) -> Run:
    """Compares schedules, and looks into their runs: launches, and hardware counters where the device has them.

    Args:
        graph: The Graph.
        schedules: As of compare(); without it sequential, greedy and what a search finds.
        {options}
    Returns:
        The Run; .profile_table() is what iosx profile prints.
    """
    return _call(_core.profile, locals())


def open_run(path: PathLike) -> Run:
    """Opens a run file (.iosrun)."""
    return _core.open_run(path)


def load_schedule(path: PathLike, graph: Graph) -> Schedule:
    """Reads a schedule file of this graph."""
    return _core.find_schedule(graph, path)


def html_report(runs: Sequence[Run]) -> str:
    """Returns the interactive report of several runs: one page of HTML that loads nothing."""
    return _core.html_report(list(runs))


def save_onnx(graph: Graph, path: PathLike, *, batch: Optional[int] = None) -> None:
    """Writes a network with its weights as an ONNX model; without a batch the leading axis stays open."""
    _core.Graph.save(graph, path, "onnx", batch=batch)


def export_onnx(
    graph: Graph, schedule: AnySchedule, path: PathLike, *, streams: Optional[PathLike] = None, streams_on: str = "gpu"
) -> None:
    """Writes a network as a schedule runs it: an ONNX model that any engine runs, with merged layers as one.

    Args:
        streams: Also write ONNX Runtime's partition of its nodes into streams to this file.
        streams_on: Of which device these are, 'gpu' or 'cpu': ONNX Runtime refuses the other's.
    """
    _core.Graph.save(graph, path, "scheduled-onnx", schedule=schedule, streams=streams, streams_on=streams_on)


def export_pytorch(graph: Graph, schedule: AnySchedule, folder: PathLike) -> None:
    """Writes a network with its weights and a schedule as a Python package that runs the schedule in PyTorch."""
    _core.Graph.save(graph, folder, "pytorch", schedule=schedule)


def store_sets(store: Store = None) -> list[dict[str, Any]]:
    """Returns what measurements are kept: a row for each device, batch and precision."""
    return _core.store_sets({"store": store})


def merge_store(other: PathLike, store: Store = None) -> int:
    """Takes over what another file of measurements has and this one does not; returns how many that were."""
    return _core.store_merge(os.fspath(other), {"store": store})


def as_arrays(inputs):
    """Returns inputs as the core takes them: NumPy arrays, without copies where these lie in this memory."""
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
