#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/result.h"
#include "core/formats/onnx/file_interface.h"
#include "core/model/graph/tensor.h"
#include "core/model/plan/execution_plan.h"

// Convert tensors between a network's file and the plans of it.
namespace iosx {

// Returns the inputs of a plan, in its order. `read` returns the file's input with this number, in the file's
// shape; `network` has the plan's batch. Errors: `read`'s, and fractions where the network needs integers (such as
// token ids).
using InputReader = FunctionRef<Result<Tensor>(const FileTensor& input, std::size_t number)>;
Result<std::vector<Tensor>> network_inputs(const ExecutionPlan& plan, const FileInterface& network, InputReader read);

// An output as its file has it: its name, shape and type.
struct NetworkOutput {
  FileTensor file;
  Tensor tensor;  // its elements in that order, with the plan's dims
};
// Returns a plan's outputs in the file's order. `network` has the plan's batch.
std::vector<NetworkOutput> network_outputs(const ExecutionPlan& plan, std::span<const Tensor> outputs,
                                           const FileInterface& network);

}  // namespace iosx
