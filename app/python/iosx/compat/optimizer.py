"""The search, with the API of the original."""

from __future__ import annotations

import itertools
from typing import Optional

import numpy as np

from .. import _calls, _core
from . import _bridge
from .cost_model import CostModel, IOSCostModel
from .ir import Graph


def _strategies(opt_type: str) -> str:
    parallel, merge = "parallel" in opt_type, "merge" in opt_type
    if opt_type == "dp" or (parallel and merge):
        return "both"
    if not parallel and not merge:
        raise ValueError(f"opt_type must be 'dp', 'dp_parallel', 'dp_merge' or 'dp_parallel_merge', not {opt_type!r}")
    return "parallel" if parallel else "merge"


def _asking(cost_model: CostModel, graph: Graph, batch_size, warmup, number, repeat):
    """Returns a function that gets the latency of a stage of names from a cost model of the user."""
    nodes = {node.name: node for node in graph.nodes()}

    def latency(stage):
        groups = []
        for group in stage:
            groups.append([])
            for step in group:
                merged = isinstance(step, tuple)
                found = [nodes[name] for name in (step if merged else (step,))]
                groups[-1].append(_bridge.merged_convolution(found) if merged else found[0])
        return float(np.mean(cost_model.get_stage_latency(groups, batch_size, warmup, number, repeat)))

    return latency


def optimize(
    graph: Graph,
    batch_size: int = 1,
    cost_model: Optional[CostModel] = None,
    opt_type: str = "dp_parallel_merge",
    warmup: int = 2,
    number: int = 6,
    repeat: int = 6,
    max_num_groups: int = 8,
    max_part_size: int = 100,
    compute_weight: bool = False,
    max_group_size: int = 3,
    debug_dp_info: Optional[dict] = None,
    verbose: bool = False,
) -> Graph:
    """Returns the graph with the best schedule that a search finds on the chosen device (set_device()).

    Args:
        graph: The graph; it does not change.
        batch_size: Batch size to search for.
        cost_model: Gives the latencies of stages. Default, and with an IOSCostModel: the device.
        opt_type: 'dp_parallel', 'dp_merge', 'dp_parallel_merge' or 'dp', which means both.
        warmup, number, repeat: How often stages are timed on a device that measures: number × repeat times.
        max_num_groups: Maximum groups in a stage.
        max_part_size: Maximum nodes that are searched together.
        compute_weight: The new graph has weights.
        max_group_size: Maximum nodes in a group.
        debug_dp_info: A dict to fill. For every part: '#operators', '#states', '#transitions' (a stage that may run its
            groups concurrently or merged counts once), '#schedules' (exact), 'width' (the maximum groups in a stage) and
            'meta' (numbers of schedules by state, a set of bits: for the empty state and the whole part). For the stages
            of the schedule: 'stage_latency' and 'dp' (the sum of the latencies up to each stage in ms, and the last
            stage). It contains no latencies of other stages and states.
        verbose: Print the progress.
    """
    core = _bridge.to_core(graph)
    options = {
        "r": max_group_size,
        "s": max_num_groups,
        "max_part_size": min(max_part_size, _core.MAX_PART_SIZE),
        "search": "exhaustive",
        "strategies": _strategies(opt_type),
    }
    if cost_model is None or type(cost_model) is IOSCostModel:  # a class of the user's may answer otherwise
        kind = "ios-" + options.pop("strategies")
        run = _calls.compare(
            core,
            _bridge.get_device(),
            schedules=[kind],
            batch=batch_size,
            warmup=warmup,
            repeat=number * repeat,
            **options,
        )
        result = run[kind]
        schedule, facts = result.schedule, result.search
        latencies = [latency.ms for latency in result.stage_latencies]
    else:
        ask = _asking(cost_model, graph, batch_size, warmup, number, repeat)
        schedule, facts = _calls.search(core, ask, **options)
        latencies = [ask(stage) for stage in schedule.stages]
    if verbose:
        print(f"optimize {opt_type} on {graph.name}: {len(schedule)} stages, {facts['needed']} measured or modelled")
    if debug_dp_info is not None:
        limits = {name: options[name] for name in ("r", "s", "max_part_size")}
        debug_dp_info.update(_facts(_calls.count(core, **limits, progress=False), max_num_groups))
        debug_dp_info.update(_latencies(facts["parts"], schedule, latencies))
    made = _bridge.from_core(core, schedule)
    if compute_weight:
        _bridge.with_weights_of(made, graph, schedule)
    made.name = f"{graph.name}_{opt_type}"
    return made


def _facts(parts, max_num_groups: int) -> dict:
    """Returns the size of the search space of each part."""
    return {
        "#operators": [part["units"] for part in parts],
        "#states": [part["states"] for part in parts],
        "#transitions": [part["transitions"] for part in parts],
        "#schedules": [part["schedules"] for part in parts],
        "width": [min(part["width"], max_num_groups or part["width"]) for part in parts],
        "meta": [{0: 1, (1 << part["units"]) - 1: part["schedules"]} for part in parts],
    }


def _latencies(parts, schedule, latencies) -> dict:
    """Returns the latency of each stage of a schedule, and the sum of the latencies up to it, for each part."""
    of_stages, of_states = {}, {}
    stages = iter(zip(schedule.stages, latencies))
    for part in parts:
        names, total = [], 0.0
        while len(names) < part["units"]:
            stage, latency = next(stages)
            own = _flat(stage)
            merged = any(isinstance(step, tuple) for group in stage for step in group)
            called = " ".join(["merge" if merged else "parallel", *own])
            names += own
            total += latency
            of_stages[called] = latency
            of_states[" ".join(names)] = f"{total:.3f} ({called})"
    return {"stage_latency": of_stages, "dp": of_states}


def _flat(stage) -> list[str]:
    steps = itertools.chain.from_iterable(stage)
    return [name for step in steps for name in (step if isinstance(step, tuple) else (step,))]


