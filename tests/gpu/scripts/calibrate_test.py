#!/usr/bin/env python3
"""What gpu/bench/calibrate.py makes of run files made up for it, with a program that fits made up for it.

    python3 calibrate_test.py CALIBRATE.PY
"""

import json
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path

from support import ScriptTest, load

SCRIPT = Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(SCRIPT.parent))

# Keeps what it was given; all networks have the prior.
MADE_UP = """#!/usr/bin/env python3
import json, pathlib, sys
engine, launches = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:])
pathlib.Path(__file__).with_name("given.json").write_text(json.dumps(launches))
names = [network["name"] for network in launches["networks"] if network.get("timed", True)]
score = {"latency_error": 0.025, "gain_error": 0.05, "pairs_right": 3, "pairs": 4,
         "gains_within": 2, "gains": 3}
print(json.dumps({"fitted": engine["prior"], "held_out": {name: engine["prior"] for name in names},
                  "scores": {"fitted": score}}))
"""

ENGINE = {
    "source": "made up", "prior_source": "nothing", "measured": {"sms": 132}, "families": {"pool": {"warps": 4}},
    "prior": {"launch": {"gap_us": 1}, "pool": {"fixed": 2}}, "fitted": {}, "held_out": {},
}  # fmt: skip
RELU = {"kind": "relu", "alpha": 0, "beta": 0}
SM90 = "sm90_xmma_fprop_implicit_gemm_tilesize64x64x32"
SPLIT = "void cublasLt::splitKreduce_kernel<32>"
CUTLASS = "void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_64x64_16x6_tn_align4>"
OURS = "void iosx::gpu::kernels::each_kernel<iosx::gpu::kernels::{}<float, 4> >(int)"


def launch(name, begin, us, blocks, threads=128, occupancy=1.0):
    return {
        "name": name, "begin_us": begin, "end_us": begin + us, "grid": [blocks, 1, 1], "block": [threads, 1, 1],
        "registers": 32, "shared_bytes": 0, "occupancy": occupancy,
    }  # fmt: skip


def conv(channels, kernel, groups=1):
    return {"kind": "conv", "out_channels": channels, "kernel": [kernel, kernel], "groups": groups, "activation": RELU}


