#pragma once

#include <span>

#include "core/analysis/compare/comparison.h"

// Tells whether a schedule without a search is faster than a search's result, by the sums of their stages, which
// searches minimise.
namespace iosx {

// Returns the best search result, on a tie the one of the search with most freedom; null without a search.
const ScheduleResult* best_search(const Comparison& comparison);

// Returns the spread of the stages' sum, if they vary independently.
Millis spread_of(std::span<const Latency> stages);

// Returns whether the sum is below the search's by more than rounding and spread.
bool beats(Millis sum, Millis spread, const ScheduleResult& search);

}  // namespace iosx
