#!/usr/bin/env python3
"""Compares iosx with ONNX Runtime on random ONNX models, which a seed makes.

    python3 tests/interop/fuzz_onnx.py [--iosx PATH] [--seed N] [--count M] [--first I] [--jobs N] [--output FOLDER]

Each model has one to a few nodes of some 120 kinds, opset 7 to 23, with fixed or open sizes: single operators, those of
quantised models and of com.microsoft, branches and loops, functions, sequences, numbers of 16 bits. ONNX Runtime
without optimisation, or ONNX's reference where that lacks a type, says what is right; a model that neither runs is
discarded. What is quantised may be one quantum off.
Asked are `iosx run` on the processor (values, types, shapes, names and their order), `--verify`, and `iosx convert`
(the checker, the interface, values). A refusal counts as a finding unless resources/help/onnx_support.md announces it
(fuzz/limits.py). Findings are made smaller and written into the folder: the model, its inputs (.npz), and what differs
(.txt). One model alone: --first I --count 1.

Needs the Python packages numpy, onnx and onnxruntime, in a virtual environment outside the repository:

    python3 -m venv FOLDER && FOLDER/bin/pip install onnx onnxruntime

Exits with 1 if there are findings, and with 77 (skipped) without the packages.
"""

import argparse
import re
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

try:
    import numpy  # noqa: F401
    import onnx  # noqa: F401
    import onnxruntime  # noqa: F401
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

sys.dont_write_bytecode = True  # nothing is written beside the sources

from fuzz.checks import Checker, Finding, Report
from fuzz.generator import Model, random_model
from fuzz.minimise import minimised
from fuzz.report import Found, operators_of, table, written

ROOT = Path(__file__).resolve().parents[2]


def schedule_of(number: int) -> str:
    """Every third model runs several operators at a time."""
    return "greedy" if number % 3 == 2 else "sequential"


def examine(options: argparse.Namespace, number: int) -> tuple[Model, Report]:
    """Grows a model and puts it to iosx."""
    model = random_model(options.seed, number)
    with tempfile.TemporaryDirectory() as folder:
        return model, Checker(options.iosx, Path(folder), schedule_of(number)).check(model, options.ask)


def smallest(options: argparse.Namespace, number: int, model: Model, finding: Finding) -> Model:
    """A smaller model with a finding of the same kind."""
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(options.iosx, Path(folder), schedule_of(number))

        def shows(smaller: Model) -> bool:
            report = checker.check(smaller, "convert" if finding.stage == "convert" else "run")
            return any(each.signature == finding.signature for each in report.findings)

        return minimised(model, shows, options.tries)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iosx", default=str(ROOT / "build/release/bin/iosx"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200, help="how many models")
    parser.add_argument("--first", type=int, default=0, help="the number of the first model")
    parser.add_argument("--jobs", type=int, default=2, help="how many models are looked at at a time")
    parser.add_argument("--ask", choices=["run", "convert"], help="only this")
    parser.add_argument("--skip", metavar="PATTERN", help="kinds of findings that are counted and not written")
    parser.add_argument("--tries", type=int, default=80, help="how often a finding is made smaller")
    parser.add_argument("--each", type=int, default=2, help="how many findings of a kind are made smaller and written")
    parser.add_argument("--output", type=Path, default=Path("fuzz_findings"), help="the folder for findings")
    options = parser.parse_args()
    begun = time.monotonic()
    everything: list[Found] = []
    limits: Counter[str] = Counter()
    seen: Counter[tuple[str, str]] = Counter()
    failed = 0
    numbers = range(options.first, options.first + options.count)
    with ThreadPoolExecutor(options.jobs) as pool:
        for number, (model, report) in zip(numbers, pool.map(lambda i: examine(options, i), numbers)):
            failed += bool(report.findings)
            limits.update(set(report.limits))
            for finding in {each.signature: each for each in report.findings}.values():
                seen[finding.signature] += 1
                if seen[finding.signature] > options.each or (options.skip and re.search(options.skip, finding.label)):
                    everything.append(Found(number, finding, operators_of(model)))
                    continue
                small = smallest(options, number, model, finding)
                found = Found(number, finding, operators_of(small))
                everything.append(found)
                path = written(options.output, options.seed, found, small)
                print(f"model {number}: {found.kind[:100]}\n    {finding.detail[:200]}\n    {path}", flush=True)
    if everything or limits:
        print("\n" + table(everything, limits))
    print(f"{options.count - failed} of {options.count} models of seed {options.seed} are right, "
          f"in {time.monotonic() - begun:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
