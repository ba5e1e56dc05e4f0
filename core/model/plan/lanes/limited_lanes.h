#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/plan/lanes/lane_schedule.h"

namespace iosx {

// What a list schedule may take of memory. As MemoryPlan::peak_bytes it counts buffers but no constants.
struct MemoryBudget {
  std::int64_t bytes = 0;
  std::int64_t element_bytes = 4;
  std::int64_t alignment = 64;
};

// List scheduling under a budget of memory: at every turn launches the first ready kernel of the order that fits beside
// what may be in use when it starts, on that of `lanes` lanes where it starts first and fits, if the rest could still
// follow one after another within the budget, in this order or a frugal one. A lane on which more has ended is a way to
// wait for memory. Where there is no such kernel, it takes the one after which least is in use; with a budget of 0 that
// makes the frugal order, which frees memory as early as it can see.
//
// What is in use is told by the clocks of lanes and waits, as plan_memory() tells it, but counts as if no two buffers
// that may be in use beside the kernel shared bytes; on the other hand gaps between buffers are not counted. So the
// peak of what is returned is for plan_memory() to say, and may lie a little above the budget, far above one that is
// too small.
//
// `staged` is the plan of the kernels, the rest as in list_schedule().
LaneSchedule list_schedule_within(const MemoryBudget& budget, const ExecutionPlan& staged,
                                  std::span<const std::vector<KernelId>> needs, std::span<const KernelId> order,
                                  std::span<const Micros> takes, std::size_t lanes, Micros wait);

}  // namespace iosx
