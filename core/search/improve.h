#pragma once

#include <cstddef>
#include <span>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/cost/latency_source.h"
#include "core/model/schedule/schedule.h"
#include "core/search/options.h"
#include "core/search/search.h"

// Searches that start from an existing schedule, such as one made by hand. limits.h says why a search would not make
// one of its stages.
namespace iosx {

struct Improvement {
  SearchResult found;  // costs at most as much as the start; the start itself where nothing is better
  Millis start{0};     // the start's cost: stages and the overhead between them
  bool better = false;
};

// Returns options for improve() and the prepare() before it: the start's stages with these numbers (from 0) are
// pinned, the others are candidates in addition to the search's own stages.
SearchOptions improving(SearchOptions options, const Schedule& start, std::span<const std::size_t> pinned);

// Returns the best schedule that contains the pinned stages. `prepared` comes from prepare() with the same options,
// which come from improving(); the start is legal for the graph. After an early stop the result is the start. Errors:
// as search().
Result<Improvement> improve(const Graph& prepared, const Schedule& start, LatencySource& latencies,
                            const SearchOptions& options, const JobContext& job, const SearchWatch& watch = {});

}  // namespace iosx
