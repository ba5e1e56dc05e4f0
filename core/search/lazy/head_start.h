#pragma once

#include "core/search/lazy/lazy_state.h"

// Chooses the parts of a lazy search: isomorphic parts of the graph are one while their stages take the same time.
namespace iosx {

// Lists the parts and their stages, unless that is done. A part with given stages (SearchOptions) is isomorphic to no
// other. Returns false if stopped, without parts. Errors: a part that is too large.
Result<bool> list_parts(LazyState& state);

// Splits off parts whose units take another time than those of the part that they are isomorphic to.
void split_by_units(LazyState& state);

// Measures the result of the first of several isomorphic parts for each of the others, and splits off those with
// another time. Returns whether it split any; a stop ends it early. Errors are the source's.
Result<bool> split_by_answers(LazyState& state);

// Lists stages with one more unit per group and two more groups, in parts where they stay few enough; measurements
// stay known. Returns false where there is no such part and nothing changed.
bool widen(LazyState& state);

// What a lazy search measures or learns before its first plan, in addition to single units.

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
