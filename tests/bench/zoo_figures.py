#!/usr/bin/env python3
"""The figures on the start page's cards: what the fastest schedule wins in each network of the zoo at batch 1, on
simulated devices, and on an H200 where gpu/bench/measured has a run of it.

    python3 tests/bench/zoo_figures.py [--iosx PATH] [--output FILE] [--check]

--check computes them and says where the file differs, instead of writing it. Needs Python alone.
"""

import argparse
import json
import sys
from pathlib import Path

from zoo_table import ROOT, iosx_json

DEVICES = ["tesla-v100", "h200"]


def figures(iosx):
    rows = []
    for network in iosx_json(iosx, "networks")["networks"]:
        for device in DEVICES:
            compared = iosx_json(iosx, "compare", network["name"], "--device", device, "--batch", "1", "--no-store")
            rows.append(row_of(network["name"], device, compared))
        for run in sorted((ROOT / "gpu/bench/measured").glob(f"*/h200-{network['name']}.iosrun")):
            rows.append(row_of(network["name"], "h200", iosx_json(iosx, "show", str(run))))
    return rows


def row_of(network, device, compared):
    """The fastest schedule, as the window's headline has it."""
    found = {schedule["id"]: schedule["latency_ms"] for schedule in compared["schedules"]}
    row = {"network": network, "device": device, "origin": compared["origin"], "sequential_ms": found["sequential"],
           "best": compared["best_id"], "best_ms": found[compared["best_id"]]}
    print(f"{network} on {device}, {row['origin']}: {row['sequential_ms'] / row['best_ms']:.2f}, {row['best']}",
          file=sys.stderr, flush=True)
    return row


def text_of(rows):
    lines = ",\n    ".join(json.dumps(row) for row in rows)
    return ('{\n  "made_by": "python3 tests/bench/zoo_figures.py",\n'
            '  "what": "latencies at batch 1: of the sequential schedule, and of the fastest one that a search found",\n'
            f'  "figures": [\n    {lines}\n  ]\n}}\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--iosx", default=ROOT / "build/release/bin/iosx")
    parser.add_argument("--output", type=Path, default=ROOT / "resources/zoo/figures.json")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    made = text_of(figures(options.iosx))
    if not options.check:
        options.output.parent.mkdir(exist_ok=True)
        options.output.write_text(made, encoding="utf-8")
        return
    kept = options.output.read_text(encoding="utf-8")
    if kept != made:
        different = [line.strip() for line in made.splitlines() if line not in kept.splitlines()]
        sys.exit(f"{options.output} differs:\n" + "\n".join(different))


if __name__ == "__main__":
    main()
