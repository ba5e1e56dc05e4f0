#pragma once

#include <span>

#include "core/analysis/compare/comparison.h"

// Whether a schedule that no search made is faster than one that a search did, by the sums of their stages, which is
// what searches minimise.
namespace iosx {

// The best that a search found, of equals what the one that was free to take most did; null where there is none.
const ScheduleResult* best_search(const Comparison& comparison);

// Returns the spread of the sum of the stages, as far as they vary independently.
Millis spread_of(std::span<const Latency> stages);

// Less than what the search found, by more than rounding and the spread say.
bool beats(Millis sum, Millis spread, const ScheduleResult& search);

}  // namespace iosx
