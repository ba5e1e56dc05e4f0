"""TensorRT by its own command, trtexec, which times itself. For NVIDIA GPUs."""

import json
import re

from protocol import Refusal, program, serve

TRTEXEC = program("trtexec", "/usr/src/tensorrt/bin", "/opt/tensorrt/bin")  # where NVIDIA's packages and images put it
PROFILED_RUNS = 10
WARM_UP_MS = 500  # until the GPU's clock has settled


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
        return self.job.call([TRTEXEC, *options])

    def infer(self, file, *options):
        """What trtexec wrote into a file in JSON that it made anew."""
        path = self.job.work / file
        path.unlink(missing_ok=True)
        self.trtexec("--loadEngine=engine.plan", self.inputs, *options)
        if not path.exists():
            raise Refusal(f"trtexec wrote no {file}")
        try:
            return json.loads(path.read_text(encoding="utf-8", errors="replace"))
        except json.JSONDecodeError as error:  # it writes nan and inf as no JSON has them
            raise Refusal(f"what trtexec wrote into {file} cannot be read: {error}") from error

    def run(self):
        self.result = self.infer("outputs.json", "--iterations=1", "--duration=0", "--warmUp=0",
                                 "--exportOutput=outputs.json")

    def outputs(self):
        import numpy

        values = {each["name"]: each["values"] for each in self.result}
        return {name: numpy.asarray(values[name], self.types[name]).reshape(self.shapes[name]) for name in self.output_names}

    def times(self, _, runs, seconds):
        """Each call starts trtexec, which takes seconds and lets the GPU cool down: it warms up anew, by time, and measures
        for long enough that one call is all that a round needs."""
        rows = self.infer("times.json", f"--iterations={runs}", f"--duration={max(seconds, 1)}", f"--warmUp={WARM_UP_MS}",
                          "--noDataTransfers", "--useCudaGraph", "--useSpinWait", "--exportTimes=times.json")
        return [each["computeMs"] for each in rows if each.get("startComputeMs", WARM_UP_MS) >= WARM_UP_MS]

    def profile(self):
        rows = self.infer("profile.json", f"--iterations={PROFILED_RUNS}", "--duration=0", f"--warmUp={WARM_UP_MS}",
                          "--noDataTransfers", "--exportProfile=profile.json")
        return [{"name": each["name"], "kind": "TensorRT layer", "ms": each["averageMs"]} for each in rows if "name" in each]


if __name__ == "__main__":
    serve(Trtexec, {"trtexec": "TensorRT, trtexec"}, ["onnx", "numpy"],
          "pip install onnx numpy  # and trtexec, of TensorRT's archive or the package libnvinfer-bin",
          {"trtexec": ["cuda"]}, {"trtexec": TRTEXEC})
