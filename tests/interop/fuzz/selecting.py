"""What picks elements by indices, orders them, or combines elements along axes."""

from typing import Any

import numpy as np

from .builder import Builder, Unfit, Value
from .registry import operator


def indices(b: Builder, shape: list[int] | tuple[int, ...], size: int, computed: Value | None = None) -> Value:
    """Whole numbers below `size`, a third of them counted from the end; computed from a value where one is given."""
    dtype = np.dtype(b.choice(["int64", "int64", "int32"]))
    if computed is None:
        low = -size if b.opset >= 11 and b.chance(0.3) else 0
        return b.constant(b.numbers.integers(low, size, shape).astype(dtype))
    whole = b.add("Cast", [computed], nature="step", to=7)[0]
    if b.opset < 12:
        raise Unfit
    return b.add("Clip", [whole, b.constant(np.int64(0)), b.constant(np.int64(size - 1))], nature="exact")[0]


def maybe_computed(b: Builder, tail: list[int] | tuple[int, ...] | None = None) -> Value | None:
    if b.opset < 12 or b.chance(0.65):
        return None
    return b.take("fi", low=1, high=3, finite=True, tail=tail)


@operator("Gather", weight=2.5)
def gather(b: Builder) -> None:
    if b.chance(0.25):  # a table of embeddings
        rows = b.whole(3, 8)
        computed = b.take("fi", low=1, high=3, finite=True)
        table = b.constant(b.array([rows, b.whole(1, 4)], b.real))
        b.add("Gather", [table, indices(b, [], rows, computed)], nature="exact")
        return
    x = b.take("ffi", low=1)
    axis = b.axis(x.rank) if b.chance(0.3) or x.rank == 1 else b.axis(x.rank, 1)
    shape = [b.whole(1, 4) for _ in range(b.choice([0, 1, 1, 2]))]
    size = min(run.shape[axis] for run in x.runs)
    b.add("Gather", [x, indices(b, shape, size, maybe_computed(b))], nature="exact", axis=axis)


@operator("GatherElements", since=11, weight=1.5)
def gather_elements(b: Builder) -> None:
    x = b.take("fi", low=1)
    axis = b.axis(x.rank)
    size = min(run.shape[axis] for run in x.runs)
    computed = None
    if b.chance(0.35):
        computed = b.take("fi", low=x.rank, high=x.rank, finite=True, fits=lambda v: v is not x or b.chance(0.5))
    shape = [b.whole(1, n) for n in x.shape]
    b.add("GatherElements", [x, indices(b, shape, size, computed)], nature="exact", axis=axis)


@operator("GatherND", since=11, weight=1.5)
def gather_nd(b: Builder) -> None:
    x = b.take("fi", low=1)
    batch_dims = b.whole(0, min(x.rank - 1, 2)) if b.opset >= 12 and b.chance(0.6) else 0
    depth = b.whole(1, x.rank - batch_dims)
    if any(run.shape[:batch_dims] != x.shape[:batch_dims] for run in x.runs):
        raise Unfit
    shape = [*x.shape[:batch_dims], *(b.whole(1, 3) for _ in range(b.whole(0, 2))), depth]
    least = [min(run.shape[batch_dims + i] for run in x.runs) for i in range(depth)]
    places = np.stack([b.numbers.integers(0, size, shape[:-1]) for size in least], -1).astype(np.int64)
    b.add("GatherND", [x, b.constant(places)], nature="exact", batch_dims=batch_dims or None)


@operator("Scatter", since=9, weight=1.5)
def scatter(b: Builder) -> None:
    x = b.take("f", low=1)
    if b.opset >= 11 and b.chance(0.5):
        scatter_nd(b, x)
        return
    axis = b.axis(x.rank) if b.opset >= 11 else b.whole(0, x.rank - 1)
    shape = [b.whole(1, n) for n in x.shape]
    if x.varies():
        shape[0] = 1
    size = min(run.shape[axis] for run in x.runs)
    rows = b.rng.sample(range(size), min(size, shape[axis]))  # no place twice, so that their order says nothing
    shape[axis] = len(rows)
    turned = [1] * x.rank
    turned[axis] = len(rows)
    places = np.broadcast_to(np.reshape(rows, turned), shape).astype(np.int64)
    updates = b.constant(b.array(shape, x.dtype))
    kind = "ScatterElements" if b.opset >= 11 else "Scatter"
    ways = [None] + ["none", "add", "mul"] * (b.opset >= 16) + ["max", "min"] * (b.opset >= 18)
    b.add(kind, [x, b.constant(places), updates], axis=axis, reduction=b.choice(ways))


