#!/usr/bin/env python3
"""Our schedules beside PyTorch on one GPU, and beside what the simulation predicted.

    python3 benchmark.py --iosx bin/iosx [--seconds 500] [--out gpu-benchmark]

For every network and batch: our schedules (iosx compare), of which sequential, one captured stream with cuDNN's fused
kernels, is what gains are against, and one-by-one, an operator a stage, shows what of them would be fusion; PyTorch
eager, as a CUDA graph and compiled, and ONNX Runtime where it is installed (torch_modes.py), in the same precision on the
same weights, with their outputs compared, each mode kept as soon as it is done; then the fastest schedule once more, to
see drift. On the sample network also the active warps.

A call works until --seconds are over and keeps what it has in the folder --out, and iosx its measurements in its store;
the next call goes on from there. --table prints what there is. What is simulated can be run too: that is how the
predictions were made.

Exit code: 0 all done, 3 time was up before everything was done, 1 something failed, 2 the command line is wrong.
"""

import argparse
import importlib.util
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

BEGUN = time.monotonic()
HERE = Path(__file__).resolve().parent
NETWORKS = ["inception_v3", "squeezenet", "googlenet", "resnet50", "randwire", "nasnet"]
BATCHES = [1, 16, 32, 64, 128]
SCHEDULES = ["one-by-one", "sequential", "greedy", "ios-merge", "ios-parallel", "ios-both"]
MODES = ["eager", "graph", "schedule", "onnxruntime", "compile"]  # in this order
OF_PYTORCH = ["eager", "graph", "compile"]
PART_BY_PART = ["torch", "device", "uuid", "modes", "differences"]  # of the others: kept while a task is not done
LEAST_SECONDS = 10  # not worth starting anything
LEAVE_SECONDS = 5  # for an interrupted program to write down what it has

# Dense TFLOP/s by precision and GB/s of memory, from NVIDIA's data sheets: for the roofline.
PEAKS = {
    "H200": ({"f32": 67, "tf32": 494.7, "f16": 989.4, "bf16": 989.4}, 4800),
    "H100": ({"f32": 67, "tf32": 494.7, "f16": 989.4, "bf16": 989.4}, 3350),
    "A100": ({"f32": 19.5, "tf32": 156, "f16": 312, "bf16": 312}, 2039),
}


class TimeIsUp(Exception):
    pass


class Results:
    """What is known, by task: a line a task, the newest counts. Lines are appended, so that a kill loses one at most.

    Each names the GPU that it is of, by the device's fingerprint, which has its model and the versions of driver and
    libraries: what is of another one is not known. Without a fingerprint: of the one that was asked last."""

    def __init__(self, folder, fingerprint=None):
        self.path = Path(folder, "results.jsonl")
        self.fingerprint = fingerprint
        self.others = set()  # fingerprints
        self.known = {}
        text = self.path.read_text() if self.path.exists() else ""
        self.cut_off = text != "" and not text.endswith("\n")  # by a kill
        entries = []
        for line in text.splitlines():
            try:
                entries.append(json.loads(line))
            except json.JSONDecodeError:
                continue
        if fingerprint is None:
            self.fingerprint = next((entry.get("on") for entry in reversed(entries)), None)
        for entry in entries:
            if entry.get("on") == self.fingerprint:
                self.known[entry["task"]] = entry["result"]
            else:
                self.others.add(entry.get("on"))

    def add(self, task, result):
        self.known[task] = result
        with open(self.path, "a", encoding="utf-8") as file:
            file.write("\n" * self.cut_off + json.dumps({"task": task, "on": self.fingerprint, "result": result}) + "\n")
            self.cut_off = False
            file.flush()
            os.fsync(file.fileno())


