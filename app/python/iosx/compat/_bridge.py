"""Converts between the graphs of the original and of the core: both read and write the JSON of the original."""

from __future__ import annotations

import json
import os
from typing import Optional

import numpy as np

from .. import _calls, _core
from .._errors import Error
from .ir import Block, Conv, Graph, Node, Placeholder

_device: Optional[str] = os.environ.get("IOSX_DEVICE")


def set_device(device) -> None:
    """Sets the device for all calls of this package: an iosx.Device or its id. The environment variable IOSX_DEVICE also
    sets it. Default: a GPU if the machine has one, else the simulated V100."""
    global _device  # pylint: disable=global-statement
    _device = None if device is None else _calls.device(device).id


def get_device() -> Optional[str]:
    """Returns the id of the chosen device; None if no device was chosen."""
    return _device


def computing_device() -> Optional[str]:
    """Returns the device if it computes outputs; else None, which means the best device that computes."""
    return _device if _device is not None and _calls.device(_device).computes else None


def to_core(graph: Graph) -> _core.Graph:
    """Converts a graph to a graph of the core, with its weights, if they are set, and its schedule."""
    if any(block.exit_node is None for block in graph.blocks):
        raise Error("has a block without an exit", graph.name, "add its last node with is_exit=True")
    opened = _core.parse_ios(json.dumps(graph.export_config(), default=int), graph.name)
    weights = {conv.name: (conv.weight, conv.bias) for conv in graph.convolutions() if conv.weight is not None}
    return opened.with_weights(weights) if weights else opened


def merged_convolution(convs: list[Conv]) -> Conv:
    """Returns one convolution that replaces several convolutions of one input, with their weights."""
    kernel = tuple(max(conv.kernel[axis] for conv in convs) for axis in (0, 1))
    padding = tuple(max(conv.padding[axis] for conv in convs) for axis in (0, 1))
    first = convs[0]
    channels = sum(conv.out_channels for conv in convs)
    hint = " ".join(conv.hint_name for conv in convs)
    merged = Conv(
        first.name, hint, first.inputs, channels, kernel, first.stride, padding, 1, first.act, None
    )
    merged.infer_shape()
    set_merged_weights(merged, convs)
    return merged


def set_merged_weights(merged: Conv, convs: list[Conv]) -> None:
    """Copies the weights of several convolutions into the merged one; smaller kernels are centred."""
    if any(conv.weight is None for conv in convs):
        return
    merged.weight = np.zeros(merged.weight_shape, np.float32)
    merged.bias = np.concatenate([conv.bias for conv in convs]).astype(np.float32)
    begin = 0
    for conv in convs:
        rows, columns = ((merged.kernel[axis] - conv.kernel[axis]) // 2 for axis in (0, 1))
        merged.weight[
            begin : begin + conv.out_channels,
            :,
            rows : rows + conv.kernel[0],
            columns : columns + conv.kernel[1],
        ] = conv.weight
        begin += conv.out_channels


def from_core(graph: _core.Graph, schedule: _core.Schedule) -> Graph:
    """Returns a graph of the core in the form that a schedule runs: with merged convolutions and without weights."""
    return Graph.from_config(json.loads(_core.to_ios(graph, schedule)))


def with_own_weights(made: Graph, graph: _core.Graph) -> Graph:
    """Copies the weights of the core to a graph of from_core() whose schedule merges nothing."""
    for conv in made.convolutions():
        weight, bias = graph.weights(conv.name)
        conv.weight = weight.reshape(conv.weight_shape)  # a linear layer is a convolution here
        conv.bias = np.zeros(conv.bias_shape, np.float32) if bias is None else bias
    return made


def with_weights_of(made: Graph, original: Graph, schedule: _core.Schedule) -> Graph:
    """Copies the weights of the searched graph to a graph of from_core()."""
    convs = {conv.name: conv for conv in original.convolutions()}
    steps = (step for stage in schedule.stages for group in stage for step in group)
    merged = {step[0]: step for step in steps if isinstance(step, tuple)}
    for conv in made.convolutions():
        if conv.name in merged:
            set_merged_weights(conv, [convs[name] for name in merged[conv.name]])
        else:
            conv.weight, conv.bias = convs[conv.name].weight, convs[conv.name].bias
    return made


def graph_of_block(block: Block) -> Graph:
    """Returns a graph of one block, with the value that enters the block as its input."""
    config = block.export_config()
    enter = Placeholder(block.enter_node.name, block.enter_node.hint_name, block.enter_node.output_shape)
    config["enter_node"] = enter.export_config()
    return Graph.from_config({"name": "block", "input": enter.export_config(), "blocks": [config]})


def graph_of_stage(stage) -> Graph:
    """Returns a graph of one stage from groups of nodes; its single input replaces all values from outside the stage.

    Raises:
        Error: The nodes read maps of several sizes, so that one input is not possible.
    """
    own = {node.name for group in stage for node in group}
    outside = {}
    for group in stage:
        for node in group:
            for term in node.inputs:
                outside.update({value.node.name: value.node for value in term if value.node.name not in own})
    if len({tuple(node.output_shape[1:]) for node in outside.values()}) != 1:
        raise Error("reads maps of several sizes", "a stage", "time its block with block_latency()")
    places, channels = {}, 0
    for name, node in outside.items():
        places[name] = channels
        channels += node.output_shape[0]
    enter = Placeholder("stage input", "stage input", (channels, *next(iter(outside.values())).output_shape[1:]))

    def moved(config):
        """Connects a node to its slice of the single input."""
        reader = config["nodes"][0] if "nodes" in config else config
        reader["inputs"] = [
            [[enter.name, places[n] + a, places[n] + b] if n in places else [n, a, b] for n, a, b in term]
            for term in reader["inputs"]
        ]
        return config

    known = {enter.name: enter}
    block = Block(enter, stages=[[[node.name for node in group] for group in stage]])
    for group in stage:
        for node in group:
            known[node.name] = Node.from_config(moved(node.export_config()), known)
            block.inner_nodes.append(known[node.name])
    block.exit_node = block.inner_nodes.pop()
    graph = Graph("stage", enter, [block])
    graph.infer_shape()
    return graph
