#!/usr/bin/env python3
"""Tries networks of torchvision, timm, transformers and diffusers: exported, opened, run, and compared with torch.

    python3 tests/interop/zoo.py [--iosx PATH] [--folder FOLDER] [--family WORDS] [--model PATTERN] [--each N] [--write]

Each network (zoo_models.py) is exported by torch.onnx in a process of its own, opened by `iosx inspect`, and run by
`iosx run` on the CPU device. Outputs agree up to 1e-4 of the largest magnitude in each: with torch's, or with ONNX
Runtime's where torch answers differently each time, or where the exporter changed what the network computes. Each
result is a line of FOLDER/results.jsonl; what has one there is not tried again, so that a run can be continued.
--write puts the table into resources/help/real_models.md; --sample tries a few networks in a temporary folder.

Needs torch, onnx, onnxscript, onnxruntime and numpy in a virtual environment outside the repository, and those of the
four packages whose networks are tried. Exits with 1 if a network that runs disagrees, or if one of the sample does not
run; with 77 (skipped) without packages.
"""

import argparse
import importlib.util
import json
import math
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True

from onnx_models import Failed, difference, numpy, outputs_of, session_of  # exits without numpy, onnx or onnxruntime
from zoo_models import FAMILIES, SAMPLE

from fuzz.checks import plain
from fuzz.product import UNREADY, call

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "resources/help/real_models.md"
BEGIN, END = "<!-- written by tests/interop/zoo.py: begin -->\n", "<!-- written by tests/interop/zoo.py: end -->\n"
TOLERANCE = 1e-4
WAITS = 10  # how many times the processor time is waited for, on a machine that others use too
STEPS = ["exported", "opened", "run", "agree"]


def export(options, family, model, folder):
    """What zoo_models.py says of the model that it wrote."""
    def limited():
        resource.setrlimit(resource.RLIMIT_DATA, (options.memory << 30, options.memory << 30))
        resource.setrlimit(resource.RLIMIT_CPU, (options.seconds, options.seconds))

    script = Path(__file__).with_name("zoo_models.py")
    try:
        done = subprocess.run([sys.executable, script, family, model, folder], preexec_fn=limited, check=False,
                              capture_output=True, text=True, errors="replace", timeout=WAITS * options.seconds)
    except subprocess.TimeoutExpired as late:
        raise Failed(f"no end after {WAITS * options.seconds} s") from late
    if -done.returncode in (signal.SIGXCPU, signal.SIGKILL):
        raise Failed(f"no end after {options.seconds} s of processor time")
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()] or [f"ended with {done.returncode}"]
        raise Failed(lines[-1])
    return json.loads((folder / "exported.json").read_text())


def asked(options, *arguments):
    answer = call(options.iosx, *arguments, seconds=WAITS * options.seconds)
    if answer.code:
        raise Failed("crash: " * (answer.crashed and answer.code != UNREADY) + answer.reason)
    return answer.result


def run(options, path, inputs):
    """What iosx makes of the inputs."""
    read, outputs = path.with_name("read.npz"), path.with_name("outputs")
    numpy.savez(read, **inputs)
    arguments = ["--device", "cpu", "--schedule", "sequential", "--repeat", 1, "--warmup", 0]
    result = asked(options, "run", path, *arguments, "--input", read, "--output-dir", outputs)
    return [numpy.load(output["file"]) for output in result["outputs"]]


def shapes(arrays):
    return [list(each.shape) for each in arrays]


def worst(ours, theirs):
    if len(ours) != len(theirs):
        raise Failed(f"{len(ours)} outputs, not {len(theirs)}")
    return max(difference(a, b) for a, b in zip(ours, theirs))


def try_model(options, family, model, folder):
    """The row of a model: how far it came, and why not further."""
    row = {"family": family, "model": model, "came": []}
    path = folder / "model.onnx"
    try:
        row |= export(options, family, model, folder)
        row["came"].append("exported")
        inputs = dict(numpy.load(folder / "inputs.npz"))
        names = {source["name"] for source in asked(options, "inspect", path)["inputs"]}
        row["came"].append("opened")
        ours = run(options, path, {name: array for name, array in inputs.items() if name in names})
        row["came"].append("run")
        right = list(numpy.load(folder / "outputs.npz").values())
        if not row["random"]:
            row["torch"] = worst(ours, right) if shapes(ours) == shapes(right) else math.inf
        if row.get("torch", 1) > TOLERANCE:
            session = session_of(path, 1)
            theirs = outputs_of(session, {each.name: inputs[each.name] for each in session.get_inputs()})
            row["onnxruntime"] = worst(ours, theirs)
            if not row["random"]:
                row["why"] = f"torch differs, by {row['torch']:.0e}; ONNX Runtime by {row['onnxruntime']:.0e}"
        if min(row.get("torch", 1), row.get("onnxruntime", 1)) <= TOLERANCE:
            row["came"].append("agree")
    except Exception as why:  # whatever a runtime throws is what the table is for
        row["why"] = " ".join(str(why).split())[:300]
    return row


