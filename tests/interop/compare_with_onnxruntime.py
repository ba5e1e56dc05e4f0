#!/usr/bin/env python3
"""Compares the outputs of our CPU device with ONNX Runtime's, on the same ONNX file and input.

    python3 tests/interop/compare_with_onnxruntime.py [--iosx PATH] [--batch N] [--schedule NAME] [MODEL ...]

A MODEL is a network of the zoo, which iosx exports, or an .onnx file; without one: the whole zoo. Needs the Python
packages numpy and onnxruntime, and checks exported models with onnx too where that is there. Nothing of it belongs into
the repository: make a virtual environment elsewhere, with

    python3 -m venv FOLDER && FOLDER/bin/pip install onnx onnxruntime

The error of an output is the largest difference of an element over the largest magnitude in that output; up to 1e-4
passes. Exits with 1 if a model fails, and with 77 (skipped) where onnxruntime is missing.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy
    import onnxruntime
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

try:
    import onnx
except ImportError:
    onnx = None

ROOT = Path(__file__).resolve().parents[2]
TOLERANCE = 1e-4


def iosx_json(iosx, *arguments):
    done = subprocess.run([iosx, *map(str, arguments), "--json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout)


def random_inputs(session, batch):
    generator = numpy.random.default_rng(1)
    inputs = {}
    for source in session.get_inputs():
        shape = [size if isinstance(size, int) else batch for size in source.shape]
        inputs[source.name] = generator.uniform(-1, 1, shape).astype(numpy.float32)
    return inputs


def error_of(ours, theirs):
    """The largest difference, relative to the largest magnitude."""
    if ours.size != theirs.size:
        raise RuntimeError(f"shapes differ: {ours.shape} and {theirs.shape}")
    difference = numpy.abs(ours.reshape(-1) - theirs.reshape(-1)).max()
    return float(difference / max(numpy.abs(theirs).max(), 1e-30))


def compare(options, model, folder):
    path = Path(model)
    if not model.endswith(".onnx"):
        path = folder / f"{model}.onnx"
        iosx_json(options.iosx, "convert", model, path)
        if onnx:
            onnx.checker.check_model(str(path), full_check=True)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    inputs = random_inputs(session, options.batch)
    names = [output.name for output in session.get_outputs()]
    theirs = dict(zip(names, session.run(None, inputs)))
    other = session.run(None, {name: -0.5 * tensor for name, tensor in inputs.items()})
    if all(numpy.array_equal(a, b) for a, b in zip(theirs.values(), other)):
        raise RuntimeError("its output does not depend on its input, so it shows nothing: give it other weights")
    arguments = ["run", path, "--device", "cpu", "--schedule", options.schedule, "--warmup", 0, "--repeat", 1]
    arguments += ["--batch", options.batch, "--output-dir", folder]
    for i, tensor in enumerate(inputs.values()):
        numpy.save(folder / f"input_{i}.npy", tensor)
        arguments += ["--input", folder / f"input_{i}.npy"]
    result = iosx_json(options.iosx, *arguments)
    ours = {output["name"]: numpy.load(output["file"]) for output in result["outputs"]}
    if len(ours) != len(theirs):
        raise RuntimeError(f"outputs {sorted(ours)} and {sorted(theirs)}")
    if len(ours) == 1:  # an output that was renamed is still the only one
        theirs = dict(zip(ours, theirs.values()))
    return max(error_of(ours[name], theirs[name]) for name in ours)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL")
    parser.add_argument("--iosx", default=str(ROOT / "build/release/bin/iosx"))
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--schedule", default="sequential", help="sequential, greedy or a schedule file")
    options = parser.parse_args()
    models = options.models or [network["name"] for network in iosx_json(options.iosx, "networks")["networks"]]
    failed = 0
    for model in models:
        with tempfile.TemporaryDirectory() as folder:
            try:
                error = compare(options, model, Path(folder))
                good = error <= TOLERANCE
                print(f"{'ok  ' if good else 'FAIL'} {model}: {error:.1e}", flush=True)
            except (RuntimeError, KeyError, OSError, ValueError) as why:
                good = False
                print(f"FAIL {model}: {why}", flush=True)
            failed += not good
    print(f"{len(models) - failed} of {len(models)} agree within {TOLERANCE:g}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
