#pragma once

#include "core/search/search.h"

namespace iosx {

struct SearchTrial {
  SearchResult found;
  Millis cost{0};  // of the schedule, by the judge; 0 where a stop came before
};

// Searches with one source's latencies and asks another one, the judge, what the schedule costs: its stages, measured
// with care, and what a run adds between them. Errors: search()'s and the judge's.
Result<SearchTrial> try_search(const Graph& graph, LatencySource& asked, LatencySource& judge,
                               const SearchOptions& options, const JobContext& job);

}  // namespace iosx
