#pragma once

#include "core/base/duration.h"
#include "core/base/parallel.h"
#include "core/model/cost/latency.h"
#include "core/search/state_space.h"

namespace iosx {

// An ending that runs in one lane or in several.
struct SolvedStage {
  std::uint32_t stage = 0;  // index into StateSpace::stages
  StageWidth width = StageWidth::kOneLane;
  friend bool operator==(const SolvedStage&, const SolvedStage&) = default;
};

struct Solution {
  Millis cost{0};                   // includes overhead
  std::vector<SolvedStage> stages;  // in execution order
};

// By StageWidth.
using LatencyByWidth = std::array<Millis, 2>;
using SolutionByWidth = std::array<std::optional<Solution>, 2>;

// Returns the cheapest sequence of stages for each width of the last stage, because the overhead after it differs.
// latency[i] holds those of space.stages[i]; infinity forbids a stage of that width. `first` is the overhead before the
// first stage. Ties, from the last stage backwards: fewer stages, then the ending with the smallest number as a bit
// set, then several lanes. Returns none where every sequence is forbidden. The number of threads does not change the
// result.
SolutionByWidth solve(const StateSpace& space, std::span<const LatencyByWidth> latency,
                      const InterStageOverhead::ByWidth& first,
                      const std::array<InterStageOverhead::ByWidth, 2>& between, std::size_t threads = free_threads());

}  // namespace iosx
