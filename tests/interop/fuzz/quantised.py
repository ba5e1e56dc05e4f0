"""Quantised operators: numbers of 8 and 16 bits with scales and zero points, alone, as one operator, or around others.

Weights have seven bits: ONNX Runtime saturates sums of products of 8 bits on some processors, as onnx_support.md says.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from .builder import BYTES, MICROSOFT, Builder, Unfit, Value
from .matrices import settled
from .registry import operator
from .windows import divisor, image, window

FLOAT = np.dtype("float32")


@dataclass(frozen=True)
class Quantised:
    """Whole numbers, and what makes them numbers again."""

    value: Value
    scale: Value
    zero: Value | None

    def inputs(self) -> list[Value | None]:
        return [self.value, self.scale, self.zero]


def scale_of(b: Builder, size: float, shape: list[int] | None = None) -> Value:
    """A constant scale about as large as this; a power of two among others."""
    sizes = np.exp2(np.round(np.log2(size))) if b.chance(0.3) else size * b.numbers.uniform(0.7, 1.4, shape or [])
    return b.constant(np.full(shape or [], sizes, np.float32), derive=False)


def zero_of(b: Builder, dtype: np.dtype, shape: list[int] | None = None) -> Value:
    limits = np.iinfo(dtype)
    middle = 0 if dtype.kind == "i" else (limits.max + 1) // 2
    low, high = b.choice([(0, 0), (middle - 10, middle + 10), (middle - 10, middle + 10), (limits.max, limits.max)])
    return b.constant(np.asarray(b.numbers.integers(low, high + 1, shape or []), dtype), derive=False)


def weights_of(b: Builder, shape: list[int], dtype: np.dtype) -> Value:
    return b.constant(b.numbers.integers(0 if dtype.kind == "u" else -63, 64, shape).astype(dtype))


def spread(x: Value) -> float:
    """A scale that holds the numbers in 8 bits."""
    size = max(float(np.abs(run.astype(np.float64)).max()) for run in x.runs)
    if not 1e-3 < size < 1e4:
        raise Unfit
    return size / 100


def quantised(b: Builder, x: Value, dtype: np.dtype | None = None) -> Quantised:
    dtype = dtype or b.choice(BYTES)
    scale = scale_of(b, spread(x))
    zero = zero_of(b, dtype) if dtype.kind == "i" or b.chance(0.85) else None
    q = b.add("QuantizeLinear", [x, scale, zero], nature="quantised", quantum=1)[0]
    return Quantised(q, scale, zero)


def dequantised(b: Builder, q: Quantised, **axis: Any) -> Value:
    step = float(q.scale.runs[0].max()) * q.value.quantum
    return b.add("DequantizeLinear", q.inputs(), quantum=step, **axis)[0]


def rounded(b: Builder, x: Value) -> Value:
    """As training for quantisation leaves it: rounded to 8 bits and back."""
    return dequantised(b, quantised(b, x))


def numbers(b: Builder, low: int, high: int, fits: Any = lambda value: True) -> Value:
    return b.take("f", low, high, finite=True, fits=lambda v: v.dtype == FLOAT and fits(v))


def bytes_of(b: Builder, low: int, high: int, fits: Any = lambda value: True) -> Quantised:
    """Numbers that are quantised here, or whole numbers that are there, or an input of them."""
    if b.chance(0.5):
        return quantised(b, numbers(b, low, high, fits))
    value = b.take("q", low, high, fits=fits, tail=[b.whole(2, 5) for _ in range(b.whole(max(low - 1, 1), high - 1))])
    if not low <= value.rank <= high or not fits(value):
        raise Unfit
    return Quantised(value, scale_of(b, 0.03), zero_of(b, value.dtype))


def image_of_bytes(b: Builder) -> Quantised:
    fits = lambda v: settled(1 - v.rank)(v) and min(v.shape[2:]) > 2
    if b.chance(0.5):
        x = image(b, 2)
        if x.dtype != FLOAT or not x.finite() or not fits(x):
            raise Unfit
        return quantised(b, x)
    value = b.take("q", 4, 4, fits=fits, tail=[b.choice([1, 2, 4]), b.whole(3, 7), b.whole(3, 7)])
    return Quantised(value, scale_of(b, 0.03), zero_of(b, value.dtype))


def weight_type(b: Builder, x: Value) -> np.dtype:
    """ONNX Runtime has no products of signed by unsigned bytes."""
    return b.choice(BYTES) if x.dtype.kind == "u" else BYTES[1]


def result_of(b: Builder, size: float, dtype: np.dtype) -> list[Value]:
    """Scale and zero point of a result whose numbers are about as large as this."""
    return [scale_of(b, size / 60), zero_of(b, dtype)]


@operator("QuantizeLinear", since=10, weight=2)
def quantize(b: Builder) -> None:
    """Numbers are rounded to 8 or 16 bits, for a whole tensor or along an axis, and mostly become numbers again."""
    x = numbers(b, 1, 5)
    dtype = b.choice([*BYTES, *(np.dtype(each) for each in ("uint16", "int16") if b.opset >= 21)])
    axis = b.whole(1, x.rank - 1) if b.opset >= 13 and x.rank > 1 and b.chance(0.4) else None
    if axis is not None and not settled(axis - x.rank)(x):
        raise Unfit
    shape = [] if axis is None else [x.shape[axis]]
    scale = scale_of(b, spread(x), shape)
    zero = zero_of(b, dtype, shape) if dtype != BYTES[0] or b.chance(0.8) else None
    given: dict[str, Any] = {} if axis is None else {"axis": axis - x.rank if b.chance(0.3) else axis}
    q = b.add("QuantizeLinear", [x, scale, zero], nature="quantised", quantum=1, **given)[0]
    if b.chance(0.8):
        dequantised(b, Quantised(q, scale, zero), **given)


@operator("DequantizeLinear", since=10, weight=1.5)
def dequantize(b: Builder) -> None:
    """Some numbers are the zero point, whose result is 0 to the last bit: a function shows that jumps at 0."""
    q = bytes_of(b, 1, 4)
    x = dequantised(b, q)
    if b.chance(0.5) and not q.value.quantum:
        kind = b.choice(["Sign", "Sqrt", "Cast"])
        b.add(kind, [x], nature="step", to=9 if kind == "Cast" else None)
    elif b.chance(0.5):
        b.add("Add", [x, b.constant(b.array(x.shape[-1:], x.dtype))])


@operator("DequantizeLinear of weights", since=13, weight=1)
def weights(b: Builder) -> None:
    """A constant of 8 bits along an axis, or in blocks, that is multiplied with numbers."""
    x = numbers(b, 2, 4, settled(-1))
    inner, outer = x.shape[-1], b.whole(1, 4)
    dtype = b.choice(BYTES)
    blocks = b.opset >= 21 and inner % 2 == 0 and b.chance(0.4)
    axis = b.choice([0, 1])
    shape = [inner // 2, outer] if blocks else [[inner, outer][axis]]
    given: dict[str, Any] = {"axis": 0, "block_size": 2} if blocks else {"axis": axis}
    zero = zero_of(b, dtype, shape) if b.chance(0.5) else None
    w = b.add("DequantizeLinear", [weights_of(b, [inner, outer], dtype), scale_of(b, 0.02, shape), zero], **given)[0]
    b.add("MatMul", [x, w])


@operator("moved bytes", since=11, weight=1.5)
def moved(b: Builder) -> None:
    """What moves numbers moves whole numbers of 8 bits too."""
    x = bytes_of(b, 2, 4).value
    kind = b.choice(["Transpose", "Reshape", "Concat", "Slice", "Cast", "Relu", "MaxPool"])
    if kind == "Reshape":
        b.add(kind, [x, b.numbers_of([0, -1])], nature="exact")
    elif kind == "Concat":
        b.add(kind, [x, x], nature="exact", axis=b.axis(x.rank, 1))
    elif kind == "Slice":
        b.add(kind, [x, b.numbers_of([0]), b.numbers_of([1]), b.numbers_of([-1])], nature="exact")
    elif kind == "MaxPool":
        if b.opset < 12 or x.rank != 4:
            raise Unfit
        b.add(kind, [x], nature="exact", kernel_shape=[2, 2])
    elif kind == "Relu":
        if b.opset < 14 or x.dtype.kind == "u":
            raise Unfit
        b.add(kind, [x], nature="exact")
    else:
        b.add(kind, [x], nature="exact", to=b.choice([1, 6]) if kind == "Cast" else None)


@operator("QLinearConv", since=10, weight=2)
def qlinear_conv(b: Builder) -> None:
    x = image_of_bytes(b)
    w, given, groups = filters(b, x.value)
    outputs = w.shape[0]
    scale = scale_of(b, 0.02, [outputs] if b.chance(0.5) else [])
    zero = b.constant(np.zeros([outputs] if scale.rank else [], w.dtype)) if b.chance(0.6) else zero_of(b, w.dtype)
    bias = [b.constant(b.numbers.integers(-500, 500, [outputs]).astype(np.int32))] if b.chance(0.5) else []
    size = float(x.scale.runs[0]) * 60 * 0.02 * 40 * np.sqrt(np.prod(w.shape[1:]))
    if x.zero is None:
        raise Unfit  # the operator has it in any case
    result = result_of(b, size, x.value.dtype)
    inputs = [*x.inputs(), w, scale, zero, *result, *bias]
    y = b.add("QLinearConv", inputs, nature="quantised", quantum=1, group=groups, **given)[0]
    dequantised(b, Quantised(y, *result))


def filters(b: Builder, x: Value) -> tuple[Value, dict[str, Any], int | None]:
    """Weights of a convolution, its attributes and its groups."""
    channels = x.shape[1]
    groups = divisor(b, channels) if b.chance(0.4) else 1
    given = window(b, x)
    shape = [groups * b.whole(1, 3), channels // groups, *given["kernel_shape"]]
    return weights_of(b, shape, weight_type(b, x)), given, groups if groups > 1 else None


@operator("ConvInteger", since=10, weight=1)
def conv_integer(b: Builder) -> None:
    x = image_of_bytes(b)
    if x.value.dtype.kind == "i":
        raise Unfit  # ONNX Runtime has it for unsigned bytes alone
    w, given, groups = filters(b, x.value)
    zeros = b.choice([[], [x.zero], [x.zero, zero_of(b, w.dtype)]])
    y = b.add("ConvInteger", [x.value, w, *zeros], nature="exact", quantum=0, group=groups, **given)[0]
    rescaled(b, y)


def rescaled(b: Builder, y: Value) -> None:
    """Sums of products become numbers, as after dynamic quantisation."""
    if b.chance(0.6):
        number = b.add("Cast", [y], nature="exact", to=1)[0]
        b.add("Mul", [number, b.constant(np.float32(0.001))])


def factors(b: Builder) -> tuple[Quantised, Value]:
    """Whole numbers and a matrix that they are multiplied with."""
    x = bytes_of(b, 2, 4, settled(-1))
    return x, weights_of(b, [x.value.shape[-1], b.whole(1, 5)], weight_type(b, x.value))


def columns(b: Builder, w: Value, number: Any) -> Value:
    """A scale or a zero point of weights, for each column or for all."""
    return number([w.shape[1]] if b.chance(0.4) else [])


@operator("MatMulInteger", since=10, weight=1.5)
def matmul_integer(b: Builder) -> None:
    x, w = factors(b)
    zeros = b.choice([[], [x.zero], [x.zero, columns(b, w, lambda shape: zero_of(b, w.dtype, shape))]])
    rescaled(b, b.add("MatMulInteger", [x.value, w, *zeros], nature="exact", quantum=0)[0])


@operator("QLinearMatMul", since=10, weight=1.5)
def qlinear_matmul(b: Builder) -> None:
    x, w = factors(b)
    if x.zero is None:
        raise Unfit
    right = [columns(b, w, lambda shape: scale_of(b, 0.02, shape))]
    right.append(b.constant(np.zeros(right[0].shape, w.dtype)) if right[0].rank else zero_of(b, w.dtype))
    size = float(x.scale.runs[0]) * 60 * 0.02 * 40 * np.sqrt(w.shape[0])
    result = result_of(b, size, x.value.dtype)
    y = b.add("QLinearMatMul", [*x.inputs(), w, *right, *result], nature="quantised", quantum=1)[0]
    if b.chance(0.6):
        dequantised(b, Quantised(y, *result))


@operator("DynamicQuantizeLinear", since=11, weight=1.5)
def dynamic(b: Builder) -> None:
    x = numbers(b, 2, 4, settled(-1))
    spread(x)
    y, scale, zero = b.add("DynamicQuantizeLinear", [x], 3, "quantised", quantum=1)
    scale.quantum = 0
    if b.chance(0.4):
        dequantised(b, Quantised(y, scale, zero))
        return
    w = weights_of(b, [x.shape[-1], b.whole(1, 4)], b.choice(BYTES))
    product = b.add("MatMulInteger", [y, w, zero], nature="exact", quantum=0)[0]
    number = b.add("Cast", [product], nature="exact", to=1)[0]
    b.add("Mul", [number, scale])


@operator("QDQ", since=13, weight=4)
def qdq(b: Builder) -> None:
    """An operator between pairs of QuantizeLinear and DequantizeLinear, as quantised models have it."""
    kind = b.choice(["Conv", "Conv", "MatMul", "Add", "Mul", "AveragePool", "MaxPool", "Concat", "Sigmoid", "Softmax",
                     "Relu"])
    x = rounded(b, image(b, 2) if kind in ("Conv", "AveragePool", "MaxPool") else numbers(b, 2, 4, settled(-1)))
    if x.dtype != FLOAT or not x.finite():
        raise Unfit
    if kind == "Conv":
        w, given, groups = filters(b, x)
        along = [w.shape[0]] if b.chance(0.5) else []
        number = b.add("DequantizeLinear", [w, scale_of(b, 0.02, along), b.constant(np.zeros(along, w.dtype))],
                       axis=0 if along else None)[0]
        bias = [b.constant(b.array([w.shape[0]], FLOAT))] if b.chance(0.5) else []
        y = b.add("Conv", [x, number, *bias], group=groups, **given)[0]
    elif kind == "MatMul":
        w = weights_of(b, [x.shape[-1], b.whole(1, 4)], BYTES[1])
        y = b.add(kind, [x, b.add("DequantizeLinear", [w, scale_of(b, 0.02)])[0]])[0]
    elif kind in ("AveragePool", "MaxPool"):
        y = b.add(kind, [x], nature="exact" if kind == "MaxPool" else "smooth", kernel_shape=[2, 2])[0]
    elif kind in ("Add", "Mul"):
        other = b.like(x)
        y = b.add(kind, [x, other if other.constant else rounded(b, other)])[0]
    elif kind == "Concat":
        y = b.add(kind, [x, x], nature="exact", axis=x.rank - 1)[0]
    else:
        y = b.add(kind, [x])[0]
    if b.chance(0.8):
        rounded(b, y)


# (operator, operands before scale and zero point of the result).
QLINEAR = [("QLinearAdd", 2), ("QLinearMul", 2), ("QLinearSigmoid", 1), ("QLinearLeakyRelu", 1),
           ("QLinearGlobalAveragePool", 1), ("QLinearAveragePool", 1)]


@operator("QLinear of com.microsoft", since=11, weight=2.5)
def qlinear(b: Builder) -> None:
    kind, operands = b.choice(QLINEAR)
    pools = kind.endswith("Pool")
    x = image_of_bytes(b) if pools else bytes_of(b, 2, 4)
    if x.zero is None:
        raise Unfit
    inputs = x.inputs()
    if operands == 2:
        other = b.like(x.value)
        inputs += [other, scale_of(b, 0.03), zero_of(b, other.dtype)]
    given: dict[str, Any] = {"alpha": b.choice([None, 0.1])} if kind == "QLinearLeakyRelu" else {}
    if kind == "QLinearAveragePool":
        given = {"kernel_shape": [2, 2], "strides": b.choice([None, [2, 2]]), "count_include_pad": b.choice([None, 1])}
        given["pads"] = b.choice([None, [0, 1, 1, 0]])
    size = 1.0 if kind == "QLinearSigmoid" else float(x.scale.runs[0]) * 100
    result = result_of(b, size, x.value.dtype)
    y = b.add(kind, [*inputs, *result], nature="quantised", quantum=1, domain=MICROSOFT, **given)[0]
    if b.chance(0.5):
        dequantised(b, Quantised(y, *result))


@operator("QLinearConcat", since=11, weight=0.7)
def qlinear_concat(b: Builder) -> None:
    x = bytes_of(b, 2, 4)
    if x.zero is None:
        raise Unfit
    parts: list[Value | None] = x.inputs() + [x.value, scale_of(b, 0.03), zero_of(b, x.value.dtype)]
    result = result_of(b, float(x.scale.runs[0]) * 100, x.value.dtype)
    axis = b.axis(x.value.rank, 1)
    b.add("QLinearConcat", [*result, *parts], nature="quantised", quantum=1, domain=MICROSOFT, axis=axis)


@operator("QGemm", since=11, weight=1)
def qgemm(b: Builder) -> None:
    """The result is quantised where it has a scale, else in float."""
    x = bytes_of(b, 2, 2, settled(-1))
    if x.zero is None:
        raise Unfit
    turned = b.whole(0, 1)
    outputs = b.whole(1, 4)
    shape = [outputs, x.value.shape[1]] if turned else [x.value.shape[1], outputs]
    w = weights_of(b, shape, weight_type(b, x.value))
    inputs: list[Value | None] = [*x.inputs(), w, scale_of(b, 0.02), zero_of(b, w.dtype)]
    inputs.append(b.constant(b.numbers.integers(-500, 500, [outputs]).astype(np.int32)) if b.chance(0.6) else None)
    given: dict[str, Any] = {"alpha": b.choice([None, 0.5]), "transB": turned, "domain": MICROSOFT}
    if b.chance(0.5):
        b.add("QGemm", inputs, **given)
    else:
        size = float(x.scale.runs[0]) * 60 * 0.02 * 40 * np.sqrt(x.value.shape[1])
        b.add("QGemm", [*inputs, *result_of(b, size, x.value.dtype)], nature="quantised", quantum=1, **given)


@operator("matrices of bytes", since=11, weight=1.5)
def matrices_of_bytes(b: Builder) -> None:
    """MatMulIntegerToFloat, and DynamicQuantizeMatMul, which quantises its first factor itself."""
    bias = lambda w: b.constant(b.array([w.shape[1]], FLOAT)) if b.chance(0.5) else None
    if b.chance(0.5):
        x, w = factors(b)
        scale = columns(b, w, lambda shape: scale_of(b, 0.02, shape))
        zero = b.constant(np.zeros(scale.shape, w.dtype)) if b.chance(0.5) else None
        b.add("MatMulIntegerToFloat", [x.value, w, x.scale, scale, x.zero, zero, bias(w)], domain=MICROSOFT)
        return
    number = numbers(b, 2, 4, settled(-1))
    spread(number)
    w = weights_of(b, [number.shape[-1], b.whole(1, 4)], b.choice(BYTES))
    scale = columns(b, w, lambda shape: scale_of(b, 0.02, shape))
    zero = b.constant(np.zeros(scale.shape, w.dtype)) if b.chance(0.5) else None
    b.add("DynamicQuantizeMatMul", [number, w, scale, zero, bias(w)], nature="quantised", domain=MICROSOFT)
