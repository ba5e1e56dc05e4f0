#pragma once

#include <cstdint>
#include <vector>

#include "core/schedule/schedule.h"
#include "core/search/options.h"
#include "core/search/part_graph.h"

namespace iosx {

// One way to run an ending: its groups side by side, or all of it as one merged convolution.
struct StageCandidate {
  std::uint32_t ending = 0;  // index into StateSpace::stages
  Strategy strategy = Strategy::kConcurrent;
};

// Every way that the strategies allow: endings of few units first, otherwise in order, concurrent before merged. A
// single unit is always allowed. Merged stages are those that merge() accepts, units by id.
std::vector<StageCandidate> stage_candidates(const Graph& graph, const PartGraph& part,
                                             const std::vector<UnitSet>& endings, StrategySet strategies);

// Groups are the weakly connected components, by their lowest unit; units run by id.
Stage concurrent_stage(const PartGraph& part, UnitSet ending);
Stage make_stage(const PartGraph& part, UnitSet ending, Strategy strategy);

}  // namespace iosx
