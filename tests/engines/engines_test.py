#!/usr/bin/env python3
"""A small model in every engine that an interpreter has; skipped (exit code 77) without one.

    IOSX_ENGINES_PYTHON=FOLDER/bin/python3 python3 engines_test.py [-v]

The model has an open batch size, two inputs, names that no converter keeps, and two outputs of different ranks whose order is
not that of their computation. ONNX Runtime says what they are."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import ADAPTERS, Adapter

PYTHON = os.environ.get("IOSX_ENGINES_PYTHON")
if not PYTHON:
    print("IOSX_ENGINES_PYTHON names no Python that has engines")
    sys.exit(77)

MODEL = """
import numpy, onnx, sys
from onnx import TensorProto, helper, numpy_helper
folder = sys.argv[1]
random = numpy.random.default_rng(1)
def weights(name, *shape): return numpy_helper.from_array(random.uniform(-1, 1, shape).astype("float32"), name)
nodes = [helper.make_node("Conv", ["x/1:0", "w1", "b1"], ["c1"], "a/conv", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
         helper.make_node("Relu", ["c1"], ["r1"], "a/relu"),
         helper.make_node("Conv", ["y/1:0", "w2"], ["c2"], "b/conv", kernel_shape=[1, 1]),
         helper.make_node("Concat", ["r1", "c2"], ["joined.map"], "join", axis=1),
         helper.make_node("GlobalAveragePool", ["joined.map"], ["pool"], "pool"),
         helper.make_node("Flatten", ["pool"], ["flat"], "flat"),
         helper.make_node("Gemm", ["flat", "w3", "b3"], ["scores:0"], "scores", transB=1)]
value = lambda name, *shape: helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", *shape])
graph = helper.make_graph(nodes, "small", [value("x/1:0", 3, 12, 10), value("y/1:0", 2, 12, 10)],
                          [value("scores:0", 5), value("joined.map", 12, 12, 10)],
                          [weights("w1", 8, 3, 3, 3), weights("b1", 8), weights("w2", 4, 2, 1, 1), weights("w3", 5, 12),
                           weights("b3", 5)])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), folder + "/small.onnx")
for index, channels in enumerate((3, 2)):
    numpy.save(f"{folder}/in{index}.npy", random.uniform(-1, 1, (1, channels, 12, 10)).astype("float32"))
"""

# A stand-in for TensorRT's trtexec, which is on no machine without its GPU: it takes the options that the adapter gives and
# refuses others, reads and writes files as trtexec does, and computes by ONNX Runtime.
TRTEXEC = """#!{python}
import json, re, shutil, sys
import numpy, onnxruntime
given = dict((each + "=").split("=", 1) for each in sys.argv[1:])
given = {{key: value[:-1] for key, value in given.items()}}
known = ("onnx saveEngine skipInference builderOptimizationLevel profilingVerbosity noTF32 loadEngine loadInputs iterations "
         "duration warmUp exportOutput noDataTransfers useCudaGraph useSpinWait exportTimes exportProfile").split()
unknown = [key for key in given if key[2:] not in known]
if unknown:
    sys.exit(f"[E] Unknown option: {{unknown}}")
print("&&&& RUNNING TensorRT.trtexec [TensorRT v101401] [b48] # trtexec --errors")
print("[11/28/2026-08:00:00] [I] errorOnTimingCacheMiss: Disabled")
if "--onnx" in given:
    session = onnxruntime.InferenceSession(given["--onnx"])
    if any(not isinstance(size, int) for each in session.get_inputs() for size in each.shape):
        sys.exit("[E] Error[4]: dynamic sizes without --shapes")
    shutil.copy(given["--onnx"], given["--saveEngine"])
    sys.exit()
session = onnxruntime.InferenceSession(given["--loadEngine"])
files = dict(re.findall(r"'([^']*)':([^,]*)", given["--loadInputs"]))
inputs = {{each.name: numpy.fromfile(files[each.name], "float32").reshape(each.shape) for each in session.get_inputs()}}
runs = int(given["--iterations"])
float(given["--duration"])
outputs = session.run(None, inputs)
if "--exportOutput" in given:
    rows = [{{"name": each.name, "dimensions": "x".join(map(str, value.shape)),
              "values": [float(f"{{one:.6g}}") for one in value.flat]}} for each, value in zip(session.get_outputs(), outputs)]
    json.dump(rows[::-1], open(given["--exportOutput"], "w"))
if "--exportTimes" in given:
    json.dump([{{"startComputeMs": start, "computeMs": 1 + start, "latencyMs": 50}}
               for start in range(int(given["--warmUp"]) - 3, int(given["--warmUp"]) + runs)], open(given["--exportTimes"], "w"))
if "--exportProfile" in given:
    json.dump([{{"count": runs}}, {{"name": "a/conv + a/relu", "timeMs": 2.0 * runs, "averageMs": 2.0, "percentage": 100}}],
              open(given["--exportProfile"], "w"))
