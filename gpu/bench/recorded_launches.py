"""Reads what a GPU ran, launch by launch, out of run files with timelines (`iosx compare --profile`).

A launch is reduced to what the simulator knows of it: its family, by the kernel's name; blocks, warps of one, blocks of a
multiprocessor at most; the facts of its operator that the formulas of the families use (core/devices/simulated/captured.h);
what it takes alone, from the timeline of the schedule on one stream; the lane, and the launches that it waits for.
"""

import collections
import json
import math
import re
import statistics
import zipfile
from pathlib import Path

FEWEST_KERNELS = 20  # of a network: in smaller ones one convolution's gaps decide, which nothing explains
ALONE = ("sequential", "ios-merge")  # schedules of one stream
FACTS = ("taps", "channels", "columns", "elements", "bytes", "cold")
EXCITED_AT_ONCE = 264  # blocks, two on each multiprocessor of an H200
ALIGNED = 4  # channels, for tensor cores in TF32
NEAREST = 5
HELPERS = ("gemv", "init_device_workspace", "ToNchwKernel", "ToNhwcKernel", "PaddingKernel", "SliceCKernel", "tensorTransform",
           "splitKreduce", "convertTensor")  # of cuDNN's; they compute nothing, or as a known family
COMPUTE = {"cuda_core", "depthwise", "depthwise_apart", "matrix", "sm80", "sm90", "vector"}
TILED = ("taps", "channels", "columns", "elements", "cold")
USED = {  # by the formula of a family; taps of streams are tensors that they read, of matrices columns of a thread
    "stream": ("taps", "bytes"), "copy": ("bytes",), "resize": ("elements",), "depthwise": ("taps", "elements"),
    "depthwise_apart": ("taps", "elements"), "pool": ("taps", "elements"), "global_pool": (), "matrix": ("taps", "channels"),
    "rows": ("elements",), "vector": ("bytes",), "cuda_core": ("taps", "channels"), "padding": (), "convert": (), "split": (),
    "sm80": TILED, "sm90": TILED, "attention": ("taps", "channels", "elements"), "excitation": ("channels",),
}  # fmt: skip


def product(sizes):
    return math.prod(sizes)


def is_ours(name):
    return "iosx::gpu::kernels::" in name


def family_of(name, attributes, elements, columns):
    """By the kernel's name alone."""
    kind = attributes["kind"]
    if is_ours(name):
        step = name.split("iosx::gpu::kernels::", 1)[1]
        if step.startswith("each_kernel<"):
            step = step.split("iosx::gpu::kernels::", 1)[1]
        if step.startswith("rows_kernel"):
            return "rows" if kind in ("softmax", "normalize", "matmul") else "global_pool"
        if step.startswith("phases_kernel"):
            return "excitation"
        if step.startswith("DepthwiseStep"):
            return "depthwise" if columns % ALIGNED == 0 else "depthwise_apart"
        if step.startswith(("CopyStep", "ResizeStep")):
            return kind if kind == "resize" else "copy" if kind in ("slice", "transpose", "reshape") else "stream"
        return {"MatMulStep": "matrix", "PoolStep": "pool"}.get(step.split("<", 1)[0], "stream")
    if name.startswith("void convolve_common"):
        return "cuda_core"
    if "convertTensor" in name:
        return "convert"
    if "splitKreduce" in name:
        return "split"
    if kind == "linear" and elements == columns and ("gemv" in name or "internal::" in name):
        return "vector"
    if "cutlass_80" in name or "sm80" in name or "ampere" in name:
        return "sm80"
    return "sm90" if "sm90" in name else "padding"


def is_attention(kernel):
    return kernel["attributes"]["kind"] == "matmul" and len(kernel["reads"]) > 2


def families_of(names, kernel, facts):
    """Of all launches of an operator. Names of kernels that cuDNN compiles depend on its version, so the order tells: a
    softmax of ours stands between the two products of attention, and where there is none, the last launch that is not
    ours is all of it. Of layers and products this one computes where no other does, as those of sm80 do."""
    attributes, elements, columns = kernel["attributes"], facts["elements"], facts["columns"]
    families = [family_of(name, attributes, elements, columns) for name in names]
    foreign = [i for i, name in enumerate(names) if not is_ours(name) and not any(word in name for word in HELPERS)]
    if attributes["kind"] not in ("conv", "linear", "matmul"):
        return families
    softmax = families.index("rows") if "rows" in families else len(names)
    if is_attention(kernel) and foreign and softmax == len(names):
        families[foreign[-1]] = "attention"
        return families
    for begin, end in ((0, softmax), (softmax + 1, len(names))):
        side = [i for i in foreign if begin <= i < end]
        if side and not COMPUTE & set(families[begin:end]):
            families[side[-1]] = "sm80"
    return families


