#!/usr/bin/env python3
"""What gpu/bundle.py packs, and what it refuses to pack."""

import re
import shutil
import subprocess
import sys
import tarfile
import unittest

from support import GPU, ScriptTest

import check_steps

PARTS = ["bin/iosx", "bin/gpu_suite", "bin/gpu_cuda_runtime_test", "bin/gpu_launch_bench", "bin/gpu_conv_bench",
         "bin/gpu_describe", "lib/libios_gpu.so"]
FILE = "a.tar.xz"


class BundleTest(ScriptTest):
    def bundle(self, code, *arguments):
        self.run_script(code, [sys.executable, GPU / "bundle.py", *arguments])

    def refuses(self, text, *arguments):
        """It packs nothing, and leaves nothing behind."""
        self.bundle(1, *arguments, "build", FILE)
        self.says(text)
        self.assertEqual(list(self.folder.glob("a.tar*")), [])

    def make_build(self, architectures="90-real;75-virtual"):
        """The programs are others that every system has; xz stands for one that needs a library."""
        for part in PARTS:
            path = self.folder / "build" / part
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(shutil.which("xz" if part == "bin/gpu_launch_bench" else "true"), path)
        self.write("build/CMakeCache.txt", f"CMAKE_CUDA_ARCHITECTURES:STRING={architectures}\n"
                   f"IOS_CUPTI_LIBRARY:FILEPATH={self.folder}/cupti/libcupti.so.13\n")
        for name in ("libcupti.so.13", "libnvperf_host.so", "libnvperf_target.so"):
            self.write(f"cupti/{name}", "")

    def ldd_says(self, *lines):
        self.instead("ldd", "\n".join(f"echo '\t{line}'" for line in lines))

    def test_help(self):
        self.bundle(0, "--help")
        self.says("usage: gpu/bundle.py")
        self.says("at most 45 MB")
        self.bundle(2)
        self.bundle(2, "--limit", "many", ".", FILE)
        self.says("--limit wants a number")
        self.bundle(2, "--fast", ".", FILE)
        self.bundle(2, ".", "a.zip")
        self.says(".tar.xz")
        self.bundle(2, "nowhere", FILE)

    def test_holds_programs_libraries_and_check(self):
        self.make_build()
        self.bundle(0, "build", f"there/{FILE}")
        self.says("CUDA architectures: 90-real;75-virtual")
        self.says(f"{(self.folder / 'there' / FILE).stat().st_size} bytes")
        self.run_script(0, ["tar", "xf", f"there/{FILE}"])
        root = self.folder / "ios-explorer-gpu"
        self.assertEqual(list(self.folder.glob("ios*")), [root])
        linked = subprocess.run(["ldd", self.folder / "build/bin/gpu_launch_bench"], stdout=subprocess.PIPE, text=True)
        expected = [*PARTS, *(f"lib/{name}" for name in re.findall(r"(liblzma\S*) =>", linked.stdout)), "bundle.txt",
                    "check.py", "check_steps.py", "benchmark/benchmark.py", "benchmark/operators.py", "benchmark/torch_modes.py", "benchmark/grid.txt",
                    "lib/libcupti.so.13", "lib/libnvperf_host.so", "lib/libnvperf_target.so"]
        expected += [f"benchmark/predicted/{path.name}" for path in (GPU / "bench/predicted").glob("*.jsonl")]
        found = [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
        self.assertEqual(sorted(found), sorted(expected))
        for part in [*PARTS[:5], "check.py"]:
            self.assertTrue((root / part).stat().st_mode & 0o100, part)
        # It is found by itself, as on the other machine.
        self.run_script(0, [root / "check.py", "--list"])
        self.run_script(0, [root / "check.py", "--gpu", "no", "--out", "results", "devices"])
        self.assertFalse((root / "__pycache__").exists())

    def test_unpacks_without_xz(self):
        self.make_build()
        self.bundle(0, "build", FILE)
        self.says(f"python3 -m tarfile -e {FILE}")
        self.run_script(0, [sys.executable, "-m", "tarfile", "-e", FILE])
        self.run_script(0, ["ios-explorer-gpu/check.py", "--list"])
        shutil.rmtree(self.folder / "ios-explorer-gpu")
        self.bundle(0, "build", "a.tar.gz")
        self.says("there: tar xf a.tar.gz")
        self.instead("xz", "exit 1")
        self.run_script(0, ["tar", "xzf", "a.tar.gz"])
        self.run_script(0, ["ios-explorer-gpu/check.py", "--list"])

    def test_names_each_missing_part(self):
        self.make_build()
        for part in PARTS:
            path = self.folder / "build" / part
            path.rename(self.folder / "kept")
            self.refuses(f"lacks {part}")
            (self.folder / "kept").rename(path)

    def test_names_a_library_that_is_not_there(self):
        self.make_build()
        self.ldd_says("libgone.so.1 => not found")
        self.refuses("libgone.so.1, which is not found")

    def test_names_a_program_that_is_none(self):
        self.make_build()
        self.write("build/bin/iosx", "cut off")
        self.refuses("build/bin/iosx cannot be stripped")
        self.make_build()
        self.instead("ldd", "exit 1")
        self.refuses("ldd cannot read bin/iosx")

    def test_names_a_part_of_cupti_that_is_not_there(self):
        self.make_build()
        (self.folder / "cupti/libnvperf_host.so").unlink()
        self.refuses("CUPTI lacks")
        (self.folder / "cupti/libcupti.so.13").unlink()
        self.refuses("knows no libcupti.so.13")

    def test_leaves_cudnn_and_the_driver_out(self):
        self.make_build()
        self.ldd_says("libcudnn.so.9 => not found", "libcuda.so.1 => not found", "libc.so.6 => /lib/libc.so.6 (0x1)")
        self.bundle(0, "build", FILE)
        with tarfile.open(self.folder / FILE) as archive:
            names = [name.rpartition("/lib/")[2] for name in archive.getnames() if "/lib/" in name]
        self.assertEqual([name for name in names if not re.search("cupti|nvperf", name)], ["libios_gpu.so"])

    def test_takes_neither_window_nor_icu(self):
        self.make_build()
        for name in ("libicuuc.so.72", "libQt6Core.so.6"):
            self.ldd_says(f"{name} => {shutil.which('true')} (0x1)")
            self.refuses(f"{name}, which is no part of a bundle")

    def test_refuses_what_is_too_large(self):
        self.make_build()
        with open("/dev/urandom", "rb") as noise:
            (self.folder / "large").write_bytes(noise.read(1500000))
        self.ldd_says(f"liblarge.so.1 => {self.folder}/large (0x1)")
        self.refuses("more than 1 MB", "--limit", "1")
        self.says("1500000 lib/liblarge.so.1")
        self.bundle(0, "--limit", "2", "build", FILE)

    def test_wants_machine_code(self):
        self.make_build("75-virtual")
        self.refuses("machine code for no GPU")
        (self.folder / "build/CMakeCache.txt").unlink()
        self.refuses("machine code for no GPU")
        self.make_build("75-virtual;90-real")
        self.bundle(0, "build", FILE)

    def test_wants_ptx_for_other_gpus(self):
        """A GPU of another generation than the one that was expected must not find nothing that it can run."""
        self.make_build("90-real")
        self.refuses("nothing of it would run on a GPU of another generation")
        self.says("'90-real;75-virtual'")
        for architectures in ("80-real;90-real;120", "90"):
            self.make_build(architectures)
            self.bundle(0, "build", FILE)

    def test_packs_what_check_calls(self):
        """Otherwise a program could be forgotten."""
        setup = check_steps.Setup("BUILD", "BENCHMARK", "OUT", "LIBRARIES")
        words = []
        for step in check_steps.STEPS:
            try:
                words += step.command_in(setup, 60)
            except check_steps.Unavailable:
                self.assertRegex(step.name, "check$")
        called = {word[len("BUILD/bin/"):] for word in words if word.startswith("BUILD/bin/")}
        self.assertEqual(called, set(check_steps.PROGRAMS))
        self.assertEqual([f"bin/{name}" for name in check_steps.PROGRAMS], PARTS[:-1])
        with self.assertRaises(KeyError):
            setup.call("another")


if __name__ == "__main__":
    unittest.main()
