#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/plan/lanes/lane_schedule.h"

namespace iosx {

// The memory limit of a list schedule. Like MemoryPlan::peak_bytes it counts buffers but no constants.
struct MemoryBudget {
  std::int64_t bytes = 0;
  std::int64_t element_bytes = 4;
  std::int64_t alignment = 64;
};

// List scheduling within a memory budget. Every step launches the first ready kernel of the order that fits beside the
// buffers possibly in use at its start, on the one of `lanes` lanes where it starts first and fits, if the rest could
// still run one by one within the budget, in this order or a frugal one. A lane where more has ended is a way to wait
// for memory. Without such a kernel, it takes the one after which least memory is in use; a budget of 0 thus gives the
// frugal order, which frees memory as early as possible.
//
// Clocks of lanes and waits tell which buffers are in use, as in plan_memory(), but buffers possibly in use beside
// the kernel never share bytes here, and gaps between buffers do not count. So only plan_memory() gives the peak of
// the result, which may be slightly above the budget, and far above one that is too small.
//
// `staged` is the plan of the kernels, the rest as in list_schedule().
LaneSchedule list_schedule_within(const MemoryBudget& budget, const ExecutionPlan& staged,
                                  std::span<const std::vector<KernelId>> needs, std::span<const KernelId> order,
                                  std::span<const Micros> takes, std::size_t lanes, Micros wait);

}  // namespace iosx
