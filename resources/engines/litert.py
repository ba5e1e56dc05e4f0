"""LiteRT, TensorFlow Lite's successor, with XNNPACK. onnx2torch and litert-torch translate the model."""

import re

from protocol import Refusal, serve


class LiteRt:
    no_profile = "LiteRT's Python interface reports no times of operators"

    def __init__(self, job):
        path = str(job.work / "model.tflite")
        self.convert(job, path)
        from ai_edge_litert.interpreter import Interpreter

        # XNNPACK is the default of the interpreter, and gets as many threads.
        self.interpreter = Interpreter(path, num_threads=job.threads)
        self.interpreter.allocate_tensors()
        self.settings = f"{job.threads} threads, XNNPACK, float32, shapes fixed"
        # Names end in the place: serving_default_args_0, serving_default_output_0_output.
        given = {self.place(each): each["index"] for each in self.interpreter.get_input_details()}
        made = {self.place(each): each["index"] for each in self.interpreter.get_output_details()}
        if len(made) != len(self.output_names):
            raise Refusal(f"the converter made {len(made)} outputs of {len(self.output_names)}")
        for place, name in enumerate(self.input_names):
            self.interpreter.set_tensor(given[place], job.inputs[name])
        self.made = [made[place] for place in range(len(self.output_names))]

    @staticmethod
    def place(details):
        return int(re.findall(r"\d+", details["name"])[-1])

    def convert(self, job, path):
        import litert_torch
        import torch
        from onnx_module import read

        torch.set_num_threads(job.threads)
        fixed, model = job.fixed_model()
        self.shapes = job.output_shapes(model)
        weights = {each.name for each in model.graph.initializer}
        self.input_names = [each.name for each in model.graph.input if each.name not in weights]
        module, inputs, self.output_names = read(fixed, job.inputs)
        litert_torch.convert(module, tuple(inputs)).export(path)

    def run(self):
        self.interpreter.invoke()

    def outputs(self):
        return {name: self.interpreter.get_tensor(index).reshape(self.shapes[name])
                for name, index in zip(self.output_names, self.made)}


if __name__ == "__main__":
    serve(LiteRt, {"litert": "LiteRT (TensorFlow Lite)"},
          ["ai-edge-litert", "litert-torch", "onnx2torch", "torch", "onnx", "numpy"],
          "pip install ai-edge-litert litert-torch onnx2torch onnx numpy", {"litert": ["cpu"]})
