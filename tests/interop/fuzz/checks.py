"""The questions put to iosx about a model, and what is wrong with its answers."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx

from . import compare, limits, oracle, product
from .generator import Case, Model
from .oracle import Feeds, Refused
from .product import Answer


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: at which question, of which kind (numbers and names left out), and in full."""

    stage: str
    kind: str
    detail: str

    @property
    def label(self) -> str:
        return f"{self.stage}, {self.kind}"

    @property
    def signature(self) -> tuple[str, str]:
        return self.stage, self.kind


@dataclass
class Report:
    """What came of a model: findings, and documented refusals."""

    findings: list[Finding]
    limits: list[str]


def plain(message: str) -> str:
    """A message without what differs from model to model: paths, names, numbers."""
    message = re.sub(r"^iosx: ", "", message)
    message = re.sub(r"\S*\.onnx", "FILE", message)
    message = re.sub(r"'[^']*'|\bm[/.]v\d+(:0)?|\bv\d+\b", "NAME", message)
    message = message.replace(" NAME)", ")")
    return re.sub(r"-?\d+(\.\d+)?(e[-+]?\d+)?", "N", message)


def refusal(stage: str, answer: Answer) -> Finding:
    kind = "crash" if answer.crashed else "refused"
    reason = answer.errors[-1] if answer.crashed and answer.errors else answer.reason
    return Finding(stage, f"{kind}: {plain(reason)}", f"{kind} ({answer.code}): {reason}")


class Checker:
    """Puts a model to iosx in a folder of its own."""

    def __init__(self, iosx: str, folder: Path, schedule: str = "sequential"):
        self.iosx = iosx
        self.folder = folder
        self.schedule = schedule

    def check(self, model: Model, ask: str | None = None) -> Report:
        """Asks iosx to run and to convert the model, or one of both."""
        report = Report([], [])
        path = product.save(model.proto, self.folder)
        if ask != "convert":
            for case in model.cases:
                self.run(model, case, path, report)
        if ask != "run":
            self.convert(model, path, report)
        return report

    def run(self, model: Model, case: Case, path: Path, report: Report) -> None:
        """Asks for outputs and verification in one call, and anew for outputs alone where that fails."""
        answer = product.run(self.iosx, model, case, path, self.schedule, verify=True)
        if answer.code:
            together = answer
            answer = product.run(self.iosx, model, case, path, self.schedule, verify=False)
            if answer.code:
                self.refused("run", answer, report)
                return
            if together.crashed or not together.result:
                report.findings.append(refusal("verify", together))
            else:
                compared = together.result.get("schedule", {}).get("verification", {}).get("outputs", [])
                failed = [each for each in compared if not each["passed"]]
                kind = "differs" if any(each["finite"] for each in failed) else "differs where it is not finite"
                report.findings.append(Finding("verify", kind, json.dumps(failed)))
        wanted = [each.name for each in model.proto.graph.output]
        outputs = product.outputs_of(answer)
        if (names := [name for name, _ in outputs]) != wanted:
            report.findings.append(Finding("run", "names", f"outputs {names}, not {wanted}"))
            return
        for at, (name, ours) in enumerate(outputs):
            if found := compare.difference(model, case, at, ours):
                kind, words = found
                report.findings.append(Finding("run", kind, f"batch {case.batch}, {name}: {words}"))

    def refused(self, stage: str, answer: Answer, report: Report) -> None:
        found = refusal(stage, answer)
        announced = [words for cause in (*answer.causes, answer.reason) if (words := limits.documented(cause))]
        if announced and not answer.crashed:
            report.limits.append(announced[0])
        else:
            report.findings.append(found)

    def convert(self, model: Model, path: Path, report: Report) -> None:
        """Asks for a model that leaves the batch open, and for one of the first case's sizes where that is not so."""
        first = model.cases[0]
        others = {name: size for name, size in product.open_dims(model, first).items() if name != "N"}
        sizes = [option for name, size in others.items() for option in ("--dim", f"{name}={size}")]
        answer, target = product.convert(self.iosx, path, sizes)
        fitting = [] if answer.code else fitting_cases(model, target, others)
        if not answer.code and not fitting:
            answer, target = product.convert(self.iosx, path, product.sizes_of(model, first))
            fitting = [] if answer.code else fitting_cases(model, target, {}) or [first]
        if answer.code:
            if not report.limits:
                self.refused("convert", answer, report)
            return
        try:
            converted = onnx.load(target)
            oracle.check(converted)
        except (Refused, OSError) as why:
            report.findings.append(Finding("convert", f"checker: {plain(str(why))[:200]}", str(why)))
            return
        differences = interface_differences(model, converted)
        for kind, words in differences.items():
            report.findings.append(Finding("convert", f"interface: {kind}", words))
        if any(kind.endswith(("names", "ranks")) for kind in differences):
            return
        for case in fitting:
            try:
                outputs = oracle.run(converted, typed(case.feeds, converted))
            except Refused as why:
                report.findings.append(Finding("convert", f"does not run: {plain(str(why))[:150]}", str(why)))
                return
            for at, ours in enumerate(outputs):
                found = compare.difference(model, case, at, retyped(ours, case, at, differences))
                if found and not reference_agrees(model, converted, case, at, differences):
                    kind, words = found
                    detail = f"batch {case.batch}, {converted.graph.output[at].name}: {words}"
                    report.findings.append(Finding("convert", kind, detail))


