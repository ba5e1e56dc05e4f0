"""A picture of a graph in the stages of a schedule, as SVG: bands from top to bottom, a column for each group."""

from __future__ import annotations

from html import escape

BOX_WIDTH, BOX_HEIGHT = 132, 24
GAP, BAND_GAP, MARGIN, LABEL = 12, 10, 10, 40
MERGED_MARK = 5

# Kinds of operators, by the first word that fits, and what they are painted with.
_COLOURS = (
    (("conv",), "#7fb2e5"),
    (("linear", "matmul", "recurrent", "attention"), "#b79ce0"),
    (("pool", "reduce", "top"), "#8fcf9f"),
    (("concat", "identity", "slice", "reshape", "transpose", "gather", "expand", "pad", "resize"), "#d9d9df"),
    (("add", "mul", "norm", "element", "where"), "#f2c879"),
    (("relu", "activation", "softmax", "sigmoid", "tanh", "swish", "gelu"), "#f0a58f"),
)
_OTHER = "#e6e6ea"


def _colour(kind: str) -> str:
    for words, colour in _COLOURS:
        if any(word in kind for word in words):
            return colour
    return _OTHER


def _short(text: str, letters: int = 18) -> str:
    """Returns a text that fits a box: its middle left out where it is long."""
    if len(text) <= letters:
        return text
    half = (letters - 1) // 2
    return text[:half] + "…" + text[-(letters - 1 - half) :]


def svg(graph, schedule, title: str = "") -> str:
    """Returns the picture. Boxes are units, those that run merged lie in one frame, lines say who reads whom."""
    units = {unit.name: unit for unit in graph.units}
    places: dict[str, tuple[float, float]] = {}
    bands, frames = [], []
    y = MARGIN + (22 if title else 0)
    width = 0.0
    for stage in schedule.stages:
        height = max(sum(len(step) if isinstance(step, tuple) else 1 for step in group) for group in stage)
        for column, group in enumerate(stage):
            x = LABEL + MARGIN + column * (BOX_WIDTH + GAP)
            row = 0
            for step in group:
                names = step if isinstance(step, tuple) else (step,)
                top = y + GAP / 2 + row * (BOX_HEIGHT + GAP / 2)
                if len(names) > 1:
                    tall = len(names) * (BOX_HEIGHT + GAP / 2) - GAP / 2
                    frames.append((x, top, tall))
                for name in names:
                    places[name] = (x, y + GAP / 2 + row * (BOX_HEIGHT + GAP / 2))
                    row += 1
        tall = height * (BOX_HEIGHT + GAP / 2) + GAP / 2
        bands.append((y, tall))
        width = max(width, LABEL + 2 * MARGIN + len(stage) * (BOX_WIDTH + GAP) - GAP)
        y += tall + BAND_GAP
    height = y - BAND_GAP + MARGIN

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    if title:
        lines.append(f'<text x="{MARGIN}" y="{MARGIN + 8}" font-size="13">{escape(title)}</text>')
    for number, (top, tall) in enumerate(bands):
        lines.append(
            f'<rect x="{LABEL}" y="{top:.1f}" width="{width - LABEL - MARGIN / 2:.1f}" height="{tall:.1f}" rx="6" '
            f'fill="#f5f5f8" stroke="#dcdce3"/><text x="{LABEL - 8}" y="{top + tall / 2 + 4:.1f}" text-anchor="end" '
            f'fill="#77777f">{number + 1}</text>'
        )
    for name, (x, top) in places.items():
        for before in units[name].predecessors:
            if before not in places:
                continue
            ax, ay = places[before]
            begin, end = (ax + BOX_WIDTH / 2, ay + BOX_HEIGHT), (x + BOX_WIDTH / 2, top)
            middle = (begin[1] + end[1]) / 2
            lines.append(
                f'<path d="M{begin[0]:.1f} {begin[1]:.1f}C{begin[0]:.1f} {middle:.1f} {end[0]:.1f} {middle:.1f} '
                f'{end[0]:.1f} {end[1]:.1f}" fill="none" stroke="#9a9aa5" stroke-width="0.8" opacity="0.6"/>'
            )
    for x, top, tall in frames:
        lines.append(
            f'<rect x="{x - MERGED_MARK:.1f}" y="{top - MERGED_MARK:.1f}" width="{BOX_WIDTH + 2 * MERGED_MARK}" '
            f'height="{tall + 2 * MERGED_MARK:.1f}" rx="6" fill="none" stroke="#7a3fd0" stroke-width="1.6"/>'
        )
    for name, (x, top) in places.items():
        unit = units[name]
        kinds = " + ".join(op.kind for op in unit.operators)
        last = unit.operators[-1]
        shape = "×".join(str(size) for size in last.shape)
        colour = _colour(next((op.kind for op in unit.operators if "conv" in op.kind), last.kind))
        lines.append(
            f"<g><title>{escape(f'{name}: {kinds}, {shape}')}</title>"
            f'<rect x="{x:.1f}" y="{top:.1f}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="4" fill="{colour}" '
            f'stroke="#5a5a66" stroke-width="0.6"/><text x="{x + BOX_WIDTH / 2:.1f}" y="{top + 16:.1f}" '
            f'text-anchor="middle" fill="#1d1d22" data-name="{escape(name)}">{escape(_short(name))}</text></g>'
        )
    lines.append("</svg>")
    return "".join(lines)
