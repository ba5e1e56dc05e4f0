#pragma once

#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/trace/trace.h"
#include "gpu/exec/prepared_plan.h"
#include "gpu/profile/profiler.h"

namespace iosx::gpu {

// A timeline is one run of a plan as the profiler saw it, in µs from its first kernel.
struct Timeline {
  std::vector<std::pair<Micros, Micros>> kernels;  // by KernelId: from its first launch to its last one's end
  std::vector<std::vector<LaunchSpan>> launches;   // by KernelId, by begin
  Micros duration{0};
};

// Captures the plan, runs it a few times, and takes the run of median duration. The plan was entered and has run once.
// The errors are the profiler's, that its records do not cover the plan, and a stop.
Result<Timeline> timeline_of(const PreparedPlan& plan, Runtime& runtime, Profiler& profiler, const JobContext& job);

}  // namespace iosx::gpu
