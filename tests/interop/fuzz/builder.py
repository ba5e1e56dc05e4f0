"""Grows a model node by node; the oracle runs each node at once, so all values and shapes are known while it grows."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import helper

from . import oracle
from .oracle import Refused

FLOATS = tuple(map(np.dtype, ("float32", "float16", "float64")))
INTEGERS = tuple(map(np.dtype, ("int64", "int32")))
BOOL = np.dtype(bool)
BYTES = tuple(map(np.dtype, ("uint8", "int8")))
KINDS = {"f": FLOATS, "i": INTEGERS, "b": (BOOL,), "q": BYTES}

MICROSOFT = "com.microsoft"
FUNCTIONS = "fuzz"  # the domain of the model's own functions

# Integers are exact up to here in iosx, as its documentation says, and floats stay far from their types' ends.
LARGEST_INTEGER = 2**24
LARGEST_FLOAT = {"float16": 1e3, "float32": 1e6, "float64": 1e6}


class Unfit(Exception):
    """The operator finds no fitting inputs here."""


@dataclass
class Value:
    """A tensor of the growing model: what it is in each case of open sizes, and whether rounding touched it.

    It is rounded where its own node rounds. Its quantum is how far an element may be off because quantisation may
    round it to either neighbour; else 0.
    """

    name: str
    runs: list[np.ndarray]
    exact: bool = True
    constant: bool = False
    rounded: bool = False
    quantum: float = 0

    @property
    def dtype(self) -> np.dtype:
        return self.runs[0].dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return self.runs[0].shape

    @property
    def rank(self) -> int:
        return self.runs[0].ndim

    def varies(self) -> bool:
        """Whether its shape depends on open sizes."""
        return any(run.shape != self.shape for run in self.runs)

    def finite(self) -> bool:
        return all(np.isfinite(run).all() for run in self.runs)


@dataclass
class Sizes:
    """How inputs leave sizes open: the batch's name ("" for none) or its fixed size, and what it is in each case."""

    batch: str | int
    batch_sizes: list[int]
    extra: dict[str, list[int]] = field(default_factory=dict)  # those of other axes, which some inputs have


def chosen_sizes(rng: random.Random) -> Sizes:
    style = rng.choice(["fixed", "fixed", "named", "named", "unnamed"])
    if style == "fixed":
        size = rng.choice([1, 1, 2, 3, 4])
        return Sizes(size, [size])
    sizes = [1, rng.choice([2, 3, 4])]
    extra = rng.choice([{}, {}, {}, {"L": [5, 3]}, {"L": [4, 6]}, {"L": [5, 3], "W": [2, 4]}])
    return Sizes("N" if style == "named" else "", sizes, extra)


