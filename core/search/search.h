#pragma once

#include <cstdint>
#include <string>
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
  std::int64_t stages = 0;  // distinct stages
  Millis cost{0};
};

struct SearchResult {
  Schedule schedule;
  Millis stage_sum{0};
  bool complete = true;  // false: stopped; parts that were not solved run sequentially in `schedule`
  std::vector<PartSummary> parts;
  Seconds elapsed{0};
  std::int64_t stage_measurements = 0;  // that this search caused
};

// Enumerate, measure, solve, part by part of graph.parts(), each of which must have at most kMaxPartUnits units.
Result<SearchResult> search(const Graph& graph, LatencySource& latencies, const SearchOptions& options,
                            const JobContext& job);

std::string_view schedule_name(StrategySet strategies);  // "ios-both", "ios-parallel", "ios-merge"

}  // namespace iosx
