"""Looks for accesses to one tensor that neither a stream nor an event orders, and for memory that goes back too early.

No GPU is needed: the network runs on the CPU, as it would on CUDA, with streams and events that only note who waits for
whom. Every operator of torch that runs is an access to the memory of what it reads and writes. Two accesses to the same
memory on two streams, one of them a write, must be ordered whatever the GPU does. When a tensor is dropped its memory goes
back to the stream that allocated it, which may use it again at once: it must have waited for everybody who used it, or the
allocator must know of them (record_stream).
"""

import contextlib
import sys
from unittest import mock

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class Stream:
    """A lane of launches. `seen` has how many of the launches of each stream have ended when the next one here starts."""

    def __init__(self, record, number):
        self.record = record
        self.number = number
        self.seen = {number: 0}

    def take(self, seen):
        self.record.notice_dropped()
        for stream, count in seen.items():
            self.seen[stream] = max(self.seen.get(stream, 0), count)

    def wait_event(self, event):
        self.take(event.seen)

    def wait_stream(self, stream):
        self.take(stream.seen)


class Event:
    def __init__(self, record):
        self._record = record
        self.seen = {}

    def record(self, stream=None):
        self._record.notice_dropped()
        self.seen = dict((stream or self._record.current).seen)


class Launch:
    """One operator of torch on a stream: the first is number 1 there."""

    def __init__(self, name, where, stream, count):
        self.name = name
        self.where = where
        self.stream = stream
        self.count = count

    def __str__(self):
        return f"{self.name} ({self.where}, lane {self.stream})"

    def before(self, seen):
        return seen.get(self.stream, 0) >= self.count


class Memory:
    """One storage. What was there before the run has no owner: it goes back to nobody."""

    def __init__(self, storage, owner):
        self.alive = StorageWeakRef(storage)
        self.owner = owner
        self.writer = None
        self.readers = []  # since it was written
        self.users = []
        self.known_to = []  # streams that the allocator waits for


