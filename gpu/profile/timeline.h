#pragma once

#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/trace/trace.h"
#include "gpu/exec/prepared_plan.h"
#include "gpu/profile/profiler.h"
#include "gpu/runtime/properties.h"

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

// Returns the largest share of a multiprocessor's warp slots (0 to 1) that this launch's blocks can fill, limited by
// threads, registers, shared memory and the number of blocks; 0 where the GPU's limits are unknown. Rounding follows
// NVIDIA's occupancy calculator: registers per warp in units of 256, shared memory in units of 128 bytes.
double occupancy(const LaunchRecord& launch, const Properties& gpu);

}  // namespace iosx::gpu
