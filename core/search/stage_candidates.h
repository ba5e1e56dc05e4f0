#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/model/schedule/schedule.h"
#include "core/search/options.h"
#include "core/search/part_graph.h"

namespace iosx {

// One way to run an ending: its groups side by side, all of it as one merged layer, or as a given stage does.
struct StageCandidate {
  static constexpr std::uint32_t kNotGiven = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t ending = 0;  // index into StateSpace::stages
  Strategy strategy = Strategy::kConcurrent;
  std::uint32_t given = kNotGiven;  // index into PartGraph::given(), of a stage that make_stage() does not make
};

// Every way that the strategies allow, and the given stages that are none of these: endings of few units first,
// otherwise in order, concurrent before merged before given. A single unit is always allowed. Merged stages are those
// that merge() accepts, units by id. A stage that is pinned is the only way to run its units.
std::vector<StageCandidate> stage_candidates(const Graph& graph, const PartGraph& part,
                                             const std::vector<UnitSet>& endings, StrategySet strategies);

// Groups are the weakly connected components, by their lowest unit; units run by id.
Stage concurrent_stage(const PartGraph& part, UnitSet ending);
Stage make_stage(const PartGraph& part, UnitSet ending, Strategy strategy);
// The candidate's own, `ending` being its units in a part that may be another one of the same structure if the
// candidate is none that was given.
Stage stage_of(const PartGraph& part, UnitSet ending, const StageCandidate& candidate);

}  // namespace iosx
