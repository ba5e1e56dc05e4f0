#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/duration.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/cost/latency_source.h"
#include "core/schedule/schedule.h"
#include "core/search/options.h"

namespace iosx {

struct PartSummary {
  PartId part;
  std::int64_t states = 0;
  std::int64_t transitions = 0;
  std::int64_t stages = 0;  // distinct stages; states, transitions and stages are 0 where a stop came before
  Millis cost{0};           // of the stages found and the gaps before them; 0 if the part was left sequential
  bool complete = true;     // false: stopped before all its stages had a latency, or before it was reached
  friend bool operator==(const PartSummary&, const PartSummary&) = default;
};

struct SearchResult {
  Schedule schedule;
  Millis stage_sum{0};  // of the solved parts' costs: their stages and what a run adds between them (StageGaps)
  // Parts whose stages the search chose, if only from those measured before a stop. The others run sequentially.
  std::size_t solved_parts = 0;
  // False: stopped. A part that was being measured then has the best schedule of the stages measured so far; parts
  // after it run sequentially.
  bool complete = true;
  std::vector<PartSummary> parts;
  Seconds elapsed{0};
  StageTally tally;  // of the stages that it asked for
  friend bool operator==(const SearchResult&, const SearchResult&) = default;
};

// Enumerate, measure, solve, part by part of graph.parts(), which should come from prepare(). Progress counts units. A
// part with more than kMaxPartUnits units or a search space that would not fit into memory is an error; so is the
// latency source's.
Result<SearchResult> search(const Graph& graph, LatencySource& latencies, const SearchOptions& options,
                            const JobContext& job);

}  // namespace iosx
