#pragma once

#include <cstddef>
#include <span>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/cost/latency_source.h"
#include "core/model/schedule/schedule.h"
#include "core/search/options.h"
#include "core/search/search.h"

// Searching from a schedule that is there already, made by hand for example. Why a search would not have made one of
// its stages is limits.h.
namespace iosx {

struct Improvement {
  SearchResult found;  // costs no more than the start, pinned stages included; the start itself where nothing is better
  Millis start{0};     // what the start costs: stages and the overhead between them
  bool better = false;
};

// Options for improve() and for prepare() before it: the stages of the start with these numbers (from 0) are pinned,
// the others candidates, so that the search chooses among its own stages and those that somebody thought of.
SearchOptions improving(SearchOptions options, const Schedule& start, std::span<const std::size_t> pinned);

// The best schedule that has the pinned stages as they are. `prepared` comes from prepare() with the same options,
// which come from improving(); the start is legal for the graph. Where a stop comes early the start is what was found.
// Errors: as search().
Result<Improvement> improve(const Graph& prepared, const Schedule& start, LatencySource& latencies,
                            const SearchOptions& options, const JobContext& job, const SearchWatch& watch = {});

}  // namespace iosx
