#pragma once

#include <cstddef>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/graph/graph.h"
#include "core/model/graph/partition.h"
#include "core/search/state_space.h"

namespace iosx {

inline constexpr std::size_t kDefaultMaxPartSize = kMaxPartUnits;  // units

// One part may cost this much before prepare() cuts it further: a few seconds of enumeration at most, 100 MB of
// transitions. The largest part of the zoo, RandWire's without pruning, has 9.8 million transitions.
inline constexpr SpaceBudget kPartBudget{.states = 200'000, .transitions = 12'000'000};

// The graph cut into parts that search() can take: partition() with parts of at most max_part_size units (1 to
// kMaxPartUnits, otherwise an error) whose search spaces keep to the budget; to a small share of it in a graph of
// thousands of units and where finding the cuts has cost as much as a dozen budgets; and to what can be listed within a
// small share of SearchEffort::budget. Pieces of one part are marked `continued`, for a search that looks across the
// cuts, unless smaller parts than the default were asked for. After a stop the parts keep to max_part_size only: enough
// to go on with, too much perhaps to search. Parts that a given stage (SearchOptions::pinned_stages, candidate_stages)
// has units of are one; an error, where that has more than kMaxPartUnits and the stage is pinned.
Result<Graph> prepare(const Graph& graph, const SearchOptions& options, std::size_t max_part_size = kDefaultMaxPartSize,
                      const SpaceBudget& budget = kPartBudget, const JobContext& job = {});

}  // namespace iosx
