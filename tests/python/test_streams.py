"""Streams of a recording, applied to a torch module, with streams that are not those of a GPU."""

import contextlib
import os
import subprocess
import sys
import unittest
import warnings

import iosx
from iosx._streams import Assignment
from support import Case

try:
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
except ImportError:
    torch = None
    TorchDispatchMode = object

needs_torch = unittest.skipUnless(torch, "torch is not installed for this Python")


class Stream:
    """A stream with a vector clock: what has happened before its next operator."""

    def __init__(self):
        self.clock = {self: 0}

    def record_event(self):
        self.clock[self] += 1
        return dict(self.clock)

    def wait_event(self, event):
        for stream, time in event.items():
            self.clock[stream] = max(self.clock.get(stream, 0), time)

    def wait_stream(self, other):
        self.wait_event(other.record_event())


class Cuda:
    """What apply_streams() needs of torch.cuda."""

    def __init__(self):
        self.now = Stream()
        self.made = []

    def Stream(self):  # pylint: disable=invalid-name
        self.made.append(Stream())
        return self.made[-1]

    def current_stream(self):
        return self.now

    @contextlib.contextmanager
    def stream(self, stream):
        before, self.now = self.now, stream
        yield
        self.now = before

    def synchronize(self):
        pass

    class CUDAGraph:
        def replay(self):
            pass

    def graph(self, _):
        return contextlib.nullcontext()


class Races(TorchDispatchMode):
    """Checks that each operator begins after those whose results it reads or overwrites. It sees the operators with the
    stream on which they run."""

    def __init__(self, cuda):
        super().__init__()
        self.cuda = cuda
        self.wrote = {}
        self.found = 0
        self.streams = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        from torch.utils._pytree import tree_flatten

        stream = self.cuda.now
        self.streams.add(stream)
        tensors = [value for value in tree_flatten((args, kwargs))[0] if isinstance(value, torch.Tensor)]
        before = {value.untyped_storage()._cdata for value in tensors}
        for memory in before:
            writer, time = self.wrote.get(memory, (stream, 0))
            self.found += writer is not stream and stream.clock.get(writer, 0) < time
        result = func(*args, **(kwargs or {}))
        time = stream.clock[stream] + 1  # the event behind it
        for value in tree_flatten(result)[0]:
            if isinstance(value, torch.Tensor) and value.untyped_storage()._cdata not in before:
                self.wrote[value.untyped_storage()._cdata] = (stream, time)
        return result


def two_towers():
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.stem = torch.nn.Conv2d(3, 8, 3)
            self.left = torch.nn.Sequential(torch.nn.Conv2d(8, 8, 1), torch.nn.ReLU(), torch.nn.Conv2d(8, 8, 3, padding=1))
            self.right = torch.nn.Sequential(torch.nn.Conv2d(8, 8, 5, padding=2), torch.nn.ReLU())
            self.head = torch.nn.Linear(16, 4)

        def forward(self, x):
            x = torch.relu(self.stem(x))
            x = torch.cat([self.left(x), self.right(x)], 1)
            return self.head(x.mean((2, 3)))

    torch.manual_seed(1)
    return Net().eval()


def document(*kernels):
    """Kernels as (path, operator, occurrence, lane, around)."""
    keys = ("path", "operator", "occurrence", "lane", "around")
    entries = [dict(zip(keys, kernel), launch=number) for number, kernel in enumerate(kernels)]
    return {"lanes": 2, "kernels": entries}


class Matching(Case):
    def test_operators_are_found_by_path_and_order(self):
        assignment = Assignment(
            document(
                ("Net_0/Linear_0", "aten::mm", 0, 1, [["aten::linear", 0]]),
                ("Net_0/Linear_0", "aten::add", 0, 0, []),
                ("Net_0/Linear_1", "aten::mm", 0, 0, []),
            )
        )
        self.assertEqual(assignment.total, 3)
        for _ in range(2):  # each run finds them anew
            assignment.begin()
            self.assertIsNone(assignment.lane_of("Net_0", "aten::mm"))
            self.assertIsNone(assignment.lane_of("Net_0/Linear_0", "aten::t"))
            self.assertEqual(assignment.lane_of("Net_0/Linear_0", "aten::linear"), 1)
            self.assertEqual(assignment.lane_of("Net_0/Linear_1", "aten::mm"), 0)
            self.assertEqual(assignment.lane_of("Net_0/Linear_0", "aten::add"), 0)
            self.assertIsNone(assignment.lane_of("Net_0/Linear_0", "aten::add"))  # there is no second one
            self.assertEqual(assignment.found, 3)

    def test_kernels_of_one_operator_are_one(self):
        around = [["aten::linear", 0]]
        assignment = Assignment(
            document(("", "aten::copy_", 0, 1, around), ("", "aten::mm", 0, 0, around), ("", "aten::mm", 1, 0, []))
        )
        self.assertEqual(assignment.total, 2)
        self.assertEqual(assignment.lane_of("any/path", "aten::linear"), 1)  # the file has no modules
        self.assertEqual(assignment.lane_of("", "aten::mm"), 0)

    def test_torch_is_imported_only_where_it_is_needed(self):
        program = "import sys, iosx; sys.exit('torch' in sys.modules)"
        self.assertEqual(subprocess.run([sys.executable, "-c", program], check=False).returncode, 0)


