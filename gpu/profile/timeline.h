#pragma once

#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/trace/trace.h"
#include "gpu/exec/prepared_plan.h"
#include "gpu/profile/profiler.h"

namespace iosx::gpu {

// One run of a plan as the profiler saw it, in µs from its first kernel.
struct Timeline {
  std::vector<std::pair<Micros, Micros>> kernels;  // by KernelId: from its first launch to the end of its last one
  std::vector<std::vector<LaunchSpan>> launches;   // by KernelId, sorted by begin
  Micros duration{0};
};

// Captures the plan, runs it a few times, and returns the run of median duration. The plan was entered and has run
// once. Errors: the profiler's, records that do not cover the plan, and a stop.
Result<Timeline> timeline_of(const PreparedPlan& plan, Runtime& runtime, Profiler& profiler, const JobContext& job);

}  // namespace iosx::gpu
