#!/usr/bin/env python3
"""Compares what exported PyTorch packages compute with our CPU device and with ONNX Runtime, on the same input.

    python3 tests/interop/compare_pytorch_export.py [--iosx PATH] [--schedules LIST] [--batch N] [MODEL ...]

A MODEL is a network of the zoo or an .onnx file; without one: the whole zoo. Schedules: sequential, greedy, and searches
(ios-merge, ios-both, …) on a simulated GPU. Each package runs in both of its modes. Needs the Python packages torch, numpy
and onnxruntime, as compare_with_onnxruntime.py says.

The error of an output is the largest difference of an element over the largest magnitude in that output; up to 1e-4
passes. Exits with 1 if a model fails, and with 77 (skipped) where a package is missing.
"""

import argparse
import importlib.util
import re
import sys
import tempfile
import time
from pathlib import Path

try:
    import torch
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

from compare_with_onnxruntime import ROOT, TOLERANCE, error_of, iosx_json, numpy, onnxruntime, random_inputs

sys.dont_write_bytecode = True
LEAST_CHANGE = 0.01  # of an output, where the input is another
SEARCH_DEVICE = "tesla-v100"


def load_network(folder):
    spec = importlib.util.spec_from_file_location("exported", folder / "__init__.py")
    package = importlib.util.module_from_spec(spec)
    for name in [name for name in sys.modules if name.split(".")[0] == "exported"]:
        del sys.modules[name]
    sys.modules["exported"] = package
    spec.loader.exec_module(package)
    return package.Network()


def schedule_files(options, model, folder):
    """What --schedule takes for each schedule: baselines by name, searched ones as files."""
    chosen = {}
    searched = []
    for name in options.schedules.split(","):
        if name in ("sequential", "greedy"):
            chosen[name] = name
        else:
            searched.append(name)
            chosen[name] = folder / "searched" / f"{name}.schedule.json"
    if searched:
        arguments = ["--schedules", ",".join(searched), "--device", SEARCH_DEVICE, "--output", folder / "searched"]
        iosx_json(options.iosx, "compare", model, *arguments)
    return chosen


def onnx_outputs(options, model, folder):
    """Inputs, and what ONNX Runtime makes of them, by name."""
    path = Path(model)
    if not model.endswith(".onnx"):
        path = folder / f"{model}.onnx"
        iosx_json(options.iosx, "convert", model, path)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    inputs = random_inputs(session, options.batch)
    names = [output.name for output in session.get_outputs()]
    outputs = session.run(None, inputs)
    other = session.run(None, {name: -0.5 * tensor for name, tensor in inputs.items()})
    if max(error_of(one, another) for one, another in zip(outputs, other)) < LEAST_CHANGE:
        raise RuntimeError("its output hardly depends on its input, so it shows nothing: give it other weights")
    return list(inputs.values()), dict(zip(names, outputs))


def cpu_outputs(options, model, schedule, inputs, folder):
    arguments = ["run", model, "--device", "cpu", "--schedule", schedule, "--warmup", 0, "--repeat", 1]
    arguments += ["--batch", options.batch, "--output-dir", folder]
    for i, tensor in enumerate(inputs):
        numpy.save(folder / f"input_{i}.npy", tensor)
        arguments += ["--input", folder / f"input_{i}.npy"]
    result = iosx_json(options.iosx, *arguments)
    return {output["name"]: numpy.load(output["file"]) for output in result["outputs"]}


def compare(options, model, folder):
    inputs, theirs = onnx_outputs(options, model, folder)
    failed = 0
    for name, schedule in schedule_files(options, model, folder).items():
        ours = cpu_outputs(options, model, schedule, inputs, folder)
        iosx_json(options.iosx, "export", "pytorch", model, "--schedule", schedule, "-o", folder / "package")
        summary = re.search(r': (\d+ stages?, .*)\.(?:""")?$', (folder / "package" / "network.py").read_text(), re.MULTILINE)
        network = load_network(folder / "package")
        if len(theirs) == 1:  # an output that was renamed is still the only one
            theirs = dict(zip(network.OUTPUTS, theirs.values()))
        worst = {"the CPU device": 0.0, "ONNX Runtime": 0.0}
        times = []
        for network.sequential in (False, True):
            begin = time.perf_counter()
            outputs = network(*(torch.from_numpy(tensor) for tensor in inputs))
            times.append(time.perf_counter() - begin)
            outputs = outputs if isinstance(outputs, tuple) else (outputs,)
            for output, tensor in zip(network.OUTPUTS, outputs):
                for what, expected in (("the CPU device", ours[output]), ("ONNX Runtime", theirs[output])):
                    error = error_of(tensor.numpy(), expected)
                    worst[what] = max(worst[what], error if error == error else float("inf"))
        good = max(worst.values()) <= TOLERANCE
        failed += not good
        errors = ", ".join(f"{error:.1e} from {what}" for what, error in worst.items())
        print(f"{'ok  ' if good else 'FAIL'} {model}, {name} ({summary[1]}): {errors}; first run {times[0]:.2f} s, "
              f"sequential {times[1]:.2f} s", flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL")
    parser.add_argument("--iosx", default=str(ROOT / "build/release/bin/iosx"))
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--schedules", default="sequential,greedy,ios-merge,ios-both")
    options = parser.parse_args()
    models = options.models or [network["name"] for network in iosx_json(options.iosx, "networks")["networks"]]
    failed = 0
    for model in models:
        with tempfile.TemporaryDirectory() as folder:
            try:
                failed += compare(options, model, Path(folder))
            except (RuntimeError, KeyError, OSError, ValueError) as why:
                print(f"FAIL {model}: {why}", flush=True)
                failed += 1
    print(f"{len(models)} models, {failed} failures; tolerance {TOLERANCE:g}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
