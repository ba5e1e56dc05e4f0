"""Makes a model that shows a fault as small as it can be while it still shows it."""

import copy
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import onnx
from onnx import helper, numpy_helper

from . import oracle
from .builder import refuse_extremes
from .generator import Case, Model
from .oracle import Feeds, Refused

Shows = Callable[[Model], bool]


def dims_of(shapes: list[tuple[int, ...]], cases: list[Case]) -> list[int | str | None]:
    """Sizes where all cases have one, else the name of the open size that is the same, else nothing."""
    dims: list[int | str | None] = []
    for seen in zip(*shapes):
        names = [name for name in cases[0].dims if [case.dims[name] for case in cases] == list(seen)]
        dims.append(seen[0] if len(set(seen)) == 1 else (names[0] if names else None))
    return dims


def declared(name: str, arrays: list[np.ndarray], cases: list[Case]) -> onnx.ValueInfoProto:
    kind = helper.np_dtype_to_tensor_dtype(arrays[0].dtype)
    return helper.make_tensor_value_info(name, kind, dims_of([array.shape for array in arrays], cases))


def rebuilt(model: Model, nodes: list[onnx.NodeProto], outputs: list[str], feeds: list[Feeds] | None = None,
            constants: dict[str, np.ndarray] | None = None) -> Model:
    """The model with these nodes, outputs and inputs, without what nothing reads.

    Raises Refused where no oracle runs it.
    """
    needed = set(outputs)
    kept: list[onnx.NodeProto] = []
    for node in reversed(nodes):
        if needed & set(node.output):
            kept.insert(0, node)
            needed |= set(oracle.reads(node))
    made = {name for node in kept for name in node.output}
    fed = feeds or [case.feeds for case in model.cases]
    cases = [Case(dict(each), case.batch, case.dims) for each, case in zip(fed, model.cases)]
    for case in cases:
        case.feeds = {name: x for name, x in case.feeds.items() if name in needed and name not in made}
    if not cases[0].feeds:
        raise Refused("nothing is fed")
    initializers = [each for each in model.proto.graph.initializer if each.name in needed - made]
    initializers += [numpy_helper.from_array(x, name) for name, x in (constants or {}).items() if name in needed - made]
    known = {each.name: each for each in model.proto.graph.input}
    same = feeds is None

    def input_of(name: str) -> onnx.ValueInfoProto:
        return known[name] if same and name in known else declared(name, [case.feeds[name] for case in cases], cases)

    inputs = [input_of(name) for name in cases[0].feeds]
    proto = copy.deepcopy(model.proto)
    proto.ir_version = max(proto.ir_version, 4)
    graph = helper.make_graph(kept, "fuzz", inputs, [onnx.ValueInfoProto(name=name) for name in outputs], initializers)
    proto.graph.CopyFrom(graph)
    for function in reversed(list(proto.functions)):  # one that calls another comes after it
        if function.name not in {*kinds(kept), *(kind for each in proto.functions for kind in kinds(each.node))}:
            proto.functions.remove(function)
    values = [tensors(oracle.run_stepwise(proto, case.feeds)) for case in cases]
    if any(name not in value for name in outputs for value in values):
        raise Refused("nothing computes an output")
    constants_in_file = {each.name for each in initializers} | {n.output[0] for n in kept if n.op_type == "Constant"}
    for value in values:
        refuse_extremes([x for name, x in value.items() if name not in constants_in_file], constant=False)
    del proto.graph.output[:]
    proto.graph.output.extend(declared(name, [value[name] for value in values], cases) for name in outputs)
    oracle.check(proto)
    result = replace(model, proto=proto, cases=cases)
    for case in cases:
        case.outputs = oracle.run(proto, case.feeds)
    return result


def kinds(nodes: Iterable[onnx.NodeProto]) -> Iterator[str]:
    """The types of nodes, also in their branches."""
    for node in nodes:
        yield node.op_type
        for attribute in node.attribute:
            yield from kinds(attribute.g.node)


def tensors(values: Feeds) -> Feeds:
    """Without sequences, and without numbers that NumPy has not."""
    return {name: x for name, x in values.items() if not isinstance(x, list) and x.dtype.kind in "fiub"}


def fewer_cases(model: Model) -> Iterator[Callable[[], Model]]:
    if len(model.cases) > 1:
        for case in model.cases:
            yield partial(replace, model, cases=[case])


