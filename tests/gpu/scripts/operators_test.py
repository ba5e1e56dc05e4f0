#!/usr/bin/env python3
"""Tests gpu/bench/operators.py with our own program on simulated devices: operators_test.py SCRIPT IOSX."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT, IOSX = (Path(argument).resolve() for argument in sys.argv[1:3])
del sys.argv[1:3]
GROUPS = {"activation", "convolution", "depthwise convolution", "global pool", "grouped convolution", "pool", "waits"}


class Operators(unittest.TestCase):
    def run_it(self, *options):
        return subprocess.run([sys.executable, str(SCRIPT), "--iosx", str(IOSX), *options], capture_output=True, text=True, check=False,
                              timeout=120)

    def test_a_device_is_what_is_simulated_of_it(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "operators.jsonl")
            done = self.run_it("--devices", "h200,h200-f16", "--simulated", "h200,h200-f16", "--out", str(out))
            self.assertEqual(done.returncode, 0, done.stderr)
            rows = [json.loads(line) for line in out.read_text().splitlines()]
        self.assertEqual({row["group"] for row in rows}, GROUPS)
        self.assertEqual({row["device"] for row in rows}, {"h200", "h200-f16"})
        for row in rows:
            self.assertGreater(row["us"], 0, row)
            self.assertEqual(row["us"], row["simulated_us"], row)
        self.assertIn("simulated off by a factor of 1.00", done.stdout)
        small = [row for row in rows if row["us"] < 20]
        self.assertGreater(len(small), 100, "most are kernels that no published table has")

    def test_its_table_is_read_by_iosx_validate(self):
        """Every row is simulated, and as it is in a network: but for where weights come from, which are warm in a table."""
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder, "operators.csv")
            done = self.run_it("--devices", "h200,h200-f16", "--simulated", "h200,h200-f16", "--csv", str(table))
            self.assertEqual(done.returncode, 0, done.stderr)
            rows = table.read_text().splitlines()
            words = [str(IOSX), "validate", "--without-searches", "--json", "--operators", str(table)]
            read = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
            self.assertEqual(read.returncode, 0, read.stderr)
        validated = json.loads(read.stdout)
        self.assertEqual(validated["operators_left_out"], 0)
        errors = validated["operators"]
        self.assertEqual(sum(error["rows"] for error in errors), len(rows) - 1)
        self.assertEqual({(error["kind"], error["precision"]) for error in errors},
                         {(kind, precision) for kind in ("conv", "pool", "stream") for precision in ("tf32", "float16")})
        for error in errors:
            self.assertLess(error["mape"], 0.1 if error["kind"] == "conv" else 1e-3, error)

    def test_a_stage_that_waits_takes_longer_on_another_engine(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "operators.jsonl")
            done = self.run_it("--devices", "h200-streams", "--simulated", "h200-f32", "--out", str(out))
            self.assertEqual(done.returncode, 0, done.stderr)
            waits = [json.loads(line) for line in out.read_text().splitlines() if '"waits"' in line]
        self.assertEqual(len(waits), 2)
        for row in waits:
            self.assertGreater(row["us"], row["simulated_us"], "the host synchronises")

    def test_says_what_is_wrong(self):
        self.assertEqual(self.run_it("--devices", "h200,a100", "--simulated", "h200").returncode, 2)
        done = self.run_it("--devices", "nowhere", "--simulated", "h200")
        self.assertEqual(done.returncode, 1)
        self.assertIn("nowhere", done.stderr)


if __name__ == "__main__":
    unittest.main()
