#pragma once

#include "core/search/search.h"

namespace iosx {

// Returns whether a search with these options may take the stage from another schedule: it has at most s groups
// (Pruning), so one on one stream always may be taken.
bool may_cross(const Stage& stage, const SearchOptions& options);

// Takes stages of other schedules of the graph, such as the baselines, where they make the found schedule faster: where
// two schedules have run the same units, either may go on, with stages that may_cross(). So a found schedule is as fast
// as each of these schedules, as far as the latency source knows their stages. Returns the names of those that would be
// faster but have stages with too many groups.
Result<std::vector<std::string>> cross(const Graph& graph, std::span<const Schedule> others, LatencySource& latencies,
                                       const SearchOptions& options, SearchResult& found, const JobContext& job);

// Makes the schedule the result, with its sum, that of each part and, of a lazy search, the gaps.
void take_schedule(const Graph& graph, const Schedule& schedule, std::span<const Latency> latencies,
                   const InterStageOverhead& overhead, SearchResult& result);

}  // namespace iosx
