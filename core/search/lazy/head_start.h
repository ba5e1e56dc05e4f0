#pragma once

#include <cstdint>
#include <string>

#include "core/search/lazy/lazy_progress.h"
#include "core/search/lazy/lazy_state.h"

// What a lazy search measures or learns before its first plan, in addition to single units.
namespace iosx {

// Measures the given stages, so that even a short search finds nothing worse than a schedule of these. Errors are the
// source's, here and below.
Result<void> measure_given(LazyState& state, const LazyProgress& progress);

// Measures the greedy schedule where parts and s allow its stages, so that even a short search finds nothing worse.
Result<void> measure_greedy(LazyState& state);

// Returns the search and its options as words. After a finished search with the same words nothing is
// left to measure (LatencySource::searched_before).
std::string search_words(const LazyState& state);

// Accepts all stages that the source knows without measuring, and learns from them. Returns the number of known stages.
Result<std::int64_t> accept_known(LazyState& state);

}  // namespace iosx
