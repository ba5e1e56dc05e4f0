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
import warnings
from typing import Any, Optional

from . import _calls, _core, _progress
from ._compiled import Watch, package, refuse_autocast, stamp_of, under_autocast
from ._errors import Error
from ._forms import as_tuple, copies, doubled, flatten, has_batch, torch_module

_TOLERANCE = 1e-4  # part of an output's magnitude


@contextlib.contextmanager
def _for_inference(module):
    """Puts a module into the mode for inference; afterwards each part of it is in its own mode
    again."""
    if not isinstance(module, torch_module().nn.Module):
        raise TypeError(f"expected a torch.nn.Module, not {module!r}")
    modes = [(part, part.training) for part in module.modules()]
    module.eval()
    try:
        yield
    finally:
        for part, mode in modes:
            part.training = mode


@contextlib.contextmanager
def _silence():
    """Discards printed text and the log of torch, which writes to the standard error stream of its
    import time."""
    names = ("torch", *logging.root.manager.loggerDict)
    loggers = [logging.getLogger(name) for name in names if name.split(".")[0] == "torch"]
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


class _Source:
    """A module and its example inputs, as torch's exporter needs them."""

    def __init__(self, module, arguments: tuple):
        self.module = module
        self.tensors, self.form = flatten(arguments, "inputs")
        sizes = [each.shape[0] for each in self.tensors if each.dim() > 0]
        self.batch = sizes[0] if sizes else None
        self.has_open_batch = False  # whether the last graph of it does

    def export(self, path: str, dynamo: bool, flat: bool, open_batch: bool) -> None:
        """Writes the module as ONNX by torch's exporter, or by its older one without `dynamo`. With
        `flat`, inputs and outputs are the tensors in the module's own. With `open_batch`, the size
        of their leading axis stays open.
        """
        torch = torch_module()
        # The exporter makes one input of two that are the same tensor.
        tensors = copies(self.tensors)
        shapes = [None] * len(tensors)
        options: dict[str, Any] = {"verbose": False} if dynamo else {}
        if open_batch:
            size = torch.export.Dim("batch")
            for i, each in enumerate(self.tensors):
                if has_batch(each, self.batch):
                    shapes[i] = {0: size}
                    if self.batch == 1:  # torch takes a size of 1 for a constant
                        tensors[i] = doubled(tensors[i])
        module, arguments, open_sizes = self.module, tuple(tensors), (tuple(shapes),)
        if flat:
            module = _flattened(module, self.form)
            options["input_names"] = self._names()
        else:
            arguments = self.form.fill(tensors)
            open_sizes = self._by_parameter(self.form.fill(shapes))
        if open_batch:
            options["dynamic_shapes"] = open_sizes
        # What it prints of a module that it cannot export runs to hundreds of lines.
        with torch.no_grad(), warnings.catch_warnings(), _silence():
            warnings.simplefilter("ignore")
            # A trace would keep the branch that the example takes.
            warnings.filterwarnings(
                "error", message=".*to a Python boolean", category=torch.jit.TracerWarning
            )
            program = torch.onnx.export(module, arguments, path, dynamo=dynamo, **options)
        # Where no open size is possible, its exporter goes on with a constant one, in silence.
        if open_batch and program is not None:
            shapes = [each.shape for each in program.model.graph.inputs]
            if not any(shape and not isinstance(shape[0], int) for shape in shapes):
                raise ValueError("torch exports it with a constant batch")

    def shapes(self, graph) -> dict[str, tuple]:
        """Returns the shapes of the graph's inputs that have the batch."""
        pairs = zip(graph.inputs(), self.tensors)
        return {name: tuple(each.shape) for name, each in pairs if has_batch(each, self.batch)}

    def _parameters(self) -> list:
        return list(inspect.signature(self.module.forward).parameters.values())

    def _by_parameter(self, each_argument: tuple) -> tuple:
        """Returns what belongs to each argument as torch.export expects it: one tuple for all of
        *arguments."""
        for number, parameter in enumerate(self._parameters()):
            if parameter.kind is parameter.VAR_POSITIONAL:
                return (*each_argument[:number], tuple(each_argument[number:]))
        return each_argument

    def _names(self) -> list[str]:
        """Returns a name for each tensor: that of its parameter, with a number if the argument has
        several tensors."""
        arguments = self.form.fill(self.tensors)
        parameters = [
            each.name for each in self._parameters() if each.kind is each.POSITIONAL_OR_KEYWORD
        ]
        names = []
        for number, argument in enumerate(arguments):
            name = parameters[number] if number < len(parameters) else f"input_{number}"
            count = len(flatten(argument, "inputs")[0])
            names += [name] if count == 1 else [f"{name}_{i}" for i in range(count)]
        return names


