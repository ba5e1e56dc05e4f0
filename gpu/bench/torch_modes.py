#!/usr/bin/env python3
"""Times a network that `iosx export pytorch` wrote, in the ways in which people run networks with PyTorch.

    python3 torch_modes.py FOLDER --batch 1 --precision tf32 [--onnx FILE] [--iosx COMMAND...]

Prints JSON documents, a line each, as soon as it knows them, so that an end from outside costs what was not done yet:
first what PyTorch and the GPU are; then for each mode `median_ms` with a 95 % confidence interval `low_ms` to `high_ms`
and its `samples`, or an `error`, and its `difference`, the largest one of its outputs from those of the first mode that
works, relative to the largest magnitude; after that first mode the `difference` of --iosx.

Modes, in this order: eager; graph (eager, captured in a CUDA graph); schedule (the exported schedule on streams,
captured); onnxruntime (its CUDA provider, where it is installed and --onnx names the model); compile (torch.compile,
max-autotune, which captures too, and takes minutes). Tensors are channels_last, cuDNN chooses its fastest algorithms.
Each mode takes turns with eager, so that `beside_ms`, eager's median meanwhile, shows drift.
"""

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import torch

TYPES = {"f32": torch.float32, "tf32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
MODES = ["eager", "graph", "schedule", "onnxruntime", "compile"]
ROUND_MS = 20  # of one mode, until it is the next one's turn


def load_check(folder):
    """The exported folder's check.py, which knows how to load the package beside it."""
    spec = importlib.util.spec_from_file_location("check", Path(folder, "check.py"))
    check = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(check)
    return check


def interval_of_median(samples):
    """Median and its 95 % confidence interval, from the order of the samples."""
    ordered = sorted(samples)
    count = len(ordered)
    half = 0.98 * count**0.5
    low = ordered[max(0, int(count / 2 - half))]
    high = ordered[min(count - 1, int(count / 2 + half))]
    middle = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
    return middle, low, high


class Clock:
    """Milliseconds that one of `count` calls in a row takes."""

    def __init__(self, device):
        self.on_cuda = device.type == "cuda"
        if self.on_cuda:
            self.begin, self.end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def __call__(self, way, count):
        if not self.on_cuda:
            begin = time.perf_counter()
            for _ in range(count):
                way()
            return (time.perf_counter() - begin) * 1000 / count
        self.begin.record()
        for _ in range(count):
            way()
        self.end.record()
        self.end.synchronize()
        return self.begin.elapsed_time(self.end) / count


def captured(call, inputs):
    """call(*inputs) as a CUDA graph."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            call(*inputs)
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        outputs = call(*inputs)

    def replay():
        graph.replay()
        return outputs

    return replay


class Ways:
    """The modes of one network on one batch of inputs, each a call without arguments that gives the outputs."""

    def __init__(self, check, options):
        self.network = check.exported_package().Network().to(options.device).to(TYPES[options.precision])
        self.network = self.network.to(memory_format=torch.channels_last)
        self.numbers = check.inputs_of(self.network, options.batch, 0)
        self.inputs = [self.laid_out(tensor.to(TYPES[options.precision])) for tensor in self.numbers]
        self.options = options

    @staticmethod
    def laid_out(tensor):
        return tensor.contiguous(memory_format=torch.channels_last) if tensor.dim() == 4 else tensor

    def make(self, mode):
        return getattr(self, mode)()

    def sequentially(self, *inputs):
        self.network.sequential = True
        return self.network(*inputs)

    def eager(self):
        return lambda: self.sequentially(*self.inputs)

    def graph(self):
        if self.network.device.type != "cuda":
            raise RuntimeError("there are CUDA graphs on GPUs only")
        return captured(self.sequentially, self.inputs)

    def compile(self):
        self.network.sequential = True
        kind = "max-autotune" if self.network.device.type == "cuda" else "default"
        compiled = torch.compile(self.network, mode=kind)
        for _ in range(3):
            compiled(*self.inputs)

        def run():
            self.network.sequential = True
            return compiled(*self.inputs)

        return run

    def schedule(self):
        self.network.sequential = False
        if self.network.device.type != "cuda":
            return lambda: self.scheduled()
        replay = self.network.capture(*self.inputs)
        return lambda: replay(*self.inputs)

    def scheduled(self):
        self.network.sequential = False
        return self.network(*self.inputs)

    def onnxruntime(self):
        import onnxruntime

        if not self.options.onnx:
            raise RuntimeError("--onnx names no model")
        provider = "CUDAExecutionProvider" if self.network.device.type == "cuda" else "CPUExecutionProvider"
        if provider not in onnxruntime.get_available_providers():
            raise RuntimeError(f"onnxruntime {onnxruntime.__version__} has no {provider}")
        if self.options.precision in ("f16", "bf16"):
            raise RuntimeError("the exported model is float32")
        settings = {"cudnn_conv_algo_search": "EXHAUSTIVE", "use_tf32": int(self.options.precision == "tf32")}
        session = onnxruntime.InferenceSession(
            self.options.onnx, providers=[(provider, settings) if provider.startswith("CUDA") else provider]
        )
        binding = session.io_binding()
        kind = self.network.device.type
        values = [
            onnxruntime.OrtValue.ortvalue_from_numpy(tensor.cpu().numpy(), kind, 0) for tensor in self.numbers
        ]
        for one, value in zip(session.get_inputs(), values):
            binding.bind_ortvalue_input(one.name, value)
        for one in session.get_outputs():
            binding.bind_output(one.name, kind)

        def run():
            session.run_with_iobinding(binding)
            return tuple(torch.from_numpy(array) for array in binding.copy_outputs_to_cpu())

        run.timed = lambda: session.run_with_iobinding(binding)
        return run


def on_cpu(outputs):
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    return [tensor.detach().float().cpu() for tensor in outputs]


def of_iosx(command, inputs):
    """What `command`, an `iosx run` without inputs and outputs, computes."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for i, tensor in enumerate(inputs):
            files.append(str(Path(folder, f"input_{i}.npy")))
            numpy.save(files[-1], tensor.float().cpu().numpy())
        where = Path(folder, "outputs")
        done = subprocess.run(
            command + ["--input", *files, "--output-dir", str(where)], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip()[-300:])
        return [torch.from_numpy(numpy.load(file)) for file in sorted(where.glob("*.npy"))]


def sampled(ways, clock, seconds):
    """Samples of each way, in turns."""
    timed = {mode: getattr(way, "timed", way) for mode, way in ways.items()}
    counts = {}
    for mode, way in timed.items():
        clock(way, 2)
        counts[mode] = max(1, int(ROUND_MS / max(1e-3, clock(way, 3))))
    samples = {mode: [] for mode in ways}
    end = time.monotonic() + seconds
    while time.monotonic() < end or any(len(some) < 10 for some in samples.values()):
        for mode, way in timed.items():
            samples[mode].append(clock(way, counts[mode]))
        if all(len(some) >= 200 for some in samples.values()):
            break
    return samples


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--precision", choices=TYPES, default="tf32")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--onnx", help="the same network as an ONNX model")
    parser.add_argument("--seconds", type=float, default=2, help="of timing each mode")
    parser.add_argument("--iosx", nargs=argparse.REMAINDER, help="an iosx run, whose outputs are compared too")
    return parser.parse_args()


