#pragma once

#include "core/base/result.h"
#include "core/model/plan/execution_plan.h"

namespace iosx {

// The most bytes of all buffers of a plan from a file or another process: more than any computer has, and sums
// stay within 64 bits.
inline constexpr std::int64_t kMostPlanBytes = std::int64_t{1} << 50;

// Checks a plan that comes from a file or another process against the guarantees of lower(), so that any device can run
// it. Reports an error where ids or channels lie outside their ranges, shapes do not follow from attributes, parameters
// lack the operators' dims, a kernel is not exactly once in its lane or waits for a later one, a read is neither
// written nor external, kernels that touch the same channels are not ordered, blank channels violate Buffer, or memory
// exceeds kMostPlanBytes. The parameters may not be null. The error's place is inside the plan ("kernels[3].reads[0]").
Result<void> check_plan(const ExecutionPlan& plan);

}  // namespace iosx
