"""Runs a torch module in a CUDA graph, its operators on the streams that a recording's lanes suggest."""

from __future__ import annotations

import collections
import json
import os
import warnings
from typing import Any, Mapping, Union

from ._errors import Error
from ._forms import torch_module

_TOLERANCE = 1e-3  # of an output's magnitude: other streams may choose other algorithms
_LOOK_AHEAD = 8  # operators that are in the file, but that the module does not show


class _Operators:
    """The operators of the file under one path, in the order in which the recording launched them."""

    def __init__(self):
        self.chains = []  # of each: (names, lane), the names from the innermost operator outwards
        self.next = 0

    def lane_of(self, name):
        """Returns (whether the file has the next operator of this name, its lane or None)."""
        for place in range(self.next, min(self.next + _LOOK_AHEAD, len(self.chains))):
            names, lane = self.chains[place]
            if name in names:
                self.next = place + 1
                return True, lane
        return False, None


class Assignment:
    """Finds operators of a running module in the document of `iosx recording --streams`."""

    def __init__(self, document: Mapping[str, Any]):
        self.lanes = int(document["lanes"])
        self.found = 0
        self._paths = collections.defaultdict(_Operators)
        seen = set()
        for entry in sorted(document["kernels"], key=lambda one: one["launch"]):
            chain = [(entry["operator"], entry["occurrence"]), *map(tuple, entry["around"])]
            outermost = (entry["path"], *chain[-1])
            if entry["occurrence"] is None or outermost in seen:
                continue  # a kernel without operator, or a further one of the same operator
            # The kernels that one operator of the module launches run on one stream: that of the first one.
            seen.add(outermost)
            self._paths[entry["path"]].chains.append(({name for name, _ in chain}, entry["lane"]))
        self.total = len(seen)
        self.has_paths = any(self._paths)

    def begin(self):
        """Begins a run of the module."""
        self.found = 0
        for operators in self._paths.values():
            operators.next = 0

    def lane_of(self, path, name):
        """Returns the lane of the next operator of this name under this path; None: it stays on the current stream."""
        operators = self._paths.get(path if self.has_paths else "")
        found, lane = operators.lane_of(name) if operators else (False, None)
        self.found += found
        return lane


class _Paths:
    """Names the running module as PyTorch's profiler does: "Net_0/Linear_3"; the number counts modules of a class in
    the order of their first call."""

    def __init__(self, module):
        self.stack = []
        self._names = {}
        self._counts = collections.Counter()
        self._hooks = []
        for part in module.modules():
            self._hooks.append(part.register_forward_pre_hook(self._enter))
            self._hooks.append(part.register_forward_hook(self._leave, always_call=True))

    def _enter(self, part, _inputs):
        if part not in self._names:
            kind = type(part).__name__
            self._names[part] = f"{kind}_{self._counts[kind]}"
            self._counts[kind] += 1
        self.stack.append(self._names[part])

    def _leave(self, *_):
        self.stack.pop()

    def remove(self):
        for hook in self._hooks:
            hook.remove()

    def __str__(self):
        return "/".join(self.stack)


def _tensors(values):
    torch = torch_module()
    from torch.utils._pytree import tree_flatten

    return [value for value in tree_flatten(values)[0] if isinstance(value, torch.Tensor)]


class _Last:
    """Who used the memory of a tensor last: the event and stream of its writer, and of its readers since then."""

    def __init__(self):
        self.writer = None
        self.readers = []


