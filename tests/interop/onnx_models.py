#!/usr/bin/env python3
"""Tries real ONNX models: whether they open as they are, execute, agree with ONNX Runtime, and how fast they are.

    python3 tests/interop/onnx_models.py [--iosx PATH] [--threads N] [--runs N] [--below N] [--shape INPUT=1x3x8]
        [--value INPUT=NUMBER] [--markdown] [--no-ratio] MODEL|FOLDER ...

Prints a line a model: the folder in the given one that it lies in, who exported it, the input shapes that iosx chose or
read, how many operators cannot be executed, the largest difference from ONNX Runtime's outputs relative to the largest
magnitude of each, and ONNX Runtime's time over ours, sequential both, on as many threads: above 1 we are faster. Both get the same inputs, of the shapes that
`iosx inspect --json` names. Needs the Python packages numpy, onnx and onnxruntime in a virtual environment outside the
repository. Exits with 1 if a model's outputs differ by more than a thousandth, and with 77 (skipped) without packages.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

try:
    import numpy
    import onnx
    import onnxruntime
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[2]
DISAGREES = 1e-3
TYPES = {"float": "float32", "double": "float64"}


class Failed(Exception):
    pass


def iosx_json(iosx, *arguments, seconds=300):
    command = [iosx, *map(str, arguments), "--json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired as late:
        raise Failed(f"{arguments[0]}: no end after {seconds} s") from late
    if done.returncode != 0:
        raise Failed((done.stderr.strip().splitlines() or ["no message"])[-1])
    return json.loads(done.stdout)


def made_up(kind, shape, generator, below):
    """Values of an ONNX Runtime type, as an array also where it is one number."""
    return numpy.asarray(numbers(kind, shape, generator, below))


def numbers(kind, shape, generator, below):
    name = kind.removeprefix("tensor(").removesuffix(")")
    dtype = numpy.dtype(TYPES.get(name, name))
    if numpy.issubdtype(dtype, numpy.floating):
        return generator.uniform(-1, 1, shape).astype(dtype)
    return generator.integers(0, 2 if dtype == bool else below, shape).astype(dtype)


def made_up_again(values):
    """Others of the same kind: where outputs stay what they were, agreement shows nothing."""
    if numpy.issubdtype(values.dtype, numpy.floating):
        return numpy.asarray((values * -0.5).astype(values.dtype))
    return numpy.asarray(numpy.roll(values, 1) ^ values)


def difference(ours, theirs):
    if list(ours.shape) != list(theirs.shape):
        raise Failed(f"shapes differ: {list(ours.shape)} and {list(theirs.shape)}")
    if ours.size == 0:
        return 0.0
    ours = ours.astype(numpy.float64)
    theirs = theirs.astype(numpy.float64)
    if not numpy.array_equal(numpy.isfinite(ours), numpy.isfinite(theirs)):
        raise Failed("other elements are finite")
    finite = numpy.isfinite(theirs)
    if not finite.any():
        return 0.0
    return float(numpy.abs(ours - theirs)[finite].max() / max(numpy.abs(theirs[finite]).max(), 1e-30))


def session_of(path, threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def median_ms(session, feed, runs):
    times = []
    for _ in range(runs + 2):
        start = time.perf_counter()
        session.run(None, feed)
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times[2:])


def outputs_of(session, feed):
    """What the session yields; a map for each sample is a row of its numbers, in the order of the labels."""
    def as_array(output):
        maps = isinstance(output, list) and all(isinstance(each, dict) for each in output)
        return numpy.array([[each[label] for label in sorted(each)] for each in output]) if maps else output
    return [as_array(output) for output in session.run(None, feed)]


def sizes_for(options, path):
    """The options --shape that name inputs of the model."""
    names = {source.name for source in onnx.load(path, load_external_data=False).graph.input}
    chosen = [f"{name}={shape}" for name, shape in options.shape if name in names]
    return [argument for shape in chosen for argument in ("--shape", shape)]


def try_model(options, origin, path, folder):
    """The cells of its line, as far as it came; "error" where that was not to the end."""
    row = {"origin": origin, "model": path.stem, "exporter": onnx.load(path, load_external_data=False).producer_name or "-"}
    try:
        sizes = sizes_for(options, path)
        told = iosx_json(options.iosx, "inspect", path, *sizes)
        row["shapes"] = ", ".join("x".join(map(str, source["file_shape"])) for source in told["inputs"])
        row["opens"] = True
        kinds = [unit["kind"] for unit in told["units"]]
        row["opaque"] = sum("not executable" in kind for kind in kinds)
        session = session_of(path, options.threads)
        shapes = {source["name"]: source["file_shape"] for source in told["inputs"]}
        generator = numpy.random.default_rng(1)
        feed = {each.name: made_up(each.type, shapes[each.name], generator, options.below) for each in session.get_inputs()}
        settled = {name: value for name, value in options.value if name in feed}
        for name, value in settled.items():
            feed[name] = numpy.full_like(feed[name], float(value))
        theirs = outputs_of(session, feed)
        other = outputs_of(
            session, {name: value if name in settled else made_up_again(value) for name, value in feed.items()})
        row["constant"] = all(numpy.array_equal(a, b) for a, b in zip(theirs, other))
        arguments = ["run", path, "--device", "cpu", "--schedule", "sequential"]
        arguments += ["--repeat", options.runs] if options.ratio else ["--repeat", 1, "--warmup", 0]
        arguments += ["--output-dir", folder, *sizes]
        for i, source in enumerate(told["inputs"]):
            numpy.save(folder / f"input_{i}.npy", feed[source["name"]])
            arguments += ["--input", folder / f"input_{i}.npy"]
        result = iosx_json(options.iosx, *arguments)
        row["executes"] = True
        ours = [numpy.load(output["file"]) for output in result["outputs"]]
        if len(ours) != len(theirs):
            raise Failed(f"{len(ours)} outputs, not {len(theirs)}")
        row["error_of"] = max(difference(a, numpy.asarray(b)) for a, b in zip(ours, theirs))
        if options.ratio:
            row["ratio"] = median_ms(session, feed, options.runs) / result["schedule"]["latency_ms"]
    except Exception as why:  # whatever a runtime throws is what the table is for
        row["error"] = " ".join(str(why).split())[:150]
    return row


def cells(row, ratio):
    yes = lambda key: "yes" if row.get(key) else "no"
    return [
        row["origin"], row["model"], row["exporter"], row.get("shapes", "-"), yes("opens"),
        yes("executes") if row.get("opaque", 0) == 0 else f"no ({row['opaque']} units)",
        "-" if "error_of" not in row else f"{row['error_of']:.0e}" + (" (constant)" if row["constant"] else ""),
        *([f"{row['ratio']:.2f}" if "ratio" in row else "-"] if ratio else []),
        row.get("error", "").replace("|", "/"),
    ]


def show(rows, markdown, ratio):
    header = ["from", "model", "exporter", "input shapes", "opens", "executes", "difference",
              *(["ORT / ours"] if ratio else []), "why not"]
    table = [header] + [cells(row, ratio) for row in rows]
    if markdown:
        table.insert(1, ["---"] * len(header))
        return "\n".join("| " + " | ".join(line) + " |" for line in table)
    widths = [max(len(line[i]) for line in table) for i in range(len(header))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in table)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", metavar="MODEL|FOLDER")
    parser.add_argument("--iosx", default=str(ROOT / "build/release/bin/iosx"))
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--below", type=int, default=2, metavar="N",
                        help="whole numbers are made up below N; 0 and 1 are in every table of tokens (default: 2)")
    pair = lambda text: tuple(text.split("=", 1))
    parser.add_argument("--shape", type=pair, action="append", default=[], metavar="INPUT=1x3x8",
                        help="the shape of an input, in the models that have one of the name")
    parser.add_argument("--value", type=pair, action="append", default=[], metavar="INPUT=NUMBER",
                        help="the value of an input, such as a rate that chooses between branches")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--no-ratio", dest="ratio", action="store_false", help="nothing is timed, so that it takes less long")
    options = parser.parse_args()
    paths = []
    for model in map(Path, options.models):
        found = sorted(model.glob("**/*.onnx")) if model.is_dir() else [model]
        for path in found:
            nested = model.is_dir() and path.parent != model
            paths.append((path.relative_to(model).parts[0] if nested else path.resolve().parent.name, path))
    rows = []
    for origin, path in paths:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(try_model(options, origin, path, Path(folder)))
            print(f"{len(rows)} of {len(paths)}: {'  '.join(cells(rows[-1], options.ratio))}", file=sys.stderr, flush=True)
    print(show(rows, options.markdown, options.ratio))
    ratios = [row["ratio"] for row in rows if "ratio" in row]
    agree = sum(row.get("error_of", 1) <= DISAGREES and not row["constant"] for row in rows)
    constant = sum(row.get("constant", False) for row in rows)
    differ = sum("error_of" in row and row["error_of"] > DISAGREES for row in rows)
    print(f"\n{len(rows)} models: {sum(row.get('opens', False) for row in rows)} open, "
          f"{sum(row.get('executes', False) for row in rows)} execute, {agree} agree within {DISAGREES:g}, {differ} differ, "
          f"{constant} have outputs that do not depend on the inputs"
          + (f"; ONNX Runtime over ours {statistics.geometric_mean(ratios):.2f} in geometric mean"
             if ratios and options.ratio else ""))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
