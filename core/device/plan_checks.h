#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/tensor.h"
#include "core/plan/execution_plan.h"

// What every device that computes asks of a plan and its inputs. `device` is its name in messages: "CPU device".
namespace iosx {

// Batch × shape.
std::vector<std::int64_t> tensor_dims(const Shape& shape, std::int64_t batch);

// The error names the first kernel that no device can execute (Opaque), and its place in the file.
Result<void> check_executable(const ExecutionPlan& plan, std::string_view device);

// One tensor a plan input, each batch × shape.
Result<void> check_inputs(const ExecutionPlan& plan, std::span<const Tensor> inputs, std::string_view device);

}  // namespace iosx
