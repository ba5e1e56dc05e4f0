#!/usr/bin/env python3
"""Exports networks of torchvision as ONNX models for onnx_models.py, by both exporters of PyTorch.

    python3 tests/interop/torchvision_models.py FOLDER [NAME ...]

Writes FOLDER/torchscript/NAME.onnx and FOLDER/dynamo/NAME.onnx, as far as PyTorch can; what is there already stays. Weights are
random, and so are the running statistics of batch normalisation, without which outputs would hardly depend on the input.
Needs torch, torchvision, onnx and onnxscript in a virtual environment outside the repository; exits with 77 without.
"""

import argparse
import sys
import warnings
from pathlib import Path

try:
    import torch
    from torchvision import models
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

IMAGE = (1, 3, 224, 224)
PLAIN = ["resnet18", "mobilenet_v3_small", "efficientnet_b0", "shufflenet_v2_x1_0", "convnext_tiny", "swin_t", "vit_b_16",
         "regnet_y_400mf", "mnasnet0_5", "googlenet", "maxvit_t"]
SEGMENTATION = ["deeplabv3_mobilenet_v3_large", "lraspp_mobilenet_v3_large", "fcn_resnet50"]
OTHERS = {
    "r3d_18": (models.video.r3d_18, [(1, 3, 8, 64, 64)]),
    "ssdlite320_mobilenet_v3_large": (models.detection.ssdlite320_mobilenet_v3_large, [(1, 3, 320, 320)]),
    "raft_small": (models.optical_flow.raft_small, [(1, 3, 128, 128)] * 2),
}


def network_of(name):
    """The network and the shapes of its inputs."""
    if name in OTHERS:
        make, shapes = OTHERS[name]
        backbone = {"weights_backbone": None} if name.startswith("ssd") else {}
        return make(weights=None, **backbone), shapes
    if name in SEGMENTATION:
        return getattr(models.segmentation, name)(weights=None, weights_backbone=None), [IMAGE]
    return getattr(models, name)(weights=None), [IMAGE]


class Plain(torch.nn.Module):
    """With tensors as outputs: of dictionaries the main one, of refinements the last one."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, *inputs):
        made = self.network(*inputs)
        if isinstance(made, dict):
            return made["out"]
        if isinstance(made, (list, tuple)):
            return tuple(made[0].values()) if isinstance(made[0], dict) else made[-1]
        return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch.manual_seed(0)
    for name in options.names or PLAIN + SEGMENTATION + list(OTHERS):
        network, shapes = network_of(name)
        for module in network.modules():
            if isinstance(module, (torch.nn.BatchNorm2d, torch.nn.BatchNorm3d)):
                torch.nn.init.uniform_(module.running_mean, -0.1, 0.1)
                torch.nn.init.uniform_(module.running_var, 0.5, 1.5)
        inputs = tuple(torch.rand(*shape) for shape in shapes)
        for exporter in ("torchscript", "dynamo"):
            path = options.folder / exporter / f"{name}.onnx"
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists():
                continue
            more = {"dynamo": True, "external_data": False} if exporter == "dynamo" else {"dynamo": False, "opset_version": 17}
            try:
                torch.onnx.export(Plain(network).eval(), inputs, str(path), **more)
                print(f"wrote {path}", flush=True)
            except Exception as why:  # whatever the exporter throws is its own limit
                print(f"{exporter} cannot export {name}: {' '.join(str(why).split())[:150]}", flush=True)


if __name__ == "__main__":
    main()
