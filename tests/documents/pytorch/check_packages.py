#!/usr/bin/env python3
"""Runs the packages that pytorch_packages writes, in both modes, and compares them with what they must compute.

    python3 check_packages.py PYTORCH_PACKAGES

Exits with 1 where one differs, and with 77 (skipped) where torch or numpy is missing.
"""

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy
    import torch
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

sys.dont_write_bytecode = True
BATCH = 2
TOLERANCE = 1e-4  # of the largest magnitude of an output


def load_package(folder):
    spec = importlib.util.spec_from_file_location("exported", folder / "__init__.py")
    package = importlib.util.module_from_spec(spec)
    for name in [name for name in sys.modules if name.split(".")[0] == "exported"]:
        del sys.modules[name]
    sys.modules["exported"] = package
    spec.loader.exec_module(package)
    return package


def numbers(file, shape):
    return torch.from_numpy(numpy.fromfile(file, dtype="<f4").reshape(shape))


def error_of(expected, actual):
    if expected.numel() != actual.numel():
        return float("inf")
    if torch.equal(expected.reshape(-1), actual.reshape(-1)):
        return 0.0  # infinities too
    return ((expected.reshape(-1) - actual.reshape(-1)).abs().max() / expected.abs().max().clamp(min=1e-30)).item()


def worst_error(case):
    network = load_package(case / "package").Network()
    inputs = [numbers(case / f"input_{i}", (BATCH,) + shape) for i, shape in enumerate(network.INPUTS.values())]
    worst = 0.0
    for sequential in (False, True):
        network.sequential = sequential
        outputs = network(*inputs)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        assert len(outputs) == len(network.OUTPUTS)
        for i, output in enumerate(outputs):
            assert output.shape[0] == BATCH
            error = error_of(numbers(case / f"output_{i}", (-1,)), output)
            worst = max(worst, error if error == error else float("inf"))
    return worst


def main():
    failed, worst = 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True)
        cases = sorted(Path(folder).iterdir())
        for case in cases:
            try:
                error = worst_error(case)
            except Exception as why:  # whatever a written module may raise
                print(f"FAIL {case.name}: {type(why).__name__}: {why}")
                failed += 1
                continue
            worst = max(worst, error)
            if error > TOLERANCE:
                print(f"FAIL {case.name}: {error:.1e}")
                failed += 1
    print(f"{len(cases) - failed} of {len(cases)} agree within {TOLERANCE:g}; largest relative difference {worst:.1e}")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
