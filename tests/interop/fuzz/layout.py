"""What moves elements: transposing, reshaping, joining, cutting, padding, and arithmetic of shapes."""

import math

import numpy as np
from onnx import helper, numpy_helper

from .builder import Builder, Unfit, Value
from .registry import operator


@operator("Transpose", weight=2.5)
def transpose(b: Builder) -> None:
    x = b.take("fib", low=1)
    perm = b.rng.sample(range(x.rank), x.rank)
    if b.chance(0.5) and x.rank > 1:
        perm = [0, *(1 + i for i in b.rng.sample(range(x.rank - 1), x.rank - 1))]
    b.add("Transpose", [x], nature="exact", perm=None if b.chance(0.15) else perm)


def split_into(b: Builder, count: int, parts: int) -> list[int]:
    sizes = []
    for _ in range(parts - 1):
        size = b.choice([n for n in range(1, count + 1) if count % n == 0])
        sizes.append(size)
        count //= size
    return b.rng.sample([*sizes, count], parts)


@operator("Reshape", weight=3)
def reshape(b: Builder) -> None:
    x = b.take("ffib", low=1)
    if x.varies() or b.chance(0.5):
        shape = [0, *split_into(b, math.prod(x.shape[1:]), b.whole(1, 3))]
        if b.chance(0.3):
            shape[0] = -1
        elif b.chance(0.4):
            shape[b.whole(1, len(shape) - 1)] = -1
    else:
        shape = split_into(b, math.prod(x.shape), b.whole(1, 4))
        if b.chance(0.4):
            shape[b.whole(0, len(shape) - 1)] = -1
    for axis in range(1, min(len(shape), x.rank)):
        if shape[axis] == x.shape[axis] and b.chance(0.3):
            shape[axis] = 0
    allow_zero = b.opset >= 14 and 0 not in shape and b.chance(0.2)
    b.add("Reshape", [x, b.numbers_of(shape)], nature="exact", allowzero=1 if allow_zero else None)


@operator("shape arithmetic", weight=2)
def shape_arithmetic(b: Builder) -> None:
    """Shape, Gather or Slice, arithmetic, Concat, Reshape or Expand, as exporters write views."""
    x = b.take("ffi", low=2)
    cut = b.opset >= 15 and b.chance(0.3)
    shape = b.add("Shape", [x], nature="exact", **({"end": 1} if cut else {}))[0]
    index = b.numbers_of(0 if b.chance(0.5) else [0])
    leading = b.add("Gather", [shape, index], nature="exact", axis=0)[0]
    if leading.rank == 0:
        leading = unsqueezed(b, leading, [0])
    rest = math.prod(x.shape[1:])
    tail = split_into(b, rest, b.whole(1, 3))
    if x.varies() or b.chance(0.4):
        tail[b.whole(0, len(tail) - 1)] = -1
    if b.chance(0.3):
        leading = b.add("Mul", [leading, b.numbers_of([1])], nature="exact")[0]
    target = b.add("Concat", [leading, b.numbers_of(tail)], nature="exact", axis=0)[0]
    b.add("Reshape", [x, target], nature="exact")
    if b.chance(0.3):
        ones = b.constant(b.array([1] * x.rank, x.dtype))
        whole = b.add("Shape", [x], nature="exact")[0]
        spread = b.add("Expand", [ones, whole], nature="exact")[0]
        b.add("Add", [x, spread])


@operator("filled", since=9, weight=0.8)
def filled(b: Builder) -> None:
    """A tensor of one number in the shape of another, or the positions along an axis, as masks and embeddings use."""
    x = b.take("f", low=2)
    shape = b.add("Shape", [x], nature="exact")[0]
    if b.chance(0.5):
        number = numpy_helper.from_array(np.asarray([b.choice([0, 1, 2])], x.dtype))
        ones = b.add("ConstantOfShape", [shape], nature="exact", value=number)[0]
        b.add(b.choice(["Add", "Mul", "Sub"]), [x, ones])
        return
    if b.opset < 11:
        raise Unfit
    size = b.add("Gather", [shape, b.numbers_of(b.choice([-1, x.rank - 1, 1]))], nature="exact")[0]
    positions = b.add("Range", [b.numbers_of(0), size, b.numbers_of(1)], nature="exact")[0]
    steps = b.add("Cast", [positions], nature="exact", to=helper.np_dtype_to_tensor_dtype(x.dtype))[0]
    b.add("Mul", [x, steps])


