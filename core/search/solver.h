#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/duration.h"
#include "core/base/parallel.h"
#include "core/model/cost/inter_stage_overhead.h"
#include "core/search/state_space.h"

namespace iosx {

// An ending, run in one lane or in several.
struct SolvedStage {
  std::uint32_t stage = 0;  // index into StateSpace::stages
  StageWidth width = StageWidth::kOneLane;
  friend bool operator==(const SolvedStage&, const SolvedStage&) = default;
};

struct Solution {
  Millis cost{0};                   // overhead included
  std::vector<SolvedStage> stages;  // in the order in which they run
};

// By StageWidth.
using LatencyByWidth = std::array<Millis, 2>;
using SolutionByWidth = std::array<std::optional<Solution>, 2>;

// The cheapest sequences of stages, one for each width of the last stage: what follows may cost more after the one than
// after the other. latency[i] holds those of space.stages[i]; infinity forbids a stage of that width. `first` is
// the gap before the first stage. Of equally cheap sequences it takes, stage by stage from the last one, the one with
// fewer stages, then the one whose ending is the smallest number as a bit set, then several lanes. Nothing where every
// sequence is forbidden. The same for any number of threads.
SolutionByWidth solve(const StateSpace& space, std::span<const LatencyByWidth> latency,
                      const InterStageOverhead::ByWidth& first,
                      const std::array<InterStageOverhead::ByWidth, 2>& between, std::size_t threads = free_threads());

// The better of the two.
std::optional<Solution> best(SolutionByWidth solutions);

}  // namespace iosx