def _flattened(module, form):
    """Returns a module whose inputs and outputs are the tensors in those of a module."""

    class Flat(torch_module().nn.Module):
        def __init__(self):
            super().__init__()
            self.module = module

        def forward(self, *tensors):
            return flatten(self.module(*form.fill(tensors)), "outputs")[0]

    return Flat().eval()


def _returns_only_tensors(source: _Source) -> bool:
    """Whether a module that could not be exported returns no caches, None or the like."""
    try:
        with torch_module().no_grad():
            outputs = source.module(*source.form.fill(copies(source.tensors)))
        return flatten(outputs, "outputs")[1].plain
    except Exception:  # pylint: disable=broad-exception-caught # whatever the module raises
        return True


def _graph_of(
    source: _Source, name: str, heard, flat: Optional[bool] = None, open_batch: bool = True
):
    """Returns the graph of a module: by torch's exporter with an open batch, without one, or by the
    older exporter. Where the batch is not open, Graph.warnings says why. `flat`: see
    _Source.export(); None if it is not known yet. Without `open_batch`, it does not try the
    first."""
    import tempfile

    problems: dict[str, str] = {}
    fixed = []  # why the batch is not open

    def attempt(title: str, dynamo: bool, flat: bool, is_open: bool):
        heard.begin(f"{title} of {name}{', open batch' if is_open else ''}")
        with tempfile.TemporaryDirectory(prefix="iosx-") as folder:
            path = os.path.join(folder, f"{name.replace('/', '_')[:50]}.onnx")
            try:
                source.export(path, dynamo, flat, is_open)
            except Exception as error:  # pylint: disable=broad-exception-caught # of torch
                problems[title] = _reason(error)
                return None
            values = {"source": path, "called": name}
            if not is_open:
                return _core.open({**values, "notes": fixed})
            try:
                graph = _core.open({**values, "batch": source.batch})
                if not graph.batched:  # so its shapes include the batch
                    graph = _core.open({**values, "shapes": source.shapes(graph)})
            except Error as error:
                problems[title] = str(error)
                return None
        lacking = [each.name for each in graph.operators if each.kind == "not executable"]
        if not lacking:
            return graph
        problems[title] = f"'{lacking[0]}' is not executable"
        return None

    def attempts(flat: bool):
        source.has_open_batch = False
        if open_batch and source.batch is not None:
            graph = attempt("torch.export", True, flat, True)
            if graph is not None:
                source.has_open_batch = True
                return graph
            fixed[:] = [
                f"The batch of {source.batch} is a constant in the exported model, "
                f"because an open one fails: {problems['torch.export']}"
            ]
        graph = attempt("torch.export", True, flat, False)
        return attempt("TorchScript", False, flat, False) if graph is None else graph

    known = flat if flat is not None else not source.form.plain
    graph = attempts(known)
    if graph is None and flat is None and not known and not _returns_only_tensors(source):
        graph = attempts(True)
    if graph is not None:
        return graph
    lacking = any("No module named" in problem for problem in problems.values())
    by_hand = "export it by hand, and open the file with iosx.open()"
    said = "; ".join(f"{title}: {why}" for title, why in problems.items())
    raise Error(
        f"torch cannot export it to ONNX: {said}",
        type(source.module).__name__,
        "pip install onnx onnxscript" if lacking else by_hand,
    )