class Builder:
    """The growing model. Operators take() values, add() nodes, and raise Unfit where they cannot."""

    def __init__(self, rng: random.Random, opset: int):
        self.rng = rng
        self.numbers = np.random.default_rng(rng.getrandbits(32))
        self.opset = opset
        self.sizes = chosen_sizes(rng)
        self.real = np.dtype(rng.choices(["float32", "float16", "float64"], [86, 7, 7])[0])
        self.special = rng.random() < 0.1  # inputs have NaN and infinities
        self.grid = rng.random() < 0.3  # inputs are multiples of a half, so that ties occur
        self.most_inputs = rng.choice([1, 1, 2, 3])
        self.most_constants = rng.random() < 0.3  # constants mostly follow from other constants
        self.old_style = opset <= 8 and rng.random() < 0.5  # initializers are listed among the inputs
        self.style = rng.choice(["{}", "{}", "{}", "m/{}", "m.{}:0"])
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []
        self.inputs: list[tuple[Value, list[int | str | None]]] = []
        self.values: list[Value] = []
        self.constants: list[Value] = []
        self.functions: list[onnx.FunctionProto] = []
        self.unstable = False  # rounding upstream can change an output by more than rounding
        self.half = False  # something computes in 16 bits, so that much rounding is right
        self.count = 0

    # Chance

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def choice(self, of: Sequence):
        return self.rng.choice(of)

    def whole(self, low: int, high: int) -> int:
        return self.rng.randint(low, high)

    def name(self) -> str:
        self.count += 1
        return self.style.format(f"v{self.count}")

    def axis(self, rank: int, lowest: int = 0) -> int:
        """An axis, counted from the end in a third of cases."""
        if rank <= lowest:
            raise Unfit
        axis = self.whole(lowest, rank - 1)
        return axis - rank if self.chance(0.3) else axis

    def axes(self, rank: int, at_most: int | None = None) -> list[int]:
        if rank == 0:
            raise Unfit
        axes = self.rng.sample(range(rank), self.whole(1, min(rank, at_most or rank)))
        return [axis - rank if self.chance(0.3) else axis for axis in axes]

    # Values

    def array(self, shape: Iterable[int], dtype: np.dtype) -> np.ndarray:
        """Random numbers; NaN and infinities are not among them."""
        shape = tuple(shape)
        if dtype == BOOL:
            return self.numbers.integers(0, 2, shape).astype(bool)
        if dtype in BYTES:
            return self.numbers.integers(np.iinfo(dtype).min, np.iinfo(dtype).max + 1, shape).astype(dtype)
        if dtype.kind in "iu":
            return self.numbers.integers(-5 if dtype.kind == "i" else 0, 6, shape).astype(dtype)
        if self.grid:
            return (self.numbers.integers(-5, 6, shape) * 0.5).astype(dtype)
        return self.numbers.uniform(-2, 2, shape).astype(np.float32).astype(dtype)

    def input_array(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        array = np.asarray(self.array(shape, dtype))
        if self.special and dtype.kind == "f" and array.size > 1:
            flat = array.reshape(-1)
            for number in (np.nan, np.inf, -np.inf):
                if self.chance(0.6):
                    flat[self.whole(0, flat.size - 1)] = number
        return array

    def new_input(self, dtype: np.dtype, tail: Sequence[int]) -> Value:
        """An input whose shape is the batch and then `tail`."""
        if len(self.inputs) >= self.most_inputs:
            raise Unfit
        batched = self.chance(0.95)
        dims: list[int | str | None] = list(tail)
        shapes = [list(tail) for _ in self.sizes.batch_sizes]
        axes = self.rng.sample(range(len(tail)), min(len(tail), len(self.sizes.extra)))
        for axis, (name, sizes) in zip(axes, self.sizes.extra.items()):
            if self.chance(0.6):
                dims[axis] = name
                for shape, size in zip(shapes, sizes):
                    shape[axis] = size
        if batched:
            dims.insert(0, None if self.sizes.batch == "" else self.sizes.batch)
            for shape, size in zip(shapes, self.sizes.batch_sizes):
                shape.insert(0, size)
        value = Value(self.name(), [self.input_array(tuple(shape), dtype) for shape in shapes])
        self.inputs.append((value, dims))
        self.values.append(value)
        return value

    def take(self, kinds: str = "f", low: int = 0, high: int = 5, finite: bool = False,
             fits: Callable[[Value], bool] = lambda value: True, tail: Sequence[int] | None = None) -> Value:
        """A value of one of the kinds and of a rank between low and high: one that is there, or a new input."""
        found = [
            value for value in self.values
            if any(value.dtype in KINDS[kind] for kind in kinds) and low <= value.rank <= high and fits(value)
            and (not finite or value.finite()) and len({run.ndim for run in value.runs}) == 1
        ]
        if found and not self.chance(0.12):
            return found[-1] if self.chance(0.7) else self.choice(found)
        try:
            if low > 4:
                raise Unfit  # inputs have four axes at most
            kind = self.choice(kinds)
            dtype = self.real if kind == "f" else self.choice(KINDS[kind])
            if tail is None:
                tail = [self.whole(1, 6) for _ in range(self.whole(max(low, 1), min(high, 4)) - 1)]
            value = self.new_input(dtype, tail)
        except Unfit:
            if not found:
                raise
            return self.choice(found)
        if not (low <= value.rank <= high and fits(value)) or (finite and not value.finite()):
            raise Unfit
        return value

    def like(self, value: Value, positive: bool = False) -> Value:
        """Another operand for `value`: of its type, and broadcast with it in some way."""
        found = [v for v in self.values if v is not value and v.dtype == value.dtype and can_broadcast(v, value)]
        if found and self.chance(0.5):
            return self.choice(found)
        if value.rank and self.chance(0.2):
            try:
                other = self.new_input(value.dtype, value.shape[1:])
                if can_broadcast(other, value):
                    return other
            except Unfit:
                pass
        shape = [1 if self.chance(0.3) else size for size in value.shape]
        if value.varies():
            for axis in range(value.rank):
                if any(run.shape[axis] != value.shape[axis] for run in value.runs):
                    shape[axis] = 1
            most = self.sizes.batch_sizes[-1]
            if value.shape[0] == 1 and value.runs[-1].shape[0] == most and self.chance(0.2):
                shape[0] = most  # one sample is spread over these, and so many are taken as they are
        shape = shape[self.whole(0, len(shape)):]
        if not shape and self.chance(0.1) and value.rank < 5:
            shape = [1] * (value.rank + 1)
        array = self.array(shape, value.dtype)
        return self.constant(np.abs(array) + 1 if positive else array)

    # Constants

    def constant(self, array: npt.ArrayLike, derive: bool = True) -> Value:
        """A constant, as an initializer, a node, or what follows from other constants."""
        from .constants import derived, written  # constants are made by operators, which are made with a builder

        array = np.asarray(array)
        fit = derive and array.size > 0 and array.ndim > 0 and array.dtype == np.float32
        if fit and self.chance(0.5 if self.most_constants else 0.08):
            return derived(self, array)
        return written(self, array)

    def numbers_of(self, array: Sequence[int] | int, dtype: str = "int64") -> Value:
        """A constant of whole numbers, such as axes, which is written and not computed."""
        return self.constant(np.asarray(array, dtype), derive=False)

    # Nodes

    def model(self) -> onnx.ModelProto:
        """What the model has besides its graph."""
        domains = {"": self.opset, MICROSOFT: 1} | ({FUNCTIONS: 1} if self.functions else {})
        opsets = [helper.make_opsetid(*each) for each in domains.items()]
        return onnx.ModelProto(ir_version=oracle.IR_VERSION, opset_import=opsets, functions=self.functions)

    def node(self, kind: str, inputs: Sequence[Value | str | None], outputs: int = 1, domain: str = "",
             **attributes: Any) -> onnx.NodeProto:
        """A node, which stands nowhere yet. Attributes of None are left out."""
        names = [each.name if isinstance(each, Value) else each or "" for each in inputs]
        given = {key: value for key, value in attributes.items() if value is not None}
        return helper.make_node(kind, names, [self.name() for _ in range(outputs)], domain=domain, **given)

    def add(self, kind: str, inputs: Sequence[Value | None], outputs: int = 1, nature: str = "smooth",
            quantum: float | None = None, **given: Any) -> list[Value]:
        """Adds a node, and says what it yields."""
        node = self.node(kind, inputs, outputs, **given)
        if self.chance(0.15):
            node.name = self.choice(["node", kind, node.output[0]])
        return self.add_nodes([node], list(node.output), nature, quantum)

    def add_nodes(self, nodes: Sequence[onnx.NodeProto], outputs: Sequence[str], nature: str = "smooth",
                  quantum: float | None = None) -> list[Value]:
        """Adds nodes of which only these outputs are values: the others may be sequences, or of 16 bits.

        The nature says what rounding does: "exact" results have none, "smooth" ones some, "steep" ones enlarge that of
        their inputs, "step" ones are exact but jump, "quantised" ones jump where inputs are exact too. Without a
        quantum, exact results have that of their inputs.
        """
        read = {name for node in nodes for name in oracle.reads(node)}
        present = [each for each in self.values + self.constants if each.name in read]
        constant = all(each.constant for each in present)
        like = self.model()
        runs: list[list[np.ndarray]] = []
        for i in range(1 if constant else len(self.sizes.batch_sizes)):
            runs.append(oracle.run_nodes(nodes, like, {each.name: each.runs[i] for each in present}, outputs))
        if constant:
            runs *= len(self.sizes.batch_sizes)
        inexact = any(not each.exact for each in present)
        for results in zip(*runs):
            refuse_extremes(results, constant)
        self.unstable |= nature == "quantised" or (nature in ("steep", "step") and inexact)
        used = {each.dtype.name for each in present} | {result.dtype.name for results in runs for result in results}
        self.half |= nature not in ("exact", "step") and "float16" in used
        rounded = nature in ("smooth", "steep")
        exact = not inexact and not rounded
        if quantum is None:
            quantum = max((each.quantum for each in present), default=0) if nature == "exact" else 0
        made = [Value(name, list(results), exact, constant, rounded, quantum)
                for name, results in zip(outputs, zip(*runs))]
        self.nodes.extend(nodes)
        (self.constants if constant else self.values).extend(made)
        return made

    def attempt(self, grow: Callable[["Builder"], None]) -> bool:
        """Lets an operator grow the model; what it began is undone where that comes to nothing."""
        lists: tuple[list[Any], ...] = (self.nodes, self.initializers, self.inputs, self.values, self.constants,
                                        self.functions)
        before = [len(each) for each in lists]
        unstable, half = self.unstable, self.half
        try:
            grow(self)
            return True
        except (Unfit, Refused):
            for each, length in zip(lists, before):
                del each[length:]
            self.unstable, self.half = unstable, half
            return False


def can_broadcast(a: Value, b: Value) -> bool:
    try:
        return all(np.broadcast_shapes(x.shape, y.shape) is not None for x, y in zip(a.runs, b.runs))
    except ValueError:
        return False


def refuse_extremes(runs: Sequence[np.ndarray], constant: bool) -> None:
    """Raises Refused for what iosx documents as its limits: empty tensors, large integers, too many axes."""
    for run in runs:
        if isinstance(run, list) or run.dtype.kind not in "fiub" or run.size > 40_000 or run.ndim > 6:
            raise Refused("not a small tensor of numbers")
        if constant:
            continue
        if run.size == 0:
            raise Refused("an empty tensor")
        if run.dtype.kind in "iu" and np.abs(run.astype(np.float64)).max() > LARGEST_INTEGER:
            raise Refused("an integer beyond what float32 holds")
        if run.dtype.kind == "f":
            finite = np.abs(run[np.isfinite(run)].astype(np.float64))
            if finite.size and finite.max() > LARGEST_FLOAT[run.dtype.name]:
                raise Refused("a number near the end of its type")


def value_info(name: str, runs: list[np.ndarray], sizes: Sizes, dims: list | None = None) -> onnx.ValueInfoProto:
    """The declaration of an input (with its dims) or of an output, whose dims follow from all cases."""
    if dims is None:
        dims = []
        for axis, size in enumerate(runs[0].shape):
            seen = [run.shape[axis] for run in runs]
            open_batch = seen == sizes.batch_sizes and sizes.batch
            dims.append(size if len(set(seen)) == 1 else (sizes.batch if open_batch else None))
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(runs[0].dtype), dims)
