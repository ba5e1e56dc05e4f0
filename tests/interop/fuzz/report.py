"""Findings as files and as a table."""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx

from .checks import Finding
from .generator import Model


@dataclass(frozen=True)
class Found:
    """A finding, in which model, and of which operators that consists."""

    number: int
    finding: Finding
    operators: tuple[str, ...]

    @property
    def kind(self) -> str:
        return self.finding.label


def operators_of(model: Model) -> tuple[str, ...]:
    """The operators that compute something, each once, in the model's order."""
    kinds = [node.op_type for node in model.proto.graph.node if node.op_type != "Constant"]
    return tuple(dict.fromkeys(kinds))


def written(folder: Path, seed: int, found: Found, model: Model) -> Path:
    """Writes the model, its inputs with the right outputs, and what differed. Returns the model's path."""
    folder.mkdir(parents=True, exist_ok=True)
    word = re.sub(r"[^A-Za-z]+", "_", found.finding.kind)[:40].strip("_")
    stem = folder / f"{seed}_{found.number:05d}_{found.finding.stage}_{word}"
    path = stem.with_suffix(".onnx")
    onnx.save(model.proto, path)
    case = model.cases[-1]
    np.savez(stem.with_suffix(".npz"), **case.feeds)  # type: ignore[arg-type]
    sizes = " ".join(f"--dim {name}={size}" for name, size in case.dims.items())
    right = "\n".join(f"right: {info.name} =\n{array}" for info, array in zip(model.proto.graph.output, case.outputs))
    stem.with_suffix(".txt").write_text(
        f"{found.kind}\n{found.finding.detail}\noperators: {', '.join(found.operators)}\n"
        f"batch {case.batch} {sizes}\n{right}\n{onnx.printer.to_text(model.proto)}\n")
    return path


def table(everything: list[Found], limits: Counter[str]) -> str:
    """How often each kind of finding occurs, in which models, with which operators; then documented refusals."""
    lines = []
    kinds: dict[str, list[Found]] = {}
    for each in everything:
        kinds.setdefault(each.kind, []).append(each)
    for kind, members in sorted(kinds.items(), key=lambda item: -len(item[1])):
        operators = Counter("+".join(each.operators[:4]) for each in members)
        shown = ", ".join(name for name, _ in operators.most_common(4))
        models = sorted({each.number for each in members})
        lines.append(f"{len(models):5}  {kind[:110]}  [{shown}]  models {', '.join(map(str, models[:4]))}")
    lines += [f"{count:5}  refused as documented: {words}" for words, count in limits.most_common()]
    return "\n".join(lines)
