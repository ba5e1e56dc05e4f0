#pragma once

#include <cstdint>
#include <string>

#include "core/search/lazy/lazy_progress.h"
#include "core/search/lazy/lazy_state.h"

// What a lazy search knows before its first plan, besides units by themselves.
namespace iosx {

// Measures the stages that the search was given, so that however short its time it finds nothing worse than a schedule
// of these. The error is the source's, here as below.
Result<void> measure_given(LazyState& state, const LazyProgress& progress);

// Measures the greedy schedule, as far as parts and s allow its stages, so that however short the time nothing worse
// than running all that is ready is found.
Result<void> measure_greedy(LazyState& state);

// Says what is searched and how. A search of the same words that came to its end left nothing to ask for
// (LatencySource::searched_before).
std::string search_words(const LazyState& state);

// Accepts all stages that the source knows without measuring, and learns from them. How many stages are known then.
Result<std::int64_t> accept_known(LazyState& state);

}  // namespace iosx
