"""ONNX Runtime: its sequential and its parallel executor on the processor; CUDA and TensorRT providers on a GPU."""

import json

from protocol import Refusal, mean_profile, serve

PROFILED_RUNS = 10
ENGINES = {"onnxruntime": "ONNX Runtime", "onnxruntime-parallel": "ONNX Runtime, parallel executor",
           "onnxruntime-tensorrt": "ONNX Runtime with TensorRT"}


class OnnxRuntime:
    def __init__(self, job):
        import onnxruntime

        self.ort, self.job = onnxruntime, job
        self.providers = self.choose_providers()
        self.session = onnxruntime.InferenceSession(job.model, self.options(), providers=self.providers)
        self.binding = self.bind(self.session)
        self.output_names = [each.name for each in self.session.get_outputs()]

    def choose_providers(self):
        if self.job.device == "cpu":
            return ["CPUExecutionProvider"]
        self.ort.preload_dlls() if hasattr(self.ort, "preload_dlls") else None  # CUDA from NVIDIA's Python packages
        wanted = [("CUDAExecutionProvider", {"use_tf32": int(self.job.tf32), "cudnn_conv_algo_search": "EXHAUSTIVE"})]
        if self.job.engine == "onnxruntime-tensorrt":
            # TensorRT itself takes TF32 where it is faster, unless the environment forbids it.
            wanted.insert(0, ("TensorrtExecutionProvider", {"trt_engine_cache_enable": False}))
        for name, _ in wanted:
            if name not in self.ort.get_available_providers():
                raise Refusal(f"this onnxruntime has no {name}; install with: pip install onnxruntime-gpu")
        return wanted + ["CPUExecutionProvider"]

    def options(self):
        job, options = self.job, self.ort.SessionOptions()
        options.graph_optimization_level = self.ort.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.log_severity_level = 3
        self.settings = f"intra_op {job.threads}, inter_op 1, sequential executor"
        options.intra_op_num_threads, options.inter_op_num_threads = job.threads, 1
        if job.engine == "onnxruntime-parallel":
            # Two operators at once, and together as many threads as the other engines have.
            options.execution_mode = self.ort.ExecutionMode.ORT_PARALLEL
            options.inter_op_num_threads = min(2, job.threads)
            options.intra_op_num_threads = max(1, job.threads // 2)
            self.settings = (f"intra_op {options.intra_op_num_threads}, inter_op {options.inter_op_num_threads}, "
                             "parallel executor")
        # Sizes that the file leaves open are told, which lets it fold what follows from them.
        for name, size in self.open_sizes().items():
            options.add_free_dimension_override_by_name(name, size)
        self.settings += ", all graph optimisations, shapes fixed, inputs and outputs bound"
        if job.device == "cuda":
            self.settings += f", {self.providers[0][0]}, " + ("TF32" if job.tf32 else "no TF32")
        return options

    def open_sizes(self):
        plain = self.ort.SessionOptions()
        plain.graph_optimization_level = self.ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        inputs = self.ort.InferenceSession(self.job.model, plain, providers=["CPUExecutionProvider"]).get_inputs()
        unknown = [each.name for each in inputs if each.name not in self.job.inputs]
        if unknown:
            raise Refusal(f"the model has inputs without values: {', '.join(unknown)}")
        return {name: size for each in inputs for name, size in zip(each.shape, self.job.inputs[each.name].shape)
                if isinstance(name, str)}

    def bind(self, session):
        binding = session.io_binding()
        for name, array in self.job.inputs.items():
            binding.bind_ortvalue_input(name, self.ort.OrtValue.ortvalue_from_numpy(array, self.job.device, 0))
        for each in session.get_outputs():
            binding.bind_output(each.name, self.job.device)
        return binding

    def run(self):
        self.session.run_with_iobinding(self.binding)
        if self.job.device == "cuda":
            self.binding.synchronize_outputs()

    def outputs(self):
        return dict(zip(self.output_names, self.binding.copy_outputs_to_cpu()))

    def profile(self):
        if self.job.device == "cuda":
            raise Refusal("ONNX Runtime's profile has the host's times of launches, not those of the GPU's kernels")
        options = self.options()
        options.enable_profiling = True
        options.profile_file_prefix = str(self.job.work / "profile")
        session = self.ort.InferenceSession(self.job.model, options, providers=self.providers)
        binding = self.bind(session)
        for _ in range(PROFILED_RUNS + 1):
            session.run_with_iobinding(binding)
        with open(session.end_profiling(), encoding="utf-8") as file:
            events = json.load(file)
        runs = []  # events of a run stand before that of the run itself
        current = []
        for event in sorted(events, key=lambda each: each["ts"] + each.get("dur", 0)):
            if event["name"].endswith("_kernel_time"):
                current.append({"name": event["name"][:-len("_kernel_time")], "kind": event["args"]["op_name"],
                                "ms": event["dur"] / 1e3})
            elif event["name"] == "model_run":
                runs.append(current)
                current = []
        return mean_profile(runs[1:])  # without the first, which warms up


if __name__ == "__main__":
    serve(OnnxRuntime, ENGINES, ["onnxruntime|onnxruntime-gpu", "numpy"], "pip install onnxruntime numpy",
          {"onnxruntime": ["cpu", "cuda"], "onnxruntime-parallel": ["cpu"], "onnxruntime-tensorrt": ["cuda"]})