def fewer_outputs(model: Model) -> Iterator[Callable[[], Model]]:
    nodes, outputs = list(model.proto.graph.node), [each.name for each in model.proto.graph.output]
    if len(outputs) > 1:
        for name in outputs:
            yield partial(rebuilt, model, nodes, [name])
    if len(outputs) > 2:
        for name in outputs:
            yield partial(rebuilt, model, nodes, [each for each in outputs if each != name])


def shorter(model: Model) -> Iterator[Callable[[], Model]]:
    """Ends at an earlier node, or leaves one out by feeding what it yields, or by passing on what it reads."""
    nodes, outputs = list(model.proto.graph.node), [each.name for each in model.proto.graph.output]
    if len(nodes) < 2:
        return
    try:
        values = [tensors(oracle.run_stepwise(model.proto, case.feeds)) for case in model.cases]
    except Refused:  # such as a node that runs among others, and not alone
        return
    fed = set(model.cases[0].feeds)
    varying = set(fed)
    for node in nodes:
        if varying & set(oracle.reads(node)):
            varying |= set(node.output)
    for node in nodes[:-1]:
        for name in filter(None, node.output):
            if name in varying and name in values[0]:
                yield partial(rebuilt, model, nodes, [name])
    for node in nodes:
        rest = [each for each in nodes if each is not node]
        made = [name for name in node.output if name]
        if set(made) & set(outputs) or not set(made) <= set(values[0]):
            continue
        if set(made) <= varying:
            feeds = [case.feeds | {name: value[name] for name in made} for case, value in zip(model.cases, values)]
            yield partial(rebuilt, model, rest, outputs, feeds)
        else:
            constants = {name: values[0][name] for name in made}
            yield partial(rebuilt, model, rest, outputs, None, constants)
    for node in nodes:
        for source in filter(None, node.input):
            target = node.output[0]
            if target in outputs or not {source, target} <= set(values[0]):
                continue
            if all(v[source].shape == v[target].shape and v[source].dtype == v[target].dtype for v in values):
                yield partial(rebuilt, model, renamed(nodes, node, source), outputs)


def renamed(nodes: list[onnx.NodeProto], without: onnx.NodeProto, source: str) -> list[onnx.NodeProto]:
    """The other nodes, which read `source` where they read the output of the one that is left out."""
    result = []
    for node in nodes:
        if node is not without:
            other = copy.deepcopy(node)
            other.input[:] = [source if name == without.output[0] else name for name in node.input]
            result.append(other)
    return result


def fewer_attributes(model: Model) -> Iterator[Callable[[], Model]]:
    nodes, outputs = list(model.proto.graph.node), [each.name for each in model.proto.graph.output]
    for i, node in enumerate(nodes):
        if node.op_type == "Constant":
            continue
        for at in range(len(node.attribute)):
            other = copy.deepcopy(node)
            del other.attribute[at]
            yield partial(rebuilt, model, [*nodes[:i], other, *nodes[i + 1:]], outputs)


def smaller_inputs(model: Model) -> Iterator[Callable[[], Model]]:
    nodes, outputs = list(model.proto.graph.node), [each.name for each in model.proto.graph.output]
    if any(node.op_type == "GatherND" for node in nodes):
        return  # ONNX Runtime accepts batch axes that no longer fit those of the indices
    for name, x in model.cases[0].feeds.items():
        for axis in range(x.ndim):
            if x.shape[axis] > 1 and all(case.feeds[name].shape[axis] == x.shape[axis] for case in model.cases):
                for size in sorted({1, 2, x.shape[axis] // 2} - {0, x.shape[axis]}):
                    feeds = [case.feeds | {name: np.take(case.feeds[name], range(size), axis)} for case in model.cases]
                    yield partial(rebuilt, model, nodes, outputs, feeds)


STEPS = (fewer_cases, fewer_outputs, shorter, fewer_attributes, smaller_inputs)


def minimised(model: Model, shows: Shows, tries: int = 80) -> Model:
    """A smaller model that still shows the fault; `tries` is how many may be put to the question."""
    progress = True
    while progress and tries > 0:
        progress = False
        for step in STEPS:
            for candidate in step(model):
                try:
                    smaller = candidate()
                except Refused:
                    continue
                tries -= 1
                if shows(smaller):
                    model, progress = smaller, True
                    break
                if tries <= 0:
                    return model
            if progress:
                break
    return model
