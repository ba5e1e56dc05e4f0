"""Functions of elements: unary, binary, comparisons, logic, choices, bounds and casts."""

from typing import Any

import numpy as np
from onnx import helper

from .builder import BOOL, Builder, Unfit
from .registry import operator

# (operator, first opset, nature, attributes with their bounds).
UNARY = [
    ("Abs", 7, "exact", {}), ("Neg", 7, "exact", {}), ("Relu", 7, "exact", {}), ("Sign", 9, "step", {}),
    ("Floor", 7, "step", {}), ("Ceil", 7, "step", {}), ("Round", 11, "step", {}), ("Sqrt", 7, "steep", {}),
    ("Exp", 7, "smooth", {}), ("Log", 7, "steep", {}), ("Reciprocal", 7, "steep", {}), ("Sin", 7, "smooth", {}),
    ("Cos", 7, "smooth", {}), ("Tan", 7, "steep", {}), ("Asin", 7, "steep", {}), ("Acos", 7, "steep", {}),
    ("Atan", 7, "smooth", {}), ("Sinh", 9, "smooth", {}), ("Cosh", 9, "smooth", {}), ("Asinh", 9, "smooth", {}),
    ("Acosh", 9, "steep", {}), ("Atanh", 9, "steep", {}), ("Erf", 9, "smooth", {}), ("Sigmoid", 7, "smooth", {}),
    ("Tanh", 7, "smooth", {}), ("Softplus", 7, "smooth", {}), ("Softsign", 7, "smooth", {}),
    ("Elu", 7, "smooth", {"alpha": (0.1, 2)}), ("Selu", 7, "smooth", {"alpha": (0.5, 2), "gamma": (0.5, 2)}),
    ("Celu", 12, "smooth", {"alpha": (0.2, 2)}), ("LeakyRelu", 7, "smooth", {"alpha": (-0.5, 1.5)}),
    ("HardSigmoid", 7, "smooth", {"alpha": (0.1, 1), "beta": (0, 1)}), ("HardSwish", 14, "smooth", {}),
    ("Mish", 18, "smooth", {}), ("ThresholdedRelu", 10, "step", {"alpha": (-1, 1)}),
    ("Shrink", 9, "step", {"lambd": (0.1, 1), "bias": (0, 0.5)}),
]


@operator("unary", weight=6)
def unary(b: Builder) -> None:
    kind, _, nature, bounds = b.choice([row for row in UNARY if row[1] <= b.opset])
    whole = kind in ("Abs", "Neg", "Sign", "Relu") and b.chance(0.2)
    given: dict[str, Any] = {key: round(b.rng.uniform(*each), 3) for key, each in bounds.items() if b.chance(0.6)}
    b.add(kind, [b.take("fi" if whole else "f")], nature=nature, **given)


@operator("Gelu", since=20)
def gelu(b: Builder) -> None:
    b.add("Gelu", [b.take()], approximate=b.choice([None, "none", "tanh"]))


@operator("PRelu", weight=0.7)
def prelu(b: Builder) -> None:
    x = b.take()
    shape = [1 if b.chance(0.4) else size for size in x.shape[1:]]
    b.add("PRelu", [x, b.constant(b.array(shape[b.whole(0, len(shape)):], x.dtype))])


@operator("arithmetic", weight=6)
def arithmetic(b: Builder) -> None:
    kind = b.choice(["Add", "Sub", "Mul", "Div", "Add", "Mul"])
    x = b.take("ffi")
    y = b.like(x, positive=kind == "Div")
    if kind == "Div" and x.dtype.kind == "i" and any((run == 0).any() for run in y.runs):
        raise Unfit  # an integer divided by 0 is anything
    pair = [x, y] if b.chance(0.7) or kind == "Div" else [y, x]
    b.add(kind, pair, nature="exact" if x.dtype.kind == "i" else ("steep" if kind == "Div" else "smooth"))


@operator("Pow", weight=0.7)
def power(b: Builder) -> None:
    x = b.take()
    exponent = b.choice([2.0, 3.0, 0.5, -1.0, 1.0, 0.0])
    dtype = x.dtype if b.opset < 12 or b.chance(0.7) else np.dtype(b.choice(["int32", "int64", "float32"]))
    b.add("Pow", [x, b.constant(np.asarray(exponent, dtype))], nature="steep")


@operator("Mod", since=10, weight=0.7)
def modulo(b: Builder) -> None:
    x = b.take("fi", finite=True)
    by = b.constant(b.choice([-1, 1]) * (np.abs(b.array(x.shape[-1:], x.dtype)) + 1).astype(x.dtype))
    b.add("Mod", [x, by], nature="step", fmod=1 if x.dtype.kind == "f" else b.whole(0, 1))