def from_torch(module, example_inputs, *, name: str = "", progress=None) -> _core.Graph:
    """Converts a torch module with its weights to a Graph.

    Args:
        module: A torch.nn.Module. The export uses inference mode, and the mode of the module does
            not change.
        example_inputs: A tensor or a tuple of the inputs of the module, with the shapes for the
            graph, including the batch: tensors, in tuples, lists, dicts or other objects, such as a
            cache of transformers. None, numbers and strings stay as they are in the example.
        name: Name of the graph. Default: the name of its class.
        progress: See compare(). torch does not say how far its export is.
    Returns:
        The Graph. Its inputs have the shapes of the examples; its default batch is the leading size
        of the first one. The batch stays open if torch can export the module so; else .warnings
        says why not.
    Raises:
        Error: The exporter of torch cannot write the module, or IOS Explorer cannot read the model.
    """
    heard = _progress.listener(progress)
    with _for_inference(module), contextlib.closing(heard):
        return _graph_of(
            _Source(module, as_tuple(example_inputs)), name or type(module).__name__, heard
        )


def _outputs_of(module, arguments: tuple) -> Any:
    """Returns the outputs of a module. Raises an Error if the module writes to its inputs or its
    state, whatever the values."""
    torch = torch_module()
    state = dict(itertools.chain(module.named_parameters(), module.named_buffers()))
    before = {name: value.detach().clone() for name, value in state.items()}
    tensors, form = flatten(arguments, "inputs")
    with torch.inference_mode(False):
        fed = copies(tensors)  # which count the writes to them
    watched = {**state, **{f"input {i}": each for i, each in enumerate(fed)}}
    stamps = {name: stamp_of(each) for name, each in watched.items()}
    with torch.no_grad():
        outputs = module(*form.fill(fed))
        changed = [name for name, each in watched.items() if stamp_of(each) != stamps[name]]
        for name in state.keys() & set(changed):
            state[name].copy_(before[name])
    if changed:
        raise Error(
            f"changes {', '.join(changed[:3])} as it runs, which a graph cannot do",
            "iosx.compile",
            "use the module directly",
        )
    return outputs


def _check(expected: tuple, network, arguments: tuple) -> None:
    """Compares the outputs of a module with the outputs of the network of a schedule; NaN equals
    NaN."""
    with torch_module().no_grad():
        actual = flatten(network(*arguments), "outputs")[0]
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
    """Returns whether the network of a schedule also matches the module for another batch. The
    trace of an example does not show this, because a module may use its batch size as a number."""
    tensors, form = flatten(arguments, "inputs")
    try:
        more = form.fill([doubled(each) for each in tensors])
        with _for_inference(module):
            expected = _outputs_of(module, more)
        _check(flatten(expected, "outputs")[0], network, more)
    except Exception:  # pylint: disable=broad-exception-caught # whatever the module raises
        return False
    return True


