"""What a model computes: ONNX Runtime without optimisation says so, or ONNX's reference for what that lacks."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

Changed = Callable[[str, np.ndarray], np.ndarray]
Feeds = dict[str, np.ndarray]  # a sequence of tensors is a list of arrays

# ONNX Runtime 1.32 knows IR versions up to this one; onnx writes newer ones by itself.
IR_VERSION = 10


class Refused(Exception):
    """The oracle cannot run this: it is no valid model, or its inputs do not fit."""


class Missing(Refused):
    """ONNX Runtime has no kernel for these types, or cannot hand them over, though the model may be valid."""


MISSING = ("NOT_IMPLEMENTED", "Could not find an implementation", "No corresponding Numpy type", "MLDataType")


def refusal(why: Exception) -> Refused:
    return (Missing if any(words in str(why) for words in MISSING) else Refused)(str(why))


def session(model: onnx.ModelProto) -> ort.InferenceSession:
    """An ONNX Runtime session that runs the model's nodes as they stand, on this thread alone."""
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    except Exception as why:  # ONNX Runtime throws types of its own, which have no common base
        raise refusal(why) from why


def as_value(output: Any) -> Any:
    """An array, also of one number; a sequence stays a list of arrays."""
    return output if isinstance(output, list) else np.asarray(output)


def run_onnxruntime(model: onnx.ModelProto, feeds: Feeds) -> list[np.ndarray]:
    """The outputs in the model's order, by ONNX Runtime."""
    opened = session(model)
    needed = {each.name for each in opened.get_inputs()}
    try:
        return [as_value(out) for out in opened.run(None, {k: v for k, v in feeds.items() if k in needed})]
    except Exception as why:
        raise refusal(why) from why


def with_conditions(nodes: Sequence[onnx.NodeProto], true: str) -> None:
    """Gives this condition to Loops without one, also in bodies: the reference would run them 0 times."""
    for node in nodes:
        if node.op_type == "Loop" and not node.domain and not node.input[1]:
            node.input[1] = true
        for attribute in node.attribute:
            for graph in [attribute.g, *attribute.graphs]:
                with_conditions(graph.node, true)


def for_reference(model: onnx.ModelProto) -> onnx.ModelProto:
    made = onnx.ModelProto()
    made.CopyFrom(model)
    true = "true condition"
    value = numpy_helper.from_array(np.asarray(True))
    for graph in [made.graph, *made.functions]:
        with_conditions(graph.node, true)
        graph.node.insert(0, helper.make_node("Constant", [], [true], value=value))
    return made


def run_reference(model: onnx.ModelProto, feeds: Feeds) -> list[np.ndarray]:
    """The outputs in the model's order, by ONNX's own reference."""
    try:
        with np.errstate(all="ignore"):
            needed = {each.name for each in model.graph.input}
            given = {k: v for k, v in feeds.items() if k in needed}
            outputs = ReferenceEvaluator(for_reference(model)).run(None, given)
            return [as_value(out) for out in outputs]
    except Exception as why:  # a reference written in Python fails with whatever its lines fail with
        raise Refused(str(why)) from why


def reads(node: onnx.NodeProto) -> Iterator[str]:
    """The names that a node reads, also in its branches and its body."""
    yield from filter(None, node.input)
    for attribute in node.attribute:
        for graph in [attribute.g, *attribute.graphs]:
            made = {each.name for each in (*graph.input, *graph.initializer)}
            made |= {name for inner in graph.node for name in inner.output}
            yield from (name for inner in graph.node for name in reads(inner) if name not in made)


def small_model(nodes: Sequence[onnx.NodeProto], like: onnx.ModelProto, feeds: Feeds,
                outputs: Sequence[str]) -> onnx.ModelProto:
    """A model of a few nodes, with the opsets and functions of another; its outputs' types are left to the reader."""
    made = {name for node in nodes for name in node.output}
    names = dict.fromkeys(name for node in nodes for name in reads(node) if name not in made)
    inputs = [declaration(name, feeds[name]) for name in names]
    graph = helper.make_graph(nodes, "nodes", inputs, [onnx.ValueInfoProto(name=name) for name in outputs])
    return helper.make_model(graph, opset_imports=like.opset_import, functions=like.functions, ir_version=IR_VERSION)


def declaration(name: str, value: np.ndarray | list[np.ndarray]) -> onnx.ValueInfoProto:
    if isinstance(value, list):
        return helper.make_tensor_sequence_value_info(name, helper.np_dtype_to_tensor_dtype(value[0].dtype), None)
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)


def run_nodes(nodes: Sequence[onnx.NodeProto], like: onnx.ModelProto, feeds: Feeds,
              outputs: Sequence[str]) -> list[np.ndarray]:
    """These outputs of nodes; the reference says them where it has to."""
    if nodes[0].op_type == "Constant" and nodes[0].attribute[0].name == "sparse_value":
        return [dense(nodes[0].attribute[0].sparse_tensor)]
    model = small_model(nodes, like, feeds, outputs)
    try:
        return run_onnxruntime(model, feeds)
    except Missing:
        return run_reference(model, feeds)


def dense(tensor: onnx.SparseTensorProto) -> np.ndarray:
    values = numpy_helper.to_array(tensor.values)
    array = np.zeros(tuple(tensor.dims), values.dtype)
    array.reshape(-1)[numpy_helper.to_array(tensor.indices)] = values
    return array


def run_stepwise(model: onnx.ModelProto, feeds: Feeds, changed: Changed = lambda name, value: value) -> Feeds:
    """All values of the model by name, node by node, so that the reference helps out only where it has to."""
    given = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer} | feeds
    values = {name: changed(name, value) for name, value in given.items()}
    for node in model.graph.node:
        outputs = [name for name in node.output if name]
        if missing := [name for name in reads(node) if name not in values]:
            raise Refused(f"nothing computes {missing[0]}")
        results = run_nodes([node], model, {name: values[name] for name in reads(node)}, outputs)
        values |= {name: changed(name, result) for name, result in zip(outputs, results)}
    return values


def run(model: onnx.ModelProto, feeds: Feeds) -> list[np.ndarray]:
    """The outputs in the model's order. Raises Refused where nothing can run the model."""
    try:
        return run_onnxruntime(model, feeds)
    except Missing:
        values = run_stepwise(model, feeds)
        return [np.asarray(values[each.name]) for each in model.graph.output]


def check(model: onnx.ModelProto) -> None:
    """Raises Refused where ONNX's checker finds something wrong, declared shapes included."""
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as why:
        raise Refused(str(why)) from why