class Programs:
    def __init__(self, options):
        self.options = options
        self.end = BEGUN + options.seconds

    def left(self):
        return self.end - time.monotonic() - LEAVE_SECONDS

    def run(self, command, on_line=lambda line: None, **environment):
        """Its standard output, of which on_line is given every line at once. Raises TimeIsUp, or RuntimeError with what
        it said."""
        if self.left() < LEAST_SECONDS:
            raise TimeIsUp
        print("+ " + " ".join(map(str, command)), file=sys.stderr, flush=True)
        process = subprocess.Popen(
            list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
            env={**os.environ, **environment},
        )  # fmt: skip
        output, said = [], []

        def read(stream, into, tell):
            for line in stream:
                into.append(line)
                tell(line)

        readers = [
            threading.Thread(target=read, args=(process.stdout, output, on_line), daemon=True),
            threading.Thread(target=read, args=(process.stderr, said, lambda line: None), daemon=True),
        ]
        for reader in readers:
            reader.start()
        try:
            process.wait(timeout=self.left())
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)  # iosx then keeps what it measured
            try:
                process.wait(timeout=LEAVE_SECONDS - 1)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            raise TimeIsUp from None
        finally:
            for reader in readers:
                reader.join(timeout=1)  # what the process started may hold its pipes longer
        if process.returncode != 0:
            raise RuntimeError("".join(said).strip()[-500:] or f"exit code {process.returncode}")
        return "".join(output)

    def iosx(self, *arguments):
        return self.run([*iosx_command(self.options), *arguments])