def compile(  # pylint: disable=redefined-builtin
    module,
    example_inputs,
    *,
    device=None,
    schedule=None,
    check: bool = True,
    progress=None,
    **options,
):
    """Returns a torch.nn.Module that runs a module by a schedule; on a GPU, it runs on CUDA
    streams.

    Args:
        module: A torch.nn.Module, for inference.
        example_inputs: A tensor or a tuple of the inputs of the module: see from_torch(). The
            schedule is for their batch.
        device: The device to search a schedule for: a Device or its id (see iosx.devices()).
        schedule: The schedule. Default: optimize() searches one with the other options of this
            call, on lanes only if barrier_free is true.
        check: First compare the outputs for the example with the outputs of the module; they may
            differ by at most 1e-4 of their magnitude.
        progress: See compare().
    Returns:
        The new module. It returns the same outputs in the same form, for inputs with the shapes of
        the example. If .iosx_graph.batched is true, the batch may differ, unless the check with
        twice the batch of the example failed. .iosx_graph and .iosx_schedule are its graph and
        schedule. .sequential = True runs the units one by one. An index out of range raises no
        error; it means the index at the end.

        It raises an Error under torch.autocast, when a gradient through it is computed, and when
        the weights or parts of the module have changed since, such as by load_state_dict() or
        module.head = another. It does not see changes of values through .data, nor changes of
        anything else, such as forward hooks. Weights that are inference tensors are compared by
        value at every call, which takes time. torch.save() saves it with its weights.
        torch.load(weights_only=False) returns it without .iosx_graph and .iosx_schedule, which are
        None.
    Raises:
        Error: torch cannot export the module, it writes to its inputs or its state, or the outputs
            differ.
    """
    if schedule is not None and options:
        raise TypeError(
            f"a schedule and options of a search cannot be given together: {', '.join(options)}"
        )
    # Raises where there is no such option.
    inspect.signature(_calls.optimize).bind(None, device, **options)
    if schedule is None and device is not None:
        _core.device(device)  # raises before the export where there is no such device
    torch = torch_module()
    arguments = as_tuple(example_inputs)
    source = _Source(module, arguments)
    inputs = source.tensors
    if any(each.is_floating_point() and each.dtype != torch.float32 for each in inputs):
        raise Error(
            "supports only float32", "iosx.compile", "give module.float() and inputs of that type"
        )
    refuse_autocast(inputs[0].device.type if inputs else "cpu")
    name = type(module).__name__
    heard = _progress.listener(progress)

    def schedule_of(graph):
        """Returns the schedule, or one that is searched for the graph."""
        count = len(graph.outputs())
        if count != len(expected):
            raise Error(
                f"returns {len(expected)} tensors, but its graph has {count} outputs",
                "iosx.compile",
                "return each tensor once",
            )
        heard.close()
        if schedule is not None:
            return schedule
        return _calls.optimize(
            graph, device, progress=progress, **{"barrier_free": False, **options}
        )

    def run_by(graph, chosen):
        """Returns the module that runs the graph by a schedule."""
        heard.begin(f"PyTorch package of {name}")
        network = package(graph, chosen, arguments, outputs)
        if inputs and inputs[0].device.type != "cpu":
            network = network.to(inputs[0].device)
        network.eval()
        if check:
            heard.begin(f"outputs of {name} compared")
            _check(expected, network, arguments)
            if network.iosx_compilation.free and not _holds_for_other_batches(
                module, network, arguments
            ):
                network.iosx_compilation.free = 0
        network.iosx_graph, network.iosx_schedule = graph, _core.find_schedule(graph, chosen)
        return network

    with contextlib.closing(heard):
        heard.begin(f"example of {name}")
        with _for_inference(module):
            outputs = _outputs_of(module, arguments)
            expected, out_form = flatten(outputs, "outputs")
            flat = not (source.form.plain and out_form.plain)
            graph = _graph_of(source, name, heard, flat)
        chosen = schedule_of(graph)
        try:
            network = run_by(graph, chosen)
        except Error:
            if schedule is not None or not source.has_open_batch:
                raise
            with _for_inference(module):
                graph = _graph_of(source, name, heard, flat, open_batch=False)
            network = run_by(graph, schedule_of(graph))
    network.iosx_compilation.trained = any(each.requires_grad for each in module.parameters())
    network.iosx_compilation.watch = Watch(module)
    return network


