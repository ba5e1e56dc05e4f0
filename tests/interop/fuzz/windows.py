"""Convolutions, pools and what resizes images.

ONNX Runtime and the reference are known to be wrong, and so are avoided, for: MaxPool with auto_pad SAME and dilations
(the pads ignore the dilation), ConvTranspose with auto_pad SAME and a kernel below the stride (negative pads), pools
whose window is larger than the padded input (ONNX Runtime rounds a negative count of windows up to one).
"""

from typing import Any

import numpy as np

from .builder import Builder, Unfit, Value
from .registry import operator


def window(b: Builder, x: Value, dilated: bool = True) -> dict[str, Any]:
    """Random attributes of a window over the spatial axes of x, leaving out what is at its default at times."""
    axes = x.rank - 2
    kernel = [b.whole(1, min(3, x.shape[i + 2] + 1)) for i in range(axes)]
    given: dict[str, Any] = {"kernel_shape": kernel}
    if b.chance(0.5):
        given["strides"] = [b.whole(1, 3) for _ in range(axes)]
    if dilated and b.chance(0.3):
        given["dilations"] = [b.whole(1, 2) for _ in range(axes)]
    if b.chance(0.5):
        given["pads"] = [b.whole(0, size - 1) for size in kernel] + [b.whole(0, size - 1) for size in kernel]
    elif b.chance(0.4):
        given["auto_pad"] = b.choice(["SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"])
    return given


def image(b: Builder, axes: int | None = None) -> Value:
    """A tensor of samples x channels x one or two sizes."""
    axes = axes or b.choice([1, 2, 2])
    channels = b.choice([1, 2, 3, 4, 6])
    tail = [channels, *(b.whole(3, 8) for _ in range(axes))]
    return b.take(low=axes + 2, high=axes + 2, tail=tail, fits=lambda v: len({run.shape[1] for run in v.runs}) == 1)


def divisor(b: Builder, of: int) -> int:
    return b.choice([n for n in range(1, of + 1) if of % n == 0])


@operator("Conv", weight=4)
def conv(b: Builder) -> None:
    inputs, given = conv_inputs(b, image(b, 3 if b.chance(0.1) else None))
    y = b.add("Conv", inputs, **given)[0]
    if b.chance(0.3):
        follow(b, y)


