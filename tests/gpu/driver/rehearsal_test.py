#!/usr/bin/env python3
"""Rehearses the calls for a lent GPU (gpu/check.py) with this build's own programs, on a GPU that is made up.

Its driver and runtime are those of this folder: cuDNN's plans are built and kept, nothing is computed. So what verifies
outputs fails here, as it should; what comes home and how large it is, is what a GPU would give.

BUILD, MADE_UP_DRIVER, MADE_UP_LAUNCH_BENCH and IOS_GPU_BACKEND in the environment name what it is tried with."""

import csv
import os
import re
import shutil
import sys
import tarfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scripts"))
from support import GPU, ScriptTest

import check_steps

MOST = 15_000_000


class Rehearsal(ScriptTest):
    TIMEOUT = 2100

    def setUp(self):
        super().setUp()
        build = Path(os.environ["BUILD"])
        for name in check_steps.PROGRAMS:
            program = os.environ["MADE_UP_LAUNCH_BENCH"] if name == "gpu_launch_bench" else build / "bin" / name
            self.link(f"build/bin/{name}", program)
        self.link("build/lib/libios_gpu.so", build / "lib/libios_gpu.so")
        self.instead("nvidia-smi", 'case "$*" in *query-gpu=name*) echo "Made-up GPU" ;; esac')
        self.instead("ldd", "")
        self.instead("compute-sanitizer", "exit 1")

    def link(self, path, target):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)

    def check(self, *arguments):
        """Calls check.py as on a machine that keeps the folder home alone, and returns the exit code."""
        libraries = [str(Path(os.environ["MADE_UP_DRIVER"]).parent), os.environ.get("LD_LIBRARY_PATH", "")]
        command = [sys.executable, GPU / "check.py", "--build", "build", "--gpu", "yes", "--copy", "home", *arguments]
        return self.run_any(command, LD_LIBRARY_PATH=":".join(filter(None, libraries)))

    def foretold(self, *arguments):
        """What a dry run says would come home: names, and the bytes of all."""
        self.assertEqual(self.check("--dry-run", *arguments), 0, self.output)
        names = re.findall(r"^ *\d+ bytes  gpu-check/(.*?)(?:, about.*)?$", self.output, re.MULTILINE)
        total = re.search(r"^ *(\d+) bytes, 15000000 at most: ", self.output, re.MULTILINE)
        self.assertLess(int(total[1]), MOST)
        return names, int(total[1])

    def came_home(self):
        archive = self.folder / "home/results.tar.gz"
        with tarfile.open(archive) as files:
            return [entry.name.removeprefix("gpu-check/") for entry in files], archive.stat().st_size

    def rows(self):
        with open(self.folder / "gpu-check/steps.tsv") as file:
            return {row["step"]: row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}

    def rehearse(self, *arguments):
        """Foretells a call, makes it, and compares the two: no file comes home that was not named, and no more bytes."""
        names, most = self.foretold(*arguments)
        self.assertIn(self.check(*arguments), (0, 1, 3), self.output)
        came, size = self.came_home()
        print(f"{arguments}: {size} bytes of {most} foretold, {len(came)} files")
        self.assertLess(size, most)
        ours = ("steps.tsv", "table.txt")
        unforetold = [name for name in came if name not in ours
                      and not any(name == known or (known.endswith("/") and name.startswith(known)) for known in names)]
        self.assertEqual(unforetold, [])
        return names, came

    def test_the_calls_bring_home_what_was_foretold(self):
        contact = check_steps.CALLS["contact"][1].split()
        # The limits of a server with a GPU are too short for a busy machine of few cores, where cuDNN compiles as much.
        names, came = self.rehearse("--seconds", "2000", *(f"{step}=400" for step in contact))
        rows = self.rows()
        self.assertEqual(set(rows), set(contact))
        for step in ("facts", "devices", "launch"):
            self.assertEqual(rows[step]["result"], "passed", rows[step])
        self.assertEqual(rows["first"]["result"], "failed", "nothing is computed")
        self.assertIn("verify", (self.folder / "gpu-check" / rows["first"]["log"]).read_text())
        for name in ("launch.csv", "profile_sample.iosrun"):
            self.assertIn(name, names)
            self.assertIn(name, came)
        self.assertTrue(any(name.startswith("kept/data/") for name in came))

        # The second call goes on from the archive alone, as on another machine, and is cut off after a while: its time may
        # be up before anything is done, on a busy machine.
        shutil.rmtree(self.folder / "gpu-check")
        self.rehearse("--resume", "home/results.tar.gz", "--seconds", "45", "squeezenet", "half", "memcheck")
        rows = self.rows()
        self.assertEqual(rows["launch"]["call"], "1")
        self.assertEqual(rows["squeezenet"]["call"], "2")
        self.assertIn(rows["memcheck"]["result"], ("failed", "skipped"))

        # The third one, again from there.
        shutil.rmtree(self.folder / "gpu-check")
        names, _ = self.foretold("--resume", "home/results.tar.gz", "@benchmark")
        self.assertIn("benchmark/", names)
        self.assertIn("launch.csv", names)
        for call in ("@contact", "@search", "@suite", "@pairs"):
            self.foretold("--resume", "home/results.tar.gz", call)


if __name__ == "__main__":
    unittest.main()
