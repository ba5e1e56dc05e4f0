#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/graph/tensor.h"
#include "core/model/plan/execution_plan.h"

// These check what every device that computes asks of a plan and its inputs, and say what its outputs look like.
// `device` is its name in messages: "CPU device".
namespace iosx {

// Returns batch × shape.
std::vector<std::int64_t> tensor_dims(const Shape& shape, std::int64_t batch);

// Returns the dims of the tensor that a device gives for the output.
std::vector<std::int64_t> output_dims(const ExecutionPlan& plan, const PlanOutput& output);

// Makes the error of a device that has no way to compute a kernel of this kind.
tl::unexpected<Error> cannot_execute(const Kernel& kernel, std::string_view device);

// Makes the error of a kernel whose indices the device's numbers do not tell apart.
tl::unexpected<Error> inexact_indices(const Kernel& kernel, std::string_view device);

// Checks that a device can execute the plan's kernels. The error names the first one that none can (Opaque, sources),
// and its place in the file.
Result<void> check_executable(const ExecutionPlan& plan, std::string_view device);

// Checks that there is one tensor a plan input, each batch × filled_shape().
Result<void> check_inputs(const ExecutionPlan& plan, std::span<const Tensor> inputs, std::string_view device);

}  // namespace iosx
