#!/usr/bin/env python3
"""The table of resources/help/workers.md: workers_bench behind every launcher that can be started here.

    python3 tests/bench/workers_table.py build/release/bin [--device cpu] [--kills 20]
"""

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "workers"))
from launchers import Missing, Slurm, Ssh  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin", type=Path)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--network", default="squeezenet")
    parser.add_argument("--millis", default="20")
    parser.add_argument("--kills", type=int, default=20)
    options = parser.parse_args()
    folder = options.bin.resolve()
    worker = f"{folder}/iosx worker --device {options.device}"
    rows = [f"here={options.device}", f"a process of its own={worker}"]
    with contextlib.ExitStack() as stack:
        for name, service in (("ssh (loopback)", Ssh), ("srun (a cluster of one node)", Slurm)):
            try:
                rows.append(f"{name}={stack.enter_context(service()).command()} {worker}")
            except Missing as why:
                print(f"{name}: {why}")
        stub = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "kubectl"
        stub.write_text('#!/bin/sh\nshift 4\nexec "$@"\n')
        stub.chmod(0o755)
        rows.append(f"kubectl exec (a stub)={stub} exec -i pod -- {worker}")
        bench = [f"{folder}/workers_bench", options.network, options.millis]
        subprocess.run([*bench, "--kills", str(options.kills), *rows], check=True, timeout=1200)
        cores = [f"taskset -c {core} {worker}" for core in sorted(os.sched_getaffinity(0))[:2]]
        if options.device == "cpu" and len(cores) == 2:
            subprocess.run([*bench, f"one core={cores[0]}", f"two cores={cores[0]};;{cores[1]}"], check=True, timeout=600)
        wait = f"{folder}/scripted_worker --millis {options.millis}"
        subprocess.run([*bench, f"one that waits={wait}", f"four that wait=4 x {wait}"], check=True, timeout=600)


if __name__ == "__main__":
    main()
