"""Products of matrices, normalisations and softmax.

ONNX Runtime and the reference are known to be wrong, and so are avoided, for: LRN of an even size (which side has the
odd element), LRN of double (which only the reference has, for some channels), LRN of NaN (which stays in ONNX
Runtime's running sum), and normalisation of one element, or of several equal ones (zeros too), to mean and variance
(0 divided by the root of the epsilon enlarges what rounding left of the 0, or the root is that of a negative number).
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .builder import Builder, Unfit, Value
from .registry import operator


def settled(axis: int) -> Callable[[Value], bool]:
    """Whether an axis of a value has one size in all cases."""
    return lambda value: value.rank >= abs(axis) and len({run.shape[axis] for run in value.runs}) == 1


@operator("MatMul", weight=3)
def matmul(b: Builder) -> None:
    x = b.take(low=1, high=4, fits=settled(-1))
    inner = x.shape[-1]
    style = b.choice(["constant", "constant", "vector", "batched", "values", "left"])
    if style == "vector":
        y = b.constant(b.array([inner], x.dtype))
    elif style == "batched" and x.rank > 2:
        y = b.constant(b.array([*(b.choice([1, n]) for n in x.shape[1:-2]), inner, b.whole(1, 4)], x.dtype))
    elif style == "values":
        found = [v for v in b.values if v.dtype == x.dtype and v.rank >= 2 and settled(-2)(v) and v.shape[-2] == inner]
        if found:
            y = b.choice(found)
        else:
            perm = [*range(x.rank - 2), x.rank - 1, x.rank - 2]
            if x.rank < 2:
                raise Unfit
            y = b.add("Transpose", [x], nature="exact", perm=perm)[0]
    elif style == "left" and x.rank >= 2 and settled(-2)(x):
        b.add("MatMul", [b.constant(b.array([b.whole(1, 4), x.shape[-2]], x.dtype)), x])
        return
    else:
        y = b.constant(b.array([inner, b.whole(1, 5)], x.dtype))
    z = b.add("MatMul", [x, y])[0]
    if z.rank and b.chance(0.3):
        b.add("Add", [z, b.constant(b.array(z.shape[-1:], z.dtype))])


@operator("Gemm", weight=2)
def gemm(b: Builder) -> None:
    x = b.take(low=2, high=2)
    turn_a, turn_b = b.chance(0.2), b.chance(0.5)
    inner = x.shape[0 if turn_a else 1]
    outputs = b.whole(1, 5)
    weights = b.constant(b.array([outputs, inner] if turn_b else [inner, outputs], x.dtype))
    given: dict[str, Any] = {"transA": int(turn_a) or None, "transB": int(turn_b) or None}
    for key in ("alpha", "beta"):
        given[key] = b.choice([None, None, 0.5, 2.0])
    shape = b.choice([[outputs], [1], [], [1, outputs], [1, 1]])
    bias = [] if b.opset >= 11 and b.chance(0.3) else [b.constant(b.array(shape, x.dtype))]
    b.add("Gemm", [x, weights, *bias], **given)


@operator("Einsum", since=12, weight=1.5)
def einsum(b: Builder) -> None:
    """Letters stand for axes; "..." and repeated letters are among the equations."""
    x = b.take(low=2, high=4)
    letters = "abcd"[: x.rank]
    style = b.choice(["one", "constant", "pair", "dots", "diagonal"])
    if style == "one":
        kept = "".join(b.rng.sample(letters, b.whole(1, x.rank)))
        b.add("Einsum", [x], equation=f"{letters}->{kept}")
    elif style == "constant" and settled(-1)(x):
        spaced = b.choice(["", " "])
        y = b.constant(b.array([x.shape[-1], b.whole(1, 4)], x.dtype))
        b.add("Einsum", [x, y], equation=f"{letters},{spaced}{letters[-1]}z->{letters[:-1]}z")
    elif style == "pair":
        other = [v for v in b.values if v.dtype == x.dtype and v.rank == x.rank and
                 all(r.shape[:-1] == s.shape[:-1] for r, s in zip(v.runs, x.runs))]
        b.add("Einsum", [x, b.choice(other)], equation=f"{letters},{letters[:-1]}z->{letters[:-2]}{letters[-1]}z")
    elif style == "dots" and settled(-1)(x):
        y = b.constant(b.array([x.shape[-1], b.whole(1, 4)], x.dtype))
        b.add("Einsum", [x, y], equation="...i,ij->...j")
    elif x.shape[-1] == x.shape[-2]:
        b.add("Einsum", [x], equation=f"{letters[:-1]}{letters[-2]}->{letters[:-1]}")
    else:
        raise Unfit


@operator("Softmax", weight=2.5)
def softmax(b: Builder) -> None:
    x = b.take(low=1)
    kind = b.choice(["Softmax", "LogSoftmax", "Softmax", "Hardmax"])
    axis = b.axis(x.rank) if b.opset >= 11 else b.whole(0, x.rank - 1)
    if kind == "Hardmax" and not x.finite():
        raise Unfit  # which of several NaN is the largest is not said
    if kind == "Hardmax" and b.opset < 13 and x.dtype == np.float64:
        raise Unfit  # only the reference has it, which does not join axes as these opsets do
    b.add(kind, [x], nature="step" if kind == "Hardmax" else "smooth", axis=b.choice([None, axis, axis]))


def differ(x: Value, axes: Iterable[int]) -> None:
    """Refuses numbers that are equal over these axes, zeros too: ONNX Runtime makes NaN or noise of them."""
    over = tuple(axes)
    for run in x.runs:
        if (run.var(over, dtype=float) <= 1e-3 * np.square(run, dtype=float).mean(over)).any():
            raise Unfit


@operator("LayerNormalization", since=17, weight=1.5)
def layer_norm(b: Builder) -> None:
    x = b.take(low=2)
    axis = b.axis(x.rank, 1)
    shape = x.shape[axis:]
    if max(shape) == 1:
        raise Unfit
    factors = [b.constant(b.array(shape, x.dtype)) for _ in range(b.whole(1, 2))]
    kind = "RMSNormalization" if b.opset >= 23 and b.chance(0.3) else "LayerNormalization"
    b.add(kind, [x, *(factors[:1] if kind[0] == "R" else factors)], nature="steep", axis=axis,
          epsilon=b.choice([None, 1e-3]))


@operator("InstanceNormalization", weight=1)
def instance_norm(b: Builder) -> None:
    x = b.take(low=3, high=4, fits=lambda v: settled_channels(v) and max(v.shape[2:]) > 1)
    differ(x, range(2, x.rank))
    factors = [b.constant(b.array([x.shape[1]], x.dtype)) for _ in range(2)]
    b.add("InstanceNormalization", [x, *factors], nature="steep", epsilon=b.choice([None, 1e-3]))


def settled_channels(value: Value) -> bool:
    return len({run.shape[1] for run in value.runs}) == 1


@operator("GroupNormalization", since=18, weight=1)
def group_norm(b: Builder) -> None:
    x = b.take(low=3, high=4, fits=lambda v: settled_channels(v) and max(v.shape[2:]) > 1)
    channels = x.shape[1]
    groups = b.choice([n for n in range(1, channels + 1) if channels % n == 0])
    size = channels if b.opset >= 21 else groups
    factors = [b.constant(b.array([size], x.dtype)) for _ in range(2)]
    b.add("GroupNormalization", [x, *factors], nature="steep", num_groups=groups, epsilon=b.choice([None, 1e-3]))


@operator("LRN", weight=0.7)
def lrn(b: Builder) -> None:
    x = b.take(low=4, high=4, finite=True, fits=lambda v: v.dtype != np.float64)
    usual = (("alpha", 0.01), ("beta", 0.5), ("bias", 2.0))
    given: dict[str, Any] = {key: b.choice([None, number]) for key, number in usual}
    b.add("LRN", [x], size=b.choice([1, 3, 5]), **given)


@operator("LpNormalization", weight=0.7)
def lp_norm(b: Builder) -> None:
    x = b.take(low=1)
    axis = b.axis(x.rank) if b.chance(0.8) else None
    b.add("LpNormalization", [x], nature="steep", axis=axis, p=b.choice([None, 1, 2]))


@operator("MeanVarianceNormalization", since=9, weight=0.5)
def mean_variance(b: Builder) -> None:
    x = b.take(low=4, high=4, fits=lambda v: max(v.shape[2:]) > 1)
    axes = b.choice([None, [2, 3], [1, 2, 3], [0, 2, 3]])
    differ(x, axes or [0, 2, 3])
    b.add("MeanVarianceNormalization", [x], nature="steep", axes=axes)
