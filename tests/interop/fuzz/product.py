"""Starts iosx on a model, and says what it answered."""

import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx

from .generator import Case, Model

SECONDS = 60
UNREADY = 125  # our mark for a program that did not end


@dataclass
class Answer:
    """What one call of iosx came to."""

    code: int
    errors: list[str]
    result: dict = field(default_factory=dict)

    @property
    def crashed(self) -> bool:
        return self.code < 0 or self.code > 2 or any("invariant broken" in line for line in self.errors)

    @property
    def causes(self) -> list[str]:
        """Why operators cannot be executed, in the model's order, without what only follows from another cause."""
        lines = [re.search(r"cannot be executed \((.*)\)\.$", line) for line in self.errors]
        found = [line.group(1) for line in lines if line]
        found.sort(key=lambda cause: int(re.sub(r"\D*(\d*).*", r"\1", cause) or 0))
        return [cause for cause in found if "unknown shape" not in cause] or found

    @property
    def reason(self) -> str:
        """The first cause, else the last line."""
        return (self.causes or self.errors or ["no message"])[0 if self.causes else -1]


def call(iosx: str, *arguments: object, seconds: int = SECONDS) -> Answer:
    try:
        done = subprocess.run([iosx, *map(str, arguments), "--json"], capture_output=True, text=True, check=False,
                              timeout=seconds, errors="replace")
    except subprocess.TimeoutExpired:
        return Answer(UNREADY, [f"no end after {seconds} s"])
    try:
        result = json.loads(done.stdout) if done.returncode == 0 or done.stdout.startswith("{") else {}
    except ValueError:
        result = {}
    return Answer(done.returncode, done.stderr.strip().splitlines(), result)


def open_dims(model: Model, case: Case) -> dict[str, int]:
    """The named sizes that inputs leave open, with what they are in this case."""
    names = {dim.dim_param for each in model.inputs for dim in each.type.tensor_type.shape.dim}
    return {name: size for name, size in case.dims.items() if name in names}


def sizes_of(model: Model, case: Case) -> list[str]:
    """The options that give the sizes which the model leaves open."""
    options = [option for name, size in open_dims(model, case).items() for option in ("--dim", f"{name}={size}")]
    for each in model.inputs:
        dims = each.type.tensor_type.shape.dim
        if any(not dim.HasField("dim_value") and not dim.dim_param for dim in dims):
            shape = "x".join(map(str, case.feeds[each.name].shape))
            options += ["--shape", f"{each.name}={shape}"]
    return options


def run(iosx: str, model: Model, case: Case, path: Path, schedule: str, verify: bool) -> Answer:
    """Runs a case on the processor; its outputs are then in the folder beside the model."""
    folder = path.parent / "outputs"
    inputs = path.parent / "inputs.npz"
    np.savez(inputs, **case.feeds)  # type: ignore[arg-type]
    options = ["--device", "cpu", "--schedule", schedule, "--warmup", 0, "--repeat", 1, "--output-dir", folder]
    options += ["--verify"] if verify else []
    return call(iosx, "run", path, *options, "--input", inputs, *sizes_of(model, case))


def outputs_of(answer: Answer) -> list[tuple[str, np.ndarray]]:
    """Names and values of outputs, in the order in which iosx names them."""
    return [(each["name"], np.load(each["file"])) for each in answer.result.get("outputs", [])]


def convert(iosx: str, path: Path, sizes: list[str]) -> tuple[Answer, Path]:
    target = path.parent / "converted.onnx"
    target.unlink(missing_ok=True)
    return call(iosx, "convert", path, target, *sizes), target


def save(model: onnx.ModelProto, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "model.onnx"
    onnx.save(model, path)
    return path
