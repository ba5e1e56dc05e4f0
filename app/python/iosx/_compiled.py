"""Modules that iosx.compile() returns: PyTorch packages with the inputs and outputs of the modules
behind them."""

from __future__ import annotations

import copy
import functools
import hashlib
import itertools
import os
import shutil
import sys
import weakref
from typing import Any, Optional

from . import _calls
from ._errors import Error
from ._forms import as_tuple, flatten, torch_module

_numbers = itertools.count()


def _digest(tensor) -> bytes:
    """Returns a hash of the values of a tensor."""
    try:
        values = tensor.detach().cpu().contiguous().reshape(-1).view(torch_module().uint8)
        return hashlib.blake2b(values.numpy(), digest_size=16).digest()
    except (RuntimeError, TypeError):  # of a sparse tensor and the like: equal to none
        return os.urandom(16)


def stamp_of(tensor) -> tuple:
    """Returns what changes with the values of a tensor, or if it moves."""
    try:
        version = tensor._version  # pylint: disable=protected-access
    except RuntimeError:  # an inference tensor has none
        version = _digest(tensor)
    return version, tensor.data_ptr()


class Watch:
    """Sees whether the weights or the parts of a module change. It does not keep the module."""

    def __init__(self, module):
        self.root = weakref.ref(module)
        self.parts = [(prefix, weakref.ref(part)) for prefix, part in module.named_modules()]
        self.weights = []  # [name, part, its slots, name there, stamp, digest]
        for prefix, part in module.named_modules():
            for slots in ("_parameters", "_buffers"):
                for key, tensor in getattr(part, slots).items():
                    if tensor is not None:
                        name = f"{prefix}.{key}" if prefix else key
                        self.weights.append(
                            [name, weakref.ref(part), slots, key, stamp_of(tensor), _digest(tensor)]
                        )

    def changed(self) -> Optional[str]:
        """Returns the name of a part that is new, gone or another one, or of a parameter or buffer
        with other values than before; None if there is none. A module that only moved has the same
        values."""
        root = self.root()
        if root is not None:
            now = dict(root.named_modules())
            for prefix, part in self.parts:
                found = now.pop(prefix, None)
                if found is None or found is not part():
                    return prefix
            if now:
                return next(iter(now))
        for weight in self.weights:
            name, part, slots, key, stamp, digest = weight
            owner = part()
            if owner is None:
                continue
            tensor = getattr(owner, slots).get(key)
            if tensor is None:
                return name
            now = stamp_of(tensor)
            if now != stamp:
                if _digest(tensor) != digest:
                    return name
                weight[4] = now
        return None


def under_autocast(kind: str) -> bool:
    """Whether operations on this kind of device run under torch.autocast."""
    torch = torch_module()
    try:
        return torch.is_autocast_enabled(kind)
    except TypeError:  # before torch 2.4
        return torch.is_autocast_cpu_enabled() if kind == "cpu" else torch.is_autocast_enabled()
    except RuntimeError:  # there is no autocast for this kind
        return False


def refuse_autocast(kind: str) -> None:
    if under_autocast(kind):
        raise Error(
            "computes in float32, but is called under torch.autocast",
            "iosx.compile",
            f'call it under torch.autocast("{kind}", enabled=False), or use the module directly',
        )


