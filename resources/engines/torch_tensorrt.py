"""Torch-TensorRT: what of the network TensorRT runs is compiled by it, the rest is PyTorch's. For NVIDIA GPUs."""

from protocol import Refusal, serve


class TorchTensorRt:
    no_profile = "Torch-TensorRT reports no times of operators"

    def __init__(self, job):
        import torch

        if not torch.cuda.is_available():
            raise Refusal("Torch-TensorRT needs an NVIDIA GPU and its driver, and there is none here")
        import torch_tensorrt
        from onnx_module import read

        self.torch = torch
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = job.tf32
        module, inputs, self.output_names = read(job.model, job.inputs)
        self.inputs = [each.cuda() for each in inputs]
        with torch.inference_mode():
            compiled = torch_tensorrt.compile(module.cuda(), ir="dynamo", arg_inputs=self.inputs, disable_tf32=not job.tf32,
                                              min_block_size=1, optimization_level=5, cache_built_engines=False,
                                              timing_cache_path=str(job.work / "timing.bin"))
            torch_tensorrt.runtime.set_cudagraphs_mode(True)
            self.module = compiled
            self.run()
        self.settings = ("dynamo, optimization level 5, blocks of any size, CUDA graphs, shapes fixed, "
                         + ("TF32" if job.tf32 else "no TF32"))

    def run(self):
        with self.torch.inference_mode():
            self.result = self.module(*self.inputs)
            self.torch.cuda.synchronize()

    def outputs(self):
        result = [self.result] if isinstance(self.result, self.torch.Tensor) else list(self.result)
        return {name: tensor.detach().cpu().numpy() for name, tensor in zip(self.output_names, result)}


if __name__ == "__main__":
    serve(TorchTensorRt, {"torch-tensorrt": "Torch-TensorRT"}, ["torch-tensorrt", "torch", "onnx2torch", "onnx", "numpy"],
          "pip install torch-tensorrt onnx2torch onnx numpy", {"torch-tensorrt": ["cuda"]})