class Record(TorchDispatchMode):
    """Notes what a network does while stand_in() is entered; `found` has a sentence for each pair that nothing orders."""

    def __init__(self, network):
        super().__init__()
        self.network = network
        self.source = sys.modules[type(network).__module__].__file__
        self.streams = []
        self.main = self.current = self.stream()
        self.capturing = False
        self.memory = {}  # by storage
        self.given_back = {}  # by number of a stream: (memory, what was seen by whom the allocator waits for)
        self.launches = 0
        self.pairs = 0  # of accesses to the same memory
        self.across = 0  # of these those on two streams
        self.taken_late = 0  # users of memory on other streams than the one that takes it
        self.replays = 0
        self.found = []

    @contextlib.contextmanager
    def stand_in(self):
        """Stands for torch.cuda."""
        with contextlib.ExitStack() as patches:
            for owner, name, value in (
                (torch.cuda, "Stream", self.stream),
                (torch.cuda, "Event", lambda: Event(self)),
                (torch.cuda, "current_stream", lambda _device=None: self.current),
                (torch.cuda, "stream", self.on),
                (torch.cuda, "is_current_stream_capturing", lambda: self.capturing),
                (torch.cuda, "is_available", lambda: True),
                (torch.cuda, "device", lambda _device: contextlib.nullcontext()),
                (torch.cuda, "CUDAGraph", lambda: mock.Mock(replay=self.replay)),
                (torch.cuda, "graph", self.capture),
                (torch.Tensor, "record_stream", lambda tensor, stream: self.know(tensor, stream)),
                (type(self.network), "device", torch.device("cuda")),
            ):
                patches.enter_context(mock.patch.object(owner, name, value))
            patches.enter_context(torch.no_grad())
            patches.enter_context(self)
            yield

    def stream(self, _device=None):
        self.streams.append(Stream(self, len(self.streams)))
        return self.streams[-1]

    @contextlib.contextmanager
    def on(self, stream):
        before, self.current = self.current, stream
        yield
        self.current = before

    def replay(self):
        self.replays += 1

    @contextlib.contextmanager
    def capture(self, _graph):
        before = self.main
        self.main = self.stream()
        self.main.take(before.seen)
        self.capturing = True
        with self.on(self.main):
            yield
        self.capturing = False
        if not self.all_joined():
            self.found.append("a captured stream is not joined")
        before.take(self.main.seen)
        self.main = before

    def all_joined(self):
        return all(self.main.seen.get(stream.number, 0) == stream.seen[stream.number] for stream in self.streams)

    def memory_of(self, tensor, owner=None):
        storage = tensor.untyped_storage()
        if storage._cdata not in self.memory:
            self.memory[storage._cdata] = Memory(storage, owner)
        return self.memory[storage._cdata]

    def know(self, tensor, stream):
        if stream in self.network._streams:
            self.found.append("record_stream() of a stream that others do not wait for")
        self.memory_of(tensor).known_to.append(stream)

    def notice_dropped(self):
        """What has been dropped since the last time; nothing was launched and nobody waited meanwhile."""
        for key in [key for key, memory in self.memory.items() if memory.alive.expired()]:
            memory = self.memory.pop(key)
            if memory.owner is None:
                continue
            seen = {}
            for stream in memory.known_to:
                for number, count in stream.seen.items():
                    seen[number] = max(seen.get(number, 0), count)
            self.given_back.setdefault(memory.owner.number, []).append((memory, seen, self.place()))

    def take_memory(self, stream):
        """The stream makes a tensor, and may take any memory that was given back to it."""
        for memory, seen, dropped in self.given_back.pop(stream.number, []):
            for user in memory.users:
                self.taken_late += user.stream != stream.number
                if not user.before(stream.seen) and not user.before(seen):
                    self.found.append(f"memory is given back that may still be used: {user}; dropped before {dropped}")

    def place(self):
        """The line of network.py that runs."""
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != self.source:
            frame = frame.f_back
        return "network.py" if frame is None else f"network.py:{frame.f_lineno}"

    def check_pair(self, first, then, stream, what):
        if first is None or first is then:
            return
        self.pairs += 1
        self.across += first.stream != stream.number
        if not first.before(stream.seen):
            self.found.append(f"{what}: {first} and {then}")

    def read(self, memory, launch, stream):
        self.check_pair(memory.writer, launch, stream, "read of what may still be written")
        memory.readers.append(launch)
        memory.users.append(launch)

    def write(self, memory, launch, stream):
        self.check_pair(memory.writer, launch, stream, "two writes in no order")
        for reader in memory.readers:
            self.check_pair(reader, launch, stream, "write of what may still be read")
        memory.writer, memory.readers = launch, []
        memory.users.append(launch)

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.notice_dropped()
        kwargs = kwargs or {}
        stream = self.current
        result = function(*args, **kwargs)
        written = set()
        for i, argument in enumerate(function._schema.arguments):
            if argument.alias_info is not None and argument.alias_info.is_write:
                value = args[i] if i < len(args) else kwargs.get(argument.name)
                written.update(id(tensor) for tensor in tree_leaves(value))
        inputs = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
        known = {tensor.untyped_storage()._cdata for tensor in inputs}
        made = [leaf for leaf in tree_leaves(result) if isinstance(leaf, torch.Tensor)]
        made = [tensor for tensor in made if tensor.untyped_storage()._cdata not in known]
        if not written and not made:
            return result  # a view: nothing is launched
        if made:
            self.take_memory(stream)
        self.launches += 1
        stream.seen[stream.number] += 1
        launch = Launch(function.__name__.split(".")[0], self.place(), stream.number, stream.seen[stream.number])
        for tensor in inputs:
            (self.write if id(tensor) in written else self.read)(self.memory_of(tensor), launch, stream)
        for tensor in made:
            self.write(self.memory_of(tensor, stream), launch, stream)
        return result

    def check_outputs(self, outputs):
        """The caller reads outputs on the main stream, and may drop them at once."""
        end = Launch("the caller", "after the network", self.main.number, self.main.seen[self.main.number] + 1)
        for tensor in outputs:
            memory = self.memory_of(tensor)
            self.check_pair(memory.writer, end, self.main, "output that may still be written")
            foreign = memory.owner is not None and memory.owner is not self.main
            if foreign and not memory.known_to and not self.capturing:
                self.found.append(f"an output's memory is another stream's: {memory.writer}")

    def check_end(self):
        """Others may use a stream that is not of a capture, too."""
        self.notice_dropped()
        for stream in self.streams:
            self.take_memory(stream)


def check_order(network, inputs):
    """Runs the network's schedule twice, the second time with streams and events that were used before."""
    network.sequential = False
    network._streams, network._events = [], []
    record = Record(network)
    with record.stand_in():
        for _ in range(2):
            outputs = network(*inputs)
            record.check_outputs(outputs if isinstance(outputs, tuple) else (outputs,))
            record.check_end()
    network._streams, network._events = [], []
    record.found = list(dict.fromkeys(record.found))
    return record
