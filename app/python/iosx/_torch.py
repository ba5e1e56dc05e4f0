"""Converts torch modules to graphs, and schedules to torch modules."""

from __future__ import annotations

import concurrent.futures
import contextlib
import inspect
import io
import itertools
import logging
import os
import re
import shutil
import sys
import warnings
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


def _leaves(values: Any, what: str) -> tuple:
    """Returns the tensors in tuples, lists and dicts, in the order in which torch's exporter has them."""
    leaves = _torch().utils._pytree.tree_leaves(values)  # pylint: disable=protected-access
    for each in leaves:
        if not isinstance(each, _torch().Tensor):
            raise TypeError(f"{what} must be tensors, in tuples, lists or dicts; {each!r} is not a tensor")
    return tuple(leaves)


@contextlib.contextmanager
def _for_inference(module):
    """Puts a module into the mode for inference; afterwards each part of it is in its own mode again."""
    if not isinstance(module, _torch().nn.Module):
        raise TypeError(f"expected a torch.nn.Module, not {module!r}")
    modes = [(part, part.training) for part in module.modules()]
    module.eval()
    try:
        yield
    finally:
        for part, mode in modes:
            part.training = mode


def _copies(values: Any) -> Any:
    """Returns the same form with copies of its tensors, of which none are one another's memory."""
    torch = _torch()
    copy = lambda each: each.detach().clone() if isinstance(each, torch.Tensor) else each  # noqa: E731
    return torch.utils._pytree.tree_map(copy, values)  # pylint: disable=protected-access


@contextlib.contextmanager
def _silence():
    """Discards printed text and the log of torch, which writes to the standard error stream of its import time."""
    loggers = [logging.getLogger(name) for name in ("torch", *logging.root.manager.loggerDict) if name.split(".")[0] == "torch"]
    muted = [logger for logger in loggers if not logger.disabled]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for logger in muted:
            logger.disabled = True
        try:
            yield
        finally:
            for logger in muted:
                logger.disabled = False


def _reason(error: BaseException) -> str:
    """Returns the first line of the message of the root cause, without colour codes."""
    while error.__cause__ is not None:
        error = error.__cause__
    lines = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _export(module, inputs: tuple, path: str) -> None:
    """Writes a module as ONNX: by torch's exporter, or by its older one where that cannot."""
    torch = _torch()
    problems = []
    inputs = _copies(inputs)  # the exporter makes one input of two that are the same tensor
    for dynamo in (True, False):
        try:
            # What it prints of a module that it cannot export runs to hundreds of lines.
            with torch.no_grad(), warnings.catch_warnings(), _silence():
                warnings.simplefilter("ignore")
                # A trace would keep the branch that the example takes.
                warnings.filterwarnings("error", message=".*to a Python boolean", category=torch.jit.TracerWarning)
                torch.onnx.export(module, inputs, path, dynamo=dynamo, **({"verbose": False} if dynamo else {}))
            return
        except Exception as error:  # pylint: disable=broad-exception-caught # whatever torch raises
            problems.append(f"{'torch.export' if dynamo else 'TorchScript'}: {_reason(error)}")
    lacking = any("No module named" in problem for problem in problems)
    raise Error(
        f"torch cannot export it to ONNX: {'; '.join(problems)}",
        type(module).__name__,
        "pip install onnx onnxscript" if lacking else "export it by hand, and open the file with iosx.open()",
    )


def from_torch(module, example_inputs, *, name: str = "") -> _core.Graph:
    """Converts a torch module with its weights to a Graph.

    Args:
        module: A torch.nn.Module. The export uses inference mode, and the mode of the module does not change.
        example_inputs: A tensor or a tuple of tensors, with the shapes for the graph, including the batch.
        name: Name of the graph. Default: the name of its class.
    Returns:
        The Graph. Its inputs have the shapes of the examples.
    Raises:
        Error: The exporter of torch cannot write the module, or IOS Explorer cannot read the model.
    """
    import tempfile

    inputs = _tuple(example_inputs)
    name = name or type(module).__name__
    with tempfile.TemporaryDirectory(prefix="iosx-") as folder:
        path = os.path.join(folder, f"{name.replace('/', '_')[:50]}.onnx")
        with _for_inference(module):
            _export(module, inputs, path)
        return _core.open({"source": path, "called": name})


