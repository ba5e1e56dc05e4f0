#!/usr/bin/env python3
"""The table and the figure of resources/help/engines.md, from what iosx experiment frameworks --csv wrote.

    python3 tests/bench/engines_table.py FILE.csv [FILE.csv ...] [--figure FILE.svg]

Each file has networks of its own. The table has an engine's latency over that of our fastest schedule, with the 95 %
interval of the rounds' ratios; an engine that did not run a network, or whose outputs were not ours, has none. Needs Python
alone.
"""

import argparse
import csv
import math
import sys
from xml.sax.saxutils import escape

OURS = "IOS Explorer, "
WIDTH, LEFT, RIGHT, TOP, ROW = 860, 220, 90, 44, 34
TICKS = (0.5, 1, 2, 5, 10, 20, 50, 100)
INK, FAINT, ACCENT = "#3d3d46", "#b9b9c2", "#7a3fd0"


def number(text):
    return float(text) if text else None


def read(files):
    """{engine: {network: (ratio, low, high)}}, networks in the files' order."""
    ratios, networks = {}, []
    for name in files:
        with open(name, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                network = row.get("model") or row["network"]  # of several networks, of one
                if network not in networks:
                    networks.append(network)
                if row["engine"].startswith(OURS) or not row["ratio"]:
                    continue
                trial = number(row["ratio"]), number(row["ratio_low"]), number(row["ratio_high"])
                if trial[1] is not None:  # otherwise too few rounds to tell
                    ratios.setdefault(row["engine"], {})[network] = trial
    return ratios, networks


def mean(trials):
    return math.exp(sum(math.log(ratio) for ratio, _, _ in trials) / len(trials))


def in_order(ratios):
    return sorted(ratios, key=lambda engine: mean(ratios[engine].values()))


def table(ratios, networks):
    engines = in_order(ratios)
    lines = ["| | " + " | ".join(engines) + " |", "| --- |" + " --- |" * len(engines)]
    for network in networks:
        cells = []
        for engine in engines:
            trial = ratios[engine].get(network)
            cells.append(f"{trial[0]:.2f} ({trial[1]:.2f}–{trial[2]:.2f})" if trial else "–")
        lines.append(f"| {network} | " + " | ".join(cells) + " |")
    means = [f"**{mean(ratios[engine].values()):.2f}** ({len(ratios[engine])})" for engine in engines]
    lines.append("| geometric mean (networks) | " + " | ".join(means) + " |")
    return "\n".join(lines) + "\n"


def figure(ratios):
    engines = in_order(ratios)
    most = max(high for trials in ratios.values() for _, _, high in trials.values())
    low, high = math.log(TICKS[0]), math.log(max(most, 2) * 1.1)
    x = lambda ratio: LEFT + (math.log(max(ratio, TICKS[0])) - low) / (high - low) * (WIDTH - LEFT - RIGHT)
    height = TOP + ROW * len(engines) + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="sans-serif" font-size="13" fill="{INK}">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="16">latency over that of our fastest schedule (right of 1: slower than ours)</text>',
    ]
    for tick in (tick for tick in TICKS if math.log(tick) <= high):
        colour, width = (INK, 1.5) if tick == 1 else (FAINT, 0.6)
        parts.append(f'<line x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{TOP - 8}" y2="{height - 14}" stroke="{colour}" '
                     f'stroke-width="{width}"/>')
        parts.append(f'<text x="{x(tick):.1f}" y="{TOP - 12}" font-size="11" text-anchor="middle">{tick:g}</text>')
    for i, engine in enumerate(engines):
        y = TOP + ROW * i + ROW / 2
        trials = sorted(ratios[engine].values())
        parts.append(f'<text x="{LEFT - 14}" y="{y + 4:.1f}" text-anchor="end">{escape(engine)}</text>')
        for j, (ratio, from_, to) in enumerate(trials):
            at = y + (j - (len(trials) - 1) / 2) * min(2.4, 20 / max(len(trials), 1))
            parts.append(f'<line x1="{x(from_):.1f}" x2="{x(to):.1f}" y1="{at:.1f}" y2="{at:.1f}" stroke="{FAINT}"/>')
            parts.append(f'<circle cx="{x(ratio):.1f}" cy="{at:.1f}" r="2.6"/>')
        middle = mean(trials)
        parts.append(f'<line x1="{x(middle):.1f}" x2="{x(middle):.1f}" y1="{y - 13:.1f}" y2="{y + 13:.1f}" '
                     f'stroke="{ACCENT}" stroke-width="3"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 12}" y="{y + 4:.1f}" fill="{ACCENT}">{middle:.2f}</text>')
    return "\n".join(parts) + "\n</svg>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE.csv")
    parser.add_argument("--figure", metavar="FILE.svg")
    options = parser.parse_args()
    ratios, networks = read(options.files)
    if not ratios:
        sys.exit("no engine has a time in these files")
    print(table(ratios, networks), end="")
    if options.figure:
        with open(options.figure, "w", encoding="utf-8") as file:
            file.write(figure(ratios))


if __name__ == "__main__":
    main()
