#!/usr/bin/env python3
"""What gpu/bench/calibrate.py makes of measurements made up for it, with an iosx made up for it.

    python3 calibrate_test.py CALIBRATE.PY
"""

import json
import subprocess
import sys
import unittest
from pathlib import Path

from support import ScriptTest, load

SCRIPT = Path(sys.argv.pop(1)).resolve()

# Runs of a made-up simulation: latency, stages and kernels by network, batch and schedule.
MADE_UP = """#!/usr/bin/env python3
import json, pathlib, sys
words = sys.argv[1:]
key = " ".join([words[1], words[words.index("--batch") + 1], words[words.index("--schedule") + 1]])
print(json.dumps(json.loads((pathlib.Path(__file__).parent / "runs.json").read_text())[key]))
"""

OLD = {"kernel_start_us": 2.0, "join_us": 0.5, "replay_us": 3.0}
TRUE = {"kernel_start_us": 1.2, "join_us": 2.0, "replay_us": 9.0, "rest": 1.3}


def stage(groups):
    return {"groups": groups, "latency_ms": 1}


class Calibrate(ScriptTest):
    def setUp(self):
        super().setUp()
        self.iosx = self.folder / "iosx"
        self.iosx.write_text(MADE_UP)
        self.iosx.chmod(0o755)
        (self.folder / "engine.json").write_text(json.dumps({"captured": OLD | {"memory_latency_us": 0.6}}))

    def make(self, networks, also=lambda network: 1.0):
        """Measurements of a GPU with the true figures; `also` is a factor of a network that no figure explains."""
        runs, lines = {}, []
        for n, network in enumerate(networks):
            for batch in (1, 16, 64):
                found = {}
                for schedule in ("sequential", "greedy"):
                    units = 20 + 15 * n
                    rest = (100 + 37 * n) * batch**0.8 * (1 if schedule == "sequential" else 0.7)  # µs
                    if schedule == "sequential":
                        stages = [stage([[f"u{i}"]]) for i in range(units)]
                        kernels, joins = units, 0
                    else:
                        stages = [stage([[f"u{i}"], [f"v{i}"]]) for i in range(units // 2)]
                        kernels, joins = units // 2, units // 2
                    total = sum(len(group) for one in stages for group in one["groups"])

                    def took(figures, factor):
                        return (
                            figures["replay_us"] + figures["kernel_start_us"] * kernels + figures["join_us"] * joins
                            + factor * rest
                        ) / 1000  # fmt: skip

                    runs[f"{network} {batch} {schedule}"] = {
                        "kernels": total, "schedule": {"latency_ms": took(OLD, 1), "stages": stages}
                    }  # fmt: skip
                    found[schedule] = {"latency_ms": took(TRUE, TRUE["rest"]) * also(network)}
                entry = {"task": f"ours {network} {batch}", "on": "GPU-1", "result": {"schedules": found}}
                lines.append(json.dumps(entry))
        (self.folder / "runs.json").write_text(json.dumps(runs))
        (self.folder / "results.jsonl").write_text("\n".join(lines) + "\n")

    def run_it(self, *arguments):
        command = [sys.executable, str(SCRIPT), str(self.folder), "--iosx", str(self.iosx)]
        command += ["--engine", str(self.folder / "engine.json"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)

    def test_finds_the_figures_that_measurements_were_made_with(self):
        self.make(["a", "b", "c", "d"])
        done = self.run_it("--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        for figure, value in TRUE.items():
            self.assertAlmostEqual(document["new"][figure] / value, 1, delta=0.1, msg=figure)
        before, after = document["off"]["judged on"]
        self.assertGreater(before, 1.1)
        self.assertLess(after, 1.02)

    def test_says_which_half_is_which(self):
        self.make(["a", "b", "c", "d"])
        done = self.run_it()
        self.assertIn("fitted to a, c: off by", done.stdout)
        self.assertIn("judged on b, d: off by", done.stdout)
        self.assertNotIn("not worth", done.stdout)

    def test_a_fit_that_does_not_carry_over_is_called_so(self):
        self.make(["a", "b", "c", "d"], lambda network: 3.0 if network in "ac" else 0.7)
        self.assertIn("not worth taking over", self.run_it().stdout)

    def test_too_little_or_nothing(self):
        self.make(["a"])
        self.assertEqual(self.run_it().returncode, 1)
        (self.folder / "results.jsonl").unlink()
        self.assertEqual(self.run_it().returncode, 2)
        self.assertEqual(self.run_it("--help").returncode, 0)

    def test_results_of_another_card_are_left_out(self):
        self.make(["a", "b"])
        results = self.folder / "results.jsonl"
        strange = json.dumps({"task": "ours z 1", "on": "GPU-0", "result": {"schedules": {}}})
        results.write_text(strange + "\n" + results.read_text())
        self.assertEqual(json.loads(self.run_it("--json").stdout)["networks"], ["a", "b"])

    def test_chains_of_kernels(self):
        chain = load(SCRIPT).chain
        stages = [stage([["a"]]), stage([["b", "c"], ["d"]]), stage([["e"]]), {"groups": [["f"]], "latency_ms": 0}]
        self.assertEqual(chain(stages, 5), (4, 2), "b, c are the longest; the wide stage and the one after it wait")
        self.assertEqual(chain(stages, 10), (8, 2), "units of two kernels")


if __name__ == "__main__":
    unittest.main()
