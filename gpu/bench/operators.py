#!/usr/bin/env python3
"""Measures the operators that the simulator's kernel model lacks, each alone on the GPU, beside what is simulated of it.

    python3 operators.py --iosx bin/iosx [--devices gpu,gpu-f32,gpu-f16] [--simulated h200,h200-f32,h200-f16] [--out FILE]
                         [--csv FILE]

What no published table has: kernels under 20 µs, depthwise and grouped convolutions, pools and global pools, TF32, and what
a stage costs whose lanes wait for one another. The operators are units of small graphs, a graph for each shape of the
input, run one by one: so iosx compare measures each as a stage of its own, and a minute does for all of them. The waits
are those of a ladder of two lanes, each stage of which reads what both lanes of the stage before wrote.

Prints a table, and with --out writes the same as JSON lines, for the model's constants and their next fit; with --csv as
a table for iosx validate --operators without the ladder's waits. Exit code: 0 done, 1 iosx failed, 2 the command
line is wrong.
"""

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

STAGES = 40  # of the ladder
SHAPES = [(64, 14, 14), (512, 7, 7), (256, 14, 14), (960, 7, 7), (32, 56, 56), (96, 112, 112), (2048, 7, 7), (32, 256, 256)]


def operators(channels, height, width):
    """The units of one graph by name, each an operator that reads the input, with the group it counts to."""
    found = {}

    def conv(name, group, out_channels, kernel, stride=1, groups=1):
        found[name] = (group, {
            "type": "conv", "out_channels": out_channels, "kernel": [kernel, kernel], "stride": [stride, stride],
            "padding": [kernel // 2, kernel // 2], "groups": groups, "act": "relu",
            "output_shape": [out_channels, math.ceil(height / stride), math.ceil(width / stride)],
        })  # fmt: skip

    def pool(name, kind, kernel, stride):
        rows, columns = (1, 1) if kind.startswith("global") else (math.ceil(height / stride), math.ceil(width / stride))
        found[name] = ("global pool" if kind.startswith("global") else "pool", {
            "type": "pool", "pool_type": kind, "kernel": [kernel, kernel], "stride": [stride, stride],
            "padding": [kernel // 2, kernel // 2], "output_shape": [channels, rows, columns],
        })  # fmt: skip

    if height * width <= 3136 and channels <= 1024:
        for out_channels in (32, 64, 256):
            conv(f"conv1x1_{out_channels}", "convolution", out_channels, 1)
            conv(f"conv3x3_{out_channels}", "convolution", out_channels, 3)
        conv("conv5x5_32", "convolution", 32, 5)
        conv("conv1x1_s2", "convolution", 64, 1, stride=2)
        conv("grouped3x3", "grouped convolution", channels, 3, groups=channels // 16)
    for kernel in (3, 5, 7):
        conv(f"depthwise{kernel}x{kernel}", "depthwise convolution", channels, kernel, groups=channels)
    conv("depthwise3x3_s2", "depthwise convolution", channels, 3, stride=2, groups=channels)
    pool("maxpool3x3", "max", 3, 1)
    pool("avgpool3x3", "avg", 3, 1)
    pool("maxpool3x3_s2", "max", 3, 2)
    pool("global_avg", "global_avg", 1, 1)
    found["relu"] = ("activation", {"type": "relu", "output_shape": [channels, height, width]})
    return found


def placeholder(shape):
    return {"type": "placeholder", "name": "in", "hint_name": "in", "output_shape": list(shape)}


def graph(name, shape, nodes, stages):
    """A graph in the form of the original's files; nodes by name, in order, with the names that each reads."""
    made = [
        {"name": own, "hint_name": own, "inputs": [[[source, 0, shape[0]] for source in sources]], **node}
        for own, (sources, node) in nodes.items()
    ]
    block = {"enter_name": "in", "enter_node": placeholder(shape), "inner_nodes": made[:-1], "exit_node": made[-1], "stages": stages}
    return {"name": name, "input": placeholder(shape), "blocks": [block]}


def alone(shape):
    nodes = {name: (["in"], node) for name, (_, node) in operators(*shape).items()}
    return graph("operators", shape, nodes, [[[name]] for name in nodes])


def ladder(shape):
    """Two lanes of 1 × 1 convolutions; each sums what both lanes wrote a stage before."""
    node = {"type": "conv", "out_channels": shape[0], "kernel": [1, 1], "stride": [1, 1], "padding": [0, 0], "groups": 1,
            "act": "relu", "output_shape": list(shape)}  # fmt: skip
    nodes, before = {}, ["in"]
    for stage in range(STAGES):
        names = [f"{lane}{stage}" for lane in "ab"]
        # Both lanes read both, so that neither may begin before both have ended; a lane reads the other's first.
        for name, sources in zip(names, (before[::-1], before)):
            nodes[name] = (sources, node)
        before = names
    nodes["out"] = (before, {"type": "identity", "output_shape": list(shape)})
    stages = [[[f"a{stage}"], [f"b{stage}"]] for stage in range(STAGES)] + [[["out"]]]
    return graph("ladder", shape, nodes, stages)


class Program:
    """iosx, and a folder for the graphs that it reads."""

    def __init__(self, path, folder, libraries=None):
        self.words = ["env", f"LD_LIBRARY_PATH={libraries}", path] if libraries else [path]
        self.folder = folder

    def json(self, *arguments):
        done = subprocess.run([*self.words, *map(str, arguments), "--json"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"iosx {' '.join(map(str, arguments))}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def file(self, name, document):
        path = Path(self.folder, f"{name}.json")
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    def stages(self, path, device):
        """Microseconds of every stage, each by itself, by the name of its only unit."""
        compared = self.json("compare", path, "--device", device, "--schedules", "one-by-one", "--no-store")
        found = {}
        for stage in compared["schedules"][0]["stages"]:
            found[stage["groups"][0][0].rpartition(".")[2]] = stage["latency_ms"] * 1000
        return found

    def wait(self, path, device):
        """Microseconds by which a stage of the ladder takes longer than the two kernels side by side with no stage before."""
        document = self.json("run", path, "--device", device)["schedule"]
        wide = [stage["latency_ms"] * 1000 for stage in document["stages"] if len(stage["groups"]) == 2]
        return document["latency_ms"] * 1000 / len(wide), sorted(wide)[len(wide) // 2]


def measured(program, device):
    """One row an operator: group, shape, name, µs; then the ladder's."""
    rows = []
    for shape in SHAPES:
        text = "x".join(map(str, shape))
        groups = {name: group for name, (group, _) in operators(*shape).items()}
        for name, us in program.stages(program.file(f"alone_{text}", alone(shape)), device).items():
            rows.append({"group": groups[name], "shape": text, "operator": name, "us": us})
    shape = SHAPES[0]
    in_run, by_itself = program.wait(program.file("ladder", ladder(shape)), device)
    text = "x".join(map(str, shape))
    rows.append({"group": "waits", "shape": text, "operator": "a stage of two lanes in a run", "us": in_run})
    rows.append({"group": "waits", "shape": text, "operator": "that stage by itself", "us": by_itself})
    return rows


def beside(rows, simulated):
    known = {(row["shape"], row["operator"]): row["us"] for row in simulated}
    return [row | {"simulated_us": known[row["shape"], row["operator"]]} for row in rows]


COLUMNS = ["source", "device", "precision", "op", "latency_us", "N", "C", "H", "W", "K", "R", "S", "pad_h", "pad_w", "stride_h",
           "stride_w", "groups", "rows", "columns"]  # fmt: skip
PRECISIONS = {"tf32": "tf32", "f32": "float32", "f16": "float16"}


def csv_rows(device, rows):
    """What iosx validate --operators reads of an operator each; device as iosx devices --json describes it."""
    card, precision = device["name"].rpartition(", ")[0], PRECISIONS.get(device["precision"])
    if device["origin"] == "simulated":
        card = re.sub("-(f32|f16|bf16)$", "", device["id"])
    for row in rows if precision else []:
        if row["group"] == "waits":
            continue
        channels, height, width = map(int, row["shape"].split("x"))
        node = operators(channels, height, width)[row["operator"]][1]
        cells = {"source": "ios-explorer", "device": card, "precision": precision, "latency_us": f"{row['us']:.4f}"}
        if node["type"] == "relu":
            cells |= {"op": "relu", "rows": height * width, "columns": channels}
        else:
            (pad_h, pad_w), (stride_h, stride_w), (r, s) = node["padding"], node["stride"], node["kernel"]
            pool = {"max": "max_pool", "avg": "avg_pool", "global_avg": "global_pool"}.get(node.get("pool_type"))
            cells |= {"op": pool or "conv", "N": 1, "C": channels, "H": height, "W": width, "K": node.get("out_channels", ""),
                      "R": r, "S": s, "pad_h": pad_h, "pad_w": pad_w, "stride_h": stride_h, "stride_w": stride_w,
                      "groups": node.get("groups", "")}  # fmt: skip
        yield ",".join(str(cells.get(column, "")) for column in COLUMNS)


def table(device, twin, rows):
    lines = [f"{device} beside {twin}", f"{'':24}{'':16}{'measured µs':>14}{'simulated µs':>14}{'ratio':>8}"]
    group = None
    for row in sorted(rows, key=lambda row: row["group"]):
        if row["group"] != group:
            group = row["group"]
            own = [each for each in rows if each["group"] == group]
            off = math.exp(sum(abs(math.log(each["simulated_us"] / each["us"])) for each in own) / len(own))
            lines.append(f"{group}: {len(own)} operators, simulated off by a factor of {off:.2f}")
        ratio = row["simulated_us"] / row["us"]
        lines.append(f"  {row['operator']:<30}{row['shape']:>12}{row['us']:>10.2f}{row['simulated_us']:>14.2f}{ratio:>8.2f}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--iosx", default="iosx", help="the program (default: from the PATH)")
    parser.add_argument("--libraries", help="LD_LIBRARY_PATH of the program")
    parser.add_argument("--devices", default="gpu,gpu-f32,gpu-f16", help="what is measured (default: %(default)s)")
    parser.add_argument("--simulated", default="h200,h200-f32,h200-f16", help="what each stands beside (default: %(default)s)")
    parser.add_argument("--out", help="a file for the same as JSON lines")
    parser.add_argument("--csv", help="a file for the same as iosx validate --operators reads it")
    options = parser.parse_args()
    devices, twins = options.devices.split(","), options.simulated.split(",")
    if len(devices) != len(twins):
        parser.error("--devices and --simulated must name as many devices")
    lines, of_table = [], [",".join(COLUMNS)]
    with tempfile.TemporaryDirectory() as folder:
        program = Program(options.iosx, folder, options.libraries)
        try:
            described = {device["id"]: device for device in program.json("devices")["devices"]}
            for device, twin in zip(devices, twins):
                rows = beside(measured(program, device), measured(program, twin))
                lines += [json.dumps({"device": device, "beside": twin, **row}) for row in rows]
                of_table += csv_rows(described[device], rows)
                print(table(device, twin, rows), flush=True)
        except (RuntimeError, OSError, KeyError, json.JSONDecodeError) as error:
            print(f"operators.py: {error}", file=sys.stderr)
            return 1
        finally:
            if options.out and lines:
                Path(options.out).write_text("\n".join(lines) + "\n", encoding="utf-8")
            if options.csv and lines:
                Path(options.csv).write_text("\n".join(of_table) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
