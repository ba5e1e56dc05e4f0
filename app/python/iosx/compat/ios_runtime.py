"""Runs graphs by their schedules on the chosen device (set_device())."""

from __future__ import annotations

import numpy as np

from .. import _calls
from .._errors import Error
from . import _bridge


def _timed(graph, batch_size, warmup, number, repeat, profile_stage):
    core = _bridge.to_core(graph)
    if core.schedule is None:
        raise Error("has no schedule", graph.name, "call graph.sequential_schedule(), or use the result of optimize()")
    result, _ = _calls.run(
        core, core.schedule, device=_bridge.get_device(), batch=batch_size, warmup=warmup, repeat=number * repeat
    )
    samples = result.samples_ms
    if len(samples) == number * repeat:
        latencies = [float(mean) for mean in np.reshape(samples, (repeat, number)).mean(axis=1)]
    else:  # of a device without noise, or one that times several runs as one
        latencies = [result.latency.ms] * repeat
    if not profile_stage:
        return latencies
    return latencies, [latency.ms for latency in result.stage_latencies] * repeat


def graph_latency(graph, batch_size=1, warmup=2, number=6, repeat=6, profile_stage=False):
    """Returns `repeat` latencies in ms, each the mean of `number` runs, of a graph with a schedule.

    With profile_stage, also the latency of every separate stage, for the first repeat, then the second, and so on.
    """
    return _timed(graph, batch_size, warmup, number, repeat, profile_stage)


def block_latency(block, batch_size, warmup, number, repeat, profile_stage=False):
    """Does the same for one separate block."""
    return _timed(_bridge.graph_of_block(block), batch_size, warmup, number, repeat, profile_stage)


def stage_latency(stage, batch_size, warmup, number, repeat, profile_stage=False):
    """Does the same for one stage: a list of groups of nodes."""
    return _timed(_bridge.graph_of_stage(stage), batch_size, warmup, number, repeat, profile_stage)


def graph_inference(graph, batch_size, input):  # pylint: disable=redefined-builtin
    """Runs a graph by its schedule and returns its output: (batch_size, *shape), float32. It runs on the chosen device
    if that computes outputs, else on the best device that does."""
    core = _bridge.to_core(graph)
    plan = _calls.load(core, core.schedule or core.one_by_one(), _bridge.computing_device(), batch=batch_size)
    wanted = (batch_size, *graph.enter_node.output_shape)
    output = next(iter(plan([np.asarray(input, np.float32).reshape(wanted)]).values()))
    return output.reshape(batch_size, *graph.exit_node.output_shape)
