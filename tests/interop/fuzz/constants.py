"""Constants in every form that a file may have, and constants that follow from constants."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import helper, numpy_helper

from .builder import Builder, Value
from .oracle import Refused


def written(b: Builder, number: npt.ArrayLike) -> Value:
    """A constant that stands in the file: an initializer, or a Constant node with one of its attributes."""
    array = np.asarray(number)
    value = Value(b.name(), [array] * len(b.sizes.batch_sizes), constant=True)
    if b.chance(0.7):
        if b.chance(0.7) or array.dtype == np.float16:
            tensor = numpy_helper.from_array(array, value.name)
        else:
            kind = helper.np_dtype_to_tensor_dtype(array.dtype)
            tensor = helper.make_tensor(value.name, kind, array.shape, array.reshape(-1).tolist())
        b.initializers.append(tensor)
    else:
        b.nodes.append(helper.make_node("Constant", [], [value.name], **constant_form(b, array)))
    b.constants.append(value)
    return value


def constant_form(b: Builder, array: np.ndarray) -> dict:
    """One of the attributes in which a Constant node can hold this."""
    flat = array.reshape(-1).tolist()
    forms: list[dict] = [{"value": numpy_helper.from_array(array)}]
    if not array.size:
        return forms[0]
    if b.opset >= 12 and array.dtype == np.float32 and np.isfinite(array).all():
        forms += [{"value_float": flat[0]}] * (array.ndim == 0) + [{"value_floats": flat}] * (array.ndim == 1)
    if b.opset >= 12 and array.dtype == np.int64:
        forms += [{"value_int": flat[0]}] * (array.ndim == 0) + [{"value_ints": flat}] * (array.ndim == 1)
    if b.opset >= 11 and array.dtype == np.float32 and array.ndim in (1, 2) and np.any(array):
        places = np.flatnonzero(array)
        forms.append({"sparse_value": helper.make_sparse_tensor(
            numpy_helper.from_array(array.reshape(-1)[places]), numpy_helper.from_array(places.astype(np.int64)),
            list(array.shape))})
    return b.choice(forms)


Maker = Callable[[Builder, np.ndarray], Value]

# Functions of one constant that keep its shape and are defined everywhere: (operator, first opset, attributes).
KEEPING = [
    ("Identity", 1, {}), ("Abs", 6, {}), ("Neg", 6, {}), ("Relu", 6, {}), ("Sigmoid", 6, {}), ("Tanh", 6, {}),
    ("Dropout", 7, {}), ("Softmax", 1, {}), ("LogSoftmax", 1, {}), ("Erf", 9, {}), ("Gelu", 20, {}), ("Elu", 6, {}),
    ("Mean", 8, {}), ("Sum", 8, {}), ("Max", 8, {}), ("Hardmax", 1, {}), ("HardSigmoid", 6, {}), ("Softsign", 1, {}),
    ("Sign", 9, {}), ("Floor", 6, {}), ("Round", 11, {}), ("LpNormalization", 1, {}), ("Cos", 7, {}), ("Exp", 6, {}),
    ("Selu", 6, {}), ("LeakyRelu", 6, {"alpha": 0.3}), ("Softplus", 1, {}), ("ThresholdedRelu", 10, {}),
    ("Mish", 18, {}),
]


def derived(b: Builder, array: np.ndarray) -> Value:
    """A constant of the array's shape that other constants yield through a node or two."""
    makers: list[Maker] = [keep_shape, combine, halves, turned, cast, expanded, masked, multiplied, padded, clipped,
                           cumulated, quantised, normalised, gathered, one_hot, triangle]
    b.rng.shuffle(makers)
    for make in makers:
        result: list[Value] = []

        def grow(builder: Builder, make: Maker = make, result: list[Value] = result) -> None:
            result.append(make(builder, array))

        if b.attempt(grow):
            made = result[0]
            if made.shape == array.shape and made.dtype == array.dtype and made.finite():
                return made
    return written(b, array)


def keep_shape(b: Builder, array: np.ndarray) -> Value:
    kind, since, attributes = b.choice([row for row in KEEPING if row[1] <= b.opset])
    return b.add(kind, [written(b, array)], **attributes)[0]


def combine(b: Builder, array: np.ndarray) -> Value:
    kind = b.choice(["Add", "Mul", "Sub", "Div", "Pow"])
    return b.add(kind, [written(b, np.abs(array) + 1), written(b, np.float32(b.choice([0.5, 2, 3])))])[0]


def halves(b: Builder, array: np.ndarray) -> Value:
    axis = b.axis(array.ndim)
    at = array.shape[axis] // 2
    if not at:
        raise Refused("an axis of one element has no halves")
    parts = np.split(array, [at], axis)
    return b.add("Concat", [written(b, part) for part in parts], axis=axis)[0]


