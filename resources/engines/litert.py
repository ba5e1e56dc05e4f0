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
        import onnx
        import torch
        import litert_torch
        from onnx2torch import convert

        torch.set_num_threads(job.threads)
        fixed, model = job.fixed_model()
        weights = {each.name for each in model.graph.initializer}
        self.shapes = job.output_shapes(model)
        self.output_names = list(self.shapes)
        self.input_names = [each.name for each in model.graph.input if each.name not in weights]
        arguments = tuple(torch.from_numpy(job.inputs[name]) for name in self.input_names)
        litert_torch.convert(convert(onnx.load(str(fixed))).eval(), arguments).export(path)

    def run(self):
        self.interpreter.invoke()

    def outputs(self):
        return {name: self.interpreter.get_tensor(index).reshape(self.shapes[name])
                for name, index in zip(self.output_names, self.made)}


if __name__ == "__main__":
    serve(LiteRt, {"litert": "LiteRT (TensorFlow Lite)"},
          ["ai-edge-litert", "litert-torch", "onnx2torch", "torch", "onnx", "numpy"],
          "pip install ai-edge-litert litert-torch onnx2torch onnx numpy", {"litert": ["cpu"]})