@functools.cache
def _without_gradient():
    """Returns the autograd function of a network for inference: its gradients are an error, not
    nothing."""

    class WithoutGradient(torch_module().autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(call, *tensors):  # pylint: disable=arguments-differ
            return call(*tensors[1:])

        @staticmethod
        def setup_context(ctx, inputs, output):  # torch.func needs it
            pass

        @staticmethod
        def backward(ctx, *gradients):
            raise Error(
                "is for inference, and has no gradients",
                "iosx.compile",
                "call it under torch.no_grad(), or compile it after module.requires_grad_(False)",
            )

        jvp = backward

    return WithoutGradient


class Compilation:
    """The inputs and outputs of a compiled module, the module behind it, and its package."""

    def __init__(self, arguments: tuple, outputs: Any, free: int, sources: dict[str, str]):
        tensors, self.form = flatten(arguments, "inputs")
        self.shapes = [tuple(each.shape) for each in tensors]
        results, self.out_form = flatten(outputs, "outputs")
        self.results = [(tuple(each.shape), each.dtype) for each in results]
        self.free = free  # leading axes that may have another size than the example's
        self.sources = sources  # of the package, by file
        self.trained = False  # whether the module has parameters that require gradients
        self.watch: Optional[Watch] = None

    def refuse_old_weights(self) -> None:
        changed = self.watch.changed() if self.watch else None
        if changed is not None:
            raise Error(
                f"has its first weights, but '{changed}' of the module has changed since",
                "iosx.compile",
                "compile the module again",
            )

    def tensors_of(self, arguments: tuple) -> tuple:
        """Returns the tensors in arguments. Raises an Error for other arguments than the
        example's."""
        torch = torch_module()
        again = "compile the module again for these"
        tensors, form = flatten(arguments, "inputs")
        shapes = [tuple(each.shape) for each in tensors]
        if [each[self.free :] for each in shapes] != [each[self.free :] for each in self.shapes]:
            raise Error(
                f"was compiled for the shapes {self.shapes}, not for {shapes}",
                "iosx.compile",
                again,
            )
        if not form.matches(self.form):
            raise Error(
                "was compiled for inputs in other tuples, lists, dicts or constants",
                "iosx.compile",
                again,
            )
        for each in tensors:
            if each.is_floating_point() and each.dtype != torch.float32:
                raise Error(
                    f"supports only float32, not {each.dtype}",
                    "iosx.compile",
                    "give inputs of that type",
                )
        return tensors

    def outputs_of(self, found: tuple, tensors: tuple) -> Any:
        """Returns what the module returns, of the outputs of a package: that puts a batch in front
        of each, and gives a tuple of what the module may give as a tuple of tuples."""
        free = self.free
        batch = tuple(tensors[0].shape[:free]) if tensors else self.results[0][0][:free]
        return self.out_form.fill(
            one.reshape((*batch, *shape[free:])).to(dtype)
            for one, (shape, dtype) in zip(found, self.results)
        )


def _compiled_class(network_class):
    """Returns the class of a package's network with the inputs and outputs of the module that it
    was exported from."""
    torch = torch_module()

    class Compiled(network_class):
        # A layer may have any other name.
        iosx_compilation: Compilation
        iosx_graph = iosx_schedule = None

        def forward(self, *given):
            own = self.iosx_compilation
            tensors = own.tensors_of(given)
            own.refuse_old_weights()
            refuse_autocast(self.device.type)
            if torch.is_grad_enabled() and (
                own.trained or any(each.requires_grad for each in tensors)
            ):
                wants = torch.empty(0, requires_grad=own.trained)
                found = as_tuple(_without_gradient().apply(self._iosx_run, wants, *tensors))
            else:
                found = self._iosx_run(*tensors)
            return own.outputs_of(found, tensors)

        def _iosx_run(self, *tensors) -> tuple:
            samples = self.INPUTS.values()
            given = [each.reshape(-1, *sample) for each, sample in zip(tensors, samples)]
            return as_tuple(super().forward(*given))

        def capture(self, *example):
            replay = super().capture(*example)

            def checked(*inputs):
                self.iosx_compilation.refuse_old_weights()
                return replay(*inputs)

            return checked

        def load(self, path):
            if not isinstance(path, dict):
                super().load(path)
                return
            self.load_state_dict(path, assign=True)
            self.requires_grad_(False)
            self.eval()

        def load_state_dict(self, state_dict, *arguments, **options):
            if set(state_dict) != set(self.state_dict()):
                raise Error(
                    "has other weights than the module, because layers are fused",
                    "iosx.compile",
                    "load them into the module, and compile it again",
                )
            return super().load_state_dict(state_dict, *arguments, **options)

        def requires_grad_(self, requires_grad=True):
            if requires_grad:
                raise Error(
                    "is for inference, and has no gradients",
                    "iosx.compile",
                    "train the module itself",
                )
            return super().requires_grad_(False)

        def __deepcopy__(self, memo):
            made = self.__class__.__new__(self.__class__)
            memo[id(self)] = made
            made.__dict__.update(copy.deepcopy(self.__dict__, memo))
            return made

        def __reduce_ex__(self, protocol):
            saved = copy.copy(self.iosx_compilation)
            saved.watch = None
            return _restored, (saved, dict(self.state_dict()), self.place, self.sequential)

    Compiled.__name__ = Compiled.__qualname__ = network_class.__name__
    return Compiled


def _network(folder: str, weights: Optional[dict]):
    """Returns the network of the package in a folder, which is deleted with the network. Default of
    `weights`: its file."""
    import importlib.util

    called = f"_iosx_package_{next(_numbers)}"

    def forget():
        shutil.rmtree(folder, ignore_errors=True)
        for name in [name for name in sys.modules if name.split(".")[0] == called]:
            del sys.modules[name]

    try:
        spec = importlib.util.spec_from_file_location(
            called, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
        )
        module = importlib.util.module_from_spec(spec)
        sys.modules[called] = module
        spec.loader.exec_module(module)
        network_class = _compiled_class(module.Network)
        network = network_class() if weights is None else network_class(weights)
    except BaseException:
        forget()
        raise
    weakref.finalize(network, forget)
    return network


def package(graph, schedule, arguments: tuple, outputs: Any):
    """Returns the module that runs a schedule: that of the PyTorch package, which is kept while the
    module lives."""
    import tempfile

    folder = tempfile.mkdtemp(prefix="iosx-")
    try:
        _calls.export_pytorch(graph, schedule, folder)
        sources = {}
        for name in os.listdir(folder):
            if name.endswith(".py"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    sources[name] = file.read()
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    network = _network(folder, None)
    network.iosx_compilation = Compilation(arguments, outputs, 1 if graph.batched else 0, sources)
    return network


def _restored(compilation: Compilation, weights: dict, place, sequential: bool):
    """Returns a compiled module that was pickled, such as by torch.save(). `place` is on its
    device."""
    import tempfile

    folder = tempfile.mkdtemp(prefix="iosx-")
    for name, text in compilation.sources.items():
        with open(os.path.join(folder, os.path.basename(name)), "w", encoding="utf-8") as file:
            file.write(text)
    network = _network(folder, weights).to(place.device).eval()
    network.iosx_compilation, network.sequential = compilation, sequential
    return network
