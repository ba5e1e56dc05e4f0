#!/usr/bin/env python3
"""Compares models that iosx export scheduled-onnx writes with the networks themselves, in engines of others, on the same input.

    python3 tests/interop/compare_scheduled.py [--iosx PATH] [--schedules LIST] [MODEL ...]

A MODEL is a network of the zoo; without one: sample, squeezenet, googlenet, inception_v3 and bert_base. Schedules:
greedy, and searches (ios-merge, ios-both, list, …) on a simulated GPU. Each model runs in ONNX Runtime as it is, in ONNX
Runtime with the streams that were written for it, as far as the setting is read on the CPU, and in OpenVINO where that is
there. Outputs that are further apart than 1e-4 of the largest magnitude fail. With --time their latencies in ONNX
Runtime are printed too, in turn.

Exits with 1 if a model fails, and with 77 (skipped) where onnxruntime is missing.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from compare_with_onnxruntime import ROOT, TOLERANCE, error_of, iosx_json, numpy, onnxruntime, random_inputs

try:
    import openvino
except ImportError:
    openvino = None

DEVICE = "h200"
ROUNDS = 15


def schedule_files(options, model, folder):
    names = options.schedules.split(",")
    searched = [name for name in names if name not in ("sequential", "greedy")]
    if searched:
        iosx_json(options.iosx, "compare", model, "--schedules", ",".join(searched), "--device", DEVICE, "-o", folder)
    return {name: folder / f"{name}.schedule.json" if name in searched else name for name in names}


def onnxruntime_session(path):
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 4
    return onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])


def streams_session(path, streams):
    """With as much optimisation as the partition allows: fusions that give nodes new names are refused."""
    levels = onnxruntime.GraphOptimizationLevel
    for level in (levels.ORT_ENABLE_EXTENDED, levels.ORT_DISABLE_ALL):
        settings = onnxruntime.SessionOptions()
        settings.log_severity_level = 4
        settings.graph_optimization_level = level
        settings.execution_mode = onnxruntime.ExecutionMode.ORT_PARALLEL
        settings.add_session_config_entry("session.node_partition_config_file", str(streams))
        try:
            return onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"]), level.name
        except Exception:
            if level == levels.ORT_DISABLE_ALL:
                raise


def openvino_outputs(path, inputs, names):
    compiled = openvino.compile_model(openvino.Core().read_model(path), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    results = compiled({name: tensor for name, tensor in inputs.items()})
    return [results[name] for name in names]


def worst(expected, actual):
    return max(error_of(one, other) for one, other in zip(actual, expected))


def milliseconds(sessions, inputs):
    """Medians, in turn."""
    samples = {name: [] for name in sessions}
    for _ in range(ROUNDS):
        for name, session in sessions.items():
            begin = time.perf_counter()
            session.run(None, inputs)
            samples[name].append((time.perf_counter() - begin) * 1000)
    return {name: float(numpy.median(times[2:])) for name, times in samples.items()}


def compare(options, model, folder):
    whole = folder / "whole.onnx"
    iosx_json(options.iosx, "convert", model, whole)
    plain = onnxruntime_session(whole)
    inputs = random_inputs(plain, 1)
    names = [output.name for output in plain.get_outputs()]
    expected = plain.run(None, inputs)
    sessions = {"as it is": plain}
    failed = 0
    for name, schedule in schedule_files(options, model, folder).items():
        path, streams = folder / f"{name}.onnx", folder / f"{name}.streams.json"
        arguments = ["--schedule", schedule, "-o", path, "--streams", streams, "--streams-on", "cpu"]
        lanes = iosx_json(options.iosx, "export", "scheduled-onnx", model, *arguments)["lanes"]
        sessions[name] = onnxruntime_session(path)
        in_streams = f"{name}, streams"
        sessions[in_streams], level = streams_session(path, streams)
        errors = {what: worst(expected, sessions[what].run(names, inputs)) for what in (name, in_streams)}
        if openvino:
            errors["OpenVINO"] = worst(expected, openvino_outputs(path, inputs, names))
        good = max(errors.values()) <= TOLERANCE
        failed += not good
        told = ", ".join(f"{error:.1e} {what}" for what, error in errors.items())
        print(f"{'ok  ' if good else 'FAIL'} {model}, {lanes} lanes: {told} ({level})", flush=True)
    if options.time:
        for name, median in milliseconds(sessions, inputs).items():
            print(f"     {name:<24} {median:9.3f} ms")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL")
    parser.add_argument("--iosx", default=str(ROOT / "build/release/bin/iosx"))
    parser.add_argument("--schedules", default="greedy,ios-merge,list")
    parser.add_argument("--time", action="store_true")
    options = parser.parse_args()
    failed = 0
    for model in options.models or ["sample", "squeezenet", "googlenet", "inception_v3", "bert_base"]:
        with tempfile.TemporaryDirectory() as folder:
            try:
                failed += compare(options, model, Path(folder))
            except Exception as why:  # engines raise whatever they like
                print(f"FAIL {model}: {why}", flush=True)
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
