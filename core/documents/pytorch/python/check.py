#!/usr/bin/env python3
"""Checks that the schedule computes what running every unit by itself computes, and times both.

    python3 check.py [--device cuda] [--batch 8]
    python3 check.py --order [--json]

Exits with 1 where outputs differ by more than the tolerance, or, with --order, where accesses to one tensor are ordered
by no stream and no event; no GPU is needed for that.
"""

import argparse
import importlib
import importlib.util
import json
import statistics
import sys
import time
from pathlib import Path

import torch

ROUNDS = 3  # inputs that are compared


def exported_package():
    folder = Path(__file__).resolve().parent
    spec = importlib.util.spec_from_file_location("exported", folder / "__init__.py")
    package = importlib.util.module_from_spec(spec)
    sys.modules["exported"] = package
    spec.loader.exec_module(package)
    return package


def inputs_of(network, batch, seed):
    generator = torch.Generator().manual_seed(seed)
    return [
        (torch.rand((batch,) + shape, generator=generator) * 2 - 1).to(network.device)
        for shape in network.INPUTS.values()
    ]


def as_tuple(outputs):
    return outputs if isinstance(outputs, tuple) else (outputs,)


def run(network, sequential, inputs):
    network.sequential = sequential
    return as_tuple(network(*inputs))


def differences(expected, actual):
    """The largest absolute difference, and the largest one relative to the largest magnitude of its output."""
    absolute, relative = 0.0, 0.0
    for one, other in zip(expected, actual):
        difference = (one.double() - other.double()).abs().max().item()
        if difference != difference:  # no number: where both have the same ones, nothing differs
            difference = 0.0 if torch.equal(one.isnan(), other.isnan()) else float("inf")
        largest = one.double().abs().max().item()
        absolute = max(absolute, difference)
        relative = max(relative, difference / max(largest, 1e-30))
    return absolute, relative


def compared(ways, network, batch, tolerance):
    """Every way's outputs with those of the first. True if all agree."""
    agree = True
    for name, way in list(ways.items())[1:]:
        worst = (0.0, 0.0)
        for seed in range(ROUNDS):
            inputs = inputs_of(network, batch, seed)
            expected = ways["sequential"](inputs)
            worst = max(worst, differences(expected, way(inputs)), key=lambda pair: pair[1])
        good = worst[1] <= tolerance
        agree = agree and good
        print(f"{'ok  ' if good else 'FAIL'} {name}: largest difference {worst[0]:.2e}, relative {worst[1]:.2e}")
    return agree


def milliseconds(call, device):
    if device.type != "cuda":
        begin = time.perf_counter()
        call()
        return (time.perf_counter() - begin) * 1000
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end)


def timed(ways, network, batch, repeats):
    """Medians, the ways in turn so that all see the same machine."""
    inputs = inputs_of(network, batch, 0)
    samples = {name: [] for name in ways}
    for repeat in range(repeats + 2):
        for name, way in ways.items():
            time_of_one = milliseconds(lambda way=way: way(inputs), network.device)
            if repeat >= 2:  # the first ones warm up
                samples[name].append(time_of_one)
    medians = {name: statistics.median(values) for name, values in samples.items()}
    for name, median in medians.items():
        low, high = min(samples[name]), max(samples[name])
        ratio = medians["sequential"] / median
        print(f"{name:<22} {median:9.3f} ms ({low:.3f} to {high:.3f}), {ratio:.3f} x sequential")


def ordered(network, batch, as_json):
    """Whether order.py finds nothing."""
    record = importlib.import_module("exported.order").check_order(network, inputs_of(network, batch, 0))
    if as_json:
        counts = {"launches": record.launches, "lanes": len(record.streams), "pairs": record.pairs, "across": record.across}
        print(json.dumps({**counts, "unordered": record.found}))
        return not record.found
    for sentence in record.found:
        print(f"FAIL {sentence}")
    print(
        f"{'FAIL' if record.found else 'ok  '} {record.launches} launches on {len(record.streams)} lanes: {record.pairs} pairs "
        f"of accesses to one tensor, {record.across} on two lanes, {len(record.found) or 'none'} without order"
    )
    return not record.found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=20, help="timed runs of each way; 0: none")
    parser.add_argument("--tolerance", type=float, default=1e-4, help="relative to the largest magnitude of an output")
    parser.add_argument("--order", action="store_true", help="look for accesses that nothing orders, and end")
    parser.add_argument("--json", action="store_true", help="with --order: one JSON object")
    options = parser.parse_args()
    if options.batch < 1 or options.repeats < 0:
        parser.error("--batch must be 1 or more, --repeats 0 or more")
    if options.json and not options.order:
        parser.error("--json is for --order")
    if options.order:
        return 0 if ordered(exported_package().Network(), options.batch, options.json) else 1

    network = exported_package().Network().to(options.device)
    on_cuda = network.device.type == "cuda"
    where = torch.cuda.get_device_name(network.device) if on_cuda else f"CPU, {torch.get_num_threads()} threads"
    print(f"{type(network).__name__}, batch {options.batch}, {where}")

    def captured(sequential):
        network.sequential = sequential
        replay = network.capture(*inputs_of(network, options.batch, 0))
        return lambda inputs: as_tuple(replay(*inputs))

    def all_ways():
        ways = {
            "sequential": lambda inputs: run(network, True, inputs),
            "schedule": lambda inputs: run(network, False, inputs),
        }
        if on_cuda:
            ways["sequential, captured"] = captured(True)
            ways["schedule, captured"] = captured(False)
        return ways

    with torch.inference_mode():
        # TF32 products would differ by more than a mistake in a small weight.
        usual = torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32
        torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
        agree = compared(all_ways(), network, options.batch, options.tolerance)
        torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32 = usual
        if options.repeats > 0:
            timed(all_ways(), network, options.batch, options.repeats)
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
