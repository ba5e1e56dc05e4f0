"""The networks of the original, from the built-in networks of this program; their weights are made up."""

from __future__ import annotations

from .. import _calls
from . import _bridge
from .common import Block, conv2d, placeholder, pool2d, reset_name
from .ir import Graph


def _network(name: str, called: str):
    def build() -> Graph:
        core = _calls.open(name)
        graph = _bridge.with_own_weights(_bridge.from_core(core, core.one_by_one()), core)
        graph.name = called
        for block in graph.blocks:
            block.stages = None
        return graph

    build.__name__ = called
    build.__doc__ = f"Returns the network {name} of iosx.networks()."
    return build


# The original has them in files of these names.
FILES = ("alexnet", "inception_v3", "nasnet", "randwire", "resnet", "squeezenet", "vgg")

inception_v3 = _network("inception_v3", "inception_v3")
squeezenet = _network("squeezenet", "squeezenet")
nasnet_large = _network("nasnet", "nasnet_large")
randwire_large = _network("randwire", "randwire_large")
randwire_xlarge = _network("randwire_320", "randwire_xlarge")
alexnet = _network("alexnet", "alexnet")
resnet18 = _network("resnet18", "resnet18")
resnet34 = _network("resnet34", "resnet34")
resnet50 = _network("resnet50", "resnet50")


def _vgg(depth: int, convolutions: tuple[int, ...]):
    def build() -> Graph:
        reset_name()
        value = entry = placeholder((3, 224, 224))
        blocks = []
        for count, channels in zip(convolutions, (64, 128, 256, 512, 512)):
            block = Block(value.node)
            for _ in range(count):
                value = conv2d(block, [[value]], channels, kernel=(3, 3), padding=(1, 1))
            value = pool2d(block, [[value]], "max", kernel=(2, 2), stride=(2, 2), is_exit=True)
            blocks.append(block)
        block = Block(value.node)  # linear layers are convolutions here
        value = conv2d(block, [[value]], 4096, kernel=(7, 7))
        value = conv2d(block, [[value]], 4096)
        conv2d(block, [[value]], 1000, act="identity", is_exit=True)
        graph = Graph(f"vgg_{depth}", entry.node, [*blocks, block])
        graph.init_weights()
        return graph

    build.__name__ = f"vgg_{depth}"
    build.__doc__ = f"Returns VGG-{depth}."
    return build


vgg_11 = _vgg(11, (1, 1, 2, 2, 2))
vgg_13 = _vgg(13, (2, 2, 2, 2, 2))
vgg_16 = _vgg(16, (2, 2, 3, 3, 3))
vgg_19 = _vgg(19, (2, 2, 4, 4, 4))
