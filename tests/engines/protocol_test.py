#!/usr/bin/env python3
"""What resources/engines/protocol.py answers for an adapter made up for it, and what all adapters say without engines."""

import resource
import sys
import tempfile
import unittest
from pathlib import Path

from support import ADAPTERS, ENGINES, Adapter

MADE_UP = f"""
import os, sys, time
sys.path.insert(0, {str(ENGINES)!r})
from protocol import Refusal, mean_profile, serve
print("imported")

class MadeUp:
    def __init__(self, job):
        print("rubbish"); sys.stdout.flush()
        os.write(1, b"from a library\\n")
        os.system("echo from a child")
        if job.model == "refused": raise Refusal("no\\nsuch\\tmodel \\x1b[31m\\x00")
        if job.model == "huge": raise ValueError("x" * 100000)
        if job.model == "empty": raise ValueError()
        if job.model == "exit": sys.exit("the converter ends")
        if job.model == "reads": raise Refusal(f"read {{sys.stdin.read()!r}}")
        self.settings, self.calls, self.threads = "made up", job.work / "calls", os.environ["OMP_NUM_THREADS"]
        self.settings += f" with {{self.threads}} threads"

    def run(self):
        with open(self.calls, "a") as file: file.write("x")
        time.sleep(0.005)

    def profile(self):
        return mean_profile([[dict(name="b", kind="Conv", ms=1.0), dict(name="a", kind="Relu", ms=3.0)],
                             [dict(name="b", kind="Conv", ms=3.0), dict(name="a", kind="Relu", ms=5.0)]])

class Silent(MadeUp):
    profile = property()

if __name__ == "__main__":
    serve(Silent if "silent" in sys.argv[0] else MadeUp, {{"one": "Number one", "two": "Number two"}},
          ["surely-not-there|nor-this"] if "missing" in sys.argv[0] else [], "pip install it",
          {{"one": ["cpu"], "two": ["cuda"]}})
"""


class ProtocolTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="made up ")
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def start(self, name="adapter"):
        path = self.folder / f"{name}.py"
        path.write_text(MADE_UP)
        adapter = Adapter(path, self.folder)
        self.addCleanup(adapter.__exit__)
        return adapter

    def load(self, adapter, model="good", **changes):
        request = {"engine": "one", "model": model, "inputs": [], "threads": 2, "device": "cpu", "precision": "float32",
                   "work": str(self.folder / "work"), **changes}
        return adapter.ask("load", **request)

    def refused(self, answer, text):
        self.assertIs(answer["ok"], False)
        self.assertIn(text, answer["error"])
        self.assertTrue(answer["error"].isprintable())
        self.assertLessEqual(len(answer["error"]), 500)

    def test_rubbish_on_standard_output_stands_on_standard_error(self):
        adapter = self.start()
        self.assertEqual(self.load(adapter), {"ok": True, "settings": "made up with 2 threads", "versions": {}})
        for text in ("imported", "rubbish", "from a library", "from a child"):
            self.assertIn(text, adapter.said())
        self.assertEqual(adapter.end(), (b"", 0))

    def test_lines_that_are_no_requests(self):
        adapter = self.start()
        for line, text in ((b"", "not JSON"), (b"{", "not JSON"), (b"[1]", "JSON object"), (b'"hello"', "JSON object"),
                           (b"{}", "unknown request None"), (b'{"do": "dance"}', "unknown request 'dance'"),
                           (b'{"do": ["hello"]}', ""), (b"\xff\xfe{", ""), (b"[" * 100000, ""),
                           (b'{"do": "load"}', "'engine'")):
            with self.subTest(line=line[:40]):
                self.refused(adapter.send(line), text)
        self.assertTrue(adapter.ask("hello")["ok"])

    def test_errors_are_one_printable_line_and_the_adapter_lives_on(self):
        adapter = self.start()
        self.refused(self.load(adapter, "huge"), "ValueError: xxx")
        self.assertEqual(self.load(adapter, "refused")["error"], "no such model [31m")
        self.assertEqual(self.load(adapter, "empty")["error"], "ValueError:")
        self.refused(self.load(adapter, "exit"), "the converter ends")
        self.refused(self.load(adapter, engine="three"), "no engine 'three'")
        self.refused(self.load(adapter, engine="two"), "runs on cuda only")
        self.refused(self.load(adapter, precision="float16"), "float16")
        self.refused(self.load(adapter, precision="tf32"), "tf32")
        self.refused(self.load(adapter, threads=0), "0 threads")
        self.assertTrue(self.load(adapter)["ok"])

    def test_libraries_cannot_read_the_requests(self):
        self.refused(self.load(self.start(), "reads"), "read ''")

    def test_nothing_runs_before_a_model_is_loaded_nor_after_a_load_failed(self):
        adapter = self.start()
        requests = (("time", {"warmup": 0, "runs": 1, "seconds": 0, "most": 1}), ("profile", {}))
        for do, fields in requests:
            self.refused(adapter.ask(do, **fields), "no model is loaded")
        self.load(adapter)
        self.load(adapter, "refused")
        for do, fields in requests:
            self.refused(adapter.ask(do, **fields), "no model is loaded")

    def test_times_are_of_as_many_runs_as_asked_for(self):
        adapter = self.start()
        self.load(adapter)
        # 5 ms a run: warm-up, at least so many runs, at least so long, at most so many.
        for (warmup, runs, seconds, most), (least, greatest) in (
                ((2, 3, 0, 100), (3, 3)), ((0, 3, 10, 4), (4, 4)), ((0, 5, 0, 2), (2, 2)), ((0, 1, 0.03, 100), (2, 6))):
            calls = self.folder / "work" / "calls"
            calls.write_text("")
            ms = adapter.ask("time", warmup=warmup, runs=runs, seconds=seconds, most=most)["ms"]
            with self.subTest(runs=runs, most=most):
                self.assertTrue(least <= len(ms) <= greatest, ms)
                self.assertEqual(len(calls.read_text()), warmup + len(ms))
                self.assertGreaterEqual(min(ms), 5)

    def test_profiles_are_means_in_the_order_of_execution(self):
        adapter = self.start()
        self.load(adapter)
        self.assertEqual(adapter.ask("profile")["operators"], [{"name": "b", "kind": "Conv", "ms": 2.0},
                                                               {"name": "a", "kind": "Relu", "ms": 4.0}])
        silent = self.start("silent")
        self.load(silent)
        self.refused(silent.ask("profile"), "no profile")

    def test_what_is_missing_is_said_with_how_to_install_it(self):
        adapter = self.start("missing")
        hello = adapter.ask("hello")
        self.assertEqual((hello["missing"], hello["install"]), (["surely-not-there"], "pip install it"))
        self.assertEqual(hello["devices"], ["cpu", "cuda"])
        self.refused(self.load(adapter), "not installed: surely-not-there; install with: pip install it")

    def test_the_end_of_the_input_ends_it_at_once(self):
        adapter = self.start()
        self.assertEqual(adapter.end(), (b"", 0))


class AdaptersTest(unittest.TestCase):
    def test_every_adapter_says_hello_without_its_engine(self):
        self.assertGreaterEqual(len(ADAPTERS), 11)
        seen = set()
        for path in ADAPTERS:
            # -S: no package is installed.
            with self.subTest(adapter=path.stem), tempfile.TemporaryDirectory() as folder:
                start = seconds_of_children()
                with Adapter(path, folder, (sys.executable, "-S")) as adapter:
                    hello = adapter.ask("hello")
                    self.assertTrue(hello["ok"] and hello["missing"] and not hello["versions"], hello)
                    self.assertTrue(hello["install"].startswith("pip install "), hello)
                    for package in hello["missing"]:
                        self.assertIn(package, hello["install"])
                    for engine in hello["engines"]:
                        self.assertNotIn(engine["id"], seen)
                        seen.add(engine["id"])
                        self.assertTrue(engine["title"] and engine["devices"], engine)
                    load = adapter.ask("load", engine=hello["engines"][0]["id"], model="x.onnx", inputs=[], threads=1,
                                       device=hello["devices"][0], precision="float32", work=folder)
                    self.assertIn("not installed: ", load["error"])
                    self.assertEqual(adapter.end(), (b"", 0))
                # Of the processor, which other work on the machine makes no longer.
                self.assertLess(seconds_of_children() - start, 1)


def seconds_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    unittest.main()