def chosen(options, done):
    """The models to be tried, of which none has a result."""
    models = SAMPLE if options.sample else [(family, model) for family in FAMILIES for model in FAMILIES[family]]
    tried = defaultdict(int)
    for family, model in models:
        there = importlib.util.find_spec(family.split()[0])
        if not there or (options.family and options.family not in family) or not re.search(options.model, model):
            continue
        tried[family] += 1
        if (family, model) not in done and not (options.each and tried[family] > options.each):
            yield family, model


def reason_of(row):
    why = re.sub(r"\x1b?\[[0-9;]*m", "", row["why"])  # colours
    words = re.sub(r"^node N ", "", re.sub(r"'[^']*'|\S+/\S+", "", plain(why))).strip(" ,:").replace("|", "/")
    step = next((step for step in STEPS if step not in row["came"]), "agree")
    return f"not {step}: {words[:120]}" if step != "agree" else words[:120]


def table(rows):
    """How many of each family came how far, and what kept the others."""
    families = {family: [row for row in rows if row["family"] == family] for family in FAMILIES}
    reasons = defaultdict(list)
    for row in rows:
        if "why" in row:
            reasons[reason_of(row)].append(row["model"])
    lines = ["| family | networks | exported | opened | run | agree |", "| --- | --- | --- | --- | --- | --- |"]
    for family, members in [*families.items(), ("all", rows)]:
        if not members:
            continue
        lines.append(f"| {family} | {len(members)} | "
                     + " | ".join(str(sum(step in row["came"] for row in members)) for step in STEPS) + " |")
    lines += ["", "| why not | networks |", "| --- | --- |"]
    for reason, models in sorted(reasons.items(), key=lambda item: -len(item[1])):
        lines.append(f"| {reason} | {', '.join(models)} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iosx", default=str(ROOT / "build/release/bin/iosx"))
    parser.add_argument("--folder", type=Path, help="for results.jsonl (default: a temporary one)")
    parser.add_argument("--family", metavar="WORDS", help="only families with these words in their names")
    parser.add_argument("--model", metavar="PATTERN", default="", help="only these networks")
    parser.add_argument("--each", type=int, metavar="N", help="only the first networks of each family")
    parser.add_argument("--seconds", type=int, default=300, help="the longest processor time of an export")
    parser.add_argument("--memory", type=int, default=12, metavar="GIB", help="the most memory of an export")
    parser.add_argument("--keep", action="store_true", help="the exported models stay in FOLDER/models")
    parser.add_argument("--sample", action="store_true", help="a network of each package, which all have to agree")
    parser.add_argument("--write", action="store_true", help=f"puts the table into {PAGE.relative_to(ROOT)}")
    options = parser.parse_args()
    if not importlib.util.find_spec("torch") or not importlib.util.find_spec("onnxscript"):
        print("skipped: no torch, or no onnxscript")
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        results = folder / "results.jsonl"
        rows = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
        for family, model in list(chosen(options, {(row["family"], row["model"]) for row in rows})):
            place = folder / "models" / model
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)
            rows.append(try_model(options, family, model, place))
            with results.open("a") as out:
                out.write(json.dumps(rows[-1]) + "\n")
            came = ", ".join(rows[-1]["came"])
            print(f"{family}: {model}: {came} {rows[-1].get('why', '')}", file=sys.stderr, flush=True)
            if not options.keep:
                shutil.rmtree(place)
    if not rows:
        print("skipped: none of the packages is there")
        return 77
    print(table(rows))
    if options.write:
        before, rest = PAGE.read_text().split(BEGIN)
        PAGE.write_text(before + BEGIN + table(rows) + END + rest.split(END)[1])
    wrong = [row for row in rows if "agree" not in row["came"] and (options.sample or "run" in row["came"])]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
