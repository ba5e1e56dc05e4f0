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
