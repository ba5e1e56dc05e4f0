"""Pictures of graphs in their stages."""

from __future__ import annotations

import os
import shutil
import subprocess

from .. import _core, _picture
from .._errors import Error
from . import _bridge
from .ir import Block, Graph


def _commands(source: str, fname: str, form: str):
    yield ["rsvg-convert", f"--format={form}", source, "-o", fname]
    yield ["inkscape", source, "-o", fname]


def _write(svg: str, fname: str) -> None:
    """Writes a picture: SVG, or what a program that is installed makes of it."""
    extension = os.path.splitext(fname)[1].lower()
    if extension in ("", ".svg"):
        _core.write_text(fname, svg)
        return
    source = f"{fname}.svg"
    for command in _commands(source, fname, extension[1:]):
        if shutil.which(command[0]):
            _core.write_text(source, svg)
            try:
                subprocess.run(command, check=True, capture_output=True)
            finally:
                os.unlink(source)
            return
    raise Error(f"nothing here makes {extension[1:].upper()} of a picture", fname, "name it .svg, or install librsvg2-bin")


def draw(graph: Graph, fname: str, label: str = "") -> None:
    """Writes a picture of a graph in the stages of its schedule. `fname` ends in .svg, or in .png or .pdf where
    rsvg-convert or Inkscape is installed."""
    core = _bridge.to_core(graph)
    _write(_picture.svg(core, core.schedule or core.one_by_one(), label), fname)


def draw_block(block: Block, fname: str, label: str = "") -> None:
    """Does the same for one block."""
    draw(_bridge.graph_of_block(block), fname, label)