def scatter_nd(b: Builder, x: Value) -> None:
    depth = b.whole(1, x.rank)
    least = [min(run.shape[i] for run in x.runs) for i in range(depth)]
    spots = [np.unravel_index(i, least) for i in b.rng.sample(range(int(np.prod(least))), min(2, int(np.prod(least))))]
    if any(run.shape[depth:] != x.shape[depth:] for run in x.runs):
        raise Unfit
    updates = b.constant(b.array([len(spots), *x.shape[depth:]], x.dtype))
    ways = [None] + ["none", "add", "mul"] * (b.opset >= 16) + ["max", "min"] * (b.opset >= 18)
    b.add("ScatterND", [x, b.constant(np.asarray(spots, np.int64)), updates], reduction=b.choice(ways))


@operator("OneHot", since=9)
def one_hot(b: Builder) -> None:
    depth = b.whole(2, 5)
    places = indices(b, [], depth, b.take("fi", low=1, high=3, finite=True))
    off_and_on, dtype = b.choice([([0, 1], "float32"), ([-1, 2], "float32"), ([0, 3], "int64")])
    values = b.constant(np.array(off_and_on, dtype))
    b.add("OneHot", [places, b.numbers_of(b.choice([depth, [depth]])), values], nature="exact",
          axis=b.choice([None, -1, b.whole(0, places.rank)]))


@operator("ArgMax", weight=1.5)
def arg_max(b: Builder) -> None:
    x = b.take("fi", low=1, finite=True)
    last = b.choice([None, 0, 1]) if b.opset >= 12 else None
    b.add(b.choice(["ArgMax", "ArgMin"]), [x], nature="step", axis=b.axis(x.rank) if b.opset >= 11 else
          b.whole(0, x.rank - 1), keepdims=b.choice([None, 0, 1]), select_last_index=last)


@operator("TopK", weight=1)
def top_k(b: Builder) -> None:
    """Ties are left out: which of equal elements comes first is not said everywhere alike."""
    x = b.take("f", low=1, finite=True)
    axis = b.axis(x.rank) if b.opset >= 11 else b.whole(0, x.rank - 1)
    for run in x.runs:
        ordered = np.sort(run, axis)
        if (np.diff(ordered, axis=axis) == 0).any():
            raise Unfit
    count = b.whole(1, min(run.shape[axis] for run in x.runs))
    if b.opset < 10:
        b.add("TopK", [x], 2, "step", axis=axis, k=count)
    else:
        largest = b.choice([None, 0, 1]) if b.opset >= 11 else None
        b.add("TopK", [x, b.numbers_of([count])], 2, "step", axis=axis, largest=largest)


@operator("CumSum", since=11)
def cum_sum(b: Builder) -> None:
    x = b.take("fi", low=1, finite=True)  # what is exported spreads NaN along the axis, as onnx_support.md says
    given: dict[str, Any] = {key: b.whole(0, 1) for key in ("exclusive", "reverse") if b.chance(0.4)}
    axis = b.axis(x.rank)
    b.add("CumSum", [x, b.numbers_of(axis, b.choice(["int32", "int64"]))], **given)


REDUCTIONS = ["ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
              "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp"]


@operator("Reduce", weight=4)
def reduce(b: Builder) -> None:
    kind = b.choice(REDUCTIONS)
    # ONNX Runtime keeps NaN where it comes first along the axis; ours is NumPy's answer.
    x = b.take("ffi" if kind in REDUCTIONS[:6] else "f", low=1, finite=kind in ("ReduceMax", "ReduceMin"))
    axes = b.axes(x.rank)
    if b.chance(0.7) and x.rank > 1:
        axes = [axis for axis in axes if axis % x.rank] or [1]
    if b.opset < 11:
        axes = [axis % x.rank for axis in axes]
    given: dict[str, Any] = {"keepdims": b.choice([None, 0, 1])}
    nature = "exact" if kind in ("ReduceMax", "ReduceMin") else ("steep" if kind == "ReduceLogSum" else "smooth")
    if b.opset < (13 if kind == "ReduceSum" else 18):
        b.add(kind, [x], nature=nature, axes=None if b.chance(0.15) else axes, **given)
        return
    given["noop_with_empty_axes"] = b.choice([None, None, 0, 1])
    which = b.choice(["given", "given", "given", "absent", "empty"])
    if which == "given":
        b.add(kind, [x, b.numbers_of(axes)], nature=nature, **given)
    elif which == "absent":
        b.add(kind, [x], nature=nature, **given)
    else:
        b.add(kind, [x, b.numbers_of([])], nature=nature, **given)
