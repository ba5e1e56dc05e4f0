#!/usr/bin/env python3
"""Fits the few free figures of a simulated captured GPU to measurements, on half of the networks, and judges on the others.

    python3 calibrate.py gpu-benchmark --iosx bin/iosx --device h200

gpu-benchmark is a folder of results of benchmark.py on a GPU, --device the simulated one that stands for it. What is
fitted: the time from kernel to kernel, that of a stage which waits for several lanes, that of a replay, and one factor of
all that remains (tiles, memory, arithmetic). Of these a run is taken to be the sum, with so many kernels and joins one
after another as its schedule has: an approximation, which the simulator itself does not make.

Only sequential and greedy are used, which are the same schedules on every device. Every second network, by name, is
fitted to, the others only show what the fit is worth: where they are not foretold better than before, the figures say
nothing. Nothing is written; new figures go into the engine's file (models/devices/engines) by hand, with where they are
from.

Exit code: 0 done, 1 there is too little to fit, 2 the command line is wrong.
"""

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

SCHEDULES = ["sequential", "greedy"]
FIGURES = ["replay_us", "kernel_start_us", "join_us", "rest"]
HELD = 1e-6  # how much the old figures weigh: they stay where measurements say nothing
ROUNDS = 20000


class Point:
    """One measured run: what was measured, and what the simulation makes of it, taken apart."""

    def __init__(self, name, measured_ms, predicted_ms, kernels, joins):
        self.name, self.measured = name, measured_ms * 1000
        self.predicted, self.kernels, self.joins = predicted_ms * 1000, kernels, joins

    def parts(self, old):
        """How often each figure counts; the last one is µs."""
        rest = self.predicted - old["replay_us"] - old["kernel_start_us"] * self.kernels - old["join_us"] * self.joins
        return [1, self.kernels, self.joins, max(rest, 0)]

    def foretold(self, old, new):
        return sum(count * new[figure] for count, figure in zip(self.parts(old), FIGURES))


def fitted(points, old):
    """The figures with the least squares of relative errors, none negative: by coordinate descent."""
    rows = [[count / point.measured for count in point.parts(old)] for point in points]
    new = dict(old)
    held = HELD * len(points)
    for _ in range(ROUNDS):
        change = 0
        for j, figure in enumerate(FIGURES):
            weight = held / old[figure] ** 2 + sum(row[j] ** 2 for row in rows)
            pull = held / old[figure]
            for row in rows:
                others = sum(row[i] * new[other] for i, other in enumerate(FIGURES) if i != j)
                pull += row[j] * (1 - others)
            value = max(0, pull / weight)
            change = max(change, abs(value - new[figure]) / old[figure])
            new[figure] = value
        if change < 1e-9:
            break
    return new


def off_by(points, old, new):
    """The factor by which latencies are foretold wrongly, in the geometric mean."""
    logs = [abs(math.log(max(point.foretold(old, new), 1e-9) / point.measured)) for point in points]
    return math.exp(sum(logs) / len(logs))


def chain(stages, kernels):
    """Kernels one after another and stages that wait for several lanes, of a schedule with so many kernels in all."""
    stages = [stage for stage in stages if stage["latency_ms"] > 0]
    units = sum(len(group) for stage in stages for group in stage["groups"])
    longest = sum(max(map(len, stage["groups"])) for stage in stages)
    wide = [len(stage["groups"]) > 1 for stage in stages]
    joins = sum(here or before for here, before in zip(wide, [False] + wide))
    return longest * kernels / units if units else 0, joins


def simulated(options, network, batch, schedule):
    command = [options.iosx, "run", network, "--batch", str(batch), "--schedule", schedule, "--device", options.device]
    output = subprocess.run(command + ["--json"], capture_output=True, text=True, check=True).stdout
    document = json.loads(output)
    return document["schedule"]["latency_ms"], *chain(document["schedule"]["stages"], document["kernels"])


def measured(folder):
    """By network, then (batch, schedule): milliseconds. Of the device that was measured last."""
    entries = []
    for line in Path(folder, "results.jsonl").read_text().splitlines():
        try:
            entries.append(json.loads(line))
        except json.JSONDecodeError:  # cut off by a kill
            continue
    found = {}
    for entry in entries:
        words = entry["task"].split()
        if words[0] != "ours" or entry.get("on") != entries[-1].get("on") or "schedules" not in entry["result"]:
            continue
        for schedule in SCHEDULES:
            if schedule in entry["result"]["schedules"]:
                latency = entry["result"]["schedules"][schedule]["latency_ms"]
                found.setdefault(words[1], {})[int(words[2]), schedule] = latency
    return found


def engine_figures(path):
    captured = json.loads(Path(path).read_text())["captured"]
    return {figure: captured[figure] for figure in FIGURES[:-1]} | {"rest": 1.0}


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="results of benchmark.py")
    parser.add_argument("--iosx", default="iosx", help="the program (default: from the PATH)")
    parser.add_argument("--device", default="h200", help="the simulated device (default: %(default)s)")
    engines = Path(__file__).resolve().parents[2] / "models" / "devices" / "engines"
    parser.add_argument("--engine", default=engines / "captured-tf32.json", help="its engine's file (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser.parse_args()


def main():
    options = parsed()
    try:
        old = engine_figures(options.engine)
        latencies = measured(options.folder)
        points = {
            network: [
                Point(f"{network} {batch} {schedule}", took, *simulated(options, network, batch, schedule))
                for (batch, schedule), took in sorted(runs.items())
            ]
            for network, runs in sorted(latencies.items())
        }
    except (OSError, KeyError, json.JSONDecodeError, subprocess.CalledProcessError) as error:
        print(f"calibrate.py: {error}", file=sys.stderr)
        return 2
    halves = {
        "fitted to": [point for network in list(points)[::2] for point in points[network]],
        "judged on": [point for network in list(points)[1::2] for point in points[network]],
    }
    if len(points) < 2 or len(halves["fitted to"]) < len(FIGURES):
        print("calibrate.py: there is too little to fit: two networks and four runs of one half are wanted", file=sys.stderr)
        return 1
    new = fitted(halves["fitted to"], old)
    errors = {half: (off_by(some, old, old), off_by(some, old, new)) for half, some in halves.items()}
    if options.json:
        print(json.dumps({"old": old, "new": new, "off": errors, "networks": list(points)}))
        return 0
    for figure in FIGURES:
        print(f"{figure:<16} {old[figure]:8.3f} -> {new[figure]:8.3f}")
    for half, (before, after) in errors.items():
        networks = sorted({point.name.split()[0] for point in halves[half]})
        print(f"{half} {', '.join(networks)}: off by a factor of {before:.3f}, with the new figures {after:.3f}")
    if errors["judged on"][1] >= errors["judged on"][0]:
        print("The other networks are not foretold better: the new figures are not worth taking over.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