def facts_of(plan, kernel):
    """Of the kernel's operator: taps of its window, channels that one output sums over, channels of its output, elements
    of the output, bytes read and written, and whether its weights come from memory."""
    attributes, batch = kernel["attributes"], plan["batch"]
    inputs = []
    for buffer, begin, end, *seen in kernel["reads"]:
        shape = list(plan["buffers"][buffer]["shape"])
        if seen and seen[0]:  # a product reads it turned or split: [axis, size, step, begin] for each of its axes
            shape = [axis[1] for axis in seen[0]]
        elif shape:
            shape[plan["buffers"][buffer].get("axis", 0)] = end - begin
        inputs.append(shape)
    output = kernel["output"]
    elements = product(output) * batch
    kind, first = attributes["kind"], inputs[0] if inputs else []
    facts = dict.fromkeys(FACTS, 0)
    columns = output[0] if len(output) == 3 else output[-1] if output else 1
    facts.update(taps=1, channels=0, columns=columns, elements=elements)
    facts["bytes"] = 4 * (sum(map(product, inputs)) * batch + elements)
    if kind in ("conv", "pool") and "kernel" in attributes:
        facts["taps"] = product(attributes["kernel"])
    if kind == "pool" and attributes["pool"].startswith("global"):
        facts["taps"] = product(first[1:])
    if kind == "conv":
        facts["channels"] = first[0] // attributes.get("groups", 1)
        facts["cold"] = int(plan.get("cold_weights", False))
    if kind == "linear":
        facts["columns"] = attributes.get("out_features") or output[-1]
        facts["channels"] = product(first) * batch // max(1, elements // facts["columns"])
        facts["cold"] = int(plan.get("cold_weights", False))
    if kind == "matmul":
        facts.update(channels=first[-1], columns=output[-1], taps=4 if output[-1] % 4 == 0 else 1)
    if is_attention(kernel):
        facts["keys"] = inputs[1][-1]
    if kernel.get("excitation", {}).get("squeezed"):
        facts["kilobytes"] = kilobytes_of_block(first, kernel["excitation"]["squeezed"], batch)
    if kind in ("slice", "identity", "transpose", "reshape"):
        facts["bytes"] = 8 * elements
    return facts


