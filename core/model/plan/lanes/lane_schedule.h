#pragma once

#include "core/base/duration.h"
#include "core/base/result.h"
#include "core/model/plan/execution_plan.h"

namespace iosx {

// Says on which lanes and in which order the kernels of a schedule's plan are launched, without barriers: a kernel
// waits for its needs (needs_of()), not for the end of a stage. The schedule that chose the kernels is stored with it.
struct LaneSchedule {
  struct Launch {
    KernelId kernel;  // of the plan with stages
    std::size_t lane = 0;
    std::string name = {};  // the kernel's, which reveals a file for a device with other kernels
    friend bool operator==(const Launch&, const Launch&) = default;
  };
  std::vector<Launch> launches;  // in launch order, every kernel once
  friend bool operator==(const LaneSchedule&, const LaneSchedule&) = default;
};

// Checks that the launches have every kernel of a plan with that many once, on lanes below kMostLanes. The error's
// place is the launch ("launches[3]").
Result<void> check_launches(const LaneSchedule& lanes, std::size_t kernels);
// Checks in addition that each comes after its needs.
Result<void> check_lanes(const LaneSchedule& lanes, std::span<const std::vector<KernelId>> needs);

// Checks that lanes from a file are for the kernels of a plan with stages, by their number and
// names. The error is that the file is for a device that fuses or merges differently.
Result<void> check_kernels(const ExecutionPlan& staged, const LaneSchedule& lanes);
// Returns the barrier-free plan for lanes from a file. Errors are those of check_kernels() and
// check_lanes().
Result<ExecutionPlan> barrier_free_plan(const ExecutionPlan& staged, const LaneSchedule& lanes);

// Returns the barrier-free plan of the same kernels: numbered in launch order, on those lanes (without empty ones),
// with waits for needs on other lanes that nothing else implies. Kernels keep their stage and group. The lanes must
// pass check_lanes().
ExecutionPlan on_lanes(const ExecutionPlan& staged, std::span<const std::vector<KernelId>> needs,
                       const LaneSchedule& lanes);

// Returns the plan's kernels in launch order as one stage of one lane, for devices that cannot run lanes concurrently.
ExecutionPlan one_after_another(ExecutionPlan plan);

// Returns the lanes with the names of the plan's kernels.
LaneSchedule named(LaneSchedule lanes, const ExecutionPlan& staged);

// Returns the kernels in the plan's order, all on one lane: its trace shows each one's time.
LaneSchedule one_lane(const ExecutionPlan& staged);
// Returns the kernels in the plan's order on their own lanes.
LaneSchedule same_lanes(const ExecutionPlan& staged);

// Returns the kernels in an order that respects their needs, the one with the longest path to an end first. `takes`
// is by kernel.
std::vector<KernelId> longest_way_first(std::span<const std::vector<KernelId>> needs, std::span<const Micros> takes);

// Returns the time of the longest path of kernels that need one another: no lanes take less. `takes` is by kernel.
Micros longest_path(std::span<const std::vector<KernelId>> needs, std::span<const Micros> takes);

// List scheduling: places the kernels in that order, which must respect their needs, each on the one of `lanes` lanes
// where it starts first; on a tie, on the one that idles least. `wait`: the cost of a wait for another lane.
LaneSchedule list_schedule(std::span<const std::vector<KernelId>> needs, std::span<const KernelId> order,
                           std::span<const Micros> takes, std::size_t lanes, Micros wait);

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
