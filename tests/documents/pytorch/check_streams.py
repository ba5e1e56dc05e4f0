#!/usr/bin/env python3
"""Runs written packages on made-up CUDA streams, which need no GPU: operators compute on the CPU, and every read is
checked against the order that streams and events promise. So is every moment at which memory goes back to the stream that
allocated it, which may use it again at once.

    python3 check_streams.py PYTORCH_PACKAGES

Exits with 1 where something is wrong, and with 77 (skipped) where torch or numpy is missing.
"""

import ast
import contextlib
import copy
import subprocess
import sys
import tempfile
import unittest
import weakref
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
        self.read = {}  # storage: for each stream its count when it last read it
        self.holders = {}  # storage: how many tensors have it
        self.handed_over = set()
        self.given_back = {}  # stream: for each storage who read it, and what was seen by whom the allocator waits for
        self.taken_late = 0  # readers on other streams than the one that takes the memory
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
        result = function(*args, **(kwargs or {}))
        stream.seen[stream] += 1
        read = {tensor.untyped_storage().data_ptr() for tensor in tensors}
        for storage in read:
            self.read.setdefault(storage, {})[stream] = stream.seen[stream]
        for tensor in torch.utils._pytree.tree_leaves(result):
            storage = tensor.untyped_storage().data_ptr()
            if storage not in read:  # a view is nothing new
                self.take_memory(stream)
                self.written[storage] = (stream, stream.seen[stream])
            if storage in self.written:
                self.holders[storage] = self.holders.get(storage, 0) + 1
                weakref.finalize(tensor, self.let_go, storage)
        return result

    def let_go(self, storage):
        """Called when a tensor ends; with the last one of a storage its memory goes back to the stream that made it."""
        self.holders[storage] -= 1
        if self.holders[storage] > 0:
            return
        owner, _ = self.written.pop(storage)
        # Where it was handed over the allocator waits for what the main stream has seen by now.
        seen = dict(self.main.seen) if storage in self.handed_over else {}
        self.handed_over.discard(storage)
        self.given_back.setdefault(owner, []).append((self.read.pop(storage, {}), seen))

    def take_memory(self, stream):
        """The stream makes a tensor, and may take any memory that was given back to it."""
        for readers, seen in self.given_back.pop(stream, []):
            for reader, count in readers.items():
                self.taken_late += reader is not stream
                if max(stream.seen.get(reader, 0), seen.get(reader, 0)) < count:
                    self.mistakes.append("memory is given back that another stream may still be reading")

    def all_given_back(self):
        """Others may use a stream that is not of a capture, too."""
        for stream in list(self.given_back):
            self.take_memory(stream)

    def returned(self, outputs):
        """The caller reads outputs on the main stream, and may drop them at once."""
        for tensor in outputs:
            storage = tensor.untyped_storage().data_ptr()
            owner, _ = self.written.get(storage, (self.main, 0))
            if owner in self.network._streams and storage not in self.handed_over and not self.capturing:
                self.mistakes.append("an output's memory is another stream's")

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


def dropped_at_once(source):
    """A module whose forward() drops what is made on lanes behind the statement that reads it last, on whatever lane."""
    tree = ast.parse(source)
    forward = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "forward")
    blocks = [statement for statement in forward.body if isinstance(statement, ast.With)]
    names = lambda node: {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
    last = {}
    for block in blocks:
        block.body = [statement for statement in block.body if not isinstance(statement, ast.Delete)]
        for statement in block.body:
            last.update(dict.fromkeys(names(statement), statement))
    end = next(statement for statement in forward.body if ast.unparse(statement).startswith("lanes.end("))
    end.value.args = [name for name in end.value.args if name.id in names(forward.body[-1])]
    for block in blocks:
        body = []
        for statement in block.body:
            done = [name for name, at in last.items() if at is statement and name in made_in(blocks)]
            done = [name for name in done if name not in names(forward.body[-1])]
            body += [statement] + [ast.parse(f"{name} = None").body[0] for name in sorted(done)]
        block.body = body
    return ast.unparse(tree)


def made_in(blocks):
    targets = (target for block in blocks for node in ast.walk(block) if isinstance(node, ast.Assign) for target in node.targets)
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


class Packages(unittest.TestCase):
    folder = None

    def networks(self, patterns=("random-?", "dag-?", "lanes-?", "lanes-views-*")):
        for pattern in patterns:
            for case in sorted(Path(self.folder).glob(pattern)):
                yield case, load_package(case / "package").Network()

    def run_on_streams(self, case, network):
        inputs = inputs_of(case, network)
        cuda = MadeUpCuda(network)
        with cuda.standing_in():
            for _ in range(2):  # the second time with events and streams that were used before
                outputs = as_tuple(network(*inputs))
                cuda.returned(outputs)
                cuda.all_given_back()
        for i, output in enumerate(outputs):
            self.assertLess(error_of(numbers(case / f"output_{i}", (-1,)), output), 1e-4, case.name)
        return cuda

    def test_stages_and_lanes_wait_for_what_they_read(self):
        most_streams = 0
        taken_late = 0
        for case, network in self.networks():
            cuda = self.run_on_streams(case, network)
            self.assertEqual(cuda.mistakes, [], case.name)
            self.assertTrue(cuda.all_joined(), case.name)
            most_streams = max(most_streams, len(cuda.streams_used))
            taken_late += cuda.taken_late
        self.assertGreater(most_streams, 2)
        self.assertGreater(taken_late, 100)  # or nothing was shown

    def test_lanes_give_memory_back_before_the_end(self):
        deleted = [case for case, _ in self.networks(["lanes-?"]) if "del " in (case / "package/network.py").read_text()]
        self.assertGreater(len(deleted), 5)

    def test_the_check_itself_sees_a_missing_wait_and_lost_memory(self):
        with mock.patch.object(MadeUpStream, "wait_event", lambda *_: None):
            self.assertTrue(any(self.run_on_streams(*one).mistakes for one in self.networks()))
        with mock.patch.object(MadeUpCuda, "hand_over", lambda *_: None):
            self.assertTrue(any(self.run_on_streams(*one).mistakes for one in self.networks(["random-?"])))
            self.assertTrue(any(self.run_on_streams(*one).mistakes for one in self.networks(["lanes-?"])))

    def test_the_check_itself_sees_memory_of_lanes_that_is_given_back_early(self):
        """Everything is dropped as soon as it has been read in Python's order."""
        found = 0
        for case, _ in self.networks(["lanes-?"]):
            source = case / "package/network.py"
            text = source.read_text()
            source.write_text(dropped_at_once(text))
            cuda = self.run_on_streams(case, load_package(case / "package").Network())
            found += "memory is given back that another stream may still be reading" in cuda.mistakes
            source.write_text(text)
        self.assertGreater(found, 0)

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