def _shaped(network_class, graph, inputs: tuple, outputs: Any):
    """Returns the class of a package's network with the module's own shapes: the package puts a batch in front of each,
    and gives a tuple of what the module may give as a tuple of tuples."""
    torch = _torch()
    likes, form = torch.utils._pytree.tree_flatten(outputs)  # pylint: disable=protected-access

    class Compiled(network_class):
        free = 1 if graph.batched else 0  # axes that may have another size than the example's

        def forward(self, *given):
            given, free = _leaves(given, "inputs"), self.free
            if [each.shape[free:] for each in given] != [each.shape[free:] for each in inputs]:
                wanted, got = ([tuple(each.shape) for each in some] for some in (inputs, given))
                raise Error(
                    f"was compiled for the shapes {wanted}, not for {got}",
                    "iosx.compile",
                    "compile the module again for these",
                )
            samples = self.INPUTS.values()
            found = _tuple(super().forward(*(each.reshape(-1, *sample) for each, sample in zip(given, samples))))
            batch = (given or likes)[0].shape[:free]
            shaped = (one.reshape((*batch, *like.shape[free:])).to(like.dtype) for one, like in zip(found, likes))
            return torch.utils._pytree.tree_unflatten(shaped, form)  # pylint: disable=protected-access

    Compiled.__name__ = Compiled.__qualname__ = network_class.__name__
    return Compiled


def _package(graph, schedule, inputs: tuple, outputs: Any):
    """Returns the module that runs a schedule: that of the PyTorch package, which is kept while the module lives."""
    import importlib.util
    import tempfile
    import weakref

    folder = tempfile.mkdtemp(prefix="iosx-")
    called = f"_iosx_package_{next(_numbers)}"

    def forget():
        shutil.rmtree(folder, ignore_errors=True)
        for name in [name for name in sys.modules if name.split(".")[0] == called]:
            del sys.modules[name]

    try:
        _calls.export_pytorch(graph, schedule, folder)
        spec = importlib.util.spec_from_file_location(
            called, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
        )
        package = importlib.util.module_from_spec(spec)
        sys.modules[called] = package
        spec.loader.exec_module(package)
        network = _shaped(package.Network, graph, inputs, outputs)()
    except BaseException:
        forget()
        raise
    weakref.finalize(network, forget)
    return network


def _outputs_of(module, arguments: tuple, check: bool) -> Any:
    """Returns the outputs of a module. Raises an Error if the module changes its inputs or its state."""
    torch = _torch()
    state = dict(itertools.chain(module.named_parameters(), module.named_buffers())) if check else {}
    before = {name: value.detach().clone() for name, value in state.items()}
    fed = _copies(arguments)
    with torch.no_grad():
        outputs = module(*fed)
        changed = [name for name, value in before.items() if not torch.equal(value, state[name].detach())]
        for name in changed:
            state[name].copy_(before[name])
    pairs = zip(_leaves(arguments, "inputs"), _leaves(fed, "inputs"))
    changed += [f"input {i}" for i, (one, other) in enumerate(pairs) if check and not torch.equal(one, other)]
    if changed:
        raise Error(
            f"changes {', '.join(changed[:3])} as it runs, which a graph cannot do",
            "iosx.compile",
            "use the module directly",
        )
    return outputs


def _check(expected: tuple, network, arguments: tuple) -> None:
    """Compares the outputs of a module with the outputs of the network of a schedule; NaN equals NaN."""
    with _torch().no_grad():
        actual = _leaves(network(*arguments), "outputs")
    for number, (one, other) in enumerate(zip(expected, actual)):
        if one.numel() == 0:
            continue
        one, other = one.double(), other.double()
        equal = (one == other) | (one.isnan() & other.isnan())
        scale = one.abs().nan_to_num(0, posinf=0).max().item()
        worst = (one - other).abs().masked_fill(equal, 0).max().item() / max(scale, 1e-30)
        if not worst <= _TOLERANCE:
            raise Error(
                f"output {number} differs from the module's by {worst:.1e} of its magnitude",
                "iosx.compile",
                "use the module directly, and report this network",
            )


def _holds_for_other_batches(module, network, arguments: tuple) -> bool:
    """Returns whether the network of a schedule also matches the module for another batch. The trace of an example does
    not show this, because a module may use its batch size as a number."""
    torch = _torch()

    def doubled(each):
        return torch.cat([each, each.flip(0) / 2 if each.is_floating_point() else each.flip(0)])

    more = torch.utils._pytree.tree_map(doubled, arguments)  # pylint: disable=protected-access
    try:
        with _for_inference(module):
            expected = _outputs_of(module, more, True)
        _check(_leaves(expected, "outputs"), network, more)
    except Exception:  # pylint: disable=broad-exception-caught # whatever the module raises
        return False
    return True


