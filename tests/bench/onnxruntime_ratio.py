#!/usr/bin/env python3
"""Compares our schedules on the CPU device with ONNX Runtime, and OpenVINO where it is installed, on the same ONNX file
and as many threads.

    python3 tests/bench/onnxruntime_ratio.py [--iosx PATH] [--threads N] [--rounds N] [--runs N] [--budget S]
        [--sequential] [MODEL ...]

A MODEL is a network of the zoo or an .onnx file, with any number of inputs of any type; without one: squeezenet,
googlenet, inception_v3, resnet50, mobilenet_v3_large, yolox_s and bert_base. The IOS schedule comes from a lazy search of
at most S seconds of measuring; --sequential leaves it and the greedy one out. Needs the Python packages onnxruntime and
numpy, and openvino for that, in a virtual environment outside the repository.

Contenders: our sequential, greedy and IOS schedules, ONNX Runtime's sequential and parallel executors, and OpenVINO for
latency in float32. They are timed in rounds, each contender once a round in rotating order, so that drift of the machine
hits all alike. A round's figure is the median of its runs. A ratio is the best engine's time over ours, taken within a
round: above 1 we are faster. Printed are the median of the rounds' ratios and their range.
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

import numpy
import onnxruntime

try:
    import openvino
except ImportError:
    openvino = None

ROOT = Path(__file__).resolve().parents[2]
OURS = ("sequential", "greedy", "IOS")
NETWORKS = ["squeezenet", "googlenet", "inception_v3", "resnet50", "mobilenet_v3_large", "yolox_s", "bert_base"]


TYPES = {"tensor(float)": numpy.float32, "tensor(float16)": numpy.float16, "tensor(double)": numpy.float64,
         "tensor(int64)": numpy.int64, "tensor(int32)": numpy.int32, "tensor(int8)": numpy.int8,
         "tensor(uint8)": numpy.uint8, "tensor(bool)": numpy.bool_}


def made_up(kind, shape, generator):
    """Values of an ONNX Runtime type; whole numbers are 0 or 1, which every table of tokens has."""
    if kind not in TYPES:
        sys.exit(f"an input is a {kind}, for which this script has no values")
    kind = TYPES[kind]
    if numpy.issubdtype(kind, numpy.floating):
        return generator.uniform(-1, 1, shape).astype(kind)
    return generator.integers(0, 2, shape).astype(kind)


class OnnxRuntime:
    def __init__(self, model, threads, parallel, shapes):
        options = onnxruntime.SessionOptions()
        if parallel:
            # Two operators at once, and together as many threads as the other contenders have.
            options.execution_mode = onnxruntime.ExecutionMode.ORT_PARALLEL
            options.inter_op_num_threads = min(2, threads)
            options.intra_op_num_threads = max(1, threads // 2)
        else:
            options.intra_op_num_threads = threads
        self.name = "ORT parallel" if parallel else "ORT sequential"
        self.session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        generator = numpy.random.default_rng(1)
        self.feed = {}
        for source in self.session.get_inputs():
            ours = shapes.get(source.name, [])
            shape = [size if isinstance(size, int) and size > 0 else (ours[i] if len(ours) == len(source.shape) else 1)
                     for i, size in enumerate(source.shape)]
            self.feed[source.name] = made_up(source.type, shape, generator)

    def round_ms(self, warmup, runs):
        for _ in range(warmup):
            self.session.run(None, self.feed)
        times = []
        for _ in range(runs):
            start = time.perf_counter()
            self.session.run(None, self.feed)
            times.append(1e3 * (time.perf_counter() - start))
        return statistics.median(times)


class OpenVino:
    name = "OpenVINO"

    def __init__(self, model, threads, feed):
        settings = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
        core = openvino.Core()
        read = core.read_model(model)
        read.reshape({port.any_name: list(feed[port.any_name].shape) for port in read.inputs})
        self.request = core.compile_model(read, "CPU", settings).create_infer_request()
        self.feed = feed

    def round_ms(self, warmup, runs):
        for _ in range(warmup):
            self.request.infer(self.feed)
        times = []
        for _ in range(runs):
            start = time.perf_counter()
            self.request.infer(self.feed)
            times.append(1e3 * (time.perf_counter() - start))
        return statistics.median(times)


class Ours:
    def __init__(self, iosx, model, name, schedule):
        self.name = name
        self.command = [iosx, "run", model, "--device", "cpu", "--schedule", schedule, "--json"]

    def round_ms(self, warmup, runs):
        timing = ["--warmup", str(warmup), "--repeat", str(runs)]
        return json.loads(checked(self.command + timing))["schedule"]["latency_ms"]


def checked(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


def input_shapes(iosx, model):
    """Our inputs' shapes with the batch, by name: sizes that the file leaves open must be the same for both."""
    inputs = json.loads(checked([iosx, "inspect", model, "--json"]))["inputs"]
    return {each["name"]: each.get("file_shape", [1] + each["shape"]) for each in inputs}


