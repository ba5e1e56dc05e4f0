"""Sequences of tensors: made of tensors or by splitting one, changed, and read again, so that only tensors leave."""

from typing import Any

import onnx

from .builder import Builder, Value
from .registry import operator

Nodes = list[onnx.NodeProto]


def constructed(b: Builder) -> tuple[Value, Nodes, int]:
    """A tensor, nodes of which the last one yields a sequence of tensors like it, and how many these are."""
    x = b.take("ffi", low=1, high=4)
    if b.chance(0.5):
        tensors = [x, *(b.like(x) if b.chance(0.5) else x for _ in range(b.whole(0, 2)))]
        return x, [b.node("SequenceConstruct", tensors)], len(tensors)
    axis = b.axis(x.rank)
    size = min(run.shape[axis] for run in x.runs)
    if b.chance(0.5):
        keeps = b.choice([None, 0, 1])
        return x, [b.node("SplitToSequence", [x], axis=axis, keepdims=keeps)], size
    length = b.whole(1, max(1, size // 2))
    sizes: Any = length if b.chance(0.5) else [length, size - length][: 2 if size > length else 1]
    count = -(-size // length) if isinstance(sizes, int) else len(sizes)
    return x, [b.node("SplitToSequence", [x, b.numbers_of(sizes)], axis=axis)], count


def changed(b: Builder, x: Value, nodes: Nodes, count: int) -> int:
    """Puts another tensor in, or takes one out; how many there are then."""
    place = [b.numbers_of(b.whole(-count, count - 1))] if b.chance(0.7) else []
    if b.chance(0.6):
        nodes.append(b.node("SequenceInsert", [nodes[-1].output[0], x, *place]))
        return count + 1
    if count > 1:
        nodes.append(b.node("SequenceErase", [nodes[-1].output[0], *place]))
        return count - 1
    return count


@operator("sequence", since=11, weight=3)
def sequence(b: Builder) -> None:
    x, nodes, count = constructed(b)
    if b.chance(0.4):
        count = changed(b, x, nodes, count)
    made = nodes[-1].output[0]
    kind = b.choice(["SequenceAt", "ConcatFromSequence", "ConcatFromSequence", "SequenceLength"])
    if kind == "SequenceAt":
        nodes.append(b.node(kind, [made, b.numbers_of(b.whole(-count, count - 1))]))
    elif kind == "ConcatFromSequence":
        stacks = b.choice([None, 0, 1])
        nodes.append(b.node(kind, [made], axis=b.axis(x.rank), new_axis=stacks))
    else:
        nodes.append(b.node(kind, [made]))
        if b.chance(0.7):
            nodes.append(b.node("Cast", [nodes[-1].output[0]], to=1))
    b.add_nodes(nodes, list(nodes[-1].output), "exact")