def compile(  # pylint: disable=redefined-builtin
    module, example_inputs, *, device=None, schedule=None, check: bool = True, **options
):
    """Returns a torch.nn.Module that runs a module by a schedule; on a GPU, it runs on CUDA streams.

    Args:
        module: A torch.nn.Module, for inference.
        example_inputs: A tensor or a tuple of the inputs of the module: tensors, in tuples, lists or dicts. The schedule
            is for their batch.
        device: The device to search a schedule for: a Device or its id (see iosx.devices()).
        schedule: The schedule. Default: optimize() searches one with the other options of this call, on lanes only if
            barrier_free is true.
        check: First compare the outputs for the example with the outputs of the module; they may differ by at most 1e-4
            of their magnitude. This check also rejects a module that changes its inputs or its state.
    Returns:
        The new module. It returns the same outputs in the same form, for inputs with the shapes of the example. If
        .iosx_graph.batched is true, the batch may differ, unless the check with twice the batch of the example failed.
        .iosx_graph and .iosx_schedule are its graph and schedule. .sequential = True runs the units one by one. An
        index out of range raises no error; it means the index at the end.
    Raises:
        Error: torch cannot export the module, or the outputs differ.
    """
    if schedule is not None and options:
        raise TypeError(f"a schedule and options of a search cannot be given together: {', '.join(options)}")
    inspect.signature(_calls.optimize).bind(None, device, **options)  # raises where there is no such option
    torch = _torch()
    arguments = _tuple(example_inputs)
    inputs = _leaves(arguments, "inputs")
    if any(each.is_floating_point() and each.dtype != torch.float32 for each in inputs):
        raise Error("supports only float32", "iosx.compile", "give module.float() and inputs of that type")
    with _for_inference(module):
        outputs = _outputs_of(module, arguments, check)
    expected = _leaves(outputs, "outputs")
    graph = from_torch(module, arguments)
    if len(graph.outputs()) != len(expected):
        raise Error(
            f"returns {len(expected)} tensors, but its graph has {len(graph.outputs())} outputs",
            "iosx.compile",
            "return each tensor once",
        )
    if schedule is None:
        schedule = _calls.optimize(graph, device, **{"barrier_free": False, **options})
    network = _package(graph, schedule, inputs, outputs)
    if inputs and inputs[0].device.type != "cpu":
        network = network.to(inputs[0].device)
    network.eval()
    if check:
        _check(expected, network, arguments)
        if network.free and not _holds_for_other_batches(module, network, arguments):
            network.free = 0
    network.iosx_graph, network.iosx_schedule = graph, _core.find_schedule(graph, schedule)
    return network


def torch_backend(graph_module, example_inputs, **options):
    """A backend of torch.compile: torch.compile(module, backend=iosx.torch_backend), or backend="iosx" if the package is
    installed. `options=` accepts the options of iosx.compile().

    The first inputs of each new shape get a separate schedule, with the weights that the module has at that time.
    """
    torch = _torch()
    chosen = dict(options.get("options") or {})

    def is_number(each):
        """Whether it is a size or, as torch.compile(dynamic=True) has them, a float: each schedule is for one."""
        return not isinstance(each, torch.Tensor) or (each.dim() == 0 and each.dtype == torch.float64)

    bound = [
        is_number(each)
        or isinstance(each, torch.nn.Parameter)
        or getattr(each, "_dynamo_static_input_type", None) is not None
        for each in example_inputs
    ]
    networks = {}

    class Bound(torch.nn.Module):
        """The module with its weights and with sizes, which torch.compile hands over as inputs."""

        def __init__(self, inputs):
            super().__init__()
            self.inner = graph_module
            for number, (each, is_own) in enumerate(zip(inputs, bound)):
                if is_own and is_number(each):
                    setattr(self, f"own_{number}", each)
                elif is_own:
                    self.register_buffer(f"own_{number}", each.detach())

        def forward(self, *free):
            free = iter(free)
            each = (getattr(self, f"own_{number}") if is_own else next(free) for number, is_own in enumerate(bound))
            return self.inner(*each)

    def network_for(inputs):
        shapes = tuple(float(each) if is_number(each) else (each.shape, each.dtype, each.device) for each in inputs)
        if shapes not in networks:
            free = tuple(each.detach() for each, is_own in zip(inputs, bound) if not is_own)
            # torch's exporter uses what torch.compile is in the middle of using on this thread.
            with concurrent.futures.ThreadPoolExecutor(1) as thread:
                networks[shapes] = thread.submit(compile, Bound(inputs), free, **chosen).result()
        return networks[shapes]

    def run(*inputs):
        with torch.no_grad():
            return _tuple(network_for(inputs)(*(each for each, is_own in zip(inputs, bound) if not is_own)))

    open_sizes = any(not isinstance(size, int) for each in example_inputs for size in getattr(each, "shape", [each]))
    if not open_sizes:
        network_for(example_inputs)  # what cannot be is said at once
    return run