def kilobytes_of_block(shape, squeezed, batch):
    """That blocks of squeeze and excitation read and write one after another (gpu/ops/kernels/excite.h)."""
    channels, pixels = shape[0], product(shape[1:])
    weights = channels * squeezed
    most = max((128 if weights <= 4096 else 32) * 8 // max(batch, 8), 1)
    own = -(-min(-(-channels // min(most, 32)), 256) // 8) * 8
    columns = -(-channels // own)
    blocks = columns * min(max(most // columns, 1), -(-pixels // 8))
    waves = -(-blocks * batch // EXCITED_AT_ONCE)
    return waves * (weights + weights / columns + 2 * channels * pixels / blocks) * 4 / 1000


def launch_facts(facts, family, kernel, recorded, families, place=0):
    """Of the launch at this place of an operator, all of whose launches are of `families`."""
    facts = dict(facts)
    same = families.count(family)
    if is_attention(kernel):
        depth, columns, keys = facts["channels"], facts["columns"], facts["keys"]
        if family == "attention":
            facts.update(taps=depth + columns, channels=keys)
        elif family == "rows" or "rows" in families[place:]:  # the scores
            facts.update(columns=keys, elements=facts["elements"] // columns * keys, taps=4 if keys % 4 == 0 else 1)
        else:
            facts["channels"] = keys
        if family in ("sm80", "sm90"):
            facts["taps"] = 1
    if family == "excitation":
        facts["channels"] = facts["kilobytes"]
    if family in ("sm80", "sm90"):
        for size in ("channels", "columns"):
            facts[size] = -(-facts[size] // ALIGNED) * ALIGNED
        if "split" in families:  # blocks share a reduction: each sums over fewer channels
            tile = re.search(r"_(\d+)x(\d+)_", recorded["name"]) or re.search(r"tilesize(\d+)x(\d+)", recorded["name"])
            rows, columns = map(int, tile.groups()) if tile else (64, 64)
            tiles = -(-facts["elements"] // facts["columns"] // rows) * -(-facts["columns"] // columns)
            facts["channels"] /= max(1, product(recorded["grid"]) // tiles)
    if family == "vector":
        facts["bytes"] = 4 * facts["channels"] * facts["columns"]
    elif family == "stream" and kernel["attributes"]["kind"] in ("conv", "linear"):
        facts.update(taps=1, bytes=8 * facts["elements"])
    elif family == "stream":
        facts.update(taps=-(-(len(kernel["reads"]) + same - 1) // same), bytes=facts["bytes"] // same)
    used = USED[family]
    return tuple(round(facts[name], 2) if name in used else 0 for name in FACTS)


class Launch:
    def __init__(self, kernel, recorded, family, facts):
        self.kernel, self.family, self.facts = kernel, family, facts
        self.blocks = product(recorded["grid"])
        self.warps = -(-product(recorded["block"]) // 32)
        self.limit = max(1, round(recorded["occupancy"] * 64 / self.warps))
        self.us = recorded["end_us"] - recorded["begin_us"]
        self.name = recorded["name"][:60], self.blocks, recorded["block"], recorded["shared_bytes"]

    def kind(self):
        return self.family, self.blocks, self.warps, self.limit, self.facts


class Run:
    """A schedule that was measured, and the launches of its timeline."""

    def __init__(self, result):
        plan = result["plan"]
        self.schedule, self.us = result["id"], result["latency"]["ms"] * 1000
        self.spread_us = result["latency"]["spread_ms"] * 1000
        self.kernels = plan["kernels"]
        self.launches = []
        spans = {span["kernel"]: span for span in result["trace"]["kernels"]}
        for k, kernel in enumerate(self.kernels):
            recorded = spans.get(k, {}).get("launches", [])
            facts = facts_of(plan, kernel)
            families = families_of([each["name"] for each in recorded], kernel, facts)
            for place, (each, family) in enumerate(zip(recorded, families)):
                of_it = launch_facts(facts, family, kernel, each, families, place)
                self.launches.append(Launch(k, each, family, of_it))

    def rows(self, kinds):
        """[kind, lane, launches that it waits for] of each launch."""
        last, rows, begun = {}, [], set()
        for launch in self.launches:
            last_of = self.kernels[launch.kernel]
            waits = [] if launch.kernel in begun else [last[k] for k in last_of["waits"] if k in last]
            begun.add(launch.kernel)
            rows.append([kinds[launch.kind()], last_of["lane"], *waits])
            last[launch.kernel] = len(rows) - 1
        return rows


def runs_of(file):
    """The card, and the runs with timelines; none of a network with too few kernels."""
    content = json.loads(zipfile.ZipFile(file).read("run.json"))["content"]
    results = content["comparison"]["results"]
    timed = [result for result in results if result["trace"] and any(k["launches"] for k in result["trace"]["kernels"])]
    if not timed or len(timed[0]["plan"]["kernels"]) < FEWEST_KERNELS:
        return None
    return content["comparison"]["device"]["name"], content["source"], [Run(result) for result in timed]


def alone_by_name(networks):
    """Medians of what launches of a name take on one stream, of all networks; and by family (threads, µs)."""
    found, by_family = collections.defaultdict(list), collections.defaultdict(list)
    for runs in networks.values():
        for run in runs:
            if run.schedule in ALONE:
                for launch in run.launches:
                    found[str(launch.name)].append(launch)
    medians = {}
    for name, launches in found.items():
        medians[name] = statistics.median(launch.us for launch in launches)
        by_family[launches[0].family].append((launches[0].blocks * launches[0].warps, medians[name]))
    return medians, by_family


def document_of(networks, source):
    """The launches of all networks in the form that `iosx validate` reads. Plans that ran twice are kept once a
    measurement: the rows of the second name the first."""
    medians, by_family = alone_by_name(networks)
    document = {"source": source, "networks": []}
    for network, runs in networks.items():
        alone, seen = collections.defaultdict(list), {}
        for run in runs:
            for launch in run.launches:
                seen.setdefault(launch.kind(), launch)
                if run.schedule in ALONE:
                    alone[launch.kind()].append(launch.us)
        kinds = {kind: i for i, kind in enumerate(seen)}
        table = []
        for kind, launch in seen.items():
            if alone[kind]:
                us = statistics.mean(alone[kind])
            elif str(launch.name) in medians:
                us = medians[str(launch.name)]
            else:  # like those of about as many threads, and no longer than beside others
                threads = launch.blocks * launch.warps
                near = sorted(by_family[launch.family], key=lambda each: abs(math.log(each[0] / threads)))[:NEAREST]
                us = min([launch.us, *([statistics.median(each[1] for each in near)] if near else [])])
            family, blocks, warps, limit, facts = kind
            table.append([family, blocks, warps, limit, *facts, round(us, 3), len(alone[kind])])
        made = []
        for run in runs:
            made.append({"schedule": run.schedule, "measured_us": round(run.us, 2), "launches": run.rows(kinds)})
        document["networks"].append({"name": network, "kinds": table, "runs": made})
    return document


def text_of(document):
    """JSON with a row a line."""
    lines = ["{", f' "source": {json.dumps(document["source"])},', ' "networks": [']
    compact = lambda value: json.dumps(value, separators=(",", ":"))  # noqa: E731
    for n, network in enumerate(document["networks"]):
        timed = "" if network.get("timed", True) else ' "timed": false,'
        lines.append(f'  {{"name": {json.dumps(network["name"])},{timed} "kinds": [')
        rows = [compact(row) for row in network["kinds"]]
        lines += [row + "," for row in rows[:-1]] + [rows[-1] + '], "runs": [']
        for r, run in enumerate(network["runs"]):
            head = f'{{"schedule": {json.dumps(run["schedule"])}, "measured_us": {run["measured_us"]}, "launches": '
            lines.append(head + compact(run["launches"]) + ("}," if r + 1 < len(network["runs"]) else "}]"))
        lines[-1] += "}," if n + 1 < len(document["networks"]) else "}"
    return "\n".join([*lines, " ]", "}", ""])


def recorded(files, card):
    """Runs on the card by network, of the files in order."""
    networks = {}
    for file in map(Path, files):
        found = runs_of(file)
        if found and card in found[0]:
            networks[found[1]] = found[2]
    return networks
