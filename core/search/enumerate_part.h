#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "core/search/search_algorithm.h"

namespace iosx {

// A part's search space and candidates. Nothing after a stop. The error is that there are more than the budget allows.
Result<std::optional<PartProblem>> enumerate_part(const Graph& graph, const Part& part, const SearchOptions& options,
                                                  const SpaceBudget& budget, const std::stop_token& stop);

// An error of a part of which there is too much, and what to do about it.
Error too_large(const Part& part, Message what);

}  // namespace iosx