class Benchmark:
    def __init__(self, options, device):
        self.options = options
        self.device = device
        self.folder = Path(options.out)
        self.programs = Programs(options)
        self.results = Results(options.out, device["fingerprint"])

    def tasks(self):
        """What, for which modes, and how, in order: what matters most first. Compiling takes minutes, so it comes last."""
        yield "device", [], self.describe
        quick = [mode for mode in self.options.modes if mode != "compile"]
        for batch in self.options.batches:
            for network in self.options.networks:
                yield f"ours {network} {batch}", [], lambda n=network, b=batch: self.ours(n, b)
                if self.computes() and self.options.torch and quick:
                    yield f"others {network} {batch}", quick, lambda n=network, b=batch: self.others(n, b, quick)
                if self.computes():
                    yield f"again {network} {batch}", [], lambda n=network, b=batch: self.again(n, b)
        yield "warps", [], self.active_warps
        if not self.computes() or not self.options.torch or "compile" not in self.options.modes:
            return
        for batch in self.options.batches:
            for network in self.options.networks:
                yield f"others {network} {batch}", self.options.modes, (
                    lambda n=network, b=batch: self.others(n, b, self.options.modes))  # fmt: skip

    def computes(self):
        return self.device["origin"] != "simulated"

    def work(self):
        failed = set()
        for task, modes, do in self.tasks():
            if task in failed:
                continue
            known = self.results.known.get(task)
            if known is not None and ("error" not in known or modes) and not self.lacking(known, modes):
                continue
            try:
                result = do()
            except TimeIsUp:
                raise
            except Exception as error:  # pylint: disable=broad-except  # whatever it is, the other tasks go on
                done = self.results.known.get(task, {})
                result = {key: done[key] for key in PART_BY_PART if key in done}
                result["error"] = str(error) or type(error).__name__
                failed.add(task)
                print(f"{task}: {error}", file=sys.stderr)
            self.results.add(task, result)
        return len(failed)

    def describe(self):
        return {**self.device, "precision": self.options.precision, "date": time.strftime("%Y-%m-%d")}

    def active_warps(self):
        document = json.loads(self.programs.iosx("profile", "sample", "--device", self.options.device, "--json"))
        warps = {}
        for schedule in document["schedules"]:
            for counter in schedule["counters"]:
                if counter["name"] == "active warps":
                    warps[schedule["id"]] = {"mean": counter["mean"], "source": counter["source"]}
        return {"warps": warps, "notices": document["notices"]}

    def ours(self, network, batch):
        name = f"{network}_{batch}"
        document = json.loads(
            self.programs.iosx(
                "compare", network, "--device", self.options.device, "--batch", batch, "--schedules",
                ",".join(self.options.schedules), *self.options.search,
                "-o", self.folder / name, "--save", self.folder / f"{name}.iosrun", "--json",
            )
        )  # fmt: skip
        inspected = json.loads(self.programs.iosx("inspect", network, "--batch", batch, "--json"))
        kept = ("latency_ms", "spread_ms", "samples", "stage_sum_ms", "search_seconds", "needed", "measured", "reused")
        alone = next((one for one in document["schedules"] if one["id"] == "one-by-one"), None)
        return {
            "best": document["best"],
            "schedules": {
                one["id"]: {key: one[key] for key in kept if key in one} | {"stages": len(one["stages"])}
                for one in document["schedules"]
            },
            "critical_path_ms": critical_path(inspected["units"], alone["stages"]) if alone else None,
            "flops": inspected["flops"],
            "parameters": inspected["parameters"],
        }

    def schedule_file(self, network, batch):
        best = self.results.known[f"ours {network} {batch}"].get("best")
        if best is None:
            raise RuntimeError("there is no schedule of ours")
        if best in ("one-by-one", "sequential", "greedy"):
            return best
        files = list((self.folder / f"{network}_{batch}").glob(f"*{best}.schedule.json"))
        if not files:
            raise RuntimeError(f"the schedule {best} was not written")
        return files[0]

    @staticmethod
    def lacking(known, modes):
        """Those of the modes that are still to be tried, and "iosx" where its outputs were not compared with theirs."""
        if not modes:
            return []
        return [mode for mode in modes if mode not in known.get("modes", {})] + [
            "iosx" for _ in range("iosx" not in known.get("differences", {}))
        ]

    def others(self, network, batch, modes):
        with tempfile.TemporaryDirectory() as scratch:  # weights would fill the folder of results
            return self.others_in(Path(scratch), network, batch, modes)

    def others_in(self, scratch, network, batch, modes):
        task = f"others {network} {batch}"
        known = self.results.known.get(task, {})
        lacking = self.lacking(known, modes)
        result = {"modes": {}, "differences": {}} | {key: known[key] for key in PART_BY_PART if key in known}

        wrong = []

        def on_line(line):
            try:
                said = json.loads(line)
                mode = said.pop("mode", None)
            except (json.JSONDecodeError, AttributeError):  # a library's own words
                return
            if mode is None:
                result.update(said)
                wrong.extend(self.not_this_one(said.get("uuid")))
                return
            if wrong:
                return
            if "result" in said:
                result["modes"][mode] = said["result"]
            if "difference" in said:
                result["differences"][mode] = said["difference"]
            self.results.add(task, result)

        exported = scratch / "pytorch"
        self.programs.iosx("export", "pytorch", network, "--schedule", self.schedule_file(network, batch), "-o", exported)
        model = scratch / "model.onnx"
        self.programs.iosx("convert", network, "-o", model)
        command = [
            sys.executable, HERE / "torch_modes.py", exported, "--batch", batch,
            "--precision", self.options.precision, "--device", self.options.torch_device,
            "--modes", ",".join(mode for mode in lacking if mode != "iosx") or MODES[0], "--onnx", model,
        ]  # fmt: skip
        if "iosx" in lacking:
            command += [
                "--iosx", *iosx_command(self.options), "run", network, "--schedule", self.schedule_file(network, batch),
                "--device", self.options.device, "--batch", batch,
            ]  # fmt: skip
        # What was compiled is not compiled again by the next call, nor half of what was not done.
        self.programs.run(command, on_line, TORCHINDUCTOR_CACHE_DIR=str(self.folder.resolve() / "inductor"))
        if wrong:
            raise RuntimeError(wrong[0])
        if left := [one for one in self.lacking(result, modes) if one != "iosx"]:
            raise RuntimeError(f"torch_modes.py says nothing of {', '.join(left)}")
        result["differences"].setdefault("iosx", None)
        return result

    def not_this_one(self, uuid):
        """Why PyTorch's GPU is another one than ours, if it is."""
        ours = re.search(r"GPU-([0-9a-f-]+)", self.device["summary"])
        if not uuid or ours is None or uuid.removeprefix("GPU-") == ours[1]:
            return []
        return [f"PyTorch's {self.options.torch_device} is another GPU than {self.options.device}: name it with --torch-device"]

    def again(self, network, batch):
        schedule = self.schedule_file(network, batch)
        output = self.programs.iosx(
            "run", network, "--schedule", schedule, "--device", self.options.device, "--batch", batch, "--json"
        )
        return {"latency_ms": json.loads(output)["schedule"]["latency_ms"]}


def iosx_command(options):
    return ["env", f"LD_LIBRARY_PATH={options.libraries}", options.iosx] if options.libraries else [options.iosx]


