"""The tensors in the inputs and outputs of torch modules, and the objects around them."""

from __future__ import annotations

import io
import itertools
import pickle
import sys
from typing import Any

from ._errors import Error


def torch_module():
    try:
        import torch
    except ImportError:
        raise Error(
            "torch is not installed for this Python", sys.executable, "pip install torch onnxscript"
        ) from None
    return torch


def _pytree():
    return torch_module().utils._pytree  # pylint: disable=protected-access


def as_tuple(values: Any) -> tuple:
    return tuple(values) if isinstance(values, (list, tuple)) else (values,)


class Packer(pickle.Pickler):
    """Pickles an object without its tensors, which it collects."""

    def __init__(self, file):
        super().__init__(file)
        self.tensors = []

    def persistent_id(self, obj):
        torch = torch_module()
        if isinstance(obj, (torch.SymInt, torch.SymFloat, torch.SymBool)):  # while torch traces
            return -1
        if not isinstance(obj, torch.Tensor):
            return None
        for number, known in enumerate(self.tensors):
            if known is obj:
                return number
        self.tensors.append(obj)
        return len(self.tensors) - 1


class Unpacker(pickle.Unpickler):
    def __init__(self, file, tensors):
        super().__init__(file)
        self.tensors = tensors

    def persistent_load(self, pid):
        return self.tensors[pid]


class Form:
    """The tuples, lists, dicts and other objects around tensors, such as a cache of
    transformers."""

    def __init__(self, spec, leaves):
        self.spec = spec
        # () for a tensor, (value,) for a constant, (pickle, number of tensors) for another object.
        self.leaves = leaves

    @property
    def plain(self) -> bool:
        """Whether it contains only tensors, in tuples, lists, dicts and classes that torch
        knows."""
        return not any(self.leaves)

    def fill(self, values) -> Any:
        """Returns these objects with other values in place of the tensors."""
        rest = iter(values)
        leaves = [self._filled(leaf, rest) for leaf in self.leaves]
        return _pytree().tree_unflatten(leaves, self.spec)

    @staticmethod
    def _filled(leaf, rest):
        if not leaf:
            return next(rest)
        if len(leaf) == 1:
            return leaf[0]
        packed, count = leaf
        return Unpacker(io.BytesIO(packed), list(itertools.islice(rest, count))).load()

    def matches(self, other: Form) -> bool:
        """Whether both have the same tuples, lists, dicts and constants, and as many tensors in
        other objects."""

        def comparable(leaf):
            return leaf[1:] if len(leaf) == 2 and leaf[1] > 0 else leaf

        own, others = map(comparable, self.leaves), map(comparable, other.leaves)
        return self.spec == other.spec and list(own) == list(others)


def flatten(values: Any, what: str) -> tuple[tuple, Form]:
    """Returns the tensors in values, in the order in which torch's exporter has them, and the form
    around them."""
    torch = torch_module()
    found, spec = _pytree().tree_flatten(values)
    tensors, leaves = [], []
    for each in found:
        if isinstance(each, torch.Tensor):
            tensors.append(each)
            leaves.append(())
        elif each is None or isinstance(each, (bool, int, float, str)):
            leaves.append((each,))
        else:
            file = io.BytesIO()
            packer = Packer(file)
            try:
                packer.dump(each)
            except Exception:  # pylint: disable=broad-exception-caught # whatever its class raises
                raise TypeError(
                    f"{what} must be tensors, in tuples, lists, dicts or objects for pickle, "
                    f"not {each!r}"
                ) from None
            tensors += packer.tensors
            leaves.append((file.getvalue(), len(packer.tensors)))
    return tuple(tensors), Form(spec, leaves)


def copies(tensors) -> list:
    """Returns copies, of which none are one another's memory."""
    return [each.detach().clone() for each in tensors]


def has_batch(tensor, batch: int) -> bool:
    return tensor.dim() > 0 and tensor.shape[0] == batch


def doubled(tensor):
    """Returns twice the batch of a tensor: its samples, and others."""
    other = tensor.flip(0)
    return torch_module().cat([tensor, other / 2 if tensor.is_floating_point() else other])