"""

# The greatest difference of two arrays as a share of the greatest value; 1000 if they are not of one shape and type.
DIFFERENCE = """
import numpy, sys
a, b = map(numpy.load, sys.argv[1:3])
same = a.shape == b.shape and a.dtype == b.dtype == numpy.float32
print(numpy.abs(a - b).max() / numpy.abs(b).max() if same else 1000)
"""


def python(code, *arguments):
    return subprocess.run([PYTHON, "-c", code, *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True).stdout


class EnginesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="made-up-")
        cls.folder = Path(cls.scratch.name) / "a model"
        cls.folder.mkdir()
        python(MODEL, cls.folder)
        with cls.start("onnxruntime") as adapter:
            cls.expected = cls.outputs(adapter, "onnxruntime", "expected")

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def start(cls, name):
        return Adapter(next(each for each in ADAPTERS if each.stem == name), cls.folder, (PYTHON,))

    @classmethod
    def load(cls, adapter, engine, **changes):
        request = {"engine": engine, "model": str(cls.folder / "small.onnx"), "threads": 2, "device": "cpu",
                   "precision": "float32", "work": f"{cls.scratch.name}/{engine}-work",
                   "inputs": [{"name": "x/1:0", "file": str(cls.folder / "in0.npy")},
                              {"name": "y/1:0", "file": str(cls.folder / "in1.npy")}]}
        return adapter.ask("load", **{**request, **changes})

    @classmethod
    def outputs(cls, adapter, engine, folder):
        loaded = cls.load(adapter, engine)
        if not loaded["ok"]:
            raise AssertionError(f"{loaded['error']}\n{adapter.said()[-4000:]}")
        answer = adapter.ask("outputs", folder=str(cls.folder / engine / folder))
        if not answer["ok"]:
            raise AssertionError(answer["error"])
        return [(each["name"], each["file"]) for each in answer["outputs"]]

    def check(self, adapter, engine):
        for folder in ("first", "second"):  # a second load replaces the first
            outputs = self.outputs(adapter, engine, folder)
            self.assertEqual([name for name, _ in outputs], ["scores:0", "joined.map"])
            for (_, file), (_, expected) in zip(outputs, self.expected):
                self.assertLess(float(python(DIFFERENCE, file, expected)), 1e-4)
        times = adapter.ask("time", warmup=1, runs=3, seconds=0, most=10)
        self.assertTrue(times["ok"], times)
        self.assertEqual(len(times["ms"]), 3)
        self.assertGreater(min(times["ms"]), 0)
        profile = adapter.ask("profile")
        if profile["ok"]:
            self.assertTrue(any("conv" in (each["name"] + each["kind"]).lower() for each in profile["operators"]), profile)
            self.assertTrue(all(each["ms"] >= 0 and each["kind"] for each in profile["operators"]), profile)
        else:
            self.assertTrue(profile["error"])
        self.assertFalse(self.load(adapter, engine, model=str(self.folder / "absent.onnx"))["ok"])
        self.assertTrue(adapter.ask("hello")["ok"])


    def test_trtexec_is_told_files_and_options_and_times_itself(self):
        programs = self.folder / "programs"
        programs.mkdir()
        trtexec = programs / "trtexec"
        trtexec.write_text(TRTEXEC.format(python=PYTHON))
        trtexec.chmod(0o755)
        path = next(each for each in ADAPTERS if each.stem == "trtexec")
        with Adapter(path, self.folder, ("env", f"PATH={programs}:{os.environ['PATH']}", PYTHON)) as adapter:
            loaded = self.load(adapter, "trtexec", device="cuda")
            self.assertTrue(loaded["ok"], loaded)
            self.assertEqual(loaded["versions"]["trtexec"], "101401")
            self.assertIn("no TF32", loaded["settings"])
            outputs = adapter.ask("outputs", folder=str(self.folder / "trtexec"))["outputs"]
            self.assertEqual([each["name"] for each in outputs], ["scores:0", "joined.map"])
            for each, (_, expected) in zip(outputs, self.expected):
                self.assertLess(float(python(DIFFERENCE, each["file"], expected)), 1e-4)
            self.assertEqual(adapter.ask("time", warmup=2, runs=3, seconds=0.5, most=10), {"ok": True, "ms": [501, 502, 503]})
            self.assertEqual(adapter.ask("time", warmup=0, runs=3, seconds=0, most=2)["ms"], [501, 502])
            self.assertEqual(adapter.ask("profile")["operators"],
                             [{"name": "a/conv + a/relu", "kind": "TensorRT layer", "ms": 2.0}])
            trtexec.write_text("#!/bin/sh\nexit 0\n")
            self.assertIn("trtexec wrote no times.json", adapter.ask("time", warmup=0, runs=1, seconds=0, most=1)["error"])
            trtexec.write_text("#!/bin/sh\necho '[{\"name\": \"scores:0\", \"values\": [nan]}]' > outputs.json\n")
            self.assertIn("into outputs.json cannot be read", adapter.ask("outputs", folder=str(self.folder))["error"])
            trtexec.write_text("#!/bin/sh\necho '&&&& RUNNING --onError'; echo '[I] errorOnTimingCacheMiss: Disabled'\n"
                               "echo '[E] Cuda failure: no CUDA-capable device is detected'; echo '&&&& FAILED'; exit 1\n")
            self.assertIn("trtexec ended with 1: [E] Cuda failure", self.load(adapter, "trtexec", device="cuda")["error"])
            trtexec.write_text("#!/bin/sh\nkill -SEGV $$\n")
            self.assertIn("trtexec ended with signal 11: it said no", self.load(adapter, "trtexec", device="cuda")["error"])


def make_test(path):
    def test(self):
        with self.start(path.stem) as adapter:
            hello = adapter.ask("hello")
            if hello["missing"]:
                self.skipTest(f"{PYTHON} lacks {', '.join(hello['missing'])}")
            for engine in hello["engines"]:
                with self.subTest(engine=engine["id"]):
                    if "cpu" in engine["devices"]:
                        self.check(adapter, engine["id"])
                    else:
                        self.assertIn("runs on cuda only", self.load(adapter, engine["id"])["error"])
            self.assertEqual(adapter.end(), (b"", 0))

    return test


for adapter_path in ADAPTERS:
    setattr(EnginesTest, f"test_{adapter_path.stem}", make_test(adapter_path))

if __name__ == "__main__":
    unittest.main()