def critical_path(units, stages):
    """Milliseconds of the longest path, each unit taking what its stage of one-by-one takes."""
    taken = {stage["groups"][0][0]: stage["latency_ms"] for stage in stages if stage["groups"]}
    ends = {}
    for unit in units:
        begin = max((ends.get(source, 0) for source in unit["inputs"]), default=0)
        ends[unit["name"]] = begin + taken.get(unit["name"], 0)
    return max(ends.values(), default=0)


def roofline_ms(ours, batch, device, precision):
    """What the arithmetic, or reading the weights once, takes at the peak; None where the device's is not known."""
    peak = next((peak for name, peak in PEAKS.items() if re.search(rf"\b{name}\b", device["name"])), None)
    if peak is None:
        return None
    element = 2 if precision in ("f16", "bf16") else 4
    return max(ours["flops"] / (peak[0][precision] * 1e9), ours["parameters"] * element / (peak[1] * 1e6))


def geometric_mean(values):
    values = [value for value in values if value]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def text_of(value, form):
    return "-" if value is None else format(value, form)


def beside(measured, predicted):
    """0.744(0.700): what was measured, and what was foretold."""
    return text_of(measured, ".3f") + (f"({predicted:.3f})" if measured is not None and predicted else "")


def with_interval(mode):
    """0.744±0.4%: a median and half of its 95 % confidence interval."""
    if mode.get("median_ms") is None:
        return "-"
    half = (mode["high_ms"] - mode["low_ms"]) / 2 / mode["median_ms"] if "low_ms" in mode else None
    return f"{mode['median_ms']:.3f}" + ("" if half is None else f"±{half:.1%}")


class Row:
    """One network and batch in the table."""

    def __init__(self, network, batch, results, predicted, device, precision):
        self.network, self.batch = network, batch
        ours = results[f"ours {network} {batch}"]
        others = results.get(f"others {network} {batch}", {})
        before = predicted.get(f"ours {network} {batch}", {}).get("schedules", {})
        again = results.get(f"again {network} {batch}", {}).get("latency_ms")
        schedules = ours["schedules"]
        self.sequential = schedules["sequential"]["latency_ms"]
        one_by_one = schedules.get("one-by-one", {}).get("latency_ms")
        self.fusion = one_by_one / self.sequential if one_by_one else None
        self.greedy = schedules.get("greedy", {}).get("latency_ms")
        self.ios = min((one["latency_ms"] for name, one in schedules.items() if name.startswith("ios")), default=None)
        self.spread = max(one["spread_ms"] / one["latency_ms"] for one in schedules.values())
        self.drift = again / schedules[ours["best"]]["latency_ms"] - 1 if again else None
        self.gain = self.sequential / self.ios if self.ios else None
        predicted_ios = min((one["latency_ms"] for name, one in before.items() if name.startswith("ios")), default=None)
        self.predicted_greedy = before.get("greedy", {}).get("latency_ms")
        self.predicted_sequential = before.get("sequential", {}).get("latency_ms")
        self.predicted_ios = predicted_ios
        self.predicted_gain = self.predicted_sequential / predicted_ios if predicted_ios else None
        modes = others.get("modes", {})
        self.modes = {name: modes.get(name, {}) for name in MODES}
        of_pytorch = [self.modes[name]["median_ms"] for name in OF_PYTORCH if self.modes[name].get("median_ms")]
        self.over_pytorch = min(of_pytorch) / self.ios if of_pytorch and self.ios else None
        self.difference = max((one for one in others.get("differences", {}).values() if one is not None), default=None)
        roofline = roofline_ms(ours, batch, device, precision)
        bound = max(ours["critical_path_ms"], roofline or 0) if ours["critical_path_ms"] is not None else None
        self.over_bound = self.ios / bound if self.ios and bound else None

    COLUMNS = [
        ("network", 13), ("batch", 6), ("sequential", 16), ("greedy", 16), ("IOS", 16), ("±", 7), ("drift", 7),
        ("fusion", 7), ("seq/IOS", 8), ("foretold", 9), ("eager", 14), ("graph", 14), ("compile", 14), ("schedule", 14), ("ORT", 14),
        ("torch/IOS", 10), ("IOS/bound", 10), ("differ", 8),
    ]  # fmt: skip

    def cells(self):
        return [
            self.network, str(self.batch), beside(self.sequential, self.predicted_sequential),
            beside(self.greedy, self.predicted_greedy), beside(self.ios, self.predicted_ios), text_of(self.spread, ".1%"), text_of(self.drift, "+.1%"),
            text_of(self.fusion, ".2f"), text_of(self.gain, ".2f"), text_of(self.predicted_gain, ".2f"),
            *(with_interval(self.modes[name]) for name in [*OF_PYTORCH, "schedule", "onnxruntime"]),
            text_of(self.over_pytorch, ".2f"), text_of(self.over_bound, ".2f"), text_of(self.difference, ".0e"),
        ]  # fmt: skip


