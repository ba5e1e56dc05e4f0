"""Draws graphs in the stages of their schedules."""

from __future__ import annotations

import os
import shutil
import subprocess
import warnings

from .. import _core, _picture
from . import _bridge
from .ir import Block, Graph


def _commands(source: str, fname: str, form: str):
    yield ["rsvg-convert", f"--format={form}", source, "-o", fname]
    yield ["inkscape", source, "-o", fname]


def _write(svg: str, fname: str) -> None:
    """Writes a picture: SVG, or another format with an installed converter. Without a converter, it writes an SVG file."""
    fname = os.fspath(fname)
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
    instead = f"{os.path.splitext(fname)[0]}.svg"
    _core.write_text(instead, svg)
    warnings.warn(f"wrote {instead}; {fname} needs rsvg-convert (librsvg2-bin) or Inkscape", stacklevel=3)


def draw(graph: Graph, fname: str, label: str = "") -> None:
    """Writes a picture of a graph in the stages of its schedule. `fname` ends in .svg, or in .png or .pdf if
    rsvg-convert or Inkscape is installed. Otherwise the call writes an .svg file with that name, and warns."""
    core = _bridge.to_core(graph)
    _write(_picture.svg(core, core.schedule or core.one_by_one(), label), fname)


def draw_block(block: Block, fname: str, label: str = "") -> None:
    """Does the same for one block."""
    draw(_bridge.graph_of_block(block), fname, label)
