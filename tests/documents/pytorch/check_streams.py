#!/usr/bin/env python3
"""Runs written packages on made-up CUDA streams, which need no GPU: operators compute on the CPU, and every read is
checked against the order that streams and events promise.

    python3 check_streams.py PYTORCH_PACKAGES

Exits with 1 where something is wrong, and with 77 (skipped) where torch or numpy is missing.
"""

import contextlib
import copy
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from check_packages import BATCH, error_of, load_package, numbers, torch  # skips where there is no torch

from torch.utils._python_dispatch import TorchDispatchMode


class MadeUpStream:
    """`seen` has, for each stream, how many of its operators have ended before what this stream does next."""

    def __init__(self, _device=None):
        self.seen = {self: 0}

    def wait_event(self, event):
        for stream, count in event.seen.items():
            self.seen[stream] = max(self.seen.get(stream, 0), count)

    def wait_stream(self, stream):
        event = MadeUpEvent()
        event.record(stream)
        self.wait_event(event)


class MadeUpEvent:
    def record(self, stream):
        self.seen = dict(stream.seen)


class MadeUpCuda(TorchDispatchMode):
    """Stands for torch.cuda while a network runs; mistakes are counted."""

    def __init__(self, network):
        super().__init__()
        self.network = network
        self.main = MadeUpStream()
        self.current = [self.main]
        self.written = {}  # storage: stream that wrote it, and that stream's count then
        self.kept = []  # so that no storage's address comes twice
        self.handed_over = set()
        self.mistakes = []
        self.streams_used = set()
        self.capturing = False
        self.replays = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        stream = self.current[-1]
        self.streams_used.add(stream)
        tensors = [x for x in torch.utils._pytree.tree_leaves((args, kwargs)) if isinstance(x, torch.Tensor)]
        for tensor in tensors:
            writer, count = self.written.get(tensor.untyped_storage().data_ptr(), (stream, 0))
            if stream.seen.get(writer, 0) < count:
                self.mistakes.append(f"{function} reads what another stream may still be writing")
            storage = tensor.untyped_storage().data_ptr()
            foreign = writer is not stream and writer in self.network._streams
            if foreign and storage not in self.handed_over and not self.capturing:
                self.mistakes.append(f"{function} reads memory that another stream may give away")
        result = function(*args, **(kwargs or {}))
        stream.seen[stream] += 1
        read = {tensor.untyped_storage().data_ptr() for tensor in tensors}
        for tensor in torch.utils._pytree.tree_leaves(result):
            storage = tensor.untyped_storage().data_ptr()
            self.kept.append(tensor)
            if storage not in read:  # a view is nothing new
                self.written[storage] = (stream, stream.seen[stream])
        return result

    @contextlib.contextmanager
    def on(self, stream):
        self.current.append(stream)
        yield
        self.current.pop()

    def hand_over(self, tensor, stream):
        if stream in self.network._streams:
            self.mistakes.append("record_stream() of a stream that others do not wait for")
        self.handed_over.add(tensor.untyped_storage().data_ptr())

    @contextlib.contextmanager
    def capture(self, _graph):
        self.main, before = MadeUpStream(), self.main
        self.main.seen.update(before.seen)
        self.capturing = True
        with self.on(self.main):
            yield
        self.capturing = False
        self.mistakes += [] if self.all_joined() else ["a captured stream is not joined"]
        before.seen.update(self.main.seen)
        self.main = before

    def graph(self):
        return mock.Mock(replay=self.replay)

    def replay(self):
        self.replays += 1

    def all_joined(self):
        return all(self.main.seen.get(stream, 0) == stream.seen[stream] for stream in self.streams_used)

    @contextlib.contextmanager
    def standing_in(self):
        def record_stream(tensor, stream):
            self.hand_over(tensor, stream)

        with contextlib.ExitStack() as stack:
            for name, value in {
                "Stream": MadeUpStream,
                "Event": MadeUpEvent,
                "stream": self.on,
                "current_stream": lambda _device=None: self.current[-1],
                "is_current_stream_capturing": lambda: self.capturing,
                "is_available": lambda: True,
                "device": lambda _device: contextlib.nullcontext(),
                "CUDAGraph": self.graph,
                "graph": self.capture,
            }.items():
                stack.enter_context(mock.patch.object(torch.cuda, name, value))
            stack.enter_context(mock.patch.object(torch.Tensor, "record_stream", record_stream))
            stack.enter_context(mock.patch.object(type(self.network), "device", torch.device("cuda")))
            stack.enter_context(torch.no_grad())
            stack.enter_context(self)
            yield


