#pragma once

#include "core/base/result.h"
#include "core/model/plan/execution_plan.h"

namespace iosx {

// Bytes of all buffers of a plan that comes from elsewhere: no computer has as many, and sums stay within 64 bits.
inline constexpr std::int64_t kMostPlanBytes = std::int64_t{1} << 50;

// Whether a plan keeps what lower() promises, so that any device can be given one that comes from elsewhere: ids and
// channels lie inside what they name; shapes are those that the attributes make; parameters have the operators' dims;
// every kernel stands once in its lane, and waits only for earlier ones; what it reads has been written or is external,
// and kernels that touch the same channels do so one after another; blank channels are where Buffer says; memory is
// within kMostPlanBytes. The parameters may not be null. The error's place is inside the plan ("kernels[3].reads[0]").
Result<void> check_plan(const ExecutionPlan& plan);

}  // namespace iosx
