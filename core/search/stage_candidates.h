#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/model/schedule/schedule.h"
#include "core/search/options.h"
#include "core/search/part_graph.h"

namespace iosx {

// One way to run an ending: its groups side by side, all as one merged layer, or as a given stage.
struct StageCandidate {
  static constexpr std::uint32_t kNotGiven = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t ending = 0;  // index into StateSpace::stages
  Strategy strategy = Strategy::kConcurrent;
  std::uint32_t given = kNotGiven;  // index into PartGraph::given(), for a stage that make_stage() does not make
};

// Returns every stage that the strategies allow, and the other given stages: endings of few units first, otherwise in
// order, concurrent before merged before given. A single unit is always allowed. Merged stages are those that merge()
// accepts, with units by id. A pinned stage is the only way to run its units.
std::vector<StageCandidate> stage_candidates(const Graph& graph, const PartGraph& part,
                                             const std::vector<UnitSet>& endings, StrategySet strategies);

// Groups are weakly connected components, by their lowest unit; units run by id.
Stage concurrent_stage(const PartGraph& part, UnitSet ending);
Stage make_stage(const PartGraph& part, UnitSet ending, Strategy strategy);
// Returns the candidate's stage for the units of `ending`. The part may be another one of the same structure
// unless the candidate is a given stage.
Stage stage_of(const PartGraph& part, UnitSet ending, const StageCandidate& candidate);

}  // namespace iosx