def conv_inputs(b: Builder, x: Value) -> tuple[list[Value | None], dict[str, Any]]:
    """The inputs of a convolution of x, and its attributes."""
    channels = x.shape[1]
    groups = divisor(b, channels) if b.chance(0.4) else 1
    outputs = groups * b.whole(1, 3)
    given = window(b, x)
    weights = b.constant(b.array([outputs, channels // groups, *given["kernel_shape"]], x.dtype))
    bias = [b.constant(b.array([outputs], x.dtype))] if b.chance(0.5) else []
    if b.chance(0.3):
        del given["kernel_shape"]
    return [x, weights, *bias], given | ({"group": groups} if groups > 1 else {})


def follow(b: Builder, y: Value) -> None:
    """What is often fused into the operator before it."""
    kind = b.choice(["Relu", "Clip", "BatchNormalization", "Sigmoid", "Mul", "Add", "LeakyRelu"])
    if kind == "BatchNormalization":
        batch_norm_of(b, y)
    elif kind == "Clip":
        bounds = [b.constant(np.asarray(each, y.dtype)) for each in (0, 6)] if b.opset >= 11 else []
        b.add("Clip", [y, *bounds], min=None if bounds else 0.0, max=None if bounds else 6.0)
    elif kind in ("Mul", "Add"):
        b.add(kind, [y, b.constant(b.array([y.shape[1]] + [1] * (y.rank - 2), y.dtype))])
    else:
        b.add(kind, [y])


@operator("ConvTranspose", weight=2)
def conv_transpose(b: Builder) -> None:
    x = image(b)
    channels = x.shape[1]
    groups = divisor(b, channels) if b.chance(0.3) else 1
    per_group = b.whole(1, 3)
    given = window(b, x)
    strides = given.get("strides", [1] * (x.rank - 2))
    if given.get("auto_pad", "").startswith("SAME"):
        kernel = [(size - 1) * d + 1 for size, d in
                  zip(given["kernel_shape"], given.get("dilations", [1] * (x.rank - 2)))]
        if any(size < stride for size, stride in zip(kernel, strides)):
            raise Unfit
    if b.chance(0.3):
        given["output_padding"] = [b.whole(0, stride - 1) for stride in strides]
    weights = b.constant(b.array([channels, per_group, *given["kernel_shape"]], x.dtype))
    bias = [b.constant(b.array([groups * per_group], x.dtype))] if b.chance(0.5) else []
    b.add("ConvTranspose", [x, weights, *bias], group=groups if groups > 1 else None, **given)


def refuse_nan(kind: str, x: Value) -> None:
    """ONNX Runtime and the reference drop NaN or keep it in a maximum, by its type and its place in the window."""
    if kind.endswith("MaxPool") and any(np.isnan(run).any() for run in x.runs):
        raise Unfit


@operator("pool", weight=3)
def pool(b: Builder) -> None:
    x = image(b)
    kind = b.choice(["MaxPool", "AveragePool"])
    given = window(b, x, dilated=kind == "MaxPool" and b.opset >= 10)
    if given.get("auto_pad", "").startswith("SAME"):
        given.pop("dilations", None)
    if b.opset >= 10 and b.chance(0.4) and given.get("auto_pad", "NOTSET") == "NOTSET":
        given["ceil_mode"] = 1
    pads = given.get("pads", [0] * (2 * (x.rank - 2)))
    for axis, size in enumerate(given["kernel_shape"]):
        reach = (size - 1) * given.get("dilations", [1, 1])[axis] + 1
        if reach > min(run.shape[axis + 2] for run in x.runs) + pads[axis] + pads[axis + x.rank - 2]:
            raise Unfit
    refuse_nan(kind, x)
    if kind == "AveragePool" and b.chance(0.5):
        given["count_include_pad"] = b.whole(0, 1)
    b.add(kind, [x], nature="exact" if kind == "MaxPool" else "smooth", **given)


@operator("GlobalPool", weight=1.5)
def global_pool(b: Builder) -> None:
    kind = b.choice(["GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"])
    x = image(b)
    refuse_nan(kind, x)
    if kind == "GlobalMaxPool" and x.dtype != np.float32:
        raise Unfit  # the reference, which alone has the others, reduces other axes
    b.add(kind, [x], p=b.choice([None, 1, 2]) if kind == "GlobalLpPool" else None)


def batch_norm_of(b: Builder, x: Value) -> None:
    channels = x.shape[1]
    factors = [b.constant(b.array([channels], x.dtype)) for _ in range(3)]
    variance = b.constant(np.abs(b.array([channels], x.dtype)) + x.dtype.type(0.5))
    b.add("BatchNormalization", [x, *factors, variance], epsilon=b.choice([None, 1e-3]))


@operator("BatchNormalization", weight=1.5)
def batch_norm(b: Builder) -> None:
    x = b.take(low=2, high=4, fits=lambda v: len({run.shape[1] for run in v.runs}) == 1)
    batch_norm_of(b, x)


@operator("Resize", since=10, weight=2)
def resize(b: Builder) -> None:
    x = image(b)
    if x.dtype == np.float64:
        raise Unfit  # only the reference has it, which does not round the output's size before it aligns corners
    mode = b.choice(["nearest", "linear"] + ["cubic"] * (b.opset >= 11 and x.rank == 4))
    if mode != "nearest" and not x.finite():
        raise Unfit  # whether an element of weight 0 is read is not said
    scales = [1.0, 1.0] + [b.choice([0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 0.6]) for _ in x.shape[2:]]
    if b.opset < 11:
        b.add("Resize", [x, b.constant(np.asarray(scales, np.float32))], mode=mode)
        return
    given: dict[str, Any] = {"mode": mode}
    ways = ["half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel"]
    ways += ["half_pixel_symmetric"] * (b.opset >= 19)
    if b.chance(0.7):
        given["coordinate_transformation_mode"] = b.choice(ways)
    if mode == "nearest" and b.chance(0.6):
        given["nearest_mode"] = b.choice(["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
    if mode == "cubic" and b.chance(0.5):
        given["cubic_coeff_a"] = b.choice([-0.5, -0.75])
        given["exclude_outside"] = b.whole(0, 1)
    region = None if b.opset >= 13 else b.constant(np.zeros(0, x.dtype))
    if b.chance(0.5) or x.varies():
        factors = b.constant(np.asarray(scales, np.float32))
        b.add("Resize", [x, region, factors], **given)
    else:
        sizes = [*x.shape[:2], *(b.whole(1, 9) for _ in x.shape[2:])]
        empty = None if b.opset >= 13 else b.constant(np.zeros(0, np.float32))
        b.add("Resize", [x, region, empty, b.numbers_of(sizes)], **given)


@operator("Upsample", until=9)
def upsample(b: Builder) -> None:
    x = image(b, 2)
    scales = [1.0, 1.0, float(b.whole(1, 3)), float(b.whole(1, 3))]
    mode = b.choice(["nearest", "linear"])
    if mode != "nearest" and not x.finite():
        raise Unfit  # as in Resize
    if b.opset < 9:
        b.add("Upsample", [x], mode=mode, scales=scales)
    else:
        b.add("Upsample", [x, b.constant(np.asarray(scales, np.float32))], mode=mode)


@operator("DepthToSpace", weight=1)
def depth_to_space(b: Builder) -> None:
    block = b.choice([1, 2, 2, 3])
    if b.chance(0.5):
        x = b.take(low=4, high=4, tail=[block * block * b.whole(1, 2), b.whole(1, 4), b.whole(1, 4)])
        mode = b.choice([None, "DCR", "CRD"]) if b.opset >= 11 else None
        b.add("DepthToSpace", [x], nature="exact", blocksize=block, mode=mode)
    else:
        x = b.take(low=4, high=4, tail=[b.whole(1, 3), block * b.whole(1, 3), block * b.whole(1, 3)])
        b.add("SpaceToDepth", [x], nature="exact", blocksize=block)


@operator("GridSample", since=16, weight=0.7)
def grid_sample(b: Builder) -> None:
    """Cubic interpolation is left out: ONNX Runtime reads it wrongly at borders."""
    x = image(b, 2)
    samples = {run.shape[0] for run in x.runs}
    size = [b.whole(1, 4), b.whole(1, 4), 2]
    grid = b.take(low=4, high=4, tail=size, finite=True, fits=lambda v: v.shape[-1] == 2 and v.dtype == x.dtype)
    linear = "linear" if b.opset >= 20 else "bilinear"
    padding = b.choice(["zeros", "border", "reflection"])
    given: dict[str, Any] = {"padding_mode": padding, "align_corners": b.whole(0, 1)}
    if len(samples) > 1 and not grid.varies():
        raise Unfit
    b.add("GridSample", [x, grid], nature="step", mode=b.choice([linear, "nearest"]), **given)
