"""Functions of the model's own, called at the top level, in branches and by one another; attributes are handed on."""

import numpy as np
import onnx
from onnx import helper, numpy_helper

from .builder import FUNCTIONS, Builder, Unfit, Value
from .control import choice_of, yielded
from .registry import operator

# Operators with an attribute that a function can hand on: (operator, attribute, its type, values).
HANDED = [
    ("LeakyRelu", "alpha", onnx.AttributeProto.FLOAT, [0.1, 0.25, -0.5]),
    ("Elu", "alpha", onnx.AttributeProto.FLOAT, [0.5, 1.5]),
    ("ThresholdedRelu", "alpha", onnx.AttributeProto.FLOAT, [-0.5, 0.5]),
    ("Softmax", "axis", onnx.AttributeProto.INT, [-1, 0]),
]


def handing(b: Builder, name: str, row: tuple, attribute: str) -> onnx.NodeProto:
    """A node whose attribute is that of the function around it."""
    kind, own, form, _ = row
    node = b.node(kind, [name])
    node.attribute.append(onnx.AttributeProto(name=own, ref_attr_name=attribute, type=form))
    return node


def body(b: Builder, x: Value, row: tuple | None, attribute: str) -> list[onnx.NodeProto]:
    """What a function of "x" computes, which the last node yields; in the branches of an If at times."""
    nodes: list[onnx.NodeProto] = []
    name = "x"
    for _ in range(b.whole(0, 2)):
        nodes.append(b.node(b.choice(["Relu", "Neg", "Sigmoid", "Identity", "Abs"]), [name]))
        name = nodes[-1].output[0]
    makes = (lambda: handing(b, name, row, attribute)) if row else (lambda: b.node(b.choice(["Tanh", "Exp"]), [name]))
    if b.chance(0.5):
        nodes.append(makes())
    else:
        nodes += condition(b, name, x)
        branches = []
        for node in (makes(), b.node("Mul", [name, "x"]) if b.chance(0.5) else makes()):
            branches.append(helper.make_graph([node], "branch", [], [yielded(node.output[0], x)]))
        nodes.append(choice_of(b, nodes[-1].output[0], branches))
    if b.chance(0.4):
        nodes.append(b.node("Add", [nodes[-1].output[0], "x"]))
    return nodes


def condition(b: Builder, name: str, x: Value) -> list[onnx.NodeProto]:
    """Nodes whose last one yields a truth value: computed of a value, or constant."""
    if b.chance(0.4):
        return [b.node("Constant", [], value=numpy_helper.from_array(np.asarray(b.chance(0.5))))]
    bound = b.node("Constant", [], value=numpy_helper.from_array(np.asarray(b.rng.uniform(-1, 2), x.dtype)))
    largest = b.node("ReduceMax", [name], keepdims=0)
    return [bound, largest, b.node("Greater", [largest.output[0], bound.output[0]])]


def function(b: Builder, x: Value, row: tuple | None) -> onnx.FunctionProto:
    """A new function of one input, with a default for its attribute at times; it calls another one at times."""
    attribute = b.choice(["alpha", "given"])
    nodes = body(b, x, row, attribute)
    others = [each for each in b.functions if not each.attribute]
    if others and b.chance(0.5):
        nodes.append(b.node(b.choice(others).name, [nodes[-1].output[0]], domain=FUNCTIONS))
    opsets = [helper.make_opsetid("", b.opset), helper.make_opsetid(FUNCTIONS, 1)]
    required = [attribute] if row and b.chance(0.7) else []
    defaults = [helper.make_attribute(attribute, b.choice(row[3]))] if row and not required else []
    made = helper.make_function(FUNCTIONS, f"F{len(b.functions) + 1}", ["x"], [nodes[-1].output[0]], nodes, opsets,
                                required, defaults)
    b.functions.append(made)
    return made


def attributes_of(b: Builder, called: onnx.FunctionProto, row: tuple | None) -> dict:
    if row is None or (not called.attribute and b.chance(0.5)):
        return {}
    return {(list(called.attribute) or [called.attribute_proto[0].name])[0]: b.choice(row[3])}


def fitting(b: Builder) -> Value:
    if b.old_style:
        raise Unfit  # files of that age have no functions
    return b.take("f", low=1, high=4, finite=True)


@operator("function", since=11, weight=2)
def call(b: Builder) -> None:
    x = fitting(b)
    row = b.choice([None, *(each for each in HANDED if b.opset >= 13 or each[0] != "Softmax")])
    called = function(b, x, row)
    for _ in range(b.whole(1, 2)):
        x = b.add(called.name, [x], nature="steep", domain=FUNCTIONS, **attributes_of(b, called, row))[0]


@operator("function in a branch", since=11, weight=2)
def call_in_branch(b: Builder) -> None:
    x = fitting(b)
    row = b.choice([None, *HANDED[:3]])
    called = function(b, x, row)
    branches = []
    for _ in range(2):
        node = b.node(called.name, [x], domain=FUNCTIONS, **attributes_of(b, called, row))
        if b.chance(0.3):
            node = b.node("Relu", [x])
        branches.append(helper.make_graph([node], "branch", [], [yielded(node.output[0], x)]))
    if b.chance(0.5):
        truth = b.constant(np.asarray(b.chance(0.5)))
    else:
        largest = b.add("ReduceMax", [x], nature="exact", keepdims=0)[0]
        truth = b.add("Greater", [largest, b.constant(np.asarray(0.5, x.dtype))], nature="step")[0]
    b.add_nodes([node := choice_of(b, truth.name, branches)], list(node.output), "steep")
