"""MNN's CPU back end through its Module interface; MNN's own converter reads the model."""

import sys
import time

from protocol import mean_profile, serve

PROFILED_RUNS = 10
# The converter as a library. Its command, mnnconvert, installs a Python package to report each conversion to its makers.
CONVERTER = "import _tools, sys; sys.exit(0 if _tools.mnnconvert(sys.argv) else 'MNN cannot convert this model')"


class Mnn:
    def __init__(self, job):
        fixed, model = job.fixed_model()
        self.path = str(job.work / "model.mnn")
        job.call([sys.executable, "-c", CONVERTER, "-f", "ONNX", "--modelFile", fixed, "--MNNModel", self.path])
        import MNN

        self.mnn, self.job = MNN, job
        self.shapes = job.output_shapes(model)
        self.output_names = list(self.shapes)
        self.told = {"backend": "CPU", "numThread": job.threads, "precision": "high"}
        self.settings = f"CPU, {job.threads} threads, precision high (float32), shapes fixed"
        self.runtime = MNN.nn.create_runtime_manager((self.told,))
        self.module = MNN.nn.load_module_from_file(self.path, list(job.inputs), self.output_names,
                                                   runtime_manager=self.runtime)
        self.inputs = [self.variable(array) for array in job.inputs.values()]
        self.run()

    def variable(self, array):
        """An input in the layout that the engine computes images in."""
        value = self.mnn.expr.const(array, list(array.shape), self.mnn.expr.NCHW)
        if array.ndim == 4:
            value = self.mnn.expr.convert(value, self.mnn.expr.NC4HW4)
            value.fix_as_const()
        return value

    def run(self):
        self.result = self.module.onForward(self.inputs)

    def outputs(self):
        expr = self.mnn.expr
        arrays = [(expr.convert(each, expr.NCHW) if each.data_format == expr.NC4HW4 else each).read()
                  for each in self.result]
        return {name: array.reshape(self.shapes[name]) for name, array in zip(self.output_names, arrays)}

    def profile(self):
        """Of a session, which alone tells when an operator begins and ends."""
        interpreter = self.mnn.Interpreter(self.path)
        session = interpreter.createSession(self.told)
        started = [0]

        def begin(_, __):
            started[0] = time.perf_counter_ns()
            return True

        def end(_, operator):
            current.append({"name": operator.getName(), "kind": operator.getType(),
                            "ms": (time.perf_counter_ns() - started[0]) / 1e6})
            return True

        runs = []
        for _ in range(PROFILED_RUNS + 1):
            current = []
            interpreter.runSessionWithCallBackInfo(session, begin, end)
            runs.append(current)
        return mean_profile(runs[1:])  # without the first, which warms up


if __name__ == "__main__":
    serve(Mnn, {"mnn": "MNN"}, ["MNN", "onnx", "numpy"], "pip install MNN onnx numpy", {"mnn": ["cpu"]})