class Calibrate(ScriptTest):
    def setUp(self):
        super().setUp()
        self.fit = self.folder / "captured_fit"
        self.fit.write_text(MADE_UP)
        self.fit.chmod(0o755)
        self.engine = self.folder / "captured.json"
        self.engine.write_text(json.dumps(ENGINE))
        self.launches = self.folder / "launches.json"
        self.files = []

    def make(self, network, card="NVIDIA H200, float32 (TF32)", kernels=20, slower=1.0):
        """A run file of a chain of convolutions, on one lane and on two; the last kernel is a pool."""
        results = []
        for schedule, lanes in (("sequential", 1), ("list", 2)):
            buffers = [{"shape": [64, 14, 14]}, {"shape": [64, 14, 14]}, {"shape": [64, 7, 7]}]
            made, spans = [], []
            for k in range(kernels):
                last = k + 1 == kernels
                pool = {"kind": "pool", "pool": "max", "kernel": [2, 2]}
                made.append({
                    "name": f"k{k}", "attributes": pool if last else conv(64, 3), "reads": [[0, 0, 64]],
                    "writes": [2 if last else 1, 0, 64], "output": [64, 7, 7] if last else [64, 14, 14],
                    "lane": k % lanes, "waits": [k - 1] if k > 0 and lanes > 1 else [],
                })  # fmt: skip
                name = OURS.format("PoolStep") if last else SM90
                took = (3 if last else 6) * slower
                one = launch(name, 10 * k, took, 7 if last else 4, 128 if last else 384, 0.625 if last else 0.1875)
                spans.append({"kernel": k, "launches": [one]})
            results.append({
                "id": schedule, "latency": {"ms": 0.2 / lanes * slower, "spread_ms": 0},
                "plan": {"batch": 1, "buffers": buffers, "kernels": made, "cold_weights": True},
                "trace": {"kernels": spans},
            })  # fmt: skip
        content = {"source": network, "comparison": {"device": {"name": card}, "results": results}}
        file = self.folder / f"{len(self.files)}.iosrun"
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("run.json", json.dumps({"content": content}))
        self.files.append(str(file))

    def run_it(self, *arguments):
        command = [sys.executable, str(SCRIPT), *self.files, "--fit", str(self.fit), "--engine", str(self.engine)]
        command += ["--launches", str(self.launches), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)

    def test_writes_launches_and_figures(self):
        self.make("a")
        self.make("b", slower=2)
        done = self.run_it()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("fitted                       2.5 %         5.0 %  3 of 4", done.stdout)
        engine = json.loads(self.engine.read_text())
        self.assertEqual(engine["fitted"], ENGINE["prior"])
        self.assertEqual(list(engine["held_out"]), ["a", "b"])
        self.assertEqual(engine["source"], "made up")
        document = json.loads(self.launches.read_text())
        self.assertEqual(document, json.loads((self.folder / "given.json").read_text()))
        b = document["networks"][1]
        self.assertEqual(
            b["kinds"],
            [["sm90", 4, 12, 1, 9, 64, 64, 12544, 0, 1, 12, 19], ["pool", 7, 4, 10, 4, 0, 0, 3136, 0, 0, 6, 1]],
        )
        sequential, lanes = b["runs"]
        self.assertEqual((sequential["schedule"], sequential["measured_us"]), ("sequential", 400))
        self.assertEqual(sequential["launches"][-2:], [[0, 0], [1, 0]])
        self.assertEqual(lanes["launches"][:3], [[0, 0], [0, 1, 0], [0, 0, 1]])

    def test_what_was_not_recorded_stays(self):
        self.make("a")
        self.make("b")
        old = {"name": "z", "timed": False, "kinds": [["pool", 1, 4, 1, 0, 0, 0, 0, 0, 0, 0, 0]], "runs": []}
        old["runs"] = [{"schedule": "sequential", "measured_us": 1, "launches": [[0, 0]]}]
        self.launches.write_text(json.dumps({"source": "", "networks": [old, {"name": "gone"}]}))
        self.assertEqual(self.run_it().returncode, 0)
        self.assertEqual(json.loads(self.launches.read_text())["networks"][2:], [old])

    def test_a_dry_run_writes_nothing(self):
        self.make("a")
        self.make("b")
        done = self.run_it("--dry-run", "--json")
        self.assertEqual(json.loads(done.stdout)["scores"]["fitted"]["pairs"], 4)
        self.assertEqual(json.loads(self.engine.read_text()), ENGINE)
        self.assertFalse(self.launches.exists())

    def test_too_little_or_nothing(self):
        self.make("a")
        self.make("b", card="NVIDIA H100 80GB HBM3")
        self.make("c", kernels=5)
        self.assertEqual(self.run_it().returncode, 1)
        self.files.append(str(self.folder / "none.iosrun"))
        self.assertEqual(self.run_it().returncode, 2)
        self.assertEqual(self.run_it("--help").returncode, 0)

    def test_the_committed_launches_are_those_of_the_committed_runs(self):
        root = SCRIPT.parents[2]
        script = load(SCRIPT.with_name("recorded_launches.py"))
        committed = json.loads((root / "models/devices/recorded/launches.json").read_text())
        made = script.document_of(script.recorded(sorted(root.glob("gpu/bench/measured/*/*.iosrun")), "H200"), "")
        timed = [network for network in committed["networks"] if network.get("timed", True)]
        self.assertEqual([network["name"] for network in timed], [network["name"] for network in made["networks"]])
        self.assertTrue(timed == json.loads(script.text_of(made))["networks"])

    def test_families_by_name(self):
        family = load(SCRIPT.with_name("recorded_launches.py")).family_of
        self.assertEqual(family(OURS.format("DepthwiseStep"), conv(8, 3, 8), 80, 8), "depthwise")
        self.assertEqual(family(OURS.format("DepthwiseStep"), conv(7, 3, 7), 70, 7), "depthwise_apart")
        self.assertEqual(family(OURS.format("CopyStep"), {"kind": "transpose"}, 80, 8), "copy")
        self.assertEqual(family(OURS.format("CopyStep"), conv(8, 1), 80, 8), "stream")
        self.assertEqual(family(CUTLASS, conv(8, 1), 80, 8), "sm80")
        self.assertEqual(family(SPLIT, {"kind": "linear"}, 80, 8), "split")
        rows = "void iosx::gpu::kernels::rows_kernel<iosx::gpu::kernels::NormalizeRows<float, 4> >(int)"
        self.assertEqual(family(rows, {"kind": "normalize"}, 80, 8), "rows")
        self.assertEqual(family(rows, {"kind": "pool"}, 8, 8), "global_pool")
        self.assertEqual(family("void nhwcAddPaddingKernel<float>", conv(7, 3), 70, 7), "padding")

    def test_families_by_order_where_names_are_unknown(self):
        script = load(SCRIPT.with_name("recorded_launches.py"))
        softmax = "void iosx::gpu::kernels::rows_kernel<iosx::gpu::kernels::SoftmaxRows<float, 4> >(int)"
        ours = OURS.format("MatMulStep")
        plan = {"batch": 1, "buffers": [{"shape": [197, 768]}]}
        turned = [[1, 12, 64, 0], [1, 64, 1, 0], [0, 197, 1, 0]]
        rows = [[1, 12, 64, 0], [0, 197, 1, 0], [1, 64, 1, 0]]
        reads = [[0, 0, 197, rows], [0, 0, 197, turned], [0, 0, 197, rows]]
        attention = {"attributes": {"kind": "matmul"}, "reads": reads, "output": [12, 197, 64]}
        facts = script.facts_of(plan, attention)

        def launches(*names):
            families = script.families_of(names, attention, facts)
            return families, [
                script.launch_facts(facts, family, attention, launch(names[i], 0, 1, 1), families, i)[:4]
                for i, family in enumerate(families)
            ]

        elements, scores = 12 * 197 * 64, 12 * 197 * 197
        for name in ("cudnn_generated_fort_native_sdpa_sm90_flash_fprop", "another_name"):
            self.assertEqual(launches(name), (["attention"], [(128, 197, 0, elements)]))
        self.assertEqual(
            launches("unknown", softmax, "unknown"),
            (["sm80", "rows", "sm80"], [(1, 64, 200, scores), (0, 0, 0, scores), (1, 200, 64, elements)]),
        )
        self.assertEqual(
            launches(ours, softmax, ours),
            (["matrix", "rows", "matrix"], [(1, 64, 0, 0), (0, 0, 0, scores), (4, 197, 0, 0)]),
        )
        self.assertEqual(launches("unknown", SPLIT, softmax, ours)[0], ["sm80", "split", "rows", "matrix"])
        layer = {"attributes": conv(8, 1), "reads": [[0, 0, 8]]}
        facts = {"elements": 80, "columns": 8}
        self.assertEqual(script.families_of(["nhwcAddPaddingKernel<float>", "unknown"], layer, facts), ["padding", "sm80"])
        self.assertEqual(script.families_of([CUTLASS, "unknown"], layer, facts), ["sm80", "padding"])

    def test_launches_of_squeeze_and_excitation(self):
        script = load(SCRIPT.with_name("recorded_launches.py"))
        plan = {"batch": 1, "buffers": [{"shape": [240, 28, 28]}]}
        kernel = {"attributes": {"kind": "mul"}, "reads": [[0, 0, 240]], "output": [240, 28, 28]}
        kernel["excitation"] = {"squeeze": 1, "excite": 2, "squeezed": 10}
        facts = script.facts_of(plan, kernel)
        sums = "void iosx::gpu::kernels::rows_kernel<iosx::gpu::kernels::ReduceRows<float, 4> >(int)"
        gates = "void iosx::gpu::kernels::phases_kernel<iosx::gpu::kernels::ExciteBlocks<float, 4> >(int)"
        families = script.families_of([sums, gates], kernel, facts)
        self.assertEqual(families, ["global_pool", "excitation"])
        # 30 blocks of 8 channels, each with all pixels: 2400 weights, 80 of its own, 16 maps of 784 pixels. Few weights:
        # four blocks share these pixels.
        of_it = script.launch_facts(facts, "excitation", kernel, launch(gates, 0, 4, 120), families, 1)
        self.assertEqual(of_it[1], round((2400 + 80 + 16 * 784 / 4) * 4 / 1000, 2))

    def test_blocks_that_share_a_reduction_sum_over_less(self):
        facts = load(SCRIPT.with_name("recorded_launches.py")).launch_facts
        kernel = {"attributes": {"kind": "linear"}, "reads": [[0, 0, 1]]}
        all_of_it = {"taps": 1, "channels": 384, "columns": 64, "elements": 197 * 64, "bytes": 0, "cold": 1}
        one = facts(all_of_it, "sm80", kernel, launch(CUTLASS, 0, 3, 24), ["sm80", "split"])
        self.assertEqual(one, (1, 64, 64, 12608, 0, 1), "four tiles, six parts")
        whole = facts(all_of_it, "sm80", kernel, launch(CUTLASS, 0, 3, 4), ["sm80"])
        self.assertEqual(whole[1], 384)


if __name__ == "__main__":
    unittest.main()
