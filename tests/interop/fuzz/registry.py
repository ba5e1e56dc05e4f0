"""The table of operators that a model is grown from."""

from collections.abc import Callable
from dataclasses import dataclass

from .builder import Builder

Grow = Callable[[Builder], None]


@dataclass(frozen=True)
class Operator:
    """How a model grows by one operator, in which opsets, and how often among the others."""

    name: str
    grow: Grow
    since: int
    until: int
    weight: float


OPERATORS: list[Operator] = []


def operator(name: str, since: int = 7, until: int = 99, weight: float = 1) -> Callable[[Grow], Grow]:
    """Registers the function below it under the operator's name."""

    def register(grow: Grow) -> Grow:
        OPERATORS.append(Operator(name, grow, since, until, weight))
        return grow

    return register
