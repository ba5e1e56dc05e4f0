"""Control flow: If by constant and computed conditions, Loop with a constant number of trips, and one in another.

Branches and bodies keep the shape of what they begin with, so that both branches of an If fit; where the condition is
constant, the branch that is not taken may yield another shape.
"""

from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

from .builder import BOOL, FUNCTIONS, Builder, Unfit, Value
from .registry import operator

DEEPEST = 2

# Operators of one input that keep its shape: (operator, first opset, attributes).
STEPS: list[tuple[str, int, dict[str, Any]]] = [
    ("Relu", 7, {}), ("Neg", 7, {}), ("Abs", 7, {}), ("Identity", 7, {}), ("Sigmoid", 7, {}), ("Tanh", 7, {}),
    ("LeakyRelu", 7, {"alpha": 0.3}), ("Elu", 7, {}), ("Softplus", 7, {}), ("HardSwish", 14, {}), ("Erf", 9, {}),
]


def tensor(b: Builder, array: np.ndarray, initializers: list[onnx.TensorProto], nodes: list[onnx.NodeProto]) -> str:
    """The name of a constant: of the outer graph, in the branch as a node, or as its initializer."""
    style = b.choice(["outer", "node", "initializer"])
    if style == "outer":
        return b.constant(array, derive=False).name
    if style == "initializer":
        name = b.name()
        initializers.append(numpy_helper.from_array(array, name))
        return name
    node = b.node("Constant", [], value=numpy_helper.from_array(array))
    nodes.append(node)
    return node.output[0]


def steps(b: Builder, name: str, x: Value, initializers: list[onnx.TensorProto], depth: int) -> list[onnx.NodeProto]:
    """Nodes that lead from a value of the type and shape of x to another, which the last one yields.

    They read x itself too, which is outside where they stand in a branch.
    """
    nodes: list[onnx.NodeProto] = []
    for _ in range(b.whole(1, 3)):
        style = b.choice(["one", "one", "constant", "outer", "If", "Loop", "call"])
        if style == "constant":
            number = tensor(b, np.asarray(b.array(x.shape[-1:], x.dtype)), initializers, nodes)
            nodes.append(b.node(b.choice(["Add", "Mul", "Sub"]), [name, number]))
        elif style == "outer":
            nodes.append(b.node(b.choice(["Add", "Mul", "Max"]), [name, x]))
        elif style == "If" and depth < DEEPEST:
            condition = tensor(b, np.asarray(b.chance(0.5)), initializers, nodes)
            nodes.append(choice_of(b, condition, [graph_of(b, name, x, depth + 1) for _ in range(2)]))
        elif style == "Loop" and depth < DEEPEST and b.chance(0.5):
            trips = tensor(b, np.asarray(b.whole(1, 3)), initializers, nodes)
            nodes.append(b.node("Loop", [trips, None, name], body=body_of(b, x, depth + 1, gathers=False)))
        elif style == "call" and (free := [each for each in b.functions if not each.attribute]):
            nodes.append(b.node(b.choice(free).name, [name], domain=FUNCTIONS))
        else:
            kind, _, given = b.choice([row for row in STEPS if row[1] <= b.opset])
            nodes.append(b.node(kind, [name], **given))
        name = nodes[-1].output[0]
    return nodes


def yielded(name: str, x: Value | None) -> onnx.ValueInfoProto:
    kind = helper.np_dtype_to_tensor_dtype(x.dtype) if x else onnx.TensorProto.BOOL
    return helper.make_tensor_value_info(name, kind, None if x else [])


def graph_of(b: Builder, name: str, x: Value, depth: int = 1, squeezes: bool = False) -> onnx.GraphProto:
    """A branch, which reads a value of the graph around it; its result has another shape where it squeezes."""
    initializers: list[onnx.TensorProto] = []
    nodes = steps(b, name, x, initializers, depth)
    if squeezes:
        nodes.append(b.node("Flatten", [nodes[-1].output[0]]))
    return helper.make_graph(nodes, "branch", [], [yielded(nodes[-1].output[0], x)], initializers)


def choice_of(b: Builder, condition: str, branches: list[onnx.GraphProto]) -> onnx.NodeProto:
    return b.node("If", [condition], len(branches[0].output), then_branch=branches[0], else_branch=branches[1])


