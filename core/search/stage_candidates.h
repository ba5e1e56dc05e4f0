#pragma once

#include <limits>

#include "core/model/schedule/schedule.h"
#include "core/search/options.h"
#include "core/search/part_graph.h"

namespace iosx {

// Describes one way to run an ending: its groups side by side, all as one merged layer, or as a given stage.
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

// Why a search never takes a stage.
enum class Limit {
  kR,
  kS,
  kEndingRule,
  kStrategy,
  kParts,  // it holds units of several parts, which are more than pieces of one
  kForm,   // a merge inside a group, or unconnected units in one group: never a stage of a search
};
std::string_view limit_name(Limit limit);  // "r", "s", "ending-rule", "strategy", "parts", "form"

struct Exclusion {
  Limit limit = Limit::kR;
  std::string text;  // "r = 3: a group of 4 units"
  // The same as numbers: the limit, and the stage's value; for kParts the first and the last part (from 0).
  // Both are 0 where they do not apply.
  std::size_t allowed = 0;
  std::size_t found = 0;
  friend bool operator==(const Exclusion&, const Exclusion&) = default;
};

// Returns all reasons why a search with these options cannot take the stage; empty where it may.
std::vector<Exclusion> exclusions(const Graph& graph, const Stage& stage, const SearchOptions& options);

// A stage of a schedule (from 0) that a search by itself cannot reach.
struct StageBeyond {
  std::size_t stage = 0;
  std::vector<Exclusion> why = {};
  friend bool operator==(const StageBeyond&, const StageBeyond&) = default;
};
// The graph has the parts of such a search.
std::vector<StageBeyond> beyond_search(const Graph& graph, const Schedule& schedule, const SearchOptions& options);

}  // namespace iosx
