"""Numbers of 16 bits between others of 32: float16 and bfloat16, cast there and back, as constants, beyond their ends.

NumPy has no bfloat16, so such tensors stay inside of what an operator here adds.
"""

import numpy as np
import onnx
from onnx import helper

from .builder import Builder, Unfit, Value
from .registry import operator

TYPES = {"float16": onnx.TensorProto.FLOAT16, "bfloat16": onnx.TensorProto.BFLOAT16}


def short(b: Builder) -> int:
    return TYPES[b.choice(list(TYPES) if b.opset >= 13 else ["float16"])]


def numbers(b: Builder) -> Value:
    return b.take("f", low=1, finite=True, fits=lambda v: v.dtype == np.float32)


def moved(b: Builder, x: Value, name: str) -> list[onnx.NodeProto]:
    """Nodes of 16 bits that compute nothing."""
    kind = b.choice(["nothing", "Identity", "Transpose", "Reshape", "Concat"])
    if kind == "nothing":
        return []
    if kind == "Reshape":
        return [b.node(kind, [name, b.numbers_of([0, -1])])]
    if kind == "Concat":
        return [b.node(kind, [name, name], axis=b.axis(x.rank))]
    return [b.node(kind, [name])]


@operator("rounded to 16 bits", since=9, weight=3)
def rounded(b: Builder) -> None:
    x = numbers(b)
    nodes = []
    if b.chance(0.3):  # 65,504 is the largest of float16
        nodes.append(b.node("Mul", [x, b.constant(np.float32(b.choice([3e4, 1e5, 1e-6])), derive=False)]))
    nodes.append(b.node("Cast", [nodes[-1].output[0] if nodes else x], to=short(b)))
    nodes += moved(b, x, nodes[-1].output[0])
    nodes.append(b.node("Cast", [nodes[-1].output[0]], to=1))
    nodes.append(b.node("Min", [nodes[-1].output[0], b.constant(np.float32(5e5), derive=False)]))
    made = b.add_nodes(nodes, list(nodes[-1].output), "step")[0]
    if b.chance(0.3):
        b.add("Sub", [made, x])


@operator("constants of 16 bits", since=9, weight=1.5)
def constants(b: Builder) -> None:
    """Weights of 16 bits that become numbers of 32, as smaller files have them."""
    x = numbers(b)
    kind = short(b)
    shape = [x.shape[-1]] if x.rank < 2 or b.chance(0.5) else [x.shape[-1], b.whole(1, 4)]
    if any(run.shape[-1] != x.shape[-1] for run in x.runs):
        raise Unfit
    array = b.array(shape, np.dtype("float32"))
    node = b.node("Constant", [], value=helper.make_tensor("value", kind, shape, array.reshape(-1).tolist()))
    cast = b.node("Cast", node.output, to=1)
    weight = b.add_nodes([node, cast], list(cast.output), "exact")[0]
    b.add("MatMul" if len(shape) == 2 else b.choice(["Add", "Mul"]), [x, weight])


@operator("weights rounded here", since=9, weight=1)
def folded(b: Builder) -> None:
    """A constant that is rounded to 16 bits in the graph: folding rounds as running does."""
    x = numbers(b)
    weight = b.constant(b.array(x.shape[-1:], np.dtype("float32")) * np.float32(b.choice([1, 1, 1e5])), derive=False)
    there = b.node("Cast", [weight], to=short(b))
    back = b.node("Cast", there.output, to=1)
    bounded = b.node("Min", [back.output[0], b.constant(np.float32(1e5), derive=False)])
    made = b.add_nodes([there, back, bounded], list(bounded.output), "exact")[0]
    b.add(b.choice(["Add", "Mul"]), [x, made])
