"""Whether outputs are what the oracle says, as far as rounding lets it say anything."""

import numpy as np

from . import oracle
from .generator import Case, Model
from .oracle import Refused

TOLERANCE = 1e-4  # of the largest magnitude of an output
HALF_TOLERANCE = 2e-2
NUDGE = 1e-6  # how far inputs are moved, relatively, to see what rounding can do
HALF_NUDGE = 1e-3


def largest(array: np.ndarray) -> float:
    """The largest magnitude of what is finite."""
    numbers = array.astype(np.float64)
    return float(np.abs(numbers[np.isfinite(numbers)]).max(initial=0))


def close(case: Case, ours: np.ndarray, right: np.ndarray, tolerance: float, quantum: float = 0) -> np.ndarray:
    """Which elements agree: NaN with NaN, an infinity with itself, numbers within the tolerance of the largest one.

    Where large numbers cancel, what is left is held against a hundredth of the inputs. What is quantised may be one
    quantum off.
    """
    a, b = ours.astype(np.float64), right.astype(np.float64)
    limit = quantum + tolerance * max(largest(right), 0.01 * max(1, *map(largest, case.feeds.values())))
    with np.errstate(invalid="ignore"):
        return (a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= limit)


def difference(model: Model, case: Case, at: int, ours: np.ndarray) -> tuple[str, str] | None:
    """What differs at output number `at` from what is right, in a word and in full; None where nothing does.

    Elements on which ONNX's reference agrees with us against ONNX Runtime count as right, as do those of unstable
    models that change when the inputs do by a rounding.
    """
    right = case.outputs[at]
    if ours.dtype != right.dtype:
        return "type", f"{ours.dtype}, not {right.dtype}"
    if ours.shape != right.shape:
        return "shape", f"{ours.shape}, not {right.shape}"
    tolerance = HALF_TOLERANCE if model.half else TOLERANCE
    bad = ~close(case, ours, right, tolerance, model.quanta.get(model.proto.graph.output[at].name, 0))
    if bad.any():
        bad &= ~agreed_by_reference(model, case, at, ours, tolerance)
    if bad.any() and (model.unstable or model.half):
        bad &= ~moved_by_rounding(model, case, at, tolerance)
    if not bad.any():
        return None
    place = tuple(map(int, np.argwhere(bad)[0])) if bad.ndim else ()
    finite = np.isfinite([ours[place], right[place]]).all() and all(np.isfinite(x).all() for x in case.feeds.values())
    kind = "values" if finite else "values that are not finite"
    return kind, f"{int(bad.sum())} of {bad.size} differ, at {list(place)} {ours[place]}, not {right[place]}"


def agreed_by_reference(model: Model, case: Case, at: int, ours: np.ndarray, tolerance: float) -> np.ndarray:
    try:
        right = oracle.run_reference(model.proto, case.feeds)[at]
    except Refused:
        return np.zeros(ours.shape, bool)
    return close(case, ours, right, tolerance) if right.shape == ours.shape else np.zeros(ours.shape, bool)


def moved_by_rounding(model: Model, case: Case, at: int, tolerance: float) -> np.ndarray:
    """Which elements change by more than the tolerance when all that is given or rounded changes by a rounding."""
    moved = np.zeros(case.outputs[at].shape, bool)
    numbers = np.random.default_rng(1)
    nudge = HALF_NUDGE if model.half else NUDGE
    constants = [node.output[0] for node in model.proto.graph.node if node.op_type == "Constant"]
    given = {*case.feeds, *constants, *(each.name for each in model.proto.graph.initializer)}

    def nudged(name: str, x: np.ndarray) -> np.ndarray:
        if name not in given | model.rounded or x.dtype.kind != "f":
            return x
        sizes = np.where(np.isfinite(x), largest(x) if name in given else np.abs(x), 0)  # 0 that is computed stays 0
        return np.asarray(x + nudge * sizes * numbers.choice([-1, 1], x.shape), x.dtype)

    for _ in range(8):
        try:
            other = oracle.run_stepwise(model.proto, case.feeds, nudged)[model.proto.graph.output[at].name]
        except Refused:
            continue
        if other.shape == moved.shape:
            moved |= ~close(case, other, case.outputs[at], tolerance / 2)
    return moved
