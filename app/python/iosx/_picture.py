"""A picture of a graph in the stages of a schedule, as SVG: bands from top to bottom, a column for each group."""

from __future__ import annotations

from html import escape

BOX_WIDTH, BOX_HEIGHT = 132, 24
GAP, BAND_GAP, MARGIN, LABEL = 12, 10, 10, 40
MERGED_FRAMES = (2.5, 5)  # around merged layers, as the window draws them

# The colours of reports (resources/report/report.css): a class of operators has one colour everywhere.
LIGHT = (
    "#0072b2 #332288 #0b8484 #7a3e9d #9a6400 #7a4a00 #455a8c "
    "#1b7a3a #9c3200 #454d57 #3e3c00 #8a1558 #454d57 #7a1f1f"
).split()
DARK = (
    "#56b4e9 #8c9bff #5fddd0 #c39bef #f5b945 #d9a15b #9fb3d9 "
    "#3fa564 #ee7230 #8793a0 #f3e88f #e2679f #8793a0 #ec7b7b"
).split()


def _style() -> str:
    """Returns the colours of the picture for light and dark pages."""

    def rules(classes, page, band, line, text, muted, on_class):
        return (
            f".page{{fill:{page}}}.band{{fill:{band};stroke:{line}}}.edge{{stroke:{muted};fill:none}}"
            f".frame{{stroke:{text};fill:none}}.title{{fill:{text}}}.number{{fill:{muted}}}.name{{fill:{on_class}}}"
            + "".join(f".c{number}{{fill:{colour}}}" for number, colour in enumerate(classes))
        )

    light = rules(LIGHT, "#ffffff", "#eef1f5", "#dde3ea", "#1b232c", "#566370", "#ffffff")
    dark = rules(DARK, "#14181e", "#222932", "#2e3742", "#e8ecf1", "#a3afbc", "#0e1217")
    return f"<style>{light}@media (prefers-color-scheme: dark){{{dark}}}</style>"


def _short(text: str, letters: int = 18) -> str:
    """Returns a text that fits a box: the middle of a long text is cut."""
    if len(text) <= letters:
        return text
    half = (letters - 1) // 2
    return text[:half] + "…" + text[-(letters - 1 - half) :]


def svg(graph, schedule, title: str = "") -> str:
    """Returns the picture. Boxes are units, a frame contains units that run merged, lines are the edges of the graph."""
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
                if len(names) > 1 or any(op.kind == "merged conv" for op in units[names[0]].operators):
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
    width = max(width, 2 * MARGIN + 7 * len(title))

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" font-family="sans-serif" font-size="11">',
        _style(),
        '<rect class="page" width="100%" height="100%"/>',
    ]
    if title:
        lines.append(f'<text class="title" x="{MARGIN}" y="{MARGIN + 8}" font-size="13">{escape(title)}</text>')
    for number, (top, tall) in enumerate(bands):
        lines.append(
            f'<rect class="band" x="{LABEL}" y="{top:.1f}" width="{width - LABEL - MARGIN / 2:.1f}" '
            f'height="{tall:.1f}" rx="6"/><text class="number" x="{LABEL - 8}" y="{top + tall / 2 + 4:.1f}" '
            f'text-anchor="end">{number + 1}</text>'
        )
    for name, (x, top) in places.items():
        for before in units[name].predecessors:
            if before not in places:
                continue
            ax, ay = places[before]
            begin, end = (ax + BOX_WIDTH / 2, ay + BOX_HEIGHT), (x + BOX_WIDTH / 2, top)
            middle = (begin[1] + end[1]) / 2
            lines.append(
                f'<path class="edge" d="M{begin[0]:.1f} {begin[1]:.1f}C{begin[0]:.1f} {middle:.1f} {end[0]:.1f} {middle:.1f} '
                f'{end[0]:.1f} {end[1]:.1f}" stroke-width="0.8" opacity="0.6"/>'
            )
    for x, top, tall in frames:
        for grown in MERGED_FRAMES:
            lines.append(
                f'<rect class="frame" x="{x - grown:.1f}" y="{top - grown:.1f}" width="{BOX_WIDTH + 2 * grown:.1f}" '
                f'height="{tall + 2 * grown:.1f}" rx="6"/>'
            )
    for name, (x, top) in places.items():
        unit = units[name]
        kinds = " + ".join(op.kind for op in unit.operators)
        shape = "×".join(str(size) for size in unit.operators[-1].shape)
        lines.append(
            f"<g><title>{escape(f'{name}: {kinds}, {shape}')}</title>"
            f'<rect class="c{unit.operator_class}" x="{x:.1f}" y="{top:.1f}" width="{BOX_WIDTH}" '
            f'height="{BOX_HEIGHT}" rx="4"/><text class="name" x="{x + BOX_WIDTH / 2:.1f}" y="{top + 16:.1f}" '
            f'text-anchor="middle">{escape(_short(name))}</text></g>'
        )
    lines.append("</svg>")
    return "".join(lines)
