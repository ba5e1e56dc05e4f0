"""OpenVINO's CPU plug-in."""

from protocol import Refusal, mean_profile, serve

PROFILED_RUNS = 10


class OpenVino:
    def __init__(self, job):
        import openvino

        self.core = openvino.Core()
        # What its documentation recommends for one request at a time. It would compute in bfloat16 where the processor can.
        self.told = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32", "NUM_STREAMS": 1,
                     "INFERENCE_NUM_THREADS": job.threads}
        self.settings = f"CPU plug-in, LATENCY hint, one stream, {job.threads} threads, f32, shapes fixed"
        self.model = self.core.read_model(job.model)
        self.output_names = [port.any_name for port in self.model.outputs]
        self.model.reshape({port: list(self.array(job, port).shape) for port in self.model.inputs})
        self.compiled = self.core.compile_model(self.model, "CPU", self.told)
        self.request = self.request_of(self.compiled, job)
        self.job = job

    @staticmethod
    def array(job, port):
        for name in port.names:
            if name in job.inputs:
                return job.inputs[name]
        raise Refusal(f"the model has an input without values: {port.any_name}")

    def request_of(self, compiled, job):
        """A request whose inputs lie in its own tensors."""
        request = compiled.create_infer_request()
        for port in compiled.inputs:
            request.get_tensor(port).data[...] = self.array(job, port)
        return request

    def run(self):
        self.request.start_async()
        self.request.wait()

    def outputs(self):
        return {name: self.request.get_output_tensor(index).data.copy() for index, name in enumerate(self.output_names)}

    def profile(self):
        compiled = self.core.compile_model(self.model, "CPU", {**self.told, "PERF_COUNT": True})
        # The plug-in names a fused layer after one of its operators; its graph says of which it was made.
        names = {}
        for node in compiled.get_runtime_model().get_ordered_ops():
            made_of = node.get_rt_info()["originalLayersNames"] if "originalLayersNames" in node.get_rt_info() else ""
            made_of = made_of if isinstance(made_of, str) else made_of.value
            names[node.get_friendly_name()] = " + ".join(filter(None, made_of.split(","))) or node.get_friendly_name()
        request = self.request_of(compiled, self.job)
        runs = []
        for _ in range(PROFILED_RUNS + 1):
            request.start_async()
            request.wait()
            runs.append([{"name": names.get(each.node_name, each.node_name), "kind": each.node_type,
                          "ms": each.real_time.total_seconds() * 1e3}
                         for each in request.profiling_info if str(each.status).endswith("EXECUTED")])
        return mean_profile(runs[1:])  # without the first, which warms up


if __name__ == "__main__":
    serve(OpenVino, {"openvino": "OpenVINO"}, ["openvino", "numpy"], "pip install openvino numpy", {"openvino": ["cpu"]})