def inputs_of(case, network):
    return [numbers(case / f"input_{i}", (BATCH,) + shape) for i, shape in enumerate(network.INPUTS.values())]


def as_tuple(outputs):
    return outputs if isinstance(outputs, tuple) else (outputs,)


class Packages(unittest.TestCase):
    folder = None

    def networks(self):
        for case in sorted(Path(self.folder).glob("random-?")) + sorted(Path(self.folder).glob("dag-?")):
            yield case, load_package(case / "package").Network()

    def run_on_streams(self, case, network):
        inputs = inputs_of(case, network)
        cuda = MadeUpCuda(network)
        with cuda.standing_in():
            for _ in range(2):  # the second time with events and streams that were used before
                outputs = as_tuple(network(*inputs))
        for i, output in enumerate(outputs):
            self.assertLess(error_of(numbers(case / f"output_{i}", (-1,)), output), 1e-4, case.name)
        return cuda

    def test_stages_wait_for_what_they_read(self):
        most_streams = 0
        for case, network in self.networks():
            cuda = self.run_on_streams(case, network)
            self.assertEqual(cuda.mistakes, [], case.name)
            self.assertTrue(cuda.all_joined(), case.name)
            most_streams = max(most_streams, len(cuda.streams_used))
        self.assertGreater(most_streams, 2)

    def test_the_check_itself_sees_a_missing_wait_and_lost_memory(self):
        with mock.patch.object(MadeUpStream, "wait_event", lambda *_: None):
            self.assertTrue(any(self.run_on_streams(*one).mistakes for one in self.networks()))
        with mock.patch.object(MadeUpCuda, "hand_over", lambda *_: None):
            self.assertTrue(any(self.run_on_streams(*one).mistakes for one in self.networks()))

    def test_sequential_uses_one_stream_and_no_merged_filter(self):
        for case, network in self.networks():
            network.sequential = True
            for module in network.modules():
                if type(module).__name__ in ("MergedConv", "MergedLinear"):
                    module.weight = module.bias = None
            self.assertEqual(len(self.run_on_streams(case, network).streams_used), 1)

    def test_merged_filters_follow_weights_that_are_loaded(self):
        case = Path(self.folder) / "merging"
        network = load_package(case / "package").Network()
        inputs = inputs_of(case, network)
        before = network(*inputs)
        network.load_state_dict({key: 2 * tensor for key, tensor in network.state_dict().items()})
        self.assertLess(error_of(2 * before, network(*inputs)), 1e-5)
        halves = copy.deepcopy(network).double()
        self.assertLess(error_of(network(*inputs).double(), halves(inputs[0].double())), 1e-5)

    def test_a_capture_has_all_streams_and_fixed_buffers(self):
        for case, network in self.networks():
            inputs = inputs_of(case, network)
            cuda = MadeUpCuda(network)
            with cuda.standing_in():
                replay = network.capture(*inputs)
                outputs = as_tuple(replay(*inputs))
                self.assertIs(as_tuple(replay(*inputs))[0], outputs[0])
                with self.assertRaisesRegex(ValueError, "captured for inputs of the shapes"):
                    replay(*(tensor[:1] for tensor in inputs))
            self.assertEqual(cuda.mistakes, [], case.name)
            self.assertEqual(cuda.replays, 2)
            for i, output in enumerate(outputs):
                self.assertLess(error_of(numbers(case / f"output_{i}", (-1,)), output), 1e-4, case.name)

    def test_capture_says_what_it_needs(self):
        network = load_package(Path(self.folder) / "merging" / "package").Network()
        with mock.patch.object(torch.cuda, "is_available", lambda: False):
            with self.assertRaisesRegex(RuntimeError, "CUDA"):
                network.capture(torch.zeros(1, 6, 12, 13))
        with mock.patch.object(torch.cuda, "is_available", lambda: True):
            with self.assertRaisesRegex(RuntimeError, r"on cpu.*\.to\('cuda'\)"):
                network.capture(torch.zeros(1, 6, 12, 13))

    def test_check_tells_agreement_from_difference(self):
        package = Path(self.folder) / "merging" / "package"
        command = [sys.executable, str(package / "check.py"), "--device", "cpu", "--repeats", "1", "--batch", "2"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ok   schedule", done.stdout)
        self.assertIn("x sequential", done.stdout)
        lanes = (package / "lanes.py").read_text()
        (package / "lanes.py").write_text(lanes.replace("[conv.bias for", "[2 * conv.bias for", 1))
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        (package / "lanes.py").write_text(lanes)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("FAIL schedule", done.stdout)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        subprocess.run([sys.argv[1], made], check=True)
        Packages.folder = made
        unittest.main(argv=sys.argv[:1])
