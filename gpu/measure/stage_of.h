#pragma once

#include <cstddef>
#include <vector>

#include "core/model/plan/execution_plan.h"

namespace iosx::gpu {

// One stage of a plan as its own plan, with a lane for each group, also for a barrier-free one. Buffers that other
// stages write become external ones of the same shape, so that views keep their strides.
struct StagePlan {
  ExecutionPlan plan;             // has one stage
  std::vector<KernelId> kernels;  // by KernelId of `plan`: the original kernel
};
StagePlan stage_of(const ExecutionPlan& plan, std::size_t stage);

}  // namespace iosx::gpu