def report(**what):
    print(json.dumps(what), flush=True)


def timed(mode, ways, clock, seconds):
    """Of `mode`, the last of the ways, in turns with the first."""
    samples = sampled(ways, clock, seconds)
    median, low, high = interval_of_median(samples[mode])
    result = {"median_ms": median, "low_ms": low, "high_ms": high, "samples": len(samples[mode])}
    first = next(iter(ways))
    if first != mode:
        result["beside_ms"] = interval_of_median(samples[first])[0]
    return result


def try_modes(check, ways, options, clock):
    """Reports each, and after the first one that works what --iosx computes."""
    wanted = options.modes.split(",")
    first, expected = {}, None
    for mode in MODES:
        if mode not in wanted and mode != MODES[0]:  # eager is what others are compared with
            continue
        try:
            way = ways.make(mode)
            outputs = on_cpu(way())
            more = {}
            compare = expected is None
            if compare:
                first, expected = {mode: way}, outputs
            else:
                more["difference"] = check.differences(expected, outputs)[1]
            if mode in wanted:
                report(mode=mode, result=timed(mode, first | {mode: way}, clock, options.seconds), **more)
            if compare and options.iosx:
                report_iosx(check, options.iosx, ways.numbers, expected)
        except Exception as error:  # whatever a mode fails with, the others run
            if mode in wanted:
                report(mode=mode, result={"error": f"{type(error).__name__}: {error}"[:500]})


def report_iosx(check, command, numbers, expected):
    difference = None
    try:
        difference = check.differences(expected, of_iosx(command, numbers))[1]
    except (RuntimeError, OSError) as error:
        print(f"outputs of iosx: {error}", file=sys.stderr)
    report(mode="iosx", difference=difference)


def main():
    options = parsed()
    for mode in options.modes.split(","):
        if mode not in MODES:
            sys.exit(f"torch_modes.py: there is no mode {mode}, only {', '.join(MODES)}")
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = options.precision == "tf32"
    device = torch.device(options.device)
    facts = {"torch": torch.__version__, "device": "CPU"}
    if device.type == "cuda":
        properties = torch.cuda.get_device_properties(device)
        facts = {**facts, "device": properties.name, "uuid": str(getattr(properties, "uuid", ""))}
    report(**facts)
    with torch.inference_mode():
        check = load_check(options.folder)
        try_modes(check, Ways(check, options), options, Clock(device))
    return 0


if __name__ == "__main__":
    sys.exit(main())