def body_of(b: Builder, x: Value, depth: int, gathers: bool) -> onnx.GraphProto:
    """The body of a Loop that carries one value; at times it adds the trip's number and gathers what it carries."""
    initializers: list[onnx.TensorProto] = []
    trip, going, carried = b.name(), b.name(), b.name()
    nodes = steps(b, carried, x, initializers, depth)
    if b.chance(0.4):
        number = b.node("Cast", [trip], to=helper.np_dtype_to_tensor_dtype(x.dtype))
        nodes += [number, b.node("Add", [nodes[-1].output[0], number.output[0]])]
    result = nodes[-1].output[0]
    nodes.append(b.node("Identity", [going]))
    outputs = [yielded(nodes[-1].output[0], None), yielded(result, x)]
    if gathers:
        nodes.append(b.node("Identity", [result]))
        outputs.append(yielded(nodes[-1].output[0], x))
    number_of_trip = helper.make_tensor_value_info(trip, onnx.TensorProto.INT64, [])
    inputs = [number_of_trip, yielded(going, None), yielded(carried, x)]
    return helper.make_graph(nodes, "body", inputs, outputs, initializers)


def condition_of(b: Builder, x: Value, style: str) -> Value:
    if style == "constant":
        return b.constant(np.full(b.choice([[], [1]]), b.chance(0.5)))
    if style == "follows":  # from constants
        pair = [b.constant(np.float32(each)) for each in (b.whole(0, 3), 1.5)]
        return b.add("Greater", pair, nature="exact")[0]
    if style == "shape":
        size = b.add("Size", [x], nature="exact")[0]
        return b.add("Greater", [size, b.numbers_of(8)], nature="exact")[0]
    largest = b.add("ReduceMax", [x], nature="exact", keepdims=0)[0]
    return b.add("Greater", [largest, b.constant(np.asarray(b.rng.uniform(-1, 2), x.dtype))], nature="step")[0]


@operator("If", since=11, weight=4)
def if_(b: Builder) -> None:
    x = b.take("f", low=1, high=4, finite=True)
    style = b.choice(["constant", "follows", "shape", "computed", "computed"])
    condition = condition_of(b, x, style)
    squeezes = style != "computed" and b.chance(0.3)
    branches = [graph_of(b, x.name, x, squeezes=squeezes and taken) for taken in (False, True)]
    b.add_nodes([node := choice_of(b, condition.name, branches)], list(node.output))


@operator("If of two results", since=11, weight=1)
def two_results(b: Builder) -> None:
    """Each branch yields two values, of which one is a constant of the branch at times."""
    x = b.take("f", low=1, high=4, finite=True)
    condition = condition_of(b, x, b.choice(["constant", "computed"]))
    branches = []
    for _ in range(2):
        graph = graph_of(b, x.name, x, DEEPEST)
        other = b.node("Constant", [], value=numpy_helper.from_array(np.asarray(b.array([3], x.dtype))))
        if b.chance(0.4):
            other = b.node("Mul", [graph.node[0].output[0], x])
        graph.node.append(other)
        graph.output.append(yielded(other.output[0], x))
        branches.append(graph)
    b.add_nodes([node := choice_of(b, condition.name, branches)], list(node.output))


@operator("Loop", since=11, weight=2)
def loop(b: Builder) -> None:
    """A constant number of trips; the body passes the condition on."""
    x = b.take("f", low=1, high=3, finite=True)
    trips = b.numbers_of(b.whole(0, 4))
    going = b.constant(np.asarray(True), derive=False) if b.chance(0.6) else None
    gathers = b.chance(0.4) and x.dtype == np.float32  # of other types the reference runs some, and joins without an axis
    body = body_of(b, x, 1, gathers)
    node = b.node("Loop", [trips, going, x], 2 if gathers else 1, body=body)
    b.add_nodes([node], list(node.output))


@operator("Loop of constants", since=11, weight=1)
def constant_loop(b: Builder) -> None:
    """What a Loop makes of constants is a weight."""
    x = b.take("f", low=1, high=3, finite=True)
    start = b.constant(b.array(x.shape[-1:], x.dtype), derive=False)
    node = b.node("Loop", [b.numbers_of(b.whole(1, 4)), None, start], body=body_of(b, start, DEEPEST, gathers=False))
    weight = b.add_nodes([node], list(node.output))[0]
    b.add(b.choice(["Add", "Mul"]), [x, weight])


@operator("Where by a condition", since=11, weight=0.5)
def condition_input(b: Builder) -> None:
    """A condition that is an input of the model."""
    if b.sizes.batch_sizes != [1]:
        raise Unfit  # the condition is one truth value
    x = b.take("f", low=1, high=4, finite=True)
    condition = b.new_input(BOOL, [])
    branches = [graph_of(b, x.name, x) for _ in range(2)]
    b.add_nodes([node := choice_of(b, condition.name, branches)], list(node.output))
