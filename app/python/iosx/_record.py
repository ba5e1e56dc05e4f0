"""Records a step of a program that uses torch: what runs when, and what depends on what."""

from __future__ import annotations

import os

from ._calls import PathLike, Recording, open_recording
from ._forms import torch_module

_WARM_UP = 3  # runs: the allocator and autotuning do not belong to a step


def record(step, path: PathLike = "run") -> Recording:
    """Records one call of `step` by PyTorch's profiler, with an execution trace, and opens both.

    The trace knows when each kernel ran and which module launched it, and the execution trace what each operator reads
    and writes. So the Recording knows which kernels could have run at the same time. `step` is called four times; the
    last call is recorded.

    Args:
        step: A function without arguments, such as one step of a training, or `lambda: model(inputs)`.
        path: Where to write: PATH.trace.json.gz and PATH.et.json.
    Returns:
        The Recording of both files.
    Raises:
        Error: The recording has no kernels.
    """
    torch = torch_module()
    from torch.profiler import ExecutionTraceObserver, ProfilerActivity, _ExperimentalConfig, profile

    cuda = torch.cuda.is_available()
    for _ in range(_WARM_UP):
        step()
    files = os.fspath(path) + ".trace.json.gz", os.fspath(path) + ".et.json"
    observer = ExecutionTraceObserver().register_callback(files[1])
    activities = [ProfilerActivity.CPU] + [ProfilerActivity.CUDA] * cuda
    config = _ExperimentalConfig(enable_cuda_sync_events=True) if cuda else None
    more = {"execution_trace_observer": observer, "experimental_config": config}
    with profile(activities=activities, record_shapes=True, with_stack=True, **more) as profiler:
        step()
        if cuda:
            torch.cuda.synchronize()
    profiler.export_chrome_trace(files[0])
    return open_recording(files[0], [files[1]])
