#!/usr/bin/env python3
"""What gpu/check.py does with steps that pass, fail, hang and skip, on programs made up for it.

BUILD in the environment names a build whose own programs are tried, too."""

import contextlib
import csv
import io
import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
import threading
import time
import unittest
from pathlib import Path

from support import GPU, ScriptTest

import check_steps

# Notes in the file calls how it was called and does what on/PROGRAM says, for iosx on/iosx-COMMAND.
PROGRAM = """#!/bin/sh
here={here} name={name}
if [ $name = iosx ]; then name=iosx-$1; fi
case "$*" in --version* | *--gtest_list_tests*) ;; *) echo "$name $*" >>"$here/calls" ;; esac
if [ $name = iosx-devices ]; then echo "gpu   Made-up GPU   measured   80 SMs"; fi
if [ -f "$here/on/$name" ]; then . "$here/on/$name"; fi
"""
BENCHMARK = """
import subprocess, sys
from pathlib import Path
here, name = Path({here!r}), Path(__file__).stem
with open(here / "calls", "a") as calls:
    print(name, *sys.argv[1:], file=calls)
sys.exit(subprocess.call(["sh", here / "on" / name]) if (here / "on" / name).exists() else 0)
"""
TRIES = 'mkdir -p "$XDG_CACHE_HOME/plans"; echo plan >"$XDG_CACHE_HOME/plans/a.trying-$$"\n'
SKIPPED = "[  SKIPPED ] A.B (0 ms)"
PASSED = "[       OK ] A.A (1 ms)"
NO_CUDNN = f"suite.cpp:3: Skipped\nno cuDNN\n{SKIPPED}"
DRIVER = 'case "$*" in *query-gpu=name*) echo "Made-up GPU" ;; esac'