LEGEND = """
sequential, greedy, IOS (the fastest of its kinds), eager, graph, compile, schedule, ORT: milliseconds, medians;
in brackets what the simulation foretold of ours, ± half of the median's 95 % confidence interval of the others
±          largest spread of our schedules        drift      the fastest schedule once more, after the others
fusion     one by one over sequential: what one stream gains by fused kernels alone, which is not in seq/IOS
seq/IOS    how many times faster than sequential   foretold   the same as predicted by the simulation beforehand
schedule   ours, exported to PyTorch, captured     ORT        ONNX Runtime
torch/IOS  PyTorch's fastest mode over IOS         IOS/bound  over the longest path of units by themselves, or the
                                                           roofline; fused and merged units may go below the path
differ     largest difference of outputs, relative to the largest magnitude"""


def table(results, predicted, options):
    device = results.get("device")
    if device is None:
        return "nothing has been done yet"
    rows = []
    for batch in options.batches:
        for network in options.networks:
            if "schedules" in results.get(f"ours {network} {batch}", {}):
                rows.append(Row(network, batch, results, predicted, device, device["precision"]))
    lines = [f"{device['name']} ({device['origin']}, {device['precision']}): {device['summary']}", device["date"], ""]
    lines.append("".join(f"{name:<{w}}" if i == 0 else f"{name:>{w}}" for i, (name, w) in enumerate(Row.COLUMNS)))
    for row in rows:
        cells = zip(row.cells(), Row.COLUMNS)
        lines.append("".join(f"{cell:<{w}}" if i == 0 else f"{cell:>{w}}" for i, (cell, (_, w)) in enumerate(cells)))
    lines += LEGEND.splitlines() + [""]
    first = [row for row in rows if row.batch == 1]
    for what, name, goal in (
        ("IOS over our captured sequential", "gain", 1.25),
        ("IOS over PyTorch's fastest mode", "over_pytorch", 1.3),
    ):
        mean = geometric_mean(getattr(row, name) for row in first)
        if mean:
            lines.append(f"{what}, geometric mean at batch 1: {mean:.3f} (goal {goal})")
    pairs = [(row.predicted_sequential, row.sequential) for row in rows if row.predicted_sequential]
    pairs += [(row.predicted_ios, row.ios) for row in rows if row.predicted_ios and row.ios]
    if pairs:
        off = geometric_mean(max(a / b, b / a) for a, b in pairs)
        lines.append(f"predicted latencies are off by a factor of {off:.2f} in the geometric mean")
    warps = results.get("warps", {}).get("warps", {})
    if "sequential" in warps:
        searched = [one["mean"] for name, one in warps.items() if name.startswith("ios")]
        if searched:
            ratio = max(searched) / warps["sequential"]["mean"]
            source = warps["sequential"]["source"]
            lines.append(f"active warps on the sample network, IOS over sequential: {ratio:.2f} ({source}; published 1.58)")
    errors = [f"{task}: {result['error']}" for task, result in results.items() if "error" in result]
    for task, result in results.items():
        for mode, one in result.get("modes", {}).items():
            if "error" in one:
                errors.append(f"{task}, {mode}: {one['error'].splitlines()[0]}")
    return "\n".join(lines + [""] + errors).rstrip()


