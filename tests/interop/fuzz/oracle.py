"""What a model computes: ONNX Runtime without optimisation says so, or ONNX's reference for what that lacks."""

import numpy as np
import onnx
import onnxruntime as ort
from onnx import helper
from onnx.reference import ReferenceEvaluator

Feeds = dict[str, np.ndarray]

# ONNX Runtime 1.32 knows IR versions up to this one; onnx writes newer ones by itself.
IR_VERSION = 10


class Refused(Exception):
    """The oracle cannot run this: it is no valid model, or its inputs do not fit."""


class Missing(Refused):
    """ONNX Runtime has no kernel for these types, though the model may be valid."""


def session(model: onnx.ModelProto) -> ort.InferenceSession:
    """An ONNX Runtime session that runs the model's nodes as they stand, on this thread alone."""
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    except Exception as why:  # ONNX Runtime throws types of its own, which have no common base
        missing = "NOT_IMPLEMENTED" in str(why) or "Could not find an implementation" in str(why)
        raise (Missing if missing else Refused)(str(why)) from why


def run_onnxruntime(model: onnx.ModelProto, feeds: Feeds) -> list[np.ndarray]:
    """The outputs in the model's order, by ONNX Runtime."""
    opened = session(model)
    needed = {each.name for each in opened.get_inputs()}
    try:
        return [np.asarray(out) for out in opened.run(None, {k: v for k, v in feeds.items() if k in needed})]
    except Exception as why:
        raise (Missing if "NOT_IMPLEMENTED" in str(why) else Refused)(str(why)) from why


def run_reference(model: onnx.ModelProto, feeds: Feeds) -> list[np.ndarray]:
    """The outputs in the model's order, by ONNX's own reference."""
    try:
        with np.errstate(all="ignore"):
            needed = {each.name for each in model.graph.input}
            outputs = ReferenceEvaluator(model).run(None, {k: v for k, v in feeds.items() if k in needed})
            return [np.asarray(out) for out in outputs]
    except Exception as why:  # a reference written in Python fails with whatever its lines fail with
        raise Refused(str(why)) from why


def single_node(node: onnx.NodeProto, opset: int, feeds: Feeds, outputs: list[str]) -> onnx.ModelProto:
    """A model of one node; the types of its outputs are left to the reader."""
    inputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(feeds[name].dtype), feeds[name].shape)
        for name in dict.fromkeys(filter(None, node.input))
    ]
    results = [onnx.ValueInfoProto(name=name) for name in outputs]
    graph = helper.make_graph([node], "node", inputs, results)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=IR_VERSION)


def run_node(node: onnx.NodeProto, opset: int, feeds: Feeds) -> tuple[list[np.ndarray], bool]:
    """The outputs of one node, and whether the reference had to say them."""
    if node.op_type == "Constant" and node.attribute[0].name == "sparse_value":
        return [dense(node.attribute[0].sparse_tensor)], False
    model = single_node(node, opset, feeds, [name for name in node.output if name])
    try:
        return run_onnxruntime(model, feeds), False
    except Missing:
        return run_reference(model, feeds), True


def dense(tensor: onnx.SparseTensorProto) -> np.ndarray:
    values = onnx.numpy_helper.to_array(tensor.values)
    array = np.zeros(tuple(tensor.dims), values.dtype)
    array.reshape(-1)[onnx.numpy_helper.to_array(tensor.indices)] = values
    return array


def run_stepwise(model: onnx.ModelProto, feeds: Feeds) -> Feeds:
    """All values of the model by name, node by node, so that the reference helps out only where it has to."""
    opset = next(each.version for each in model.opset_import if each.domain in ("", "ai.onnx"))
    values = {each.name: onnx.numpy_helper.to_array(each) for each in model.graph.initializer} | feeds
    for node in model.graph.node:
        results, _ = run_node(node, opset, {name: values[name] for name in node.input if name})
        values |= zip(filter(None, node.output), results)
    return values


def run(model: onnx.ModelProto, feeds: Feeds) -> list[np.ndarray]:
    """The outputs in the model's order. Raises Refused where nothing can run the model."""
    try:
        return run_onnxruntime(model, feeds)
    except Missing:
        try:
            values = run_stepwise(model, feeds)
        except KeyError as why:
            raise Refused(f"nothing computes {why}") from why
        return [np.asarray(values[each.name]) for each in model.graph.output]


def check(model: onnx.ModelProto) -> None:
    """Raises Refused where ONNX's checker finds something wrong, declared shapes included."""
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as why:
        raise Refused(str(why)) from why