class CheckTest(ScriptTest):
    def setUp(self):
        super().setUp()
        here = str(self.folder)
        for name in check_steps.PROGRAMS:
            self.write(f"build/bin/{name}", PROGRAM.format(here=shlex.quote(here), name=name), 0o755)
        self.write("build/lib/libios_gpu.so", "")
        for name in ("benchmark", "operators"):
            self.write(f"build/benchmark/{name}.py", BENCHMARK.format(here=here))
        self.instead("ldd", "")
        self.instead("nvidia-smi", DRIVER)

    def on(self, program, text):
        """Says what a program does."""
        self.write(f"on/{program}", f"{text}\n")

    def on_prints(self, program, *lines, code=0):
        self.write("printed", "\n".join(lines) + "\n")
        self.on(program, f'cat "$here/printed"; exit {code}')

    def script(self, code, *arguments, **changes):
        self.run_script(code, [sys.executable, GPU / "check.py", *arguments], **changes)

    def check(self, code, *arguments, **changes):
        self.script(code, "--build", "build", "--gpu", "yes", *arguments, **changes)

    def begin(self, *arguments, marker):
        """Starts the script, and waits until a program has written a file."""
        command = [sys.executable, GPU / "check.py", "--build", "build", "--gpu", "yes", *arguments]
        script = subprocess.Popen(command, cwd=self.folder, env=self.environment(), stdout=subprocess.DEVNULL)
        self.addCleanup(script.kill)
        until = time.monotonic() + 30
        while not (self.folder / marker).exists():
            self.assertLess(time.monotonic(), until, "it has not begun")
            time.sleep(0.01)
        return script

    def rows(self, folder="gpu-check"):
        with open(self.folder / folder / "steps.tsv") as file:
            return {row["step"]: row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}

    def became(self, step, expected, folder="gpu-check", column="result"):
        self.assertEqual(self.rows(folder)[step][column], expected)

    def calls(self):
        """Says which programs were called since it was asked last."""
        path = self.folder / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return lines

    def called(self, *expected):
        self.assertEqual([line.split()[0] for line in self.calls()], list(expected))

    def log(self, name, folder="gpu-check"):
        return self.read(f"{folder}/logs/{name}.txt")

    def unpack(self, folder, name="gpu-check"):
        (self.folder / folder).mkdir()
        self.run_script(0, ["tar", "xzf", f"{name}/results.tar.gz", "-C", folder])

    # ---- The command line

    def test_help(self):
        self.script(0, "--help")
        self.says("usage: check.py")
        self.says("Exit code:")
        self.script(0, "--list")
        self.assertEqual([line.split()[0] for line in self.output.splitlines() if line[0] != "@"], (
            "facts devices runtime describe first launch squeezenet alone inception sample profile benchmark pairs"
            " convolutions slowest half behaviour memcheck racecheck operators schedules tuned networks").split())

    def test_wrong_command_lines(self):
        for arguments, text in ((["nonsense"], "no step nonsense"), (["launch", "launch"], "named twice"),
                                (["launch=soon"], ""), (["--fast"], ""), (["--seconds", "many"], ""),
                                (["--seconds"], ""), (["--gpu", "perhaps"], ""), (["--cudnn", "."], "no libcudnn.so.9"),
                                (["--resume", "nowhere"], ""), (["--out", ""], "no value"),
                                (["--out", "build/bin/iosx/results"], "cannot be made")):
            self.check(2, *arguments)
            self.says(text)
        self.script(2, "--build", "nowhere")
        self.script(2)
        self.says("--build is wanted")
        self.called()

    def test_steps_in_order(self):
        self.check(3, "--out", "all")  # there may be no compute-sanitizer
        names = [line.split()[0] for line in self.calls()]
        self.assertEqual(re.sub(" iosx-run iosx-run", "", " ".join(names)).split()[:10], (
            "iosx-devices gpu_cuda_runtime_test gpu_describe iosx-run gpu_launch_bench iosx-run operators iosx-compare"
            " iosx-profile iosx-profile").split())
        self.became("inception", "passed", "all")
        self.check(0, "--out", "some", "launch", "--seconds", "400", "describe")
        self.called("gpu_launch_bench", "gpu_describe")
        self.assertEqual(list(self.rows("some")), ["describe", "launch"])

    def test_calls_are_steps(self):
        self.script(0, "--list")
        listed = {line.split()[0]: line.split()[3:] for line in self.output.splitlines() if line[0] == "@"}
        self.assertEqual(list(listed), ["@contact", "@search", "@suite", "@benchmark", "@kernels", "@pairs"])
        known = {step.name for step in check_steps.STEPS}
        for steps in listed.values():
            self.assertLessEqual(set(steps), known)
        self.check(0, "--copy", "home", "@contact")
        self.assertEqual(set(self.rows()), set(listed["@contact"]))
        self.calls()
        self.instead("compute-sanitizer", "exit 0")
        self.check(0, "--resume", "home/results.tar.gz", "--out", "there", "@contact", "@search")
        self.assertNotIn("gpu_launch_bench", [line.split()[0] for line in self.calls()])
        self.assertEqual(set(self.rows("there")), set(listed["@contact"] + listed["@search"]))
        self.check(2, "launch", "launch")
        self.check(0, "--dry-run", "--out", "twice", "@contact", "@contact")
        self.check(2, "@nothing")
        self.says("no step @nothing")

    def test_a_dry_run_does_nothing(self):
        self.check(0, "--copy", "home", "launch")
        self.calls()
        for call in ("@contact", "@search", "@suite", "@benchmark", "@pairs"):
            self.check(0, "--dry-run", "--resume", "gpu-check", "--copy", "home", call)
            self.says("limits together")
            self.says("bytes  gpu-check/logs/1-launch.txt")
            self.says(f"bytes, 15000000 at most: {self.folder}/home/results.tar.gz")
        self.called()
        self.check(0, "--dry-run", "--resume", "gpu-check", "launch", "describe")
        self.says("done: passed in call 1")
        self.says("gpu_describe")

    def test_a_dry_run_leaves_nothing_in_the_way_of_the_call(self):
        self.check(0, "--copy", "home", "launch")
        going_on = ["--resume", "home/results.tar.gz", "--out", "there", "--copy", "new home", "launch", "describe"]
        self.check(0, "--dry-run", *going_on)
        self.says("gpu-check/logs/1-launch.txt")
        self.assertFalse((self.folder / "there").exists())
        self.assertFalse((self.folder / "new home").exists())
        self.check(0, *going_on)
        self.became("describe", "passed", "there")

    def test_a_dry_run_says_what_would_come_home_and_when(self):
        self.check(0, "--dry-run", "launch", "describe", "racecheck=7")
        for text in ("24 s of   90 s", "about 32 s are wanted" if check_steps.find_sanitizer() else "about 25 s are wanted",
                     "gpu-check/launch.csv, about", "gpu-check/device.json, about", "gpu-check/logs/1-launch.txt, about"):
            self.says(text)
        self.assertNotIn("would not be done", self.output)
        self.check(0, "--dry-run", "--out", "short", "--seconds", "30", "launch")
        self.says("would not be done: --resume goes on")

    def test_a_dry_run_refuses_what_would_not_fit(self):
        """What is there counts, and what comes along with it; what is there of that is not counted twice."""
        self.on("iosx-run", 'head -c 13500000 /dev/urandom >"$XDG_CACHE_HOME/plans"')
        self.check(0, "squeezenet")
        self.check(0, "--dry-run", "--resume", "gpu-check", "inception")
        self.says("of which some is there")
        plans = dict(next(step for step in check_steps.STEPS if step.name == "inception").brings)["kept/cache/"]
        self.assertLess(plans, 13_500_000)
        self.on("iosx-run", 'head -c 13500000 /dev/urandom >"$XDG_DATA_HOME/other"')
        self.check(0, "--out", "full", "squeezenet")
        self.check(1, "--dry-run", "--resume", "full", "--out", "full", "inception")
        self.says("that is too large")

    def test_no_call_brings_more_than_fits(self):
        """Nor do the three of a first lease together, one after another."""
        together = 0
        for name, (_, words) in check_steps.CALLS.items():
            brought = sum(size for step in check_steps.STEPS if step.name in words.split() for _, size in step.brings)
            self.assertLess(brought, 14_000_000, name)
            together += brought if name in ("contact", "search", "benchmark") else 0
        self.assertLess(together, 14_500_000)

    # ---- What steps call

    def test_tells_what_it_runs(self):
        self.check(0, "squeezenet", "inception", "describe")
        calls = self.calls()
        self.assertEqual(calls[0], "iosx-run run squeezenet --schedule greedy --device gpu --verify")
        self.assertTrue(calls[1].startswith("iosx-compare compare inception_v3 --device gpu --verify "), calls[1])
        self.assertEqual(calls[2], f"gpu_describe {self.folder}/gpu-check/device.json")

    def test_facts(self):
        self.check(0, "facts")
        self.says("driver none, glibc")
        for fact in ("system", "processor", "C library", "driver", "GPUs", "profiling", "cuDNN", "PyTorch",
                     "compute-sanitizer"):
            self.assertRegex(self.log("1-facts"), f"(?m)^{fact}: .+")

    def test_only_reads_settings(self):
        self.instead("nvidia-smi", f'echo "$*" >>"$here/asked"\n{DRIVER}')
        self.check(0, "facts")
        for line in self.read("asked").splitlines():
            self.assertRegex(line, "^(--query-gpu=[a-z_]+ --format=csv,noheader|-q -d [A-Z,]+)?$")

    def test_profile_wants_counters(self):
        """A profile whose counters may not be read ends well, the step does not."""
        self.on_prints("iosx-profile", "  active warps   1203 +- 12 of 8448 warps   1.58 x sequential's")
        self.check(0, "--out", "seen", "sample", "profile")
        warps = "active warps 1203 +- 12 of 8448 warps 1.58 x sequential's"
        self.became("profile", f"inception_v3, last schedule: {warps}", "seen", "reason")
        self.became("sample", f"sample, last schedule: {warps}", "seen", "reason")
        calls = self.calls()
        self.assertEqual(len(calls), 2)
        self.assertIn(f"-o {self.folder}/seen/profile_sample.iosrun", calls[0])
        self.on("iosx-profile", 'echo "iosx: hardware counters are not shown: no permission" >&2')
        self.check(1, "--out", "hidden", "sample", "profile")
        for step in ("sample", "profile"):
            self.assertRegex(self.rows("hidden")[step]["reason"], "not shown: no permission$")

    def test_uses_the_sanitizer(self):
        self.instead("compute-sanitizer",
                     'if [ "$1" = --help ]; then echo "  --kernel-regex arg"; else echo "$IOS_GPU_UNTUNED $*"; fi')
        self.check(0, "memcheck", "racecheck")
        self.assertRegex(self.log("1-memcheck"), "^1 --tool memcheck --error-exitcode 9 .*iosx run sample")
        self.assertIn("--tool racecheck --kernel-regex kns=iosx", self.log("1-racecheck"))
        self.instead("compute-sanitizer", 'echo "Error: Device not supported"; exit 1')
        self.check(3, "--out", "unsupported", "memcheck")
        self.became("memcheck", "skipped", "unsupported")

    def test_the_benchmark_goes_on_where_it_was(self):
        self.on("benchmark", 'echo "summary: time was up"; exit 3')
        self.check(3, "--out", "first", "--seconds", "60", "benchmark")
        self.became("benchmark", "unfinished", "first")
        self.became("benchmark", "time was up", "first", "reason")
        # 60 less 15 for packing and 10 for the benchmark itself; on a busy machine the beginning takes seconds, too.
        self.assertRegex(self.calls()[0], f"--seconds 3[0-5] --out {self.folder}/first/benchmark$")
        self.on("benchmark", "true")
        self.check(0, "--out", "second", "--resume", "first", "benchmark")
        self.became("benchmark", "passed", "second")
        self.on("benchmark", "exit 1")
        self.check(1, "--out", "third", "benchmark")
        self.became("benchmark", "failed", "third")

    # ---- Steps that fail, hang or skip

    def test_a_failed_step_stops_no_other(self):
        self.on("gpu_launch_bench", 'echo "it is broken"; exit 7')
        self.check(1, "launch", "describe")
        self.called("gpu_launch_bench", "gpu_describe")
        self.became("launch", "failed")
        self.became("launch", "7", column="exit_code")
        self.became("launch", "exit code 7: it is broken", column="reason")
        self.became("describe", "passed")
        self.assertEqual(self.read("gpu-check/" + self.rows()["launch"]["log"]), "it is broken\n")
        self.assertRegex(self.read("gpu-check/table.txt"), "(?m)^launch .*failed")

    def test_a_program_that_is_not_there_or_ends_by_a_signal(self):
        (self.folder / "build/bin/gpu_describe").unlink()
        self.on("gpu_launch_bench", "kill -SEGV $$")
        self.check(1, "launch", "describe")
        self.became("launch", "139", column="exit_code")
        self.became("describe", "127", column="exit_code")

    def test_a_step_that_hangs_is_ended(self):
        self.on("gpu_launch_bench", 'sleep 1000 & echo $! >"$here/sleeper"; wait')
        self.check(1, "launch=1", "describe")
        self.says("took longer than 1 s")
        self.became("launch", "failed")
        self.became("describe", "passed")
        # A zombie, where nobody waits for what was left behind, does nothing either.
        status = check_steps.read(f"/proc/{self.read('sleeper').strip()}/status")
        self.assertIn(check_steps.first_match(r"^State:\s*(\w)", status), ("", "Z"))

    def test_a_step_that_does_not_listen_is_killed(self):
        self.on("gpu_launch_bench", "trap '' TERM; sleep 1000 & sleep 1000; wait")
        impatient = f"import sys; sys.path.insert(0, {str(GPU)!r}); import check; check.GRACE = 0.2; check.main()"
        self.run_script(0, [sys.executable, "-c", impatient, "--build", "build", "--gpu", "yes", "launch=1"])
        self.became("launch", "137", column="exit_code")

    def test_a_step_is_told_once_to_end(self):
        self.on("gpu_launch_bench", "trap 'echo told >>\"$here/told\"; kill $!' TERM; sleep 1000 & wait; wait")
        self.check(1, "launch=1")
        self.assertEqual(self.read("told"), "told\n")

    def test_what_a_step_called_is_told_too_and_may_finish(self):
        self.on("iosx-profile", "trap 'sleep 0.5; echo saved >>\"$here/saved\"; exit' TERM\n"
                'echo begun; touch "$here/begun"; sleep 1000 & wait')
        script = self.begin("profile", marker="begun")
        script.terminate()
        self.assertEqual(script.wait(30), 3)
        self.assertEqual(self.read("saved"), "saved\n")
        self.assertIn("begun", self.log("1-profile"))

    def test_a_trial_that_is_cut_off_is_no_failure(self):
        """What the script's own limit cuts off did not end a program; what never ends did."""
        self.on("gpu_suite", TRIES + 'echo plan >"$XDG_CACHE_HOME/plans/a.trying-1"; sleep 1000')
        self.check(1, "--out", "cut", "tuned=1")
        plans = "kept/cache/plans"
        self.assertEqual(os.listdir(self.folder / "cut" / plans), ["a.trying-1"])
        self.on("gpu_suite", TRIES + 'touch -d "3 minutes ago" "$XDG_CACHE_HOME/plans/a.trying-$$"; sleep 1000')
        self.check(1, "--out", "hung", "tuned=1")
        self.assertEqual(len(os.listdir(self.folder / "hung" / plans)), 1)
        # Nor does one that ended by itself lose its record.
        self.on("gpu_suite", TRIES + "exit 9")
        self.check(1, "--out", "ended", "tuned")
        self.assertEqual(len(os.listdir(self.folder / "ended" / plans)), 1)

    def test_skipped_is_no_success(self):
        self.on("gpu_launch_bench", 'echo "skipped: no driver"')
        self.check(3, "--out", "bench", "launch")
        self.became("launch", "skipped", "bench")
        self.became("launch", "no driver", "bench", "reason")
        self.says("Not everything was done")

        self.on_prints("gpu_suite", NO_CUDNN)
        self.check(3, "--out", "all", "tuned")
        self.became("tuned", "tests skipped: 1 of 1: no cuDNN", "all", "reason")
        self.on_prints("gpu_suite", PASSED, NO_CUDNN)
        self.check(3, "--out", "some", "tuned")
        self.became("tuned", "tests skipped: 1 of 2: no cuDNN", "some", "reason")

    def test_skips_that_are_as_they_should_be(self):
        self.on_prints("gpu_suite", PASSED, "a.cpp:3: Skipped", "there is a GPU", SKIPPED, "a.cpp:3: Skipped",
                       "T4 does not compute bfloat16, a GPU of the Ampere generation does", "[  SKIPPED ] A.C (0 ms)")
        self.check(0, "tuned")
        self.became("tuned", "passed")

    def test_tests_that_fail_or_are_not_there(self):
        self.on_prints("gpu_suite", PASSED, "[  FAILED  ] A.B (2 ms)", " 1 FAILED TEST", code=1)
        self.check(1, "--out", "failing", "tuned")
        self.says("tests passed: 1, failed: 1, skipped: 0")
        self.says("[  FAILED  ] A.B (2 ms)")
        self.on_prints("gpu_suite", "[==========] Running 0 tests from 0 test suites.")
        self.check(1, "--out", "none", "tuned")
        self.says("there are no such tests")

    # ---- The time for everything, and signals

    def test_the_total_holds(self):
        self.check(3, "--seconds", "15", "launch", "describe")
        self.called()
        self.became("launch", "skipped")
        self.became("launch", "no time left", column="reason")
        self.assertTrue((self.folder / "gpu-check/results.tar.gz").exists())

    def test_the_total_shortens_a_step(self):
        self.on("gpu_launch_bench", "sleep 1000")
        self.check(3, "--out", "short", "--seconds", "16", "launch", "describe")
        # On a busy machine the first may find no time left either.
        self.assertIn(self.rows("short")["launch"]["result"], ("unfinished", "skipped"))
        self.became("describe", "skipped", "short")

    def test_packs_after_every_step(self):
        self.on("gpu_describe", 'tar tzf "$here/gpu-check/results.tar.gz" >"$here/packed"')
        self.check(0, "launch", "describe")
        self.assertIn("gpu-check/logs/1-launch.txt", self.read("packed").splitlines())
        self.unpack("unpacked")
        self.run_script(0, ["diff", "-r", "-x", "results.tar.gz", "-x", "kept", "gpu-check", "unpacked/gpu-check"])

    def test_leaves_out_what_is_no_result(self):
        self.on("iosx-run", 'cd "$XDG_DATA_HOME"; touch a.db a.db-shm b.part; cd ../..\n'
                'mkdir -p benchmark/inductor; touch benchmark/inductor/kernel')
        self.check(0, "squeezenet")
        self.unpack("unpacked")
        root = self.folder / "unpacked/gpu-check"
        self.assertEqual(os.listdir(root / "kept/data"), ["a.db"])
        self.assertFalse((root / "benchmark").exists() and any((root / "benchmark/inductor").glob("*")))

    def test_the_archive_is_never_too_large(self):
        """What does not compress and does not fit is left out, and said so; smaller files come along."""
        self.on("iosx-run", 'cd "$XDG_CACHE_HOME"; head -c 9000000 /dev/urandom >plans; head -c 8000000 /dev/urandom >more')
        self.check(0, "squeezenet", "launch")
        self.assertLess((self.folder / "gpu-check/results.tar.gz").stat().st_size, 15_000_000)
        self.unpack("unpacked")
        root = self.folder / "unpacked/gpu-check"
        self.assertEqual(os.listdir(root / "kept/cache"), ["more"])
        self.assertEqual((root / "left_out.txt").read_text(), "9000000 bytes: kept/cache/plans\n")
        self.assertTrue((root / "logs/1-launch.txt").exists())
        self.on("iosx-run", 'rm "$XDG_CACHE_HOME/more"')
        self.check(0, "--resume", "gpu-check/results.tar.gz", "--out", "there", "first", "launch")
        self.unpack("unpacked there", "there")
        self.assertFalse((self.folder / "unpacked there/gpu-check/left_out.txt").exists(), "all fits now")

    def test_the_archive_is_never_too_large_for_many_files_either(self):
        self.on("iosx-run", 'cd "$XDG_CACHE_HOME"; head -c 24000000 /dev/urandom >all; split -a 4 -b 8000 all; rm all')
        self.check(0, "squeezenet")
        self.assertLess((self.folder / "gpu-check/results.tar.gz").stat().st_size, 15_000_000)

    def test_what_vanishes_while_it_is_packed_is_no_error(self):
        sys.path.insert(0, str(GPU))
        import check
        folder = self.folder / "results"
        (folder / "logs").mkdir(parents=True)
        self.write("results/logs/one.txt", "it stays")
        going = threading.Event()

        def churn():
            while not going.is_set():
                for i in range(20):
                    (folder / f"{i}/in").mkdir(parents=True, exist_ok=True)
                    (folder / f"{i}/in/file").write_text("it goes")
                for i in range(20):
                    shutil.rmtree(folder / str(i))

        other = threading.Thread(target=churn)
        other.start()
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                for _ in range(100):
                    check.pack(folder, self.folder / "packed.tar.gz")
        finally:
            going.set()
            other.join()
        with tarfile.open(self.folder / "packed.tar.gz") as archive:
            self.assertIn("gpu-check/logs/one.txt", archive.getnames())

    def test_a_database_is_packed_as_it_was_at_one_moment(self):
        sys.path.insert(0, str(GPU))
        import check
        (self.folder / "results").mkdir()
        with contextlib.closing(sqlite3.connect(self.folder / "results/store.db")) as store:
            store.execute("PRAGMA journal_mode=WAL")
            store.execute("CREATE TABLE stage(us)")
            store.executemany("INSERT INTO stage VALUES(?)", [(i,) for i in range(1000)])
            store.commit()  # what was written lies beside the file
            check.pack(self.folder / "results", self.folder / "packed.tar.gz")
        with tarfile.open(self.folder / "packed.tar.gz") as archive:
            self.assertEqual(archive.getnames(), ["gpu-check/store.db"])
            archive.extractall(self.folder)
        with contextlib.closing(sqlite3.connect(self.folder / "gpu-check/store.db")) as store:
            self.assertEqual(store.execute("SELECT count(*) FROM stage").fetchone(), (1000,))

    def test_a_copy_of_an_earlier_call_is_not_lost(self):
        self.check(0, "--copy", "home", "launch")
        before = self.bytes_of("home/results.tar.gz")
        self.check(2, "--out", "other", "--copy", "home", "describe")
        self.says("home holds results of an earlier call")
        self.check(2, "--out", "other", "--dry-run", "--copy", "home", "describe")
        self.check(0, "--out", "other", "--dry-run", "--resume", "home/results.tar.gz", "--copy", "home", "describe")
        self.assertEqual(self.bytes_of("home/results.tar.gz"), before)

    def test_copies_the_archive_while_a_step_runs(self):
        with open(GPU / "check.py") as file:
            self.assertIn("EVERY = 20 ", file.read())
        code = ("import runpy, sys; sys.path.insert(0, sys.argv[1]); import check; check.EVERY = 0.2;"
                " sys.argv = sys.argv[2:]; sys.exit(check.main())")
        self.on("gpu_launch_bench", 'echo half >"$here/gpu-check/half"; touch "$here/begun"\n'
                'until tar tzf "$here/home/results.tar.gz" 2>/dev/null | grep -q half; do sleep 0.05; done')
        self.run_script(0, [sys.executable, "-c", code, GPU, "check.py", "--build", "build", "--gpu", "yes", "--copy",
                            "home", "launch"])
        self.became("launch", "passed")
        self.assertEqual(self.bytes_of("home/results.tar.gz"), self.bytes_of("gpu-check/results.tar.gz"))
        self.assertEqual(os.listdir(self.folder / "home"), ["results.tar.gz"])

    def bytes_of(self, name):
        return (self.folder / name).read_bytes()

    def test_what_it_started_ends_when_it_is_killed(self):
        """A machine's limit kills the script and not what has a session of its own."""
        self.on("gpu_launch_bench", 'sleep 1000 & echo $! >"$here/sleeper"; touch "$here/begun"; wait')
        script = self.begin("launch", marker="begun")
        sleeper = int(self.read("sleeper"))
        script.kill()
        script.wait(30)
        until = time.monotonic() + 30
        while self.lives(sleeper):
            self.assertLess(time.monotonic(), until, "it goes on")
            time.sleep(0.02)

    @staticmethod
    def lives(process):
        status = Path(f"/proc/{process}/stat")
        return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"

    def test_a_signal_loses_nothing(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            name = number.name
            self.on("gpu_describe", f'echo begun >"$here/begun {name}"; sleep 1000')
            script = self.begin("--out", name, "launch", "describe", "devices", marker=f"begun {name}")
            script.send_signal(number)
            self.assertEqual(script.wait(30), 3)
            self.unpack("unpacked " + name, name)
            folder = f"unpacked {name}/gpu-check"
            self.became("launch", "passed", folder)
            self.became("describe", "unfinished", folder)
            self.became("devices", "skipped", folder)
            self.on("gpu_describe", "true")
            self.calls()
            self.check(0, "--out", f"{name} resumed", "--resume", f"{name}/results.tar.gz", "launch", "describe",
                       "devices")
            self.called("gpu_describe", "iosx-devices")

    def test_a_second_signal_does_not_wait(self):
        self.on("gpu_launch_bench",
                "trap 'touch \"$here/told\"' TERM; touch \"$here/begun\"; while true; do sleep 0.05; done")
        script = self.begin("launch", marker="begun")
        script.terminate()
        while not (self.folder / "told").exists():
            time.sleep(0.01)
        begun = time.monotonic()
        script.terminate()
        self.assertEqual(script.wait(30), 3)
        self.assertLess(time.monotonic() - begun, 7, "it waited for all of the grace")
        self.became("launch", "137", column="exit_code")

    # ---- Going on

    def test_resumes(self):
        self.on("gpu_describe", "exit 1")
        self.on("iosx-run", 'echo stage >>"$XDG_DATA_HOME/store"; echo plan >>"$XDG_CACHE_HOME/plans"')
        self.check(1, "--out", "first", "launch", "describe", "squeezenet")
        self.calls()
        (self.folder / "first/results.tar.gz").rename(self.folder / "kept.tar.gz")
        shutil.rmtree(self.folder / "first")

        self.on("gpu_describe", "")
        self.on("iosx-compare", 'cat "$XDG_DATA_HOME/store" "$XDG_CACHE_HOME/plans"')
        self.check(0, "--out", "second", "--resume", "kept.tar.gz", "launch", "describe", "squeezenet", "half")
        self.called("gpu_describe", "iosx-compare")
        self.says("passed in call 1")
        self.became("launch", "1", "second", "call")
        self.became("describe", "2", "second", "call")
        self.assertEqual(self.log("2-half", "second"), "stage\nplan\n")
        self.log("1-describe", "second")
        self.log("2-describe", "second")

        # In place, and the facts are always new.
        self.check(0, "--out", "second", "--resume", "second", "launch", "half", "facts")
        self.called()
        self.became("facts", "3", "second", "call")
        self.check(0, "--out", "second", "--resume", "second/results.tar.gz", "launch", "facts")
        self.called()
        self.became("facts", "4", "second", "call")
        # Other steps keep what became of them.
        self.became("describe", "passed", "second")

    def test_resumes_with_other_programs(self):
        self.on("iosx-run", 'echo stage >>"$XDG_DATA_HOME/store"; cat "$XDG_DATA_HOME/store"')
        self.check(0, "--out", "first", "squeezenet")
        with open(self.folder / "build/bin/iosx", "a") as program:
            program.write("# newer\n")
        self.check(0, "--out", "second", "--resume", "first", "squeezenet")
        self.assertEqual(self.log("2-squeezenet", "second"), "stage\nstage\n")

    def test_resumes_with_another_kind_of_gpu(self):
        self.check(0, "launch")
        self.instead("nvidia-smi", DRIVER.replace("Made-up", "Other"))
        self.calls()
        self.check(0, "--resume", "gpu-check", "launch")
        self.called("gpu_launch_bench")

    def test_a_failure_stays_one_until_it_is_mended(self):
        self.on("gpu_launch_bench", "exit 1")
        self.check(1, "--out", "first", "launch")
        self.check(1, "--out", "second", "--resume", "first", "--seconds", "15", "launch")
        self.says("in call 1")
        self.became("launch", "failed", "second")

    def test_what_was_done_on_a_gpu_outlives_a_call_without_one(self):
        self.check(0, "launch")
        self.script(0, "--build", "build", "--gpu", "no", "--resume", "gpu-check", "launch")
        self.became("launch", "passed")
        self.became("launch", "1", column="call")

    def test_keeps_earlier_results(self):
        self.check(0, "launch")
        self.check(2, "launch")
        self.says("--resume")
        self.check(2, "--resume", "build", "launch")
        (self.folder / "empty").mkdir()
        self.check(2, "--out", "other", "--resume", "empty", "launch")
        self.says("no results of an earlier call")

    def test_takes_nothing_from_an_archive_that_is_cut_off(self):
        self.check(0, "--out", "first", "launch")
        whole = (self.folder / "first/results.tar.gz").read_bytes()
        for name, content in (("cut", whole[:-40]), ("empty", b""), ("other", b"no archive")):
            (self.folder / f"{name}.tar.gz").write_bytes(content)
            self.check(2, "--out", name, "--resume", f"{name}.tar.gz", "launch")
            self.says("no results of an earlier call")
            self.assertFalse((self.folder / name / "steps.tsv").exists())

    # ---- The machine

    def test_without_a_gpu(self):
        self.on("iosx-devices", 'echo "gpu1 not available: no driver"')
        self.script(0, "--build", "build", "--gpu", "no")
        self.says("nothing was tried on one")
        self.called("iosx-devices")
        self.became("devices", "passed")
        self.became("inception", "skipped")

    def test_a_gpu_that_is_not_offered(self):
        offered = self.read("build/bin/iosx").replace("Made-up GPU   measured", "NVIDIA GPU   not available: no driver")
        self.write("build/bin/iosx", offered, 0o755)
        self.check(1, "devices", "launch")
        self.became("devices", "failed")
        self.became("launch", "passed")

    def test_asks_the_driver(self):
        self.on("gpu_launch_bench", 'echo "skipped: no driver"')
        self.script(3, "--build", "build", "launch")
        self.says("GPU: Made-up GPU")

    def test_finds_cudnn(self):
        self.on("gpu_launch_bench", 'echo "$LD_LIBRARY_PATH"')
        for folder in ("site/nvidia/cudnn", "given", "named"):
            self.write(f"{folder}/lib/libcudnn.so.9", "")
        (self.folder / "site/nvidia/cu13/lib").mkdir(parents=True)
        named = {"LD_LIBRARY_PATH": f"{self.folder}/named/lib"}
        packages = ["site/nvidia/cudnn/lib", "site/nvidia/cu13/lib"]  # what lies beside the package is found with it
        for out, arguments, changes, expected in (
                ("named", [], named, ["named/lib"]),
                ("given 1", ["--cudnn", "given"], named, ["given/lib"]),
                ("given 2", ["--cudnn", "given/lib"], named, ["given/lib"]),
                ("packages", ["--cudnn", "site"], {}, packages),
                ("python", [], {"PYTHONPATH": f"{self.folder}/site", "LD_LIBRARY_PATH": ""}, packages)):
            self.check(0, "--out", f"out {out}", *arguments, "launch", **changes)
            found = self.log("1-launch", f"out {out}").split(":")
            self.assertEqual(found[:len(expected) + 1], [f"{self.folder}/{path}" for path in ("build/lib", *expected)])

    def test_a_system_that_is_too_old(self):
        for lines, text in (
                (["./iosx: /lib/libc.so.6: version `GLIBC_2.99' not found (required by ./iosx)"],
                 "this system lacks: GLIBC_2.99 of libc.so.6"),
                (["./iosx: /lib/libstdc++.so.6: version `GLIBCXX_3.4.99' not found (required by ./iosx)"],
                 "GLIBCXX_3.4.99 of libstdc++.so.6"),
                (["\tlibgone.so.1 => not found", "\tlibcudnn.so.9 => not found"],
                 "this system lacks: libgone.so.1. ")):
            self.write("ldd says", "\n".join(lines) + "\n")
            self.instead("ldd", 'cat "$here/ldd says"')
            self.check(2, "launch")
            self.says(text)
        self.called()

    @unittest.skipUnless(os.environ.get("BUILD"), "BUILD names no build")
    def test_real_programs(self):
        """This build's own programs go as far as they do without a GPU."""
        shutil.rmtree(self.folder / "path")
        self.script(0, "--build", Path(os.environ["BUILD"]), "--gpu", "no", "facts", "devices", "describe")
        self.says("gpu NVIDIA GPU")
        self.became("facts", "passed")
        self.became("describe", "skipped")


if __name__ == "__main__":
    unittest.main()