def _on_lanes(assignment, paths, cuda):
    """Returns a context in which each operator runs on its lane, behind all that it depends on."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class OnLanes(TorchDispatchMode):
        def __init__(self):
            super().__init__()
            self.main = cuda.current_stream()
            self.streams = [cuda.Stream() for _ in range(assignment.lanes)]
            self.last = collections.defaultdict(_Last)
            for stream in self.streams:
                stream.wait_stream(self.main)

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            schema = func._schema
            lane = assignment.lane_of(str(paths), schema.name)
            stream = self.main if lane is None else self.streams[lane]
            named = [*zip(schema.arguments, args)]
            named += [(one, kwargs[one.name]) for one in schema.arguments[len(args) :] if one.name in kwargs]
            written = {
                self.memory(tensor)
                for one, value in named
                if one.alias_info is not None and one.alias_info.is_write
                for tensor in _tensors(value)
            }
            used = _tensors((args, kwargs))
            for tensor in used:
                last = self.last[self.memory(tensor)]
                readers = last.readers if self.memory(tensor) in written else []
                for event, other in [last.writer or (None, stream), *readers]:
                    if other is not stream:
                        stream.wait_event(event)
                if stream is not self.main and tensor.is_cuda:
                    tensor.record_stream(stream)
            with cuda.stream(stream):
                result = func(*args, **kwargs)
                done = (stream.record_event(), stream)
            before = {self.memory(tensor) for tensor in used}
            for memory in before - written:
                self.last[memory].readers.append(done)
            for memory in written | ({self.memory(tensor) for tensor in _tensors(result)} - before):
                self.last[memory].writer = done
                self.last[memory].readers = []
            return result

        @staticmethod
        def memory(tensor):
            return tensor.untyped_storage()._cdata

        def join(self):
            for stream in self.streams:
                self.main.wait_stream(stream)

    return OnLanes()


class StreamedModule:
    """A module whose operators run on streams, in a CUDA graph. Call it like the module. `found` of `total` operators
    of the file were found in its last capture; the others, and those that the file does not know, run on the current
    stream."""

    def __init__(self, module, document, cuda):
        self._module = module
        self._cuda = cuda
        self._assignment = Assignment(document)
        self._graphs = {}  # by shapes: (graph, inputs, outputs)
        self.found = 0
        self.total = self._assignment.total

    def __call__(self, *inputs):
        torch = torch_module()
        key = tuple((tuple(value.shape), value.dtype) for value in _tensors(inputs))
        with torch.no_grad():
            if key not in self._graphs:
                self._graphs[key] = self._captured(inputs)
            graph, own, outputs = self._graphs[key]
            for mine, given in zip(_tensors(own), _tensors(inputs)):
                mine.copy_(given)
            graph.replay()
            return outputs

    def run_on_lanes(self, *inputs):
        """Runs the module once on its lanes, as it is captured."""
        paths = _Paths(self._module)
        self._assignment.begin()
        try:
            mode = _on_lanes(self._assignment, paths, self._cuda)
            with mode:
                outputs = self._module(*inputs)
            mode.join()
        finally:
            paths.remove()
        self.found = self._assignment.found
        return outputs

    def _captured(self, inputs):
        from torch.utils._pytree import tree_map

        torch = torch_module()
        expected = [value.clone() for value in _tensors(self._module(*inputs))]
        own = tree_map(lambda value: value.clone() if isinstance(value, torch.Tensor) else value, inputs)
        self.run_on_lanes(*own)  # libraries set up their memory per stream
        self._cuda.synchronize()
        graph = self._cuda.CUDAGraph()
        with self._cuda.graph(graph):
            outputs = self.run_on_lanes(*own)
        if self.found < self.total:
            missing = self.total - self.found
            warnings.warn(f"{missing} of {self.total} operators of the file are not found; they stay on the current stream")
        graph.replay()
        self._cuda.synchronize()
        for mine, right in zip(_tensors(outputs), expected):
            most = right.abs().max().item() if right.numel() else 0.0
            if not torch.allclose(mine, right, rtol=0, atol=_TOLERANCE * max(most, 1e-30), equal_nan=True):
                raise Error(
                    "the outputs on streams differ from those of the module",
                    remedy="the module may be random, or launch kernels that torch does not see; run it without streams",
                )
        return graph, own, outputs


def apply_streams(
    model: Any, streams: Union[str, "os.PathLike[str]", Mapping[str, Any]], *, _cuda=None
) -> StreamedModule:
    """Runs a module for inference on the streams that a recording suggests, captured in a CUDA graph.

    The streams are those of `iosx recording FILE --streams OUT.json`, or of Recording.streams(). Operators are found by
    the path of their module and their order there, so record the same module with the same inputs, with stacks, as
    iosx.record() does. Operators that are not found stay on the current stream, which a warning says. The first call
    with inputs of a shape captures the graph, and compares its outputs with those of the module. Not measured: it has
    not run on a GPU yet.

    Args:
        model: A torch.nn.Module on a GPU. Its calls take and return tensors, in tuples, lists or dicts.
        streams: The file, or its content.
    Returns:
        A function to call like the module; .found and .total count the operators that run on streams. Its outputs are
        overwritten by the next call.
    Raises:
        Error: There is no GPU, the file has no streams, or outputs differ.
    """
    torch = torch_module()
    if not isinstance(model, torch.nn.Module):
        raise TypeError(f"expected a torch.nn.Module, not {model!r}")
    if _cuda is None and not torch.cuda.is_available():
        raise Error("torch finds no GPU", remedy="run it where torch.cuda.is_available()")
    if not isinstance(streams, Mapping):
        with open(streams, encoding="utf-8") as file:
            try:
                streams = json.load(file)
            except ValueError:
                streams = {}
    try:
        return StreamedModule(model, streams, _cuda or torch.cuda)
    except (KeyError, TypeError, ValueError) as error:
        raise Error("it contains no streams", remedy="write the file by iosx recording --streams") from error
