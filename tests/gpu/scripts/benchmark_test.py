#!/usr/bin/env python3
"""What gpu/bench/benchmark.py does, on an iosx made up for it; no GPU, no PyTorch.

    python3 benchmark_test.py BENCHMARK.PY
"""

import json
import os
import shutil
import stat
import subprocess
import sys
import unittest
from pathlib import Path

from support import ScriptTest, load

SCRIPT = Path(sys.argv.pop(1)).resolve()

MADE_UP = '''#!/usr/bin/env python3
import json, pathlib, sys, time
here = pathlib.Path(__file__).parent
with open(here / "calls", "a") as calls:
    calls.write(" ".join(sys.argv[1:]) + chr(10))
command, *rest = sys.argv[1:]
trouble = here / f"on-{command}"
if trouble.exists():
    exec(trouble.read_text())
if command == "devices":
    print(json.dumps({"devices": [
        {"id": "gpu", "name": "NVIDIA H200, float32 (TF32)", "summary": "132 SMs, GPU-0a1b", "origin": "measured",
         "fingerprint": "NVIDIA H200, driver 580", "precision": "tf32", "available": True},
        {"id": "none", "name": "None", "summary": "", "origin": "measured", "precision": "f32", "available": False, "fingerprint": "",
         "unavailable": "there is no driver"}]}))
elif command == "profile":
    print(json.dumps({"notices": [], "schedules": [
        {"id": name, "counters": [{"name": "active warps", "mean": mean, "source": "CUPTI"}]}
        for name, mean in (("sequential", 100), ("ios-both", 150))]}))
elif command == "compare":
    stages = [{"groups": [[name]], "latency_ms": took} for name, took in (("a", 2), ("b", 3), ("c", 1))]
    of = {"one-by-one": 7.5, "sequential": 6.0, "greedy": 5.0, "ios-both": 4.0}
    print(json.dumps({"best": "ios-both", "schedules": [
        {"id": name, "latency_ms": took, "spread_ms": took / 100, "samples": 50, "stages": stages}
        for name, took in of.items()]}))
elif command == "inspect":
    units = [{"name": "a", "inputs": ["input"]}, {"name": "b", "inputs": ["input"]}, {"name": "c", "inputs": ["b"]}]
    print(json.dumps({"units": units, "flops": 494.7e9, "parameters": 1000}))
elif command == "run":
    print(json.dumps({"schedule": {"latency_ms": 4.2}}))
'''


MODES_MADE_UP = """
import json, os, pathlib, sys
here = pathlib.Path(os.environ["HERE"])
modes = sys.argv[sys.argv.index("--modes") + 1]
with open(here / "modes", "a") as asked:
    asked.write(modes + " iosx" * ("--iosx" in sys.argv) + chr(10))
print(json.dumps({"torch": "2.0", "device": "NVIDIA H200"}), flush=True)
took = {"eager": 9, "graph": 6, "schedule": 5, "onnxruntime": 4, "compile": 3}
for i, mode in enumerate(modes.split(",")):
    TROUBLE
    print("a word of a library")
    print(json.dumps({"mode": mode, "result": {"median_ms": took[mode]}, "difference": 1e-4}), flush=True)
    if i == 0 and "--iosx" in sys.argv:
        print(json.dumps({"mode": "iosx", "difference": 1e-4}), flush=True)
    if mode == "compile":
        compiled = pathlib.Path(os.environ["TORCHINDUCTOR_CACHE_DIR"])
        compiled.mkdir(parents=True, exist_ok=True)
        (compiled / "compiled").touch()
"""