def unsqueezed(b: Builder, x: Value, axes: list[int]) -> Value:
    if b.opset >= 13:
        return b.add("Unsqueeze", [x, b.numbers_of(axes)], nature="exact")[0]
    return b.add("Unsqueeze", [x], nature="exact", axes=axes)[0]


@operator("Flatten")
def flatten(b: Builder) -> None:
    x = b.take("fi", low=1)
    axis = b.choice([None, 1, b.whole(0, x.rank), -1 if b.opset >= 11 else 1])
    b.add("Flatten", [x], nature="exact", axis=axis)


@operator("Squeeze", weight=1.5)
def squeeze(b: Builder) -> None:
    if b.chance(0.5):
        x = b.take("fib")
        rank = x.rank + 1
        axes = [b.whole(0, rank - 1)]
        unsqueezed(b, x, [axes[0] - rank if b.opset >= 11 and b.chance(0.3) else axes[0]])
        return
    ones = lambda v: [i for i in range(v.rank) if all(run.shape[i] == 1 for run in v.runs)]
    x = b.take("fib", low=1, fits=lambda v: bool(ones(v)))
    axes = b.rng.sample(ones(x), b.whole(1, len(ones(x))))
    axes = [i - x.rank if b.opset >= 11 and b.chance(0.3) else i for i in axes]
    if b.chance(0.15):
        b.add("Squeeze", [x], nature="exact")
    elif b.opset >= 13:
        b.add("Squeeze", [x, b.numbers_of(axes)], nature="exact")
    else:
        b.add("Squeeze", [x], nature="exact", axes=axes)


@operator("Expand", since=8, weight=1.5)
def expand(b: Builder) -> None:
    x = b.take("fib", fits=lambda v: 1 in v.shape[1:] or v.rank < 3)
    shape = [b.whole(1, 4) if size == 1 else b.choice([1, size]) for size in x.shape]
    if x.rank and x.varies():
        shape[0] = b.choice([1, 1, x.runs[-1].shape[0]])  # what a constant equals says nothing about the batch
    shape = [b.whole(1, 3) for _ in range(b.whole(0, 1))] + shape if x.rank < 4 and b.chance(0.3) else shape
    if b.chance(0.3):
        shape = shape[b.whole(0, len(shape)):]
    b.add("Expand", [x, b.numbers_of(shape)], nature="exact")


@operator("Tile")
def tile(b: Builder) -> None:
    x = b.take("fi", low=1)
    repeats = [b.choice([1, 1, 2, 3]) for _ in x.shape]
    if b.chance(0.6):
        repeats[0] = 1
    b.add("Tile", [x, b.numbers_of(repeats)], nature="exact")


@operator("Concat", weight=2.5)
def concat(b: Builder) -> None:
    x = b.take("ffib", low=1)
    axis = b.axis(x.rank) if b.chance(0.3) or x.rank == 1 else b.axis(x.rank, 1)
    at = axis % x.rank

    def joins(v: Value) -> bool:
        return v.dtype == x.dtype and v.rank == x.rank and all(
            r.shape[:at] == s.shape[:at] and r.shape[at + 1:] == s.shape[at + 1:] for r, s in zip(v.runs, x.runs))

    parts = [x]
    for _ in range(b.whole(0 if b.opset >= 7 else 1, 2)):
        found = [v for v in b.values if joins(v)]
        if found and b.chance(0.75):
            parts.append(b.choice(found))
        elif not x.varies():
            parts.append(b.constant(b.array([*x.shape[:at], b.whole(1, 3), *x.shape[at + 1:]], x.dtype)))
    b.rng.shuffle(parts)
    b.add("Concat", parts, nature="exact", axis=axis)


