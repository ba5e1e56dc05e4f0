#pragma once

#include <cstddef>
#include <vector>

#include "core/model/plan/execution_plan.h"

namespace iosx::gpu {

// A StagePlan is one stage cut out of a plan, with a lane for each of its groups, also of a barrier-free one. What
// other stages write to is an external buffer of it, of the same shape, so that views keep their strides.
struct StagePlan {
  ExecutionPlan plan;             // one stage
  std::vector<KernelId> kernels;  // by KernelId of `plan`: the one that it was
};
StagePlan stage_of(const ExecutionPlan& plan, std::size_t stage);

}  // namespace iosx::gpu