def turned(b: Builder, array: np.ndarray) -> Value:
    perm = b.rng.sample(range(array.ndim), array.ndim)
    return b.add("Transpose", [written(b, array.transpose(np.argsort(perm)))], perm=perm)[0]


def cast(b: Builder, array: np.ndarray) -> Value:
    return b.add("Cast", [written(b, np.round(array).astype(b.choice(["float64", "int32", "int64"])))], to=1)[0]


def expanded(b: Builder, array: np.ndarray) -> Value:
    one = array[tuple(slice(0, 1) for _ in array.shape)]
    if b.opset >= 9 and b.chance(0.5):
        shape = b.numbers_of(list(array.shape))
        return b.add("ConstantOfShape", [shape], value=numpy_helper.from_array(one.reshape(1)))[0]
    return b.add("Expand", [written(b, one), b.numbers_of(list(array.shape))])[0]


def masked(b: Builder, array: np.ndarray) -> Value:
    kind = b.choice(["Greater", "Less"] + ["IsInf", "IsNaN"] * (b.opset >= 10))
    value = written(b, array)
    mask = b.add(kind, [value] if kind.startswith("Is") else [value, written(b, np.float32(0.25))])[0]
    return b.add("Where", [mask, written(b, np.float32(0.75)), value])[0]


def multiplied(b: Builder, array: np.ndarray) -> Value:
    rows = array.reshape(array.shape[0], -1)
    left = b.array((rows.shape[0], rows.shape[0]), array.dtype)
    kind = b.choice(["MatMul", "Gemm"] + ["Einsum"] * (b.opset >= 12))
    attributes: dict[str, Any] = {"equation": "ij,jk->ik"} if kind == "Einsum" else {}
    bias = [written(b, np.zeros(1, np.float32))] if kind == "Gemm" and b.opset < 11 else []
    product = b.add(kind, [written(b, left), written(b, rows), *bias], **attributes)[0]
    return b.add("Reshape", [product, b.numbers_of(list(array.shape))])[0]


def padded(b: Builder, array: np.ndarray) -> Value:
    axis = b.whole(0, array.ndim - 1)
    if b.opset < 11 or array.shape[axis] < 3:
        raise Refused("nothing to pad")
    inner = np.take(array, range(1, array.shape[axis] - 1), axis)
    pads = [int(i == axis) for i in range(array.ndim)] * 2
    mode = "edge" if b.chance(0.5) else "constant"
    return b.add("Pad", [written(b, inner), b.numbers_of(pads)], mode=mode)[0]


def clipped(b: Builder, array: np.ndarray) -> Value:
    if b.opset < 11:
        return b.add("Clip", [written(b, array)], min=-0.5)[0]
    low, high = written(b, np.float32(-0.5)), written(b, np.float32(1))
    return b.add("Clip", [written(b, array), *b.choice([[low], [None, high], [low, high]])])[0]


def cumulated(b: Builder, array: np.ndarray) -> Value:
    return b.add("CumSum", [written(b, array), b.numbers_of(b.whole(0, array.ndim - 1))], reverse=b.whole(0, 1))[0]


def quantised(b: Builder, array: np.ndarray) -> Value:
    whole = b.numbers.integers(-20, 20, array.shape).astype(np.int8)
    scale = written(b, np.float32(0.0625))
    return b.add("DequantizeLinear", [written(b, whole), scale, written(b, np.int8(3))])[0]


def normalised(b: Builder, array: np.ndarray) -> Value:
    if b.chance(0.5):
        size = array.shape[-1]
        return b.add("LayerNormalization", [written(b, array), written(b, b.array([size], array.dtype))])[0]
    factors = [written(b, b.array([array.shape[1]], array.dtype)) for _ in range(2)] if array.ndim > 2 else []
    return b.add("InstanceNormalization", [written(b, array), *factors])[0]


def gathered(b: Builder, array: np.ndarray) -> Value:
    axis = b.axis(array.ndim)
    order = [b.whole(0, array.shape[axis] - 1) for _ in range(array.shape[axis])]
    return b.add("Gather", [written(b, array), b.numbers_of(order)], axis=axis)[0]


def one_hot(b: Builder, array: np.ndarray) -> Value:
    places = b.numbers.integers(0, array.shape[-1], array.shape[:-1]).astype(np.int64)
    depth = b.numbers_of(array.shape[-1])
    return b.add("OneHot", [written(b, places), depth, written(b, np.array([-1, 2], np.float32))])[0]


def triangle(b: Builder, array: np.ndarray) -> Value:
    return b.add("Trilu", [written(b, array)], upper=b.whole(0, 1))[0]
