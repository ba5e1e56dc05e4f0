#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/base/duration.h"
#include "core/base/result.h"
#include "core/model/plan/execution_plan.h"

namespace iosx {

// A barrier-free schedule: on which lane, and in which order, the kernels of a schedule's plan are launched. Nothing
// waits for a stage to end; a kernel waits for what it needs (needs_of()). The schedule that chose the kernels belongs
// to it and is kept beside it.
struct LaneSchedule {
  struct Launch {
    KernelId kernel;  // of the plan with stages
    std::size_t lane = 0;
    std::string name = {};  // the kernel's, which tells in a file that another device makes other kernels
    friend bool operator==(const Launch&, const Launch&) = default;
  };
  std::vector<Launch> launches;  // in launch order, every kernel once
  friend bool operator==(const LaneSchedule&, const LaneSchedule&) = default;
};

// Whether the launches are every kernel of a plan of so many once, on lanes below kMostLanes. The error's place is the
// launch ("launches[3]").
Result<void> check_launches(const LaneSchedule& lanes, std::size_t kernels);
// Whether, besides, each comes after those that it needs.
Result<void> check_lanes(const LaneSchedule& lanes, std::span<const std::vector<KernelId>> needs);

// Returns the plan without barriers of kernels that come from a file. Errors are those of check_lanes(), and kernels of
// other names: those of a device that fuses or merges otherwise.
Result<ExecutionPlan> barrier_free_plan(const ExecutionPlan& staged, const LaneSchedule& lanes);

// Returns the plan of the same kernels without barriers: numbered in launch order, on those lanes (lanes without
// kernels are left out), waiting for the kernels on other lanes that they need and that nothing else implies. Kernels
// keep the stage and the group that they come from. The lanes must be those of check_lanes().
ExecutionPlan on_lanes(const ExecutionPlan& staged, std::span<const std::vector<KernelId>> needs,
                       const LaneSchedule& lanes);

// Returns the plan's kernels in launch order as one stage of one lane, for who cannot run lanes side by side.
ExecutionPlan one_after_another(ExecutionPlan plan);

// Returns the lanes with the names of the plan's kernels.
LaneSchedule named(LaneSchedule lanes, const ExecutionPlan& staged);

// Returns the kernels in the plan's own order, all on one lane: a trace of it says how long each takes.
LaneSchedule one_lane(const ExecutionPlan& staged);
// Returns them in the plan's own order on the lanes that they have there.
LaneSchedule same_lanes(const ExecutionPlan& staged);

// Returns the kernels in an order that respects what they need, the one with the longest way to an end first. `takes`
// is by kernel.
std::vector<KernelId> longest_way_first(std::span<const std::vector<KernelId>> needs, std::span<const Micros> takes);

// List scheduling: returns the kernels in that order, which must respect what they need, each on that of `lanes` lanes
// where it starts first; of several on the one that idles least. `wait`: what a wait for another lane takes.
LaneSchedule list_schedule(std::span<const std::vector<KernelId>> needs, std::span<const KernelId> order,
                           std::span<const Micros> takes, std::size_t lanes, Micros wait);

}  // namespace iosx
