#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/result.h"
#include "core/formats/onnx/file_interface.h"
#include "core/model/graph/tensor.h"
#include "core/model/plan/execution_plan.h"

// These lead from tensors as a network's file has them to those that plans of it run on, and back.
namespace iosx {

// Returns the inputs of a plan, in its order. `read` brings the tensor of the file's input with this number, in the
// file's shape; `network` has the plan's batch. Errors are `read`'s, and fractions where the network takes whole
// numbers (token ids and the like).
using InputReader = FunctionRef<Result<Tensor>(const FileTensor& input, std::size_t number)>;
Result<std::vector<Tensor>> network_inputs(const ExecutionPlan& plan, const FileInterface& network, InputReader read);

// An output as its file has it: by its name there, with its shape and type.
struct NetworkOutput {
  FileTensor file;
  Tensor tensor;  // its elements in that order, its dims those of the plan
};
// Returns what a plan gave, which is in its order, in the file's. `network` has the plan's batch.
std::vector<NetworkOutput> network_outputs(const ExecutionPlan& plan, std::span<const Tensor> outputs,
                                           const FileInterface& network);

}  // namespace iosx
