"""Operators of ONNX Runtime's own domain, com.microsoft, which its optimiser and exporters of language models write."""

from typing import Any

import numpy as np

from .builder import MICROSOFT, Builder, Unfit, Value
from .matrices import settled
from .registry import operator
from .windows import conv_inputs, image

FLOAT = np.dtype("float32")


def numbers(b: Builder, low: int, high: int) -> Value:
    return b.take("f", low, high, finite=True, fits=lambda v: v.dtype == FLOAT and settled(-1)(v))


def along(b: Builder, x: Value) -> Value:
    """A constant number for each place of the last axis."""
    return b.constant(b.array(x.shape[-1:], x.dtype))


@operator("gelu of com.microsoft", since=11, weight=2)
def gelu(b: Builder) -> None:
    kind = b.choice(["BiasGelu", "FastGelu", "Gelu", "QuickGelu"])
    x = numbers(b, 2, 4)
    bias = [along(b, x)] if kind == "BiasGelu" or (kind == "FastGelu" and b.chance(0.5)) else []
    b.add(kind, [x, *bias], domain=MICROSOFT, alpha=b.choice([None, 1.0]) if kind == "QuickGelu" else None)


@operator("SkipLayerNormalization", since=11, weight=2)
def skip_norm(b: Builder) -> None:
    """The fourth output is the sum that is normalised."""
    x = b.take("f", 3, 3, finite=True, fits=lambda v: v.dtype == FLOAT and settled(-1)(v) and v.shape[-1] > 1,
               tail=[b.whole(1, 4), b.whole(2, 5)])
    plain = b.chance(0.5)
    skip = x if b.chance(0.2) or x.varies() else b.constant(b.array(x.shape, x.dtype))
    inputs: list[Value | None] = [x, skip, along(b, x)]
    inputs += [along(b, x) if b.chance(0.7) else None for _ in range(1 if plain else 2)]
    while inputs[-1] is None:
        inputs.pop()
    node = b.node("SkipSimplifiedLayerNormalization" if plain else "SkipLayerNormalization", inputs, 4,
                  domain=MICROSOFT, epsilon=b.choice([None, 1e-3]))
    node.output[1] = node.output[2] = ""
    if b.chance(0.5):
        del node.output[1:]
    b.add_nodes([node], [name for name in node.output if name], "steep")


@operator("FusedMatMul", since=11, weight=1)
def fused_matmul(b: Builder) -> None:
    x = numbers(b, 2, 4)
    turned = b.whole(0, 1)
    shape = [x.shape[-1], b.whole(1, 4)]
    y = b.constant(b.array(shape[::-1] if turned else shape, x.dtype))
    b.add("FusedMatMul", [x, y], domain=MICROSOFT, alpha=b.choice([None, 0.5]), transB=turned)


@operator("FusedGemm", since=11, weight=1)
def fused_gemm(b: Builder) -> None:
    x = numbers(b, 2, 2)
    w = b.constant(b.array([x.shape[1], b.whole(1, 4)], x.dtype))
    bias = [b.constant(b.array([w.shape[1]], x.dtype))] if b.chance(0.6) else []
    kind = b.choice(["Relu", "LeakyRelu", "Tanh", "Sigmoid"])
    given: dict[str, Any] = {"activation_alpha": 0.1} if kind == "LeakyRelu" else {}
    b.add("FusedGemm", [x, w, *bias], domain=MICROSOFT, activation=kind, alpha=b.choice([None, 0.5]), **given)


@operator("FusedConv", since=11, weight=1)
def fused_conv(b: Builder) -> None:
    """A convolution with what follows it: a sum and an activation."""
    x = image(b, 2)
    if x.dtype != FLOAT or not x.finite():
        raise Unfit
    inputs, given = conv_inputs(b, x)
    if len(inputs) == 3 and b.chance(0.3):
        inputs.append(b.add("Conv", inputs, **given)[0])
    kind = b.choice(["Relu", "Sigmoid", "Tanh", "LeakyRelu"])
    more: dict[str, Any] = {"activation_params": [0.1]} if kind == "LeakyRelu" else {}
    b.add("FusedConv", inputs, domain=MICROSOFT, activation=kind, **given, **more)


@operator("MatMulNBits", since=11, weight=1)
def matmul_bits(b: Builder) -> None:
    """Weights of four or eight bits, packed in blocks of 16 with a scale for each."""
    x = numbers(b, 2, 3)
    inner, outer, bits = x.shape[-1], b.whole(1, 5), b.choice([4, 8])
    blocks = -(-inner // 16)
    packed = b.constant(b.numbers.integers(0, 256, [outer, blocks, 2 * bits]).astype(np.uint8))
    scales = b.constant(b.numbers.uniform(0.01, 0.1, [outer * blocks]).astype(np.float32), derive=False)
    zeros = [b.constant(b.numbers.integers(0, 256, [outer * -(-blocks * bits // 8)]).astype(np.uint8))]
    b.add("MatMulNBits", [x, packed, scales, *(zeros if b.chance(0.4) else [])], domain=MICROSOFT, K=inner, N=outer,
          bits=bits, block_size=16)


@operator("MultiHeadAttention", since=11, weight=1)
def attention(b: Builder) -> None:
    """Query, key and value of one tensor; the bias of all three is one constant."""
    heads, size = b.whole(1, 3), b.choice([1, 2, 4])
    width = heads * size
    x = b.take("f", 3, 3, finite=True, fits=lambda v: v.dtype == FLOAT and settled(-1)(v) and v.shape[-1] == width,
               tail=[b.whole(1, 4), width])
    q, k, v = (b.add("MatMul", [x, b.constant(b.array([width, width], FLOAT))])[0] for _ in range(3))
    bias = [b.constant(b.array([3 * width], FLOAT))] if b.chance(0.5) else []
    b.add("MultiHeadAttention", [q, k, v, *bias], nature="steep", domain=MICROSOFT, num_heads=heads,
          scale=b.choice([None, 0.5]), unidirectional=b.choice([None, 1]))
