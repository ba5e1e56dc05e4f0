"""TensorRT by its own command, trtexec, which times itself. For NVIDIA GPUs."""

import json
import re

from protocol import Refusal, program, serve

TRTEXEC = program("trtexec", "/usr/src/tensorrt/bin", "/opt/tensorrt/bin")  # where NVIDIA's packages and images put it
PROFILED_RUNS = 10


class Trtexec:
    def __init__(self, job):
        import onnx

        self.job = job
        fixed, model = job.fixed_model()
        self.types = {value.name: onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
                      for value in model.graph.output}
        self.shapes = job.output_shapes(model)
        self.output_names = list(self.shapes)
        inputs = []
        for index, (name, array) in enumerate(job.inputs.items()):
            if any(each in name for each in ",'"):
                raise Refusal(f"trtexec cannot be told a file for the input {name}")
            array.tofile(job.work / f"input{index}.bin")
            inputs.append(f"'{name}':input{index}.bin")
        self.inputs = "--loadInputs=" + ",".join(inputs)
        said = self.trtexec(f"--onnx={fixed.name}", "--saveEngine=engine.plan", "--skipInference",
                            "--builderOptimizationLevel=5", "--profilingVerbosity=detailed",
                            *([] if job.tf32 else ["--noTF32"]))
        version = re.search(r"TensorRT version: (\S+)", said) or re.search(r"\[TensorRT v(\d+)\]", said)
        self.versions = {"trtexec": version[1]} if version else {}
        self.settings = ("optimization level 5, one stream, a CUDA graph, shapes fixed, "
                         + ("TF32" if job.tf32 else "no TF32") + ", GPU time as trtexec reports it, without the host's")

    def trtexec(self, *options):
        return self.job.convert([TRTEXEC, *options])

    def infer(self, runs, seconds, *options):
        self.trtexec("--loadEngine=engine.plan", self.inputs, f"--iterations={runs}", f"--duration={seconds}", "--warmUp=0",
                     *options)

    def read(self, file):
        with open(self.job.work / file, encoding="utf-8", errors="replace") as text:
            return json.load(text)

    def run(self):
        self.infer(1, 0, "--exportOutput=outputs.json")

    def outputs(self):
        import numpy

        values = {each["name"]: each["values"] for each in self.read("outputs.json")}
        return {name: numpy.asarray(values[name], self.types[name]).reshape(self.shapes[name]) for name in self.output_names}

    def times(self, warmup, runs, seconds):
        self.infer(warmup + runs, seconds, "--noDataTransfers", "--useCudaGraph", "--useSpinWait", "--exportTimes=times.json")
        return [each["computeMs"] for each in self.read("times.json")][warmup:]

    def profile(self):
        self.infer(PROFILED_RUNS, 0, "--noDataTransfers", "--dumpProfile", "--exportProfile=profile.json")
        return [{"name": each["name"], "kind": "TensorRT layer", "ms": each["averageMs"]}
                for each in self.read("profile.json") if "name" in each]


if __name__ == "__main__":
    serve(Trtexec, {"trtexec": "TensorRT, trtexec"}, ["onnx", "numpy"],
          "pip install onnx numpy, and trtexec of TensorRT's archive, package libnvinfer-bin or image in PATH",
          {"trtexec": ["cuda"]}, {"trtexec": TRTEXEC})
