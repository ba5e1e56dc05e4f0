#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/graph/graph.h"
#include "core/model/graph/partition.h"
#include "core/search/state_space.h"

namespace iosx {

inline constexpr std::size_t kDefaultMaxPartSize = kMaxPartUnits;  // units

// The cost of one part above which prepare() cuts it further: a few seconds of enumeration at most, 100 MB of
// transitions. The largest part of the zoo, RandWire's without pruning, has 9.8 million transitions.
inline constexpr SpaceBudget kPartBudget{.states = 200'000, .transitions = 12'000'000};

// Returns the graph cut into parts for search(): partition() with parts of at most max_part_size units (1 to
// kMaxPartUnits, otherwise an error) whose search spaces stay within the budget. The budget is a small share of it for
// a graph of thousands of units, or once finding cuts cost a dozen budgets; listing must also fit a small share of
// SearchEffort::budget. Pieces of one part are marked `continued`, for a search across the cuts, unless max_part_size
// is below the default. After a stop the parts only keep to max_part_size and may be too large to search. Parts with
// units of one given stage (SearchOptions::pinned_stages, candidate_stages) are joined; an error where that exceeds
// kMaxPartUnits and the stage is pinned.
Result<Graph> prepare(const Graph& graph, const SearchOptions& options, std::size_t max_part_size = kDefaultMaxPartSize,
                      const SpaceBudget& budget = kPartBudget, const JobContext& job = {});

}  // namespace iosx
