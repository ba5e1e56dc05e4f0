#!/usr/bin/env python3
"""Fits the figures of the simulated captured GPUs to what a GPU ran, launch by launch, and judges them on what was left out.

    python3 calibrate.py --fit build/release/bin/captured_fit

It reads the runs with timelines among gpu/bench/measured/*/*.iosrun (`iosx compare --profile`) of the card that the figures
are of, reduces them to launches (recorded_launches.py), has the program captured_fit fit all figures to all networks, and
again without each network in turn, and writes

- models/devices/recorded/launches.json: the launches, which `iosx validate` simulates
- models/devices/engines/captured.json: the figures, fitted to all and by network left out; what is not fitted stays

Networks of launches.json without timelines stay as they are. Then it prints what the fit is worth. New measurements need a
new run file in the folder, nothing else. The figures hold for the program after the next build.

Exit code: 0 done, 1 there is too little to fit, 2 the command line is wrong.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from recorded_launches import document_of, recorded, text_of

HERE = Path(__file__).resolve().parent
MODELS = HERE.parents[1] / "models" / "devices"
FEWEST_NETWORKS = 2


def rows_of(figures):
    """A line a family."""
    return ",\n".join(f"   {json.dumps(name)}: {json.dumps(values)}" for name, values in figures.items())


def engine_text(engine):
    """The engine's file, so that a figure that changes is a line that changes."""
    lines = [f' "{key}": {json.dumps(engine[key])},' for key in ("source", "prior_source", "measured")]
    for key in ("families", "prior", "fitted"):
        lines.append(f' "{key}": {{\n{rows_of(engine[key])}\n }},')
    folds = [f'  {json.dumps(name)}: {{\n{rows_of(figures)}\n  }}' for name, figures in engine["held_out"].items()]
    lines.append(' "held_out": {\n' + ",\n".join(folds) + "\n }")
    return "{\n" + "\n".join(lines) + "\n}\n"


def with_untimed(document, path):
    """Adds the networks of an earlier document whose launches were not recorded."""
    if path.exists():
        known = {network["name"] for network in document["networks"]}
        old = json.loads(path.read_text())["networks"]
        document["networks"] += [each for each in old if not each.get("timed", True) and each["name"] not in known]
    return document


def fitted(options, engine, launches):
    """What captured_fit says of the engine's file and the launches."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, "captured.json"), Path(folder, "launches.json")]
        files[0].write_text(engine)
        files[1].write_text(launches)
        command = [options.fit, *map(str, files)]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def table(scores):
    lines = [f"{'':<16} latencies off by  gains off by  pairs in order  gains in their interval"]
    for name, score in scores.items():
        pairs = f"{score['pairs_right']} of {score['pairs']}"
        within = f"{score['gains_within']} of {score['gains']}"
        errors = f"{100 * score['latency_error']:15.1f} % {100 * score['gain_error']:11.1f} %"
        lines.append(f"{name:<16} {errors}  {pairs:<14}  {within}")
    return "\n".join(lines)


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="run files with timelines (default: those in gpu/bench/measured)")
    parser.add_argument("--fit", default="captured_fit", help="the program that fits (default: from the PATH)")
    parser.add_argument("--card", default="H200", help="part of the card's name (default: %(default)s)")
    parser.add_argument("--engine", default=MODELS / "engines" / "captured.json", help="default: %(default)s")
    parser.add_argument("--launches", default=MODELS / "recorded" / "launches.json", help="default: %(default)s")
    parser.add_argument("--dry-run", action="store_true", help="write nothing")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser.parse_args()


def main():
    options = parsed()
    engine_file, launches_file = Path(options.engine), Path(options.launches)
    files = options.files or sorted(HERE.glob("measured/*/*.iosrun"))
    try:
        engine = json.loads(engine_file.read_text())
        networks = recorded(files, options.card)
        if len(networks) < FEWEST_NETWORKS:
            print("calibrate.py: there is too little to fit: two networks with timelines are wanted", file=sys.stderr)
            return 1
        source = f"Recorded by CUPTI on an {options.card}, TF32, batch 1; made by gpu/bench/calibrate.py"
        launches = text_of(with_untimed(document_of(networks, source), launches_file))
        found = fitted(options, engine_text(engine), launches)
        engine.update(fitted=found["fitted"], held_out=found["held_out"])
        if not options.dry_run:
            launches_file.write_text(launches)
            engine_file.write_text(engine_text(engine))
    except (OSError, KeyError, json.JSONDecodeError) as error:
        print(f"calibrate.py: {error}", file=sys.stderr)
        return 2
    except subprocess.CalledProcessError as error:
        print(f"calibrate.py: {error.stderr.strip() or error}", file=sys.stderr)
        return 2
    print(json.dumps(found) if options.json else table(found["scores"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
