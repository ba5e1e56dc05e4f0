#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/model/plan/execution_plan.h"

namespace iosx::cpu {

// An estimate of a lane's time, for sharing cores; only ratios matter.
struct LaneLoad {
  double seconds = 0;       // on one core
  std::size_t kernels = 0;  // each costs a fork and a join on a team of several cores
};
LaneLoad load_of(const ExecutionPlan& plan, std::span<const KernelId> lane);

// The teams that run the lanes of one stage. A team runs its lanes one after another, in this order.
struct LaneTeams {
  std::vector<int> sizes;                       // cores per team, at least 1; their sum is at most the number of cores
  std::vector<std::vector<std::size_t>> lanes;  // per team, at least one
};

// Assigns lanes to teams, the longest first, and cores to teams by load. It chooses the number of teams with the
// earliest expected end: where one lane has nearly all the work, one team of all cores beats a team per lane.
LaneTeams share_cores(std::span<const LaneLoad> lanes, int cores);

}  // namespace iosx::cpu
