#!/usr/bin/env python3
"""How much concurrency can win, for each network of the zoo, on a simulated device at batch 1: writes a table.

    python3 tests/bench/zoo_table.py [--iosx PATH] [--device ID] [--output FILE] [NETWORK ...]

Without networks: the whole zoo. Needs Python alone. `cmake --build --preset release --target iosx` builds the program.
"""

import argparse
import datetime
import json
import math
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCHEDULES = ["one-by-one", "sequential", "greedy", "ios-both"]

HEAD = """# What concurrency gains

This page compares schedules of each built-in network on **{device}, simulated**, at batch 1: one operator per stage
(one by one), one stream (sequential), the greedy schedule, and the schedule that the search found (IOS-Both: concurrent
stages and merged layers). Latencies are end to end, in milliseconds. Nothing here was measured on hardware.

Made on {date} by

    python3 tests/bench/zoo_table.py --device {id}

from the built-in networks. `iosx compare NETWORK --device {id}` shows one row with its stages. The device: {summary}.

- **Width**: the maximum number of concurrent units, in the widest part that the search handles at once.
- **Speed-up**: sequential over IOS. Sequential is the best result of one stream, with every sum and activation fused
  that the engine can fuse. So the speed-up is the gain of concurrency and merging.
- **Fusion**: one by one over sequential, the gain of fused kernels in one stream. The sequential schedule of the IOS
  paper is one by one; the whole gain over it is fusion times speed-up.
- **Over greedy**: greedy over IOS. Each of greedy's groups is one unit, as published, so no kernel of it computes several
  units: no sum in a convolution, no squeeze and excitation in two launches. Without branches it is slower than
  sequential by that. It is below 1 only if greedy puts more than 8 groups into a stage, the limit of this search
  (`-s`).
- **Search**: seconds, exhaustive or lazy. A lazy search gives the maximum distance of its schedule from the optimum
  (**gap**), if its bounds hold. *Cut* means that parts were too large to list and were cut; the gap is then to the
  optimum of the cut parts.
"""


def iosx_json(iosx, *arguments):
    done = subprocess.run([iosx, *arguments, "--json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"iosx {' '.join(arguments)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def row(iosx, network, device):
    name = network["name"]
    about = iosx_json(iosx, "inspect", name)
    start = time.monotonic()
    compared = iosx_json(iosx, "compare", name, "--device", device, "--no-store", "--schedules", ",".join(SCHEDULES))
    seconds = time.monotonic() - start
    found = {schedule["id"]: schedule for schedule in compared["schedules"]}
    one_by_one, sequential, greedy, ios = (found[schedule]["latency_ms"] for schedule in SCHEDULES)
    search = found["ios-both"]
    gap = search.get("certified_gap")
    cut = len(about["parts"]) != network["parts"]
    return {
        "group": network["group"],
        "speedup": sequential / ios,
        "fusion": one_by_one / sequential,
        "seconds": seconds,
        "cells": [
            network["title"],
            f"{about['flops'] / 1e9:.2f}",
            f"{about['parameters'] / 1e6:.2f}",
            str(network["units"]),
            str(max(part["width"] for part in about["parts"])),
            f"{one_by_one:.3f}",
            f"{sequential:.3f}",
            f"{greedy:.3f}",
            f"{ios:.3f}",
            f"**{sequential / ios:.2f}**",
            f"{one_by_one / sequential:.2f}",
            f"{greedy / ios:.2f}",
            f"{search['search_seconds']:.1f}, {search['method']}{', cut' if cut else ''}",
            "0" if not gap else f"{100 * gap:.1f} %",
        ],
    }


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


def table(rows):
    titles = ["network", "GFLOPs", "parameters (10⁶)", "units", "width", "one by one (ms)", "sequential (ms)", "greedy (ms)", "IOS (ms)",
              "speed-up", "fusion", "over greedy", "search (s)", "gap"]
    lines = ["| " + " | ".join(titles) + " |", "| --- |" + " ---: |" * (len(titles) - 1)]
    group = None
    for each in rows:
        if each["group"] != group:
            group = each["group"]
            lines.append(f"| *{group}* |" + " |" * (len(titles) - 1))
        lines.append("| " + " | ".join(each["cells"]) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--iosx", default=ROOT / "build/release/bin/iosx")
    parser.add_argument("--device", default="h200")
    parser.add_argument("--output", default=ROOT / "resources/help/zoo.md")
    parser.add_argument("networks", nargs="*", metavar="NETWORK")
    options = parser.parse_args()

    zoo = iosx_json(options.iosx, "networks")["networks"]
    device = next((one for one in iosx_json(options.iosx, "devices")["devices"] if one["id"] == options.device), None)
    if device is None or device["origin"] != "simulated":
        sys.exit(f"{options.device}: no simulated device has this id; iosx devices lists them")
    rows = []
    for network in zoo:
        if options.networks and network["name"] not in options.networks:
            continue
        rows.append(row(options.iosx, network, options.device))
        print(f"{network['name']}: {rows[-1]['speedup']:.2f} ({rows[-1]['seconds']:.1f} s)", file=sys.stderr, flush=True)
    speedups = [each["speedup"] for each in rows]
    head = HEAD.format(device=device["name"], id=device["id"], summary=device["summary"],
                       date=datetime.datetime.now(datetime.timezone.utc).date())
    Path(options.output).write_text(
        f"{head}\n{table(rows)}\n\nGeometric mean of the speed-ups over sequential: {geometric_mean(speedups):.2f}, the largest "
        f"{max(speedups):.2f}, the smallest {min(speedups):.2f}; of fusion in one stream "
        f"{geometric_mean([each['fusion'] for each in rows]):.2f}.\n", encoding="utf-8")


if __name__ == "__main__":
    main()
