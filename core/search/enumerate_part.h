#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "core/search/search_algorithm.h"

namespace iosx {

// Returns a part's search space and candidates; none after a stop. Returns an error where they exceed the budget.
Result<std::optional<PartProblem>> enumerate_part(const Graph& graph, const Part& part, const SearchOptions& options,
                                                  const SpaceBudget& budget, const std::stop_token& stop);

// Returns the error for a part that is too large, with a remedy.
Error too_large(const Part& part, Message what);

}  // namespace iosx
