"""Apache TVM: Relax, compiled with LLVM for this processor. Nothing is tuned (README.md says what that means)."""

import os

from protocol import serve


class Tvm:
    no_profile = "TVM's virtual machine in this version has no profile of operators"

    def __init__(self, job):
        os.environ["TVM_NUM_THREADS"] = str(job.threads)
        fixed, model = job.fixed_model()
        self.shapes = job.output_shapes(model)
        self.output_names = list(self.shapes)
        import tvm
        from tvm import relax
        from tvm.relax.frontend.onnx import from_onnx

        weights = {each.name for each in model.graph.initializer}
        names = [each.name for each in model.graph.input if each.name not in weights]
        module = from_onnx(model, keep_params_in_input=False)
        target = tvm.target.Target({"kind": "llvm", "mcpu": tvm.target.codegen.llvm_get_system_cpu(),
                                    "num-cores": job.threads})
        with tvm.transform.PassContext(opt_level=3):
            prepare = [relax.transform.DecomposeOpsForInference(), relax.transform.CanonicalizeBindings(),
                       relax.get_pipeline("zero")]
            module = tvm.transform.Sequential(prepare)(module)
            compiled = tvm.compile(module, target=target)
        machine = relax.VirtualMachine(compiled, tvm.cpu())
        self.main = machine["main"]
        self.inputs = [tvm.runtime.tensor(job.inputs[name]) for name in names]
        self.settings = f"Relax, opt level 3, llvm for {target.attrs['mcpu']}, {job.threads} threads, not tuned, shapes fixed"

    def run(self):
        self.result = self.main(*self.inputs)

    def outputs(self):
        several = self.result if not hasattr(self.result, "numpy") else [self.result]
        return {name: value.numpy().reshape(self.shapes[name]) for name, value in zip(self.output_names, several)}


if __name__ == "__main__":
    serve(Tvm, {"tvm": "Apache TVM, not tuned"}, ["apache-tvm", "onnx", "numpy"], "pip install apache-tvm onnx numpy",
          {"tvm": ["cpu"]})
