#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/model/plan/execution_plan.h"

namespace iosx::cpu {

// Guesses how a lane's time comes about, for sharing out cores; only ratios matter.
struct LaneLoad {
  double seconds = 0;       // on one core
  std::size_t kernels = 0;  // each costs a fork and a join on a team of several cores
};
LaneLoad load_of(const ExecutionPlan& plan, std::span<const KernelId> lane);

// Says who runs the lanes of one stage. Lanes of one team run one after another, in this order.
struct LaneTeams {
  std::vector<int> sizes;  // cores of each team, at least 1; the sum is at most the cores there are
  std::vector<std::vector<std::size_t>> lanes;  // of each team, at least one
};

// Lanes are dealt out to teams, the longest first, and cores to teams by load, for the number of teams that should end
// soonest: where one lane has nearly all the work, one team of all cores is sooner through than a team a lane.
LaneTeams share_cores(std::span<const LaneLoad> lanes, int cores);

}  // namespace iosx::cpu
