#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/file_interface.h"
#include "core/model/graph/tensor.h"
#include "core/model/plan/execution_plan.h"

namespace iosx::cli {

struct WrittenOutput {
  std::string name;  // in the network's file
  std::string file;
};

// Reads a plan's inputs: tensors from .npy files, one per network input in order, or all from one .npz by name; none
// without files. `network` has the plan's batch. Errors: files that do not fit.
Result<std::vector<Tensor>> read_inputs(const ExecutionPlan& plan, const FileInterface& network,
                                        const std::vector<std::string>& files);

// Writes a plan's outputs as "output_0.npy", … into the folder, in the order and with the shapes and types of `file`,
// whose batch is the plan's.
Result<std::vector<WrittenOutput>> write_outputs(const ExecutionPlan& plan, std::span<const Tensor> outputs,
                                                 const FileInterface& file, const std::string& folder);

}  // namespace iosx::cli
