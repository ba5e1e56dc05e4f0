"""TensorRT, for NVIDIA GPUs."""

from protocol import Refusal, mean_profile, serve

PROFILED_RUNS = 10


class TensorRt:
    def __init__(self, job):
        import tensorrt
        import torch  # holds inputs and outputs in the GPU's memory

        if not torch.cuda.is_available():
            raise Refusal("TensorRT needs an NVIDIA GPU and its driver, and there is none here")
        self.trt, self.torch = tensorrt, torch
        logger = tensorrt.Logger(tensorrt.Logger.WARNING)
        builder = tensorrt.Builder(logger)
        network = builder.create_network(0)
        parser = tensorrt.OnnxParser(network, logger)
        if not parser.parse_from_file(job.model):
            raise Refusal(f"TensorRT cannot read this model: {parser.get_error(0)}")
        config = builder.create_builder_config()
        if not job.tf32:
            config.clear_flag(tensorrt.BuilderFlag.TF32)
        config.builder_optimization_level = 5  # the longest search for kernels
        config.profiling_verbosity = tensorrt.ProfilingVerbosity.DETAILED  # names of ONNX nodes in profiles
        shapes = builder.create_optimization_profile()
        for name, array in job.inputs.items():
            shapes.set_shape(name, array.shape, array.shape, array.shape)
        config.add_optimization_profile(shapes)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise Refusal("TensorRT cannot build this model")
        self.runtime = tensorrt.Runtime(logger)
        self.engine = self.runtime.deserialize_cuda_engine(plan)
        self.context = self.engine.create_execution_context()
        self.settings = "optimization level 5, one stream, shapes fixed, " + ("TF32" if job.tf32 else "no TF32")
        self.bind(job)

    def bind(self, job):
        self.stream = self.torch.cuda.Stream()
        self.tensors, self.output_names = {}, []
        for name, array in job.inputs.items():
            self.tensors[name] = self.torch.from_numpy(array).cuda()
            self.context.set_input_shape(name, array.shape)
        for index in range(self.engine.num_io_tensors):
            name = self.engine.get_tensor_name(index)
            if name not in self.tensors:
                kind = self.torch.from_numpy(self.numpy_zero(name)).dtype
                shape = tuple(self.context.get_tensor_shape(name))
                self.tensors[name] = self.torch.empty(shape, dtype=kind, device="cuda")
                self.output_names.append(name)
            self.context.set_tensor_address(name, self.tensors[name].data_ptr())

    def numpy_zero(self, name):
        import numpy

        return numpy.zeros(1, self.trt.nptype(self.engine.get_tensor_dtype(name)))

    def run(self):
        self.context.execute_async_v3(self.stream.cuda_stream)
        self.stream.synchronize()

    def outputs(self):
        return {name: self.tensors[name].cpu().numpy() for name in self.output_names}

    def profile(self):
        class Layers(self.trt.IProfiler):
            def __init__(self):
                super().__init__()  # which Python's binding asks for

            def report_layer_time(self, layer_name, ms):
                current.append({"name": layer_name, "kind": "TensorRT layer", "ms": ms})

        layers, runs = Layers(), []
        self.context.profiler = layers
        for _ in range(PROFILED_RUNS):
            current = []
            self.run()
            runs.append(current)
        return mean_profile(runs)


if __name__ == "__main__":
    serve(TensorRt, {"tensorrt": "TensorRT"}, ["tensorrt|tensorrt-cu13|tensorrt-cu12", "torch", "numpy"],
          "pip install tensorrt torch numpy", {"tensorrt": ["cuda"]})
