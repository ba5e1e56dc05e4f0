#!/usr/bin/env python3
"""The figures on the start page's cards: what concurrency wins in each network of the zoo, on simulated devices at batch 1.

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
            compared = iosx_json(iosx, "compare", network["name"], "--device", device, "--batch", "1", "--no-store",
                                 "--schedules", "sequential,ios-both")
            found = {schedule["id"]: schedule["latency_ms"] for schedule in compared["schedules"]}
            rows.append({"network": network["name"], "device": device, "sequential_ms": found["sequential"],
                         "ios_ms": found["ios-both"]})
            print(f"{network['name']} on {device}: {rows[-1]['sequential_ms'] / rows[-1]['ios_ms']:.2f}",
                  file=sys.stderr, flush=True)
    return rows


def text_of(rows):
    lines = ",\n    ".join(json.dumps(row) for row in rows)
    return ('{\n  "made_by": "python3 tests/bench/zoo_figures.py",\n'
            '  "what": "simulated latencies at batch 1: the sequential schedule, and the one that the search found",\n'
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
