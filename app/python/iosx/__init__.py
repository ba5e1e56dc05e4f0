"""IOS Explorer from Python: find which operators of a neural network should run concurrently, and why.

    import iosx
    graph = iosx.open("squeezenet")              # or a model.onnx, or iosx.from_torch(module, inputs)
    run = iosx.compare(graph, "tesla-v100")      # compare schedules
    print(run.best, run.best.speedup)
    print(iosx.explain(graph, run.best))

The package uses the same core as the window and the command line. `help()` describes each name.
"""

from . import _core, _methods, _window
from ._calls import (
    compare,
    count,
    device,
    devices,
    experiment,
    explain,
    export_onnx,
    export_pytorch,
    html_report,
    improve,
    load,
    load_schedule,
    measure_stages,
    merge_store,
    networks,
    open,  # pylint: disable=redefined-builtin
    open_recording,
    open_run,
    optimize,
    profile,
    run,
    save_onnx,
    search,
    store_sets,
    sweep,
)
from ._core import (
    Counter,
    Device,
    Graph,
    GraphBuilder,
    KernelSpan,
    Latency,
    LoadedPlan,
    Operator,
    Recording,
    Run,
    Schedule,
    ScheduleResult,
    Speedup,
    Trace,
    Unit,
    Value,
    __version__,
)
from ._documents import Experiment, Explanation, Sweep
from ._errors import Error, Interrupted
from ._record import record
from ._streams import apply_streams
from ._torch import compile, from_torch, torch_backend  # pylint: disable=redefined-builtin
from ._window import attach

_methods.install()
_window.install()

# A star takes no names that hide Python's own: open and compile are iosx.open and iosx.compile.
__all__ = [
    "Counter", "Device", "Error", "Experiment", "Explanation", "Graph", "GraphBuilder", "Interrupted", "KernelSpan",
    "Latency", "LoadedPlan", "Operator", "Recording", "Run", "Schedule", "ScheduleResult", "Speedup", "Sweep", "Trace", "Unit",
    "Value", "__version__", "apply_streams", "attach", "compare", "count", "device", "devices", "experiment", "explain", "export_onnx",
    "export_pytorch", "from_torch", "html_report", "improve", "load", "load_schedule", "measure_stages", "merge_store",
    "networks", "open_recording", "open_run", "optimize", "profile", "record", "run", "save_onnx", "search", "store_sets",
    "sweep", "torch_backend",
]  # fmt: skip