@needs_torch
class Applied(Case):
    def setUp(self):
        super().setUp()
        self.net = two_towers()
        self.inputs = torch.randn(2, 3, 16, 16)
        with torch.no_grad():
            self.right = self.net(self.inputs)

    def recorded(self):
        def step():
            with torch.no_grad():
                self.net(self.inputs)

        path = self.path("run")
        iosx.record(step, path)
        return iosx.open_recording(path + ".trace.json.gz", [path + ".et.json"], share=0.3)

    def test_a_recording_knows_what_could_run_at_the_same_time(self):
        recording = self.recorded()
        self.assertIsNone(recording.to_dict()["predicted"]["why_none"])
        self.assertEqual(recording.predicted_lanes()["lanes"], [1, 2, 4, 8])
        self.assertTrue(all(recording.opportunities()["known"]))
        paths = {entry["path"] for entry in recording.streams(2)["kernels"]}
        self.assertLessEqual({"Net_0/Sequential_0/Conv2d_1", "Net_0/Sequential_1/Conv2d_3", "Net_0/Linear_0"}, paths)

    def test_operators_run_on_their_streams_behind_what_they_need(self):
        streams = self.recorded().streams(2)
        self.assertEqual({entry["lane"] for entry in streams["kernels"]}, {0, 1})
        cuda = Cuda()
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # all operators are found
            streamed = iosx.apply_streams(self.net, streams, _cuda=cuda)
            with Races(cuda) as races:
                outputs = streamed(self.inputs)
        self.assertEqual(races.found, 0)
        self.assertGreaterEqual(len(races.streams), 3)
        self.assertEqual(streamed.found, streamed.total)
        self.assertGreater(streamed.total, 5)
        torch.testing.assert_close(outputs, self.right)
        self.assertIs(streamed(self.inputs), outputs)  # the graph is captured once

    def test_what_is_not_found_stays_on_the_current_stream(self):
        entries = document(
            ("Net_0/Conv2d_0", "aten::convolution", 0, 1, []), ("Net_0/Other_0", "aten::mm", 0, 0, [])
        )
        streamed = iosx.apply_streams(self.net, entries, _cuda=Cuda())
        with self.assertWarnsRegex(UserWarning, "1 of 2 operators of the file are not found"):
            torch.testing.assert_close(streamed(self.inputs), self.right)

    def test_writes_in_place_wait_for_readers(self):
        class Net(torch.nn.Module):
            def forward(self, x):
                y = x + 1
                z = y * 2
                y.add_(3)
                return y + z

        entries = document(
            ("Net_0", "aten::add", 0, 0, []), ("Net_0", "aten::mul", 0, 1, []), ("Net_0", "aten::add_", 0, 0, [])
        )
        cuda = Cuda()
        streamed = iosx.apply_streams(Net(), entries, _cuda=cuda)
        waits = []
        cuda.Stream, make = lambda: waiting(make(), waits), cuda.Stream
        torch.testing.assert_close(streamed(torch.ones(3)), torch.full((3,), 9.0))
        self.assertEqual(waits[:2], [1, 0])  # the product waits for the sum, and what is written for the product

    def test_other_outputs_are_refused(self):
        class Random(torch.nn.Module):
            def forward(self, x):
                return x + torch.rand(3)

        streamed = iosx.apply_streams(Random(), document(("Random_0", "aten::add", 0, 0, [])), _cuda=Cuda())
        with self.refused(iosx.Error, "outputs on streams differ"):
            streamed(torch.ones(3))

    def test_mistakes_are_told(self):
        with self.refused(TypeError, "expected a torch.nn.Module"):
            iosx.apply_streams(3, {})
        with self.refused(iosx.Error, "contains no streams"):
            iosx.apply_streams(self.net, {}, _cuda=Cuda())
        with open(self.path("text"), "w", encoding="utf-8") as file:
            file.write("no JSON")
        with self.refused(iosx.Error, "contains no streams"):
            iosx.apply_streams(self.net, self.path("text"), _cuda=Cuda())
        if not torch.cuda.is_available():
            with self.refused(iosx.Error, "torch finds no GPU"):
                iosx.apply_streams(self.net, document())


def waiting(stream, waits, numbers={}):  # pylint: disable=dangerous-default-value
    """Notes the numbers of streams that wait for an event."""
    number = len(numbers) % 2
    numbers[stream] = number
    wait = stream.wait_event
    begun = []

    def wait_event(event):
        begun.append(event)
        if len(begun) > 1:  # the first one is that of the begin
            waits.append(number)
        wait(event)

    stream.wait_event = wait_event
    return stream