class _Backend:
    """Runs a graph of torch.compile by schedules, one for each shape of its inputs."""

    def __init__(self, graph_module, example_inputs, options: dict):
        self.module = graph_module
        self.options = options
        # Weights and sizes, which torch.compile hands over as inputs.
        self.bound = [
            self._is_number(each)
            or isinstance(each, torch_module().nn.Parameter)
            or getattr(each, "_dynamo_static_input_type", None) is not None
            for each in example_inputs
        ]
        self.networks: dict[tuple, tuple] = {}  # by shapes: (network, stamps of the weights)
        self.warned = False

    @staticmethod
    def _is_number(each) -> bool:
        """Whether it is a size or, as torch.compile(dynamic=True) has them, a float: each schedule
        is for one."""
        torch = torch_module()
        return not isinstance(each, torch.Tensor) or (
            each.dim() == 0 and each.dtype == torch.float64
        )

    def _free(self, inputs) -> tuple:
        return tuple(each for each, is_own in zip(inputs, self.bound) if not is_own)

    def _with_inputs(self, inputs):
        """Returns the module with its weights and sizes."""
        graph_module, bound, is_number = self.module, self.bound, self._is_number

        class Bound(torch_module().nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = graph_module
                for number, (each, is_own) in enumerate(zip(inputs, bound)):
                    if is_own and is_number(each):
                        setattr(self, f"own_{number}", each)
                    elif is_own:
                        self.register_buffer(f"own_{number}", each.detach())

            def forward(self, *free):
                rest = iter(free)
                return self.inner(
                    *(
                        getattr(self, f"own_{i}") if own else next(rest)
                        for i, own in enumerate(bound)
                    )
                )

        return Bound()

    def network_for(self, inputs):
        shapes = tuple(
            float(each) if self._is_number(each) else (each.shape, each.dtype, each.device)
            for each in inputs
        )
        stamps = [
            stamp_of(each)
            for each, own in zip(inputs, self.bound)
            if own and not self._is_number(each)
        ]
        network, known = self.networks.get(shapes, (None, None))
        if (
            network is not None
            and known == stamps
            and network.iosx_compilation.watch.changed() is None
        ):
            return network
        options = self.options
        if network is not None:  # its weights have changed, and its schedule stays
            options = {
                name: options[name] for name in ("device", "check", "progress") if name in options
            }
            options["schedule"] = network.iosx_schedule
        free = tuple(each.detach() for each in self._free(inputs))
        # torch's exporter uses what torch.compile is in the middle of using on this thread.
        with concurrent.futures.ThreadPoolExecutor(1) as thread:
            network = thread.submit(compile, self._with_inputs(inputs), free, **options).result()
        self.networks[shapes] = network, stamps
        return network

    def why_not(self, inputs) -> str:
        """Returns why a call needs the module itself; empty if it does not."""
        torch = torch_module()
        tensors = [each for each in inputs if isinstance(each, torch.Tensor)]
        if torch.is_grad_enabled() and any(
            each.requires_grad for each in (*tensors, *self.module.parameters())
        ):
            return "gradients are wanted; call it under torch.no_grad()"
        if any(under_autocast(kind) for kind in {each.device.type for each in tensors}):
            return "schedules compute in float32, and torch.autocast is active"
        return ""

    def run(self, inputs) -> tuple:
        reason = self.why_not(inputs)
        if reason:
            if not self.warned:
                logging.getLogger("iosx").warning("the module runs without a schedule: %s", reason)
            self.warned = True
            return self.module(*inputs)
        with torch_module().no_grad():
            return as_tuple(self.network_for(inputs)(*self._free(inputs)))


def torch_backend(graph_module, example_inputs, **options):
    """A backend of torch.compile: torch.compile(module, backend=iosx.torch_backend), or
    backend="iosx" if the package is installed. `options=` accepts the options of iosx.compile().

    The first inputs of each new shape get a separate schedule. If the weights change, such as by
    load_state_dict(), the next call exports the module again for the same schedule. It does not see
    changes of values through .data. Under torch.autocast, and where gradients are wanted, the
    module runs without a schedule, and a warning says so once: call it under torch.no_grad().
    """
    backend = _Backend(graph_module, example_inputs, dict(options.get("options") or {}))
    open_sizes = any(
        not isinstance(size, int)
        for each in example_inputs
        for size in getattr(each, "shape", [each])
    )
    if not open_sizes and not backend.why_not(example_inputs):
        backend.network_for(example_inputs)  # what cannot be is said at once

    def run(*inputs):
        return backend.run(inputs)

    return run