class Benchmark(ScriptTest):
    def setUp(self):
        super().setUp()
        self.iosx = self.folder / "iosx"
        self.iosx.write_text(MADE_UP)
        self.iosx.chmod(self.iosx.stat().st_mode | stat.S_IXUSR)
        out = self.folder / "out" / "squeezenet_1"
        out.mkdir(parents=True)
        (out / "3-ios-both.schedule.json").write_text("{}")

    def run_it(self, *arguments, device="gpu"):
        command = [sys.executable, str(SCRIPT), "--iosx", str(self.iosx), "--device", device, "--out"]
        command += [str(self.folder / "out"), "--networks", "squeezenet", "--batches", "1", "--no-torch", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    def calls(self):
        path = self.folder / "calls"
        commands = [line.split()[0] for line in path.read_text().splitlines()] if path.exists() else []
        path.unlink(missing_ok=True)
        return commands

    def test_works_through_all_and_prints_a_table(self):
        done = self.run_it()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.calls(), ["devices", "compare", "inspect", "run", "profile"])
        row = next(line for line in done.stdout.splitlines() if line.startswith("squeezenet")).split()
        measured = [cell.split("(")[0] for cell in row[1:9]]
        self.assertEqual(measured, ["1", "6.000", "5.000", "4.000", "1.0%", "+5.0%", "1.25", "1.50"])
        # The longest path is b, c: 4 ms, and so is longer than the millisecond that the arithmetic takes.
        self.assertEqual(row[-2:], ["1.00", "-"])
        self.assertIn("IOS over sequential: 1.50 (CUPTI", done.stdout)
        self.assertEqual((self.folder / "out" / "table.txt").read_text().strip(), done.stdout.split("\n\nPyTorch")[0])

    def test_what_was_done_is_not_done_again(self):
        self.run_it()
        self.calls()
        done = self.run_it()
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.calls(), ["devices"])
        self.assertIn("squeezenet", done.stdout)
        self.assertEqual(self.run_it("--table").stdout, done.stdout)
        self.assertEqual(self.calls(), [])

    def test_a_line_that_a_kill_cut_off_is_done_again(self):
        self.run_it()
        self.calls()
        results = self.folder / "out" / "results.jsonl"
        results.write_text(results.read_text()[:-20])
        self.assertEqual(self.run_it().returncode, 0)
        self.assertEqual(self.calls(), ["devices", "profile"])
        self.assertEqual(self.run_it().returncode, 0)
        self.assertEqual(self.calls(), ["devices"])

    def test_time_that_is_up_is_no_failure(self):
        (self.folder / "on-compare").write_text("time.sleep(100)")
        done = self.run_it("--seconds", "24")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("time was up", done.stdout)
        (self.folder / "on-compare").unlink()
        self.calls()
        self.assertEqual(self.run_it().returncode, 0)
        self.assertEqual(self.calls(), ["devices", "compare", "inspect", "run", "profile"])

    def test_what_fails_does_not_keep_the_rest_from_running(self):
        (self.folder / "on-profile").write_text("sys.exit('no permission')")
        done = self.run_it()
        self.assertEqual(done.returncode, 1)
        self.assertIn("warps: no permission", done.stdout)
        self.assertIn("squeezenet", done.stdout)
        (self.folder / "on-profile").unlink()
        self.assertEqual(self.run_it().returncode, 0)

    def test_without_our_schedules_what_needs_them_fails_and_the_table_comes_all_the_same(self):
        (self.folder / "on-compare").write_text("sys.exit('no memory')")
        done = self.run_it()
        self.assertEqual(done.returncode, 1)
        self.assertIn("ours squeezenet 1: no memory", done.stdout)
        self.assertIn("again squeezenet 1: there is no schedule of ours", done.stdout)

    def test_predictions_stand_beside_what_was_measured(self):
        done = self.run_it()
        row = next(line for line in done.stdout.splitlines() if line.startswith("squeezenet")).split()
        predicted = [json.loads(line) for line in (SCRIPT.parent / "predicted" / "h200.jsonl").read_text().splitlines()]
        schedules = next(one for one in predicted if one["task"] == "ours squeezenet 1")["result"]["schedules"]
        gain = schedules["sequential"]["latency_ms"] / schedules["ios-both"]["latency_ms"]
        self.assertEqual(row[9], f"{gain:.2f}")
        beside = [f"{took}({schedules[name]['latency_ms']:.3f})" for name, took in
                  (("sequential", "6.000"), ("greedy", "5.000"), ("ios-both", "4.000"))]  # fmt: skip
        self.assertEqual(row[2:5], beside)
        self.assertIn("predicted latencies are off by a factor of", done.stdout)

    def test_a_folder_of_another_device_is_refused(self):
        self.run_it()
        self.iosx.write_text(MADE_UP.replace("NVIDIA H200", "NVIDIA A100"))
        done = self.run_it()
        self.assertEqual(done.returncode, 2)
        self.assertIn("holds results of NVIDIA H200", done.stderr)

    def test_results_of_two_cards_do_not_mix(self):
        self.run_it()
        self.calls()
        first = self.iosx.read_text()
        self.iosx.write_text(first.replace("driver 580", "driver 590").replace('"latency_ms": 4.2', '"latency_ms": 4.8'))
        done = self.run_it()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("holds results of NVIDIA H200, driver 580", done.stderr)
        self.assertEqual(self.calls(), ["devices", "compare", "inspect", "run", "profile"], "all of it again")
        self.assertIn("+20.0%", done.stdout)
        self.assertIn("+20.0%", self.run_it("--table").stdout, "the table is of the last one")
        self.iosx.write_text(first)
        self.assertIn("+5.0%", self.run_it().stdout)
        self.assertEqual(self.calls(), ["devices"], "what was of the first one is still known")

    def test_pytorch_on_another_card_is_refused(self):
        done = self.with_torch('print(json.dumps({"uuid": "9999"}), flush=True)')
        self.assertEqual(done.returncode, 1)
        self.assertIn("another GPU than gpu", done.stdout)
        self.assertEqual(self.with_torch('print(json.dumps({"uuid": "0a1b"}), flush=True)').returncode, 0)

    def test_wrong_command_lines(self):
        self.assertIn("there is no driver", self.run_it(device="none").stderr)
        self.assertIn("knows no device", self.run_it(device="tpu").stderr)
        for wrong in (["--networks", "lenet"], ["--batches", "2"], ["--schedules", "greedy"], ["--fast"]):
            self.assertEqual(self.run_it(*wrong).returncode, 2, wrong)
        self.assertEqual(self.run_it("--help").returncode, 0)
        os.chmod(self.iosx, 0)
        self.assertEqual(self.run_it().returncode, 2)

    def test_pytorch_is_compared_with_its_fastest_mode(self):
        self.run_it()
        results = self.folder / "out" / "results.jsonl"
        modes = {"eager": {"median_ms": 9.0, "low_ms": 8.91, "high_ms": 9.09}, "graph": {"median_ms": 6.0}, "compile": {"error": "no compiler\nat all"}}
        on = "NVIDIA H200, driver 580"
        entry = {"task": "others squeezenet 1", "on": on, "result": {"modes": modes, "differences": {"graph": 0.0, "iosx": 2e-4}}}
        with open(results, "a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
        done = self.run_it("--table")
        row = next(line for line in done.stdout.splitlines() if line.startswith("squeezenet")).split()
        self.assertEqual(row[10:], ["9.000±1.0%", "6.000", "-", "-", "-", "1.50", "1.00", "2e-04"])
        self.assertIn("PyTorch's fastest mode, geometric mean at batch 1: 1.500", done.stdout)
        self.assertIn("others squeezenet 1, compile: no compiler", done.stdout)

    def with_torch(self, trouble=""):
        """Beside a PyTorch made up, whose modes take 9, 6, … ms; `trouble` is done before each mode but the first."""
        scripts = self.folder / "scripts"
        (scripts / "torch").mkdir(parents=True, exist_ok=True)
        (scripts / "torch" / "__init__.py").touch()
        shutil.copy(SCRIPT, scripts / "benchmark.py")
        (scripts / "torch_modes.py").write_text(MODES_MADE_UP.replace("TROUBLE", trouble))
        command = [sys.executable, str(scripts / "benchmark.py"), "--iosx", str(self.iosx), "--out"]
        command += [str(self.folder / "out"), "--networks", "squeezenet", "--batches", "1"]
        environment = {**os.environ, "PYTHONPATH": str(scripts), "HERE": str(self.folder)}
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment)

    def modes_asked(self):
        path = self.folder / "modes"
        asked = path.read_text().splitlines()
        path.unlink()
        return asked

    def test_each_mode_of_pytorch_is_kept_as_soon_as_it_is_done(self):
        done = self.with_torch("if mode == 'onnxruntime': os._exit(9)")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("others squeezenet 1: exit code 9", done.stdout)
        row = next(line for line in done.stdout.splitlines() if line.startswith("squeezenet")).split()
        self.assertEqual(row[10:15], ["9.000", "6.000", "-", "5.000", "-"], "what came before the end")
        self.assertEqual(self.modes_asked(), ["eager,graph,schedule,onnxruntime iosx"], "nor is it tried twice")

        done = self.with_torch()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.modes_asked(), ["onnxruntime", "compile"], "compiling comes last")
        row = next(line for line in done.stdout.splitlines() if line.startswith("squeezenet")).split()
        self.assertEqual(row[10:], ["9.000", "6.000", "3.000", "5.000", "4.000", "0.75", "1.00", "1e-04"])
        self.assertTrue((self.folder / "out" / "inductor" / "compiled").exists())

        self.assertEqual(self.with_torch().returncode, 0)
        self.assertFalse((self.folder / "modes").exists(), "all is done")

    def test_time_that_is_up_keeps_the_modes_that_are_done(self):
        done = self.with_torch("if mode == 'compile': raise KeyboardInterrupt")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.modes_asked()
        self.assertEqual(self.with_torch().returncode, 0)
        self.assertEqual(self.modes_asked(), ["compile"])

    def test_geometric_mean_leaves_out_what_is_missing(self):
        mean = load(SCRIPT).geometric_mean
        self.assertAlmostEqual(mean([2, None, 8]), 4)
        self.assertIsNone(mean([]))


if __name__ == "__main__":
    unittest.main()
