#!/usr/bin/env python3
"""What gpu/bench/torch_modes.py reports, on the processor; skips (exit code 77) without PyTorch and numpy.

    python3 torch_modes_test.py TORCH_MODES.PY
"""

import importlib.util
import json
import subprocess
import sys
import unittest
from pathlib import Path

from support import ScriptTest

SCRIPT = Path(sys.argv.pop(1)).resolve()

if not all(importlib.util.find_spec(name) for name in ("torch", "numpy")):
    print("there is no PyTorch or no numpy")
    sys.exit(77)

# As of an exported folder: a network whose schedule is slightly off.
CHECK = """
import torch


class Network(torch.nn.Module):
    sequential = False
    device = torch.device("cpu")

    def forward(self, x):
        return x * 2 if self.sequential else x * 2 + 1


class Package:
    Network = Network


def exported_package():
    return Package


def inputs_of(network, batch, seed):
    return [torch.ones(batch, 3, 4, 4)]


def differences(expected, found):
    worst = max(float((a - b).abs().max()) for a, b in zip(expected, found))
    return worst, worst / 2
"""


class TorchModes(ScriptTest):
    def setUp(self):
        super().setUp()
        (self.folder / "check.py").write_text(CHECK)

    def run_it(self, *arguments):
        command = [sys.executable, str(SCRIPT), str(self.folder), "--precision", "f32", "--device", "cpu"]
        done = subprocess.run(
            command + ["--seconds", "0.1", *arguments], capture_output=True, text=True, check=False, timeout=300
        )
        return done, [json.loads(line) for line in done.stdout.splitlines()] if done.returncode == 0 else []

    def test_reports_each_mode_in_a_line(self):
        done, lines = self.run_it("--modes", "schedule,graph,eager")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(lines[0]["device"], "CPU")
        self.assertEqual([line["mode"] for line in lines[1:]], ["eager", "graph", "schedule"])
        eager, graph, schedule = lines[1:]
        self.assertLessEqual(eager["result"]["low_ms"], eager["result"]["median_ms"])
        self.assertNotIn("difference", eager)
        self.assertIn("GPUs only", graph["result"]["error"])
        self.assertEqual(schedule["difference"], 0.5)
        self.assertGreater(schedule["result"]["beside_ms"], 0)

    def test_what_was_not_asked_for_is_compared_with_all_the_same(self):
        done, lines = self.run_it("--modes", "schedule")
        self.assertEqual([line["mode"] for line in lines[1:]], ["schedule"], done.stderr)
        self.assertEqual(lines[1]["difference"], 0.5)

    def test_outputs_of_another_program(self):
        maker = self.folder / "program.py"
        maker.write_text(
            "import pathlib, sys, numpy\n"
            "words = sys.argv[1:]\n"
            "folder = pathlib.Path(words[words.index('--output-dir') + 1])\n"
            "folder.mkdir()\n"
            "numpy.save(folder / '0.npy', numpy.load(words[words.index('--input') + 1]) * 2)\n"
        )
        _, lines = self.run_it("--modes", "eager,schedule", "--iosx", sys.executable, str(maker))
        self.assertEqual([line["mode"] for line in lines[1:]], ["eager", "iosx", "schedule"])
        self.assertEqual(lines[2]["difference"], 0)

    def test_there_is_no_such_mode(self):
        self.assertNotEqual(self.run_it("--modes", "fast")[0].returncode, 0)


if __name__ == "__main__":
    unittest.main()
