"""PyTorch: operator by operator, compiled by torch.compile, and as a captured CUDA graph."""

import os
import time

from protocol import Refusal, mean_profile, serve

PROFILED_RUNS = 10
ENGINES = {"pytorch": "PyTorch", "pytorch-compile": "PyTorch, torch.compile", "pytorch-graph": "PyTorch, CUDA graph"}


class PyTorch:
    def __init__(self, job):
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(job.work / "inductor")
        os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # compiles in this process: nothing is left running
        os.environ["TRITON_CACHE_DIR"] = str(job.work / "triton")
        import torch

        self.torch, self.device, self.model = torch, job.device, job.model
        if job.device == "cuda" and not torch.cuda.is_available():
            raise Refusal("PyTorch finds no CUDA device")
        torch.set_num_threads(job.threads)
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = job.tf32
        torch.backends.cudnn.benchmark = True  # measures cuDNN's algorithms during the first run
        with torch.inference_mode():
            self.read(job)
            self.module = self.compiled(job)
            if job.engine == "pytorch-graph":
                self.capture()
            self.run()

    def read(self, job):
        """The ONNX graph as a module, its inputs on the device; both channels last, which oneDNN and cuDNN prefer."""
        from onnx_module import read

        images = any(array.ndim == 4 for array in job.inputs.values())
        self.plain, inputs, self.output_names = read(job.model, job.inputs, last=images)
        self.plain = self.plain.to(job.device)
        self.inputs = [each.to(job.device) for each in inputs]
        self.settings = f"{job.threads} threads, inference mode" + (", channels last" if images else "")
        if job.device == "cuda":
            self.settings += ", cudnn.benchmark, " + ("TF32" if job.tf32 else "no TF32")

    def compiled(self, job):
        if job.engine != "pytorch-compile":
            return self.plain
        if any(each.isspace() for each in str(job.work)):  # its command for the C++ compiler quotes nothing
            raise Refusal(f"torch.compile cannot write to a folder with a space in its name: {job.work}; set TMPDIR")
        # On a GPU with CUDA graphs and its own kernels where they are faster. On a processor with oneDNN's convolutions,
        # their weights laid out beforehand, and fused loops between them.
        options = {"mode": "max-autotune"} if job.device == "cuda" else {"options": {"freezing": True}}
        self.settings += ", torch.compile, " + ("max-autotune" if job.device == "cuda" else "weights frozen")
        self.torch._dynamo.reset()
        return self.torch.compile(self.plain, dynamic=False, **options)

    def capture(self):
        stream = self.torch.cuda.Stream()
        with self.torch.cuda.stream(stream):
            for _ in range(3):
                self.module(*self.inputs)
        stream.synchronize()
        self.graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(self.graph):
            captured = self.module(*self.inputs)
        self.settings += ", one captured CUDA graph"

        def replay(*_):
            self.graph.replay()
            return captured

        self.module = replay

    def run(self):
        with self.torch.inference_mode():
            self.result = self.module(*self.inputs)
            if self.device == "cuda":
                self.torch.cuda.synchronize()

    def outputs(self):
        result = [self.result] if isinstance(self.result, self.torch.Tensor) else list(self.result)
        return {name: tensor.detach().cpu().numpy() for name, tensor in zip(self.output_names, result)}

    def profile(self):
        """Of the module run operator by operator: what is compiled or captured has kernels, but no operators of ONNX."""
        if self.module is not self.plain:
            raise Refusal("kernels that PyTorch compiled or captured have no names of the network's operators")
        import onnx

        torch, device = self.torch, self.device
        nodes = {plain(each.name): (each.name, each.op_type) for each in onnx.load(self.model).graph.node}

        class Timed(torch.fx.Interpreter):
            def run_node(self, node):
                start = time.perf_counter_ns()
                value = super().run_node(node)
                if device == "cuda":
                    torch.cuda.synchronize()
                if node.op in ("call_module", "call_function", "call_method"):
                    name, kind = nodes.get(plain(str(node.target)), (str(node.target), "PyTorch"))
                    times.append({"name": name, "kind": kind, "ms": (time.perf_counter_ns() - start) / 1e6})
                return value

        runs = []
        with torch.inference_mode():
            for _ in range(PROFILED_RUNS + 1):
                times = []
                Timed(self.plain).run(*self.inputs)
                runs.append(times)
        return mean_profile(runs[1:])


def plain(name):
    """A node's name without what onnx2torch and module names replace."""
    return "".join(each if each.isalnum() else "_" for each in name).strip("_")


if __name__ == "__main__":
    serve(PyTorch, ENGINES, ["torch", "onnx2torch", "onnx", "numpy"], "pip install torch onnx2torch onnx numpy",
          {"pytorch": ["cpu", "cuda"], "pytorch-compile": ["cpu", "cuda"], "pytorch-graph": ["cuda"]})