def predictions(options, device):
    """The results of the simulated device that stands for this one, {} where there are none."""
    for name in ("H200", "H100", "A100", "2080 Ti"):
        if re.search(rf"\b{name}\b", device["name"]):
            suffix = {"tf32": ""}.get(options.precision, "-" + options.precision)
            file = HERE / "predicted" / f"{name.lower().replace(' ', '-')}{suffix}.jsonl"
            if file.exists():
                entries = (json.loads(line) for line in file.read_text().splitlines())
                return {entry["task"]: entry["result"] for entry in entries}
    return {}


def some_of(choices):
    def parse(text):
        chosen = text.split(",")
        for one in chosen:
            if one not in map(str, choices):
                raise argparse.ArgumentTypeError(f"there is no {one}, only {', '.join(map(str, choices))}")
        return [next(choice for choice in choices if str(choice) == one) for one in chosen]

    return parse


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iosx", default="iosx", help="the program (default: from the PATH)")
    parser.add_argument("--device", default="gpu", help="as in iosx devices; gpu is TF32, gpu-f16 float16 …")
    parser.add_argument("--networks", type=some_of(NETWORKS), default=NETWORKS, help=",".join(NETWORKS))
    parser.add_argument("--batches", type=some_of(BATCHES), default=BATCHES, help=",".join(map(str, BATCHES)))
    parser.add_argument("--schedules", type=some_of(SCHEDULES), default=SCHEDULES, help=",".join(SCHEDULES))
    parser.add_argument("--search", type=str.split, default=[], help='options of the search, such as "-r 2 -s 3"')
    parser.add_argument("--no-torch", action="store_true", help="leave PyTorch and ONNX Runtime out")
    parser.add_argument("--torch-device", default="cuda")
    parser.add_argument("--modes", type=some_of(MODES), default=MODES, help=",".join(MODES))
    parser.add_argument("--libraries", help="LD_LIBRARY_PATH for iosx alone; PyTorch brings its own")
    parser.add_argument("--seconds", type=float, default=500, help="of this call")
    parser.add_argument("--out", default="gpu-benchmark", help="the folder of results (default: %(default)s)")
    parser.add_argument("--table", action="store_true", help="only print what there is")
    options = parser.parse_args()
    options.torch = not options.no_torch and importlib.util.find_spec("torch") is not None
    if "sequential" not in options.schedules:
        parser.error("--schedules must name sequential: everything is compared with it")
    return options


def find_device(options):
    command = [*iosx_command(options), "devices", "--json"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for device in json.loads(output)["devices"]:
        if device["id"] == options.device:
            if not device["available"]:
                raise RuntimeError(f"{options.device}: {device['unavailable']}")
            return {key: device[key] for key in ("id", "name", "summary", "origin", "precision", "fingerprint")}
    raise RuntimeError(f"iosx knows no device {options.device}")


def main():
    options = parsed()
    Path(options.out).mkdir(parents=True, exist_ok=True)
    last = Results(options.out)
    results = last.known
    try:
        if options.table:
            device = results.get("device", {"name": "", "precision": "tf32"})
        else:
            device = find_device(options)
    except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
        print(f"benchmark.py: {error}", file=sys.stderr)
        return 2
    if "device" in results and results["device"]["name"] != device["name"]:
        print(f"benchmark.py: {options.out} holds results of {results['device']['name']}", file=sys.stderr)
        return 2
    if not options.table and last.known and last.fingerprint != device["fingerprint"]:
        print(f"benchmark.py: {options.out} holds results of {last.fingerprint}, which do not count for this one, "
              f"{device['fingerprint']}: all is done again", file=sys.stderr)  # fmt: skip
    options.precision = device["precision"]
    code = 0
    if not options.table:
        benchmark = Benchmark(options, device)
        results = benchmark.results.known
        try:
            code = 1 if benchmark.work() else 0
        except TimeIsUp:
            code = 3
    text = table(results, predictions(options, device) if device["name"] else {}, options)
    Path(options.out, "table.txt").write_text(text + "\n")
    print(text)
    if not options.torch and device.get("origin") == "measured":
        print("\nPyTorch is left out" + ("" if options.no_torch else f": {sys.executable} has none"))
    if code == 3:
        print("\nsummary: time was up, the same call goes on from here")
    return code


if __name__ == "__main__":
    sys.exit(main())
