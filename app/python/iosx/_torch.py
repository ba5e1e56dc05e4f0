"""From torch and back: a module becomes a graph, and a schedule becomes a module."""

from __future__ import annotations

import itertools
import os
import sys
from typing import Any, Optional

from . import _calls, _core
from ._errors import Error

_TOLERANCE = 1e-4  # part of an output's magnitude
_numbers = itertools.count()


def _torch():
    try:
        import torch
    except ImportError:
        raise Error("torch is not installed for this Python", sys.executable, "pip install torch onnxscript") from None
    return torch


def _tuple(values: Any) -> tuple:
    return tuple(values) if isinstance(values, (list, tuple)) else (values,)


def _export(module, inputs: tuple, path: str) -> None:
    """Writes a module as ONNX: by torch's exporter, or by its older one where that cannot."""
    torch = _torch()
    problems = []
    for dynamo in (True, False):
        try:
            with torch.no_grad():
                torch.onnx.export(module, inputs, path, dynamo=dynamo, **({"verbose": False} if dynamo else {}))
            return
        except Exception as error:  # pylint: disable=broad-exception-caught # whatever torch raises
            first = next(iter(str(error).strip().splitlines()), type(error).__name__)
            problems.append(f"{'torch.export' if dynamo else 'TorchScript'}: {first}")
    lacking = any("No module named" in problem for problem in problems)
    raise Error(
        f"torch cannot export it to ONNX: {'; '.join(problems)}",
        type(module).__name__,
        "pip install onnx onnxscript" if lacking else "export it by hand, and open the file with iosx.open()",
    )


def from_torch(module, example_inputs, *, name: str = "") -> _core.Graph:
    """Returns a torch module as a Graph, with its weights.

    Args:
        module: A torch.nn.Module; it is exported as for inference, and stays in the mode that it is in.
        example_inputs: A tensor or a tuple of them, of the shapes that the graph will have, batch included.
        name: What to call it; without it the name of its class.
    Returns:
        The Graph. Its inputs have the shapes of the examples.
    Raises:
        Error: What torch's exporter cannot write, or this program cannot read.
    """
    import tempfile

    inputs = _tuple(example_inputs)
    training = module.training
    module.eval()
    name = name or type(module).__name__
    with tempfile.TemporaryDirectory(prefix="iosx-") as folder:
        path = os.path.join(folder, f"{name.replace('/', '_')}.onnx")  # a graph is called like its file
        try:
            _export(module, inputs, path)
        finally:
            module.train(training)
        return _core.open({"source": path, "called": name})


def _package(graph, schedule):
    """Returns the module that runs a schedule: that of the PyTorch package, which is kept while the module lives."""
    import importlib.util
    import shutil
    import tempfile
    import weakref

    folder = tempfile.mkdtemp(prefix="iosx-")
    _calls.export_pytorch(graph, schedule, folder)
    called = f"_iosx_package_{next(_numbers)}"
    spec = importlib.util.spec_from_file_location(
        called, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    package = importlib.util.module_from_spec(spec)
    sys.modules[called] = package
    spec.loader.exec_module(package)
    network = package.Network()
    weakref.finalize(network, shutil.rmtree, folder, ignore_errors=True)
    return network


def _check(module, network, inputs: tuple) -> None:
    """Compares what a module and the network of a schedule compute."""
    torch = _torch()
    with torch.no_grad():
        expected, actual = _tuple(module(*inputs)), _tuple(network(*inputs))
    if len(expected) != len(actual):
        raise Error(f"gives {len(actual)} outputs where the module gives {len(expected)}", "iosx.compile")
    for number, (one, other) in enumerate(zip(expected, actual)):
        if one.numel() == 0:
            continue
        largest = max(one.abs().max().item(), 1e-30)
        worst = (one.double() - other.double().reshape(one.shape)).abs().max().item() / largest
        if not worst <= _TOLERANCE:
            raise Error(
                f"output {number} differs from the module's by {worst:.1e} of its magnitude",
                "iosx.compile",
                "use the module as it is, and report this network",
            )


def compile(  # pylint: disable=redefined-builtin
    module, example_inputs, *, device=None, schedule=None, check: bool = True, **options
):
    """Returns a torch.nn.Module that computes what a module does, by a schedule: on CUDA streams where it is on a GPU.

    Args:
        module: A torch.nn.Module, for inference.
        example_inputs: A tensor or a tuple of them; the schedule is for their batch.
        device: What to search a schedule for: a Device or its id (see iosx.devices()).
        schedule: This schedule; without it optimize() searches one, with the other options given here.
        check: Compare the outputs with the module's first, of the example; they differ by 1e-4 of their magnitude at
            most.
    Returns:
        The module; .iosx_graph and .iosx_schedule are what it was made of, .sequential = True runs units one by one.
    Raises:
        Error: What cannot be exported, or outputs that differ.
    """
    inputs = _tuple(example_inputs)
    graph = from_torch(module, inputs)
    if schedule is None:
        schedule = _calls.optimize(graph, device, **options)
    network = _package(graph, schedule)
    if inputs and inputs[0].device.type != "cpu":
        network = network.to(inputs[0].device)
    network.eval()
    if check:
        _check(module.eval(), network, inputs)
    network.iosx_graph, network.iosx_schedule = graph, _core.find_schedule(graph, schedule)
    return network


def backend(graph_module, example_inputs, **options):
    """Is a backend of torch.compile: torch.compile(module, backend="iosx"). See iosx.compile().

    Weights are those that the module has when it is compiled. Sizes must be known: torch.compile(…, dynamic=False).
    """
    torch = _torch()
    if not all(isinstance(each, torch.Tensor) for each in example_inputs):
        raise Error("has sizes that are open", "torch.compile", "give dynamic=False")
    fixed = [
        isinstance(each, torch.nn.Parameter) or getattr(each, "_dynamo_static_input_type", None) is not None
        for each in example_inputs
    ]

    class Bound(torch.nn.Module):
        """The module with its weights, which torch.compile hands over as inputs."""

        def __init__(self):
            super().__init__()
            self.inner = graph_module
            self.given = [each.detach() if own else None for each, own in zip(example_inputs, fixed)]

        def forward(self, *free):
            rest = iter(free)
            return self.inner(*(next(rest) if each is None else each for each in self.given))

    free = tuple(each.detach() for each, own in zip(example_inputs, fixed) if not own)
    options = dict(options.get("options") or {})
    network = compile(Bound(), free, **options)

    def run(*inputs):
        with torch.no_grad():
            return _tuple(network(*(each for each, own in zip(inputs, fixed) if not own)))

    return run


def register() -> None:
    """Makes backend="iosx" known to torch.compile. A package that pip installed says so by itself."""
    from torch._dynamo import list_backends, register_backend

    if "iosx" not in list_backends(exclude_tags=()):
        register_backend(backend, name="iosx")


if "torch" in sys.modules:
    try:
        register()
    except ImportError:  # a torch without torch.compile
        pass
