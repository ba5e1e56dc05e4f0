"""ncnn on the processor; pnnx reads the model."""

import re

from protocol import Refusal, serve


class Ncnn:
    no_profile = "ncnn from PyPI is built without its layers' times"

    def __init__(self, job):
        import pnnx

        fixed, model = job.fixed_model()
        self.shapes = job.output_shapes(model)
        self.output_names = list(self.shapes)
        initializers = {each.name for each in model.graph.initializer}
        names = [each.name for each in model.graph.input if each.name not in initializers]
        shapes = ",".join("[" + ",".join(map(str, job.inputs[name].shape)) + "]" for name in names)
        job.call([pnnx.EXEC_PATH, fixed, f"inputshape={shapes}", "fp16=0", "optlevel=2"])
        import ncnn

        self.ncnn, self.net = ncnn, ncnn.Net()
        self.choose(self.net.opt, job)
        param, weights = job.work / "fixed.ncnn.param", job.work / "fixed.ncnn.bin"
        if not param.exists() or self.net.load_param(str(param)) != 0 or self.net.load_model(str(weights)) != 0:
            raise Refusal("ncnn cannot load what pnnx made of this model: it has a layer that ncnn lacks")
        # Which axis is the batch, that ncnn's arrays do not have, says the example that pnnx writes.
        example = (job.work / "fixed_ncnn.py").read_text(encoding="utf-8")
        batch = dict(re.findall(r'Mat\((in\d+)\.numpy\(\), batch_index=(\d+)\)', example))
        squeezed = dict(re.findall(r'Mat\((in\d+)\.squeeze\((\d+)\)', example))
        self.batch_of = dict(re.findall(r'(out\d+)\.numpy\(batch_index=(\d+)\)', example))
        self.inputs = {}
        for index, name in enumerate(names):
            array, key = job.inputs[name], f"in{index}"
            if key in batch:
                self.inputs[key] = ncnn.Mat(array, batch_index=int(batch[key])).clone()
            else:
                array = array.squeeze(int(squeezed[key])) if key in squeezed else array
                self.inputs[key] = ncnn.Mat(array).clone()

    def choose(self, options, job):
        """What ncnn's own benchmark sets, but for float32 everywhere."""
        self.allocators = self.ncnn.UnlockedPoolAllocator(), self.ncnn.PoolAllocator()
        options.blob_allocator, options.workspace_allocator = self.allocators
        options.num_threads = job.threads
        for each in ("use_fp16_packed", "use_fp16_storage", "use_fp16_arithmetic", "use_bf16_packed", "use_bf16_storage",
                     "use_vulkan_compute"):
            setattr(options, each, False)
        self.settings = f"{job.threads} threads, float32, Winograd and packed layouts, light mode, pooled memory, shapes fixed"

    def run(self):
        extractor = self.net.create_extractor()
        for name, value in self.inputs.items():
            extractor.input(name, value)
        self.result = []
        for index in range(len(self.output_names)):
            code, value = extractor.extract(f"out{index}")
            if code != 0:
                raise Refusal(f"ncnn cannot compute output {index} (code {code})")
            self.result.append(value)

    def outputs(self):
        arrays = {}
        for index, (name, value) in enumerate(zip(self.output_names, self.result)):
            batch = self.batch_of.get(f"out{index}")
            array = value.numpy(batch_index=int(batch)) if batch is not None else value.numpy()
            arrays[name] = array.copy().reshape(self.shapes[name])
        return arrays


if __name__ == "__main__":
    serve(Ncnn, {"ncnn": "ncnn"}, ["ncnn", "pnnx", "onnx", "numpy"], "pip install ncnn pnnx onnx numpy", {"ncnn": ["cpu"]})
