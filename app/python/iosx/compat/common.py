"""Functions that build a graph: each function adds a node to the end of a block and returns its output."""

from __future__ import annotations

from typing import Optional, Sequence

from .ir import Activation, Block, Conv, Element, Graph, Identity, Node, Placeholder, Pool, Relu, Sequential, Value

__all__ = [
    "Activation", "Block", "Conv", "Element", "Graph", "Identity", "Node", "Placeholder", "Pool", "Relu", "Sequential",
    "Value", "activation", "addition", "conv2d", "element", "get_parts", "identity", "multiply", "new_name",
    "placeholder", "pool2d", "relu", "relu_conv", "relu_sep_conv", "reset_name", "rwconv2d", "sep_conv", "sequential",
    "sigmoid", "tanh",
]  # fmt: skip

Terms = Sequence[Sequence[Value]]
_next_name = 0


def new_name() -> str:
    """Returns an unused name since the last reset_name(): '0', '1', …"""
    global _next_name  # pylint: disable=global-statement
    _next_name += 1
    return str(_next_name - 1)


def reset_name() -> None:
    """Restarts the names at '0' for a new network."""
    global _next_name  # pylint: disable=global-statement
    _next_name = 0


def _added(block: Block, node: Node, is_exit: bool) -> Value:
    node.infer_shape()
    node.note_uses()
    if is_exit:
        block.exit_node = node
    else:
        block.inner_nodes.append(node)
    return Value(node, 0, node.output_shape[0])


def _names(count: int) -> list[str]:
    return [new_name() for _ in range(count)]


def placeholder(output_shape) -> Value:
    """Returns the input of a network, of shape (channels, height, width)."""
    name = new_name()
    return Value(Placeholder(name, name, output_shape), 0, output_shape[0])


def conv2d(
    block, inputs, out_channels, kernel=(1, 1), stride=(1, 1), padding=(0, 0), groups=1, act="relu", is_exit=False
) -> Value:
    """Adds a convolution. `inputs` are concatenated terms; a term is a list of values that are added."""
    name = new_name()
    conv = Conv(name, name, inputs, out_channels, kernel, stride, padding, groups, act, None)
    return _added(block, conv, is_exit)


def pool2d(block, inputs, pool_type, kernel=(1, 1), stride=(1, 1), padding=(0, 0), is_exit=False) -> Value:
    """Adds pooling: 'max', 'avg', 'global_max' or 'global_avg'."""
    name = new_name()
    return _added(block, Pool(name, name, inputs, pool_type, kernel, stride, padding, None), is_exit)


def identity(block, inputs, is_exit=False) -> Value:
    """Adds a copy of the inputs: a sum, or a concatenation."""
    name = new_name()
    return _added(block, Identity(name, name, inputs, None), is_exit)


def relu(block, inputs, is_exit=False) -> Value:
    name = new_name()
    return _added(block, Relu(name, name, inputs, None), is_exit)


def activation(block, inputs, act_type, inplace=False, is_exit=False) -> Value:
    """Adds 'relu', 'tanh' or 'sigmoid'."""
    name = new_name()
    return _added(block, Activation(name, name, inputs, act_type, inplace, None), is_exit)


def sigmoid(block, inputs, inplace=False, is_exit=False) -> Value:
    return activation(block, inputs, "sigmoid", inplace, is_exit)


def tanh(block, inputs, inplace=False, is_exit=False) -> Value:
    return activation(block, inputs, "tanh", inplace, is_exit)


def element(block, inputs, op_type, is_exit=False) -> Value:
    """Adds the sum ('add') or the product ('mul') of the terms."""
    name = new_name()
    return _added(block, Element(name, name, inputs, op_type, None), is_exit)


def multiply(block, inputs, is_exit=False) -> Value:
    return element(block, inputs, "mul", is_exit)


def addition(block, inputs, is_exit=False) -> Value:
    return element(block, inputs, "add", is_exit)


def sequential(block, hint_name: Optional[str], nodes: list[Node], is_exit=False) -> Value:
    """Adds nodes that a schedule places as one unit: each node reads the previous node."""
    name = new_name()
    for before, after in zip(nodes, nodes[1:]):
        before.infer_shape()
        after.inputs = [[Value(before, 0, before.output_shape[0])]]
    return _added(block, Sequential(name, name if hint_name is None else hint_name, nodes, None), is_exit)


def _channels(inputs: Terms) -> int:
    return sum(term[0].length for term in inputs)


def _depthwise(name, inputs, channels, kernel, stride, padding) -> Conv:
    return Conv(name, name, inputs, channels, kernel, stride, padding, channels, "identity", None)


def _plain(name, out_channels, kernel=(1, 1), stride=(1, 1), padding=(0, 0), groups=1) -> Conv:
    return Conv(name, name, None, out_channels, kernel, stride, padding, groups, "identity", None)


def sep_conv(block, inputs, out_channels, kernel, stride, padding, is_exit=False) -> Value:
    """Adds a depthwise convolution and a pointwise convolution as one node."""
    first, second = _names(2)
    channels = _channels(inputs)
    nodes = [_depthwise(first, inputs, channels, kernel, stride, padding), _plain(second, out_channels)]
    return sequential(block, "SepConv", nodes, is_exit)


def relu_sep_conv(block, inputs, out_channels, kernel, stride, padding, is_exit=False) -> Value:
    """Adds a ReLU, a depthwise convolution and a pointwise convolution as one node."""
    first, second, third = _names(3)
    channels = _channels(inputs)
    nodes = [
        Relu(first, first, inputs, None),
        _depthwise(second, None, channels, kernel, stride, padding),
        _plain(third, out_channels),
    ]
    return sequential(block, "ReluSepConv", nodes, is_exit)


def rwconv2d(block, inputs, out_channels, stride=(1, 1), is_exit=False) -> Value:
    """Adds the node of RandWire: relu_sep_conv() with a kernel of 3 × 3."""
    return relu_sep_conv(block, inputs, out_channels, (3, 3), stride, (1, 1), is_exit)


def relu_conv(
    block, inputs, out_channels, kernel=(1, 1), stride=(1, 1), padding=(0, 0), groups=1, is_exit=False
) -> Value:
    """Adds a ReLU and a convolution as one node."""
    first, second = _names(2)
    nodes = [Relu(first, first, inputs, None), _plain(second, out_channels, kernel, stride, padding, groups)]
    return sequential(block, "ReluConv", nodes, is_exit)


def get_parts(block: Block, split_vars: Sequence[Value]) -> list[list[Node]]:
    """Returns the nodes of a block in parts, cut after these values. The first value is the input of the block."""
    borders = [int(value.node.name) for value in split_vars]
    parts: list[list[Node]] = [[] for _ in borders[1:]]
    for node in block.nodes:
        for i, (low, high) in enumerate(zip(borders, borders[1:])):
            if low < int(node.name) <= high:
                parts[i].append(node)
                break
        else:
            raise ValueError(f"node {node.name} is outside the parts {borders}")
    return parts
