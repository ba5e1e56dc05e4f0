#pragma once

#include <cstddef>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/graph/partition.h"
#include "core/search/state_space.h"

namespace iosx {

inline constexpr std::size_t kDefaultMaxPartSize = 50;  // units

// What one part may cost before prepare() cuts it further; at most about a second of enumeration, 160 MB.
inline constexpr SpaceBudget kPartBudget{.states = 200'000, .transitions = 20'000'000};

// The graph cut into parts that search() can take: partition() with parts of at most max_part_size units (1 to
// kMaxPartUnits, otherwise an error) whose search spaces keep to the budget.
Result<Graph> prepare(const Graph& graph, const SearchOptions& options, std::size_t max_part_size = kDefaultMaxPartSize,
                      const SpaceBudget& budget = kPartBudget);

}  // namespace iosx