@operator("Split", weight=1.5)
def split(b: Builder) -> None:
    x = b.take("fi", low=1, fits=lambda v: max(v.shape) > 1)
    axis = b.axis(x.rank) if b.chance(0.2) or x.rank == 1 else b.axis(x.rank, 1)
    size = x.shape[axis]
    if size < 2:
        raise Unfit
    at = sorted(b.rng.sample(range(1, size), b.whole(1, min(2, size - 1))))
    sizes = [end - start for start, end in zip([0, *at], [*at, size])]
    count = len(sizes)
    even = size % count == 0 and b.chance(0.4)
    if b.opset >= 18 and b.chance(0.3):
        b.add("Split", [x], len([*range(0, size, -(-size // count))]), "exact", axis=axis, num_outputs=count)
    elif even and b.opset < 18:
        b.add("Split", [x], count, "exact", axis=axis)
    elif b.opset >= 13:
        b.add("Split", [x, b.numbers_of(sizes)], count, "exact", axis=axis)
    else:
        b.add("Split", [x], count, "exact", axis=axis, split=sizes)


@operator("Slice", weight=2.5)
def slice_(b: Builder) -> None:
    x = b.take("ffi", low=1)
    axes = b.axes(x.rank, 2)
    if b.chance(0.7) and x.rank > 1:
        axes = [axis for axis in axes if axis % x.rank] or [1]
    starts, ends, steps = [], [], []
    for axis in axes:
        size = x.shape[axis]
        step = b.choice([1, 1, 1, 2, 3, -1, -2]) if b.opset >= 10 else 1
        start, end = sorted([b.whole(0, size - 1), b.whole(1, size)])
        end = max(end, start + 1)
        if step < 0:
            start, end = end - 1, start - 1 if start else -size - 1
        if step > 0:
            start = b.choice([start, start - size])
            end = b.choice([end, end, 2**31 - 1, 2**63 - 1])
        else:
            start = b.choice([start, start, size + 5 if end < 0 else start])
            end = b.choice([end, end, -(2**31)])
        starts.append(start)
        ends.append(end)
        steps.append(step)
    if b.opset < 10:
        axes = [axis % x.rank for axis in axes]
        b.add("Slice", [x], nature="exact", starts=starts, ends=ends, axes=axes)
        return
    dtype = "int64" if max(map(abs, ends)) > 2**31 or b.chance(0.7) else "int32"
    given = [b.numbers_of(each, dtype) for each in (starts, ends, axes)]
    if any(step != 1 for step in steps) or b.chance(0.2):
        given.append(b.numbers_of(steps, dtype))
    b.add("Slice", [x, *given], nature="exact")


@operator("Pad", weight=2)
def pad(b: Builder) -> None:
    x = b.take("fi" if b.opset >= 11 else "f", low=1)
    mode = b.choice([None, "constant", "reflect", "edge"] + ["wrap"] * (b.opset >= 19))
    axes = [axis for axis in range(x.rank) if b.chance(0.6 if axis else 0.15)] or [x.rank - 1]
    most = {None: 3, "constant": 3, "edge": 3}.get(mode)
    amounts = [b.whole(-1 if mode in (None, "constant") and b.chance(0.2) else 0,
                     most or max(0, min(2, x.shape[axis] - 1))) for axis in axes * 2]
    number = b.choice([None, 0.0, 1.5, -2.0]) if mode in (None, "constant") else None
    if b.opset >= 18 and b.chance(0.4):
        value = None if number is None else b.constant(np.asarray(number, x.dtype))
        b.add("Pad", [x, b.numbers_of(amounts), value, b.numbers_of(axes)], nature="exact", mode=mode)
        return
    pads = [0] * (2 * x.rank)
    for i, axis in enumerate(axes * 2):
        pads[axis + (x.rank if i >= len(axes) else 0)] = amounts[i]
    if b.opset < 11:
        b.add("Pad", [x], nature="exact", mode=mode, pads=pads, value=number)
    else:
        given = [] if number is None else [b.constant(np.asarray(number, x.dtype))]
        b.add("Pad", [x, b.numbers_of(pads), *given], nature="exact", mode=mode)


@operator("Trilu", since=14, weight=0.7)
def trilu(b: Builder) -> None:
    diagonal = [b.numbers_of(b.whole(-2, 2))] if b.chance(0.5) else []
    b.add("Trilu", [b.take("fi", low=2), *diagonal], nature="exact", upper=b.choice([None, 0, 1]))
