"""Recurrent layers: LSTM, GRU and RNN in both directions, with and without states that are given."""

from typing import Any

from .builder import Builder, Value
from .registry import operator

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}


@operator("recurrent", weight=2)
def recurrent(b: Builder) -> None:
    kind = b.choice(list(GATES))
    x = sequence(b)
    features = x.shape[2]
    hidden = b.whole(1, 4)
    direction = b.choice([None, "forward", "reverse", "bidirectional"])
    ways = 2 if direction == "bidirectional" else 1
    gates = GATES[kind]
    small = lambda shape: b.constant(b.array(shape, x.dtype) * x.dtype.type(0.5))
    inputs: list[Value | None] = [x, small([ways, gates * hidden, features]), small([ways, gates * hidden, hidden])]
    inputs.append(small([ways, 2 * gates * hidden]) if b.chance(0.6) else None)
    batch = {run.shape[1] for run in x.runs}
    if len(batch) == 1 and b.chance(0.5):
        inputs.append(None)  # no lengths of sequences
        states = 2 if kind == "LSTM" else 1
        inputs += [small([ways, next(iter(batch)), hidden]) if b.chance(0.8) else None for _ in range(states)]
        if kind == "LSTM" and b.chance(0.3):
            inputs.append(small([ways, 3 * hidden]))
    while inputs[-1] is None:
        inputs.pop()
    given: dict[str, Any] = {"hidden_size": hidden, "direction": direction}
    if kind == "GRU":
        given["linear_before_reset"] = b.choice([None, 0, 1])
    outputs = 3 if kind == "LSTM" else 2
    results = b.add(kind, inputs, b.whole(1, outputs), "smooth", **given)
    if b.chance(0.5) and ways == 1:
        axes: dict[str, Any] = {"axes": [1]} if b.opset < 13 else {}
        b.add("Squeeze", [results[0]] + ([] if axes else [b.numbers_of([1])]), nature="exact", **axes)


def sequence(b: Builder) -> Value:
    """A tensor of steps x samples x features, which a transposition often yields."""
    one_size = lambda v: len({run.shape[2] for run in v.runs}) == 1 and v.finite()
    x = b.take(low=3, high=3, fits=one_size, tail=[b.whole(1, 4), b.whole(1, 4)])
    if b.chance(0.6):
        x = b.add("Transpose", [x], nature="exact", perm=[1, 0, 2])[0]
    return x