@operator("variadic", since=8, weight=1.5)
def variadic(b: Builder) -> None:
    kind = b.choice(["Sum", "Mean", "Max", "Min"])
    x = b.take("fi" if kind in ("Max", "Min") and b.opset >= 12 else "f")
    others = [b.like(x) for _ in range(b.whole(0, 2))]
    b.add(kind, [x, *others], nature="exact" if kind in ("Max", "Min") else "smooth")


@operator("comparison", since=9, weight=1.5)
def comparison(b: Builder) -> None:
    kinds = ["Greater", "Less"] + ["Equal"] * (b.opset >= 11) + ["GreaterOrEqual", "LessOrEqual"] * (b.opset >= 12)
    x = b.take("ffi")
    b.add(b.choice(kinds), [x, b.like(x)], nature="step")


@operator("logic", weight=1)
def logic(b: Builder) -> None:
    x = b.take("b")
    kind = b.choice(["And", "Or", "Xor", "Not"])
    b.add(kind, [x] if kind == "Not" else [x, b.like(x)], nature="exact")


@operator("IsNaN", since=10, weight=0.7)
def is_nan(b: Builder) -> None:
    x = b.take()
    if b.chance(0.5):
        b.add("IsNaN", [x], nature="exact")
    else:
        signs = {key: b.whole(0, 1) for key in ("detect_negative", "detect_positive") if b.chance(0.3)}
        b.add("IsInf", [x], nature="exact", **signs)


@operator("Where", since=9, weight=1.5)
def where(b: Builder) -> None:
    x = b.take("ffi")
    masks = [v for v in b.values + b.constants if v.dtype == BOOL and v.rank <= 5]
    if masks and b.chance(0.7):
        mask = b.choice(masks)
    elif b.chance(0.5):
        mask = b.take("b", tail=x.shape[1:] if b.chance(0.8) else None)
    else:
        mask = b.constant(b.array([1 if b.chance(0.3) else size for size in x.shape[1:]], BOOL))
    pair = [x, b.like(x)]
    b.rng.shuffle(pair)
    b.add("Where", [mask, *pair], nature="exact")


@operator("Clip", weight=1.5)
def clip(b: Builder) -> None:
    x = b.take("fi" if b.opset >= 12 else "f")
    low, high = b.choice([(-0.5, 1.0), (0.0, 6.0), (-1.0, -1.0), (1.0, -1.0), (0.0, 1.0)])
    low, high = b.choice([(low, high), (low, None), (None, high), (None, None)])
    if (low is None or high is None) and any(np.isinf(run).any() for run in x.runs if x.dtype.kind == "f"):
        raise Unfit  # the bound that is absent is the largest finite number by the letter
    if b.opset < 11:
        b.add("Clip", [x], nature="exact", min=low, max=high)
        return
    bounds = [None if each is None else b.constant(np.asarray(each, x.dtype)) for each in (low, high)]
    while bounds and bounds[-1] is None:
        bounds.pop()
    b.add("Clip", [x, *bounds], nature="exact")


@operator("Cast", since=9, weight=2)
def cast(b: Builder) -> None:
    x = b.take("fib")
    target = b.choice(["float32", "float16", "float64", "int32", "int64", "bool", "float32", "uint8", "int8", "int16"])
    whole = "int" in target and x.dtype.kind == "f"
    if whole and not x.finite():
        raise Unfit  # NaN and infinities are no integers
    if target in ("uint8", "int8", "int16"):
        limits = np.iinfo(target)
        if any(run.min() < limits.min or run.max() > limits.max for run in x.runs):
            raise Unfit  # what is beyond a type's end is not said alike everywhere
    nature = "step" if whole or target in ("bool", "float16") else "exact"
    if b.opset >= 15 and b.chance(0.2):
        b.add("CastLike", [x, b.constant(np.zeros(1, target))], nature=nature)
    else:
        b.add("Cast", [x], nature=nature, to=helper.np_dtype_to_tensor_dtype(np.dtype(target)))


@operator("Identity", weight=1.5)
def identity(b: Builder) -> None:
    x = b.take("fib", low=0)
    if b.chance(0.5) or x.dtype.kind != "f":
        b.add("Identity", [x], nature="exact")
    elif b.opset < 12:
        b.add("Dropout", [x], nature="exact", ratio=b.choice([None, 0.3]))
    else:
        b.add("Dropout", [x, b.constant(np.asarray(0.5, np.float32))][: b.whole(1, 2)], nature="exact")