def engines(model, threads, shapes):
    made = [OnnxRuntime(model, threads, parallel=False, shapes=shapes),
            OnnxRuntime(model, threads, parallel=True, shapes=shapes)]
    if openvino is not None:
        made.append(OpenVino(model, threads, made[0].feed))
    return made


def contenders(iosx, model, folder, threads, budget):
    shapes = input_shapes(iosx, model)
    if budget is None:
        return [Ours(iosx, model, "sequential", "sequential"), *engines(model, threads, shapes)]
    found = str(folder / (Path(model).stem + ".schedule.json"))
    # Lazy and with a budget: an exhaustive search of a large part need not end in a lifetime.
    checked([iosx, "optimize", model, "--device", "cpu", "--search", "lazy", "--budget", str(budget), "-o", found])
    return [
        Ours(iosx, model, "sequential", "sequential"),
        Ours(iosx, model, "greedy", "greedy"),
        Ours(iosx, model, "IOS", found),
        *engines(model, threads, shapes),
    ]


def compare(field, rounds, warmup, runs):
    """Milliseconds by contender, one a round."""
    times = {contender.name: [] for contender in field}
    for number in range(rounds):
        shift = number % len(field)
        for contender in field[shift:] + field[:shift]:
            times[contender.name].append(contender.round_ms(warmup, runs))
    return times


def show(model, times):
    """Prints the contenders; returns the ratio of the best engine's time to our best."""
    best_of_engines = [min(each) for each in zip(*(values for name, values in times.items() if name not in OURS))]
    print(f"\n{model}\n  {'':16}{'median [ms]':>12}{'range [ms]':>20}{'best engine / it':>18}{'range':>14}")
    ratios = {}
    for name, values in times.items():
        ratio = [engine / value for engine, value in zip(best_of_engines, values)]
        ratios[name] = statistics.median(ratio)
        print(f"  {name:16}{statistics.median(values):12.3f}{min(values):12.3f} -{max(values):6.3f}"
              f"{ratios[name]:16.3f}{min(ratio):9.3f} -{max(ratio):6.3f}")
    return max(ratio for name, ratio in ratios.items() if name in OURS)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL")
    parser.add_argument("--iosx", default=str(ROOT / "build/release/bin/iosx"))
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--warmup", type=int, default=5)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--sequential", action="store_true", help="of ours, the sequential schedule alone")
    parser.add_argument("--budget", type=int, default=120, metavar="S", help="seconds of measuring for our search")
    arguments = parser.parse_args()

    others = f", OpenVINO {openvino.__version__}" if openvino is not None else ""
    print(f"ONNX Runtime {onnxruntime.__version__}{others}, {arguments.threads} threads, batch 1, "
          f"{arguments.rounds} rounds of {arguments.runs} runs")
    best = []
    with tempfile.TemporaryDirectory() as folder:
        for model in arguments.models or NETWORKS:
            file = model
            if not model.endswith(".onnx"):
                file = str(Path(folder) / f"{model}.onnx")
                checked([arguments.iosx, "convert", model, "-o", file])
            field = contenders(arguments.iosx, file, Path(folder), arguments.threads,
                               None if arguments.sequential else arguments.budget)
            best.append(show(model, compare(field, arguments.rounds, arguments.warmup, arguments.runs)))
            sys.stdout.flush()
    print(f"\ngeometric mean of our best against the best engine: {statistics.geometric_mean(best):.3f}")


if __name__ == "__main__":
    main()
