"""IREE: compiled for this processor, run by its multi-threaded "local-task" driver."""

import sys

from protocol import serve

# What its documentation recommends for a processor: all that this one has, and data tiling.
FLAGS = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
         "--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3", "--iree-opt-data-tiling"]


class Iree:
    no_profile = "IREE's Python packages report no times of operators"

    def __init__(self, job):
        fixed, model = job.fixed_model()
        self.shapes = job.output_shapes(model)
        initializers = {each.name for each in model.graph.initializer}
        inputs = [job.inputs[each.name] for each in model.graph.input if each.name not in initializers]
        entry = "".join(each if each.isalnum() else "_" for each in model.graph.name)
        del model
        mlir, vmfb = job.work / "model.mlir", job.work / "model.vmfb"
        job.call([sys.executable, "-m", "iree.compiler.tools.import_onnx", fixed, "-o", mlir])
        job.call([sys.executable, "-m", "iree.compiler.tools.scripts.iree_compile", mlir, *FLAGS, "-o", vmfb])
        import iree.runtime as runtime

        self.output_names = list(self.shapes)
        self.settings = f"llvm-cpu for this processor, O3, data tiling, local-task with {job.threads} workers, shapes fixed"
        runtime.flags.parse_flags(f"--task_topology_group_count={job.threads}")
        config = runtime.Config(device=runtime.get_device("local-task", cache=False))
        context = runtime.SystemContext(config=config)
        module = runtime.VmModule.mmap(context.instance, str(vmfb))
        context.add_vm_module(module)
        exported = [name for name in module.function_names if not name.startswith("__")]
        name = entry if entry in exported else [each for each in exported if not each.endswith("$async")][0]
        self.context, self.function, self.runtime = context, module.lookup_function(name), runtime
        self.inputs = [runtime.asdevicearray(config.device, each) for each in inputs]
        self.invoke = runtime.FunctionInvoker(context.vm_context, config.device, self.function)

    def run(self):
        result = self.invoke(*self.inputs)  # returns when the outputs are complete
        self.result = result if isinstance(result, (list, tuple)) else [result]

    def outputs(self):
        return {name: value.to_host().reshape(self.shapes[name]) for name, value in zip(self.output_names, self.result)}


if __name__ == "__main__":
    serve(Iree, {"iree": "IREE"}, ["iree-base-compiler", "iree-base-runtime", "onnx", "numpy"],
          "pip install 'iree-base-compiler[onnx]' iree-base-runtime onnx numpy", {"iree": ["cpu"]})
