"""An ONNX model as a PyTorch module, for the adapters that go through PyTorch."""

import operator

import onnx
import torch
from onnx2torch import convert
from torch.nn import functional


def read(path, arrays, last=False):
    """The module of an ONNX model whose inputs have the shapes of these arrays (by name), the inputs as tensors in the
    module's order, and the names of the outputs. `last` lays images and weights out channels last."""
    model = onnx.load(str(path))
    weights = {each.name for each in model.graph.initializer}
    module = convert(model).eval()
    inputs = [torch.from_numpy(arrays[each.name]) for each in model.graph.input if each.name not in weights]
    if last:
        module = module.to(memory_format=torch.channels_last)
        inputs = [each.to(memory_format=torch.channels_last) if each.ndim == 4 else each for each in inputs]
    with torch.inference_mode():
        Settle(module).run(*inputs)
    module.graph.eliminate_dead_code()
    module.recompile()
    return module, inputs, [each.name for each in model.graph.output]


class Settle(torch.fx.Interpreter):
    """Makes numbers of sizes that onnx2torch hands on as tensors.

    ONNX has the shape of Reshape, the bounds of Slice, the widths of Pad and the scales of Resize as inputs. Read from a
    tensor they break a graph for torch.compile, end a CUDA graph's capture and stop torch.export. All shapes are known
    here, so what depends on them alone is written down."""

    def run_node(self, node):
        result = super().run_node(node)
        if node.op == "call_module" and len(node.args) + len(node.kwargs) > 1:
            kind = type(self.fetch_attr(node.target)).__name__
            if kind in self.RULES:
                values = [self.env[each] if isinstance(each, torch.fx.Node) else each for each in node.args]
                named = {key: self.env[each] if isinstance(each, torch.fx.Node) else each
                         for key, each in node.kwargs.items()}
                made = self.RULES[kind](self.fetch_attr(node.target), result, *values, **named)
                if made is not None:
                    module = Known(*made)
                    self.module.add_submodule(node.target, module)
                    node.args, node.kwargs = node.args[:1], {}
        return result

    def reshape(self, result, *_):
        return torch.reshape, (tuple(result.shape),), {}

    def slices(self, _, value, starts, ends, axes=None, steps=None):
        starts, ends = starts.tolist(), ends.tolist()
        axes = list(range(len(starts))) if axes is None else axes.tolist()
        steps = [1] * len(starts) if steps is None else steps.tolist()
        if min(steps) < 0:
            return None
        bounds = [slice(None)] * value.ndim
        for axis, start, end, step in zip(axes, starts, ends, steps):
            bounds[axis] = slice(start, end, step)
        return operator.getitem, (tuple(bounds),), {}

    def pad(self, result, value, pads, constant=0.0):
        half = value.ndim
        pads = pads.tolist()
        widths = [width for axis in reversed(range(half)) for width in (pads[axis], pads[axis + half])]
        if self.mode != "constant":
            widths = widths[:2 * (half - 2)]
        constant = float(constant) if constant is not None else 0.0
        return functional.pad, (), {"pad": widths, "mode": self.mode, "value": constant}

    def resize(self, result, value, *_, **__):
        modes = {("nearest", 4): "nearest", ("linear", 3): "linear", ("linear", 4): "bilinear", ("cubic", 4): "bicubic"}
        mode = modes.get((self.onnx_mode, value.ndim))
        exact = all(new % old == 0 for old, new in zip(value.shape, result.shape))
        if mode is None or not exact:  # other sizes depend on how the scale was rounded
            return None
        return functional.interpolate, (), {"size": tuple(result.shape[2:]), "mode": mode,
                                            "align_corners": self.align_corners}

    RULES = {"OnnxReshape": reshape, "OnnxSlice": slices, "OnnxPadDynamic": pad, "OnnxResize": resize,
             "OnnxExpand": lambda self, result, *_: (torch.Tensor.expand, (tuple(result.shape),), {})}


class Known(torch.nn.Module):
    """A function of one tensor and of what is known."""

    def __init__(self, function, arguments, named):
        super().__init__()
        self.function, self.arguments, self.named = function, arguments, named

    def forward(self, value):
        return self.function(value, *self.arguments, **self.named)
