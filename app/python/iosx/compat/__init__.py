"""The API of the original program: import iosx.compat as ios, and its examples run without changes.

    ios.set_device("tesla-v100")    # or "cpu", …: iosx.devices() lists them; default: the best available device

After iosx.compat.install(), `import ios` and `from ios.models import …` also find this package.
"""

import sys

from . import common, cost_model, ios_runtime, ir, models, optimizer, trt_runtime, visualizer
from ._bridge import from_core, get_device, set_device, to_core
from .common import (
    Block,
    activation,
    addition,
    conv2d,
    element,
    identity,
    multiply,
    placeholder,
    pool2d,
    relu,
    reset_name,
    sequential,
)
from .cost_model import CostModel, IOSCostModel, RandomCostModel
from .ir import Graph
from .optimizer import optimize
from .visualizer import draw, draw_block

visualization = visualizer

__version__ = "0.1.dev0"  # that of the original whose API this is

__all__ = [
    "Block", "CostModel", "Graph", "IOSCostModel", "RandomCostModel", "activation", "addition", "common", "conv2d",
    "cost_model", "draw", "draw_block", "element", "from_core", "get_device", "identity", "install", "ios_runtime",
    "ir", "models", "multiply", "optimize", "optimizer", "placeholder", "pool2d", "relu", "reset_name", "sequential",
    "set_device", "to_core", "trt_runtime", "visualization", "visualizer",
]  # fmt: skip


def install() -> None:
    """Registers this package as `ios`, with the modules of the original."""
    here = sys.modules[__name__]
    names = {
        "ios": here,
        "ios.ir": ir,
        "ios.models": models,
        "ios.models.common": common,
        **{f"ios.models.{name}": models for name in models.FILES},
        "ios.optimizer": optimizer,
        "ios.cost_model": cost_model,
        "ios.visualizer": visualizer,
        "ios.contrib": here,
        "ios.contrib.ios_runtime": ios_runtime,
        "ios.contrib.trt_runtime": trt_runtime,
    }
    for name, module in names.items():
        if sys.modules.setdefault(name, module) is not module:
            raise ImportError(f"another package is already imported as {name}")