def retyped(ours: np.ndarray, case: Case, at: int, differences: dict[str, str]) -> np.ndarray:
    """An output in the right type where its wrong one has been found already."""
    return ours.astype(case.outputs[at].dtype) if "outputs' types" in differences else ours


def reference_agrees(model: Model, converted: onnx.ModelProto, case: Case, at: int,
                     differences: dict[str, str]) -> bool:
    """Whether ONNX's reference computes the right output from the converted model.

    ONNX Runtime drops NaN in some types and operators and keeps it in others.
    """
    try:
        ours = oracle.run_reference(converted, typed(case.feeds, converted))[at]
    except Refused:
        return False
    return compare.difference(model, case, at, retyped(ours, case, at, differences)) is None


def typed(feeds: Feeds, model: onnx.ModelProto) -> Feeds:
    """The feeds in the types that the model declares."""
    types = {each.name: each.type.tensor_type.elem_type for each in model.graph.input}
    return {name: x.astype(onnx.helper.tensor_dtype_to_np_dtype(types[name])) for name, x in feeds.items()}


def shape_of(info: onnx.ValueInfoProto) -> list[int | str]:
    """Sizes, names of open ones, and "" for those without a name."""
    return [dim.dim_value if dim.HasField("dim_value") else dim.dim_param for dim in info.type.tensor_type.shape.dim]


def fitting_cases(model: Model, target: Path, dims: dict[str, int]) -> list[Case]:
    """The cases whose inputs fit the shapes of the converted model."""
    try:
        inputs = {each.name: shape_of(each) for each in onnx.load(target).graph.input}
    except Exception:  # what is wrong with the file is found when it is checked
        return []

    def fits(case: Case) -> bool:
        return all(case.dims.get(name, size) == size for name, size in dims.items()) and all(
            name in inputs and len(inputs[name]) == x.ndim and
            all(not isinstance(dim, int) or dim == size for dim, size in zip(inputs[name], x.shape))
            for name, x in case.feeds.items())

    return [case for case in model.cases if fits(case)]


def interface_differences(model: Model, converted: onnx.ModelProto) -> dict[str, str]:
    """How names with their order, types, ranks and sizes differ, each once; an open size may have become fixed."""
    found: dict[str, str] = {}
    constants = {each.name for each in converted.graph.initializer}
    inputs = [each for each in converted.graph.input if each.name not in constants]
    for word, before, after in (("inputs'", model.inputs, inputs),
                                ("outputs'", model.proto.graph.output, converted.graph.output)):
        names = [[each.name for each in side] for side in (after, before)]
        if names[0] != names[1]:
            found[f"{word} names"] = f"{names[0]}, not {names[1]}"
            continue
        for new, old in zip(after, before):
            types = [onnx.TensorProto.DataType.Name(each.type.tensor_type.elem_type) for each in (new, old)]
            shapes = [shape_of(new), shape_of(old)]
            for kind, (now, was) in (("types", types), ("shapes", shapes)):
                if kind == "shapes" and len(now) != len(was):
                    kind = "ranks"
                elif now == was or (kind == "shapes" and all(map(kept, now, was))):
                    continue
                found.setdefault(f"{word} {kind}", f"{old.name} is {now}, not {was}")
    return found


def kept(now: int | str, was: int | str) -> bool:
    """Whether a dimension says what it said, or has become fixed or named where it was open."""
    return now == was or was == "" or (isinstance(now, int) and not isinstance(was, int))
