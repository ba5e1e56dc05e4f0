#include "core/analysis/experiment/search_trial.h"

#include <utility>

namespace iosx {

Result<SearchTrial> try_search(const Graph& graph, LatencySource& asked, LatencySource& judge,
                               const SearchOptions& options, const JobContext& job) {
  IOS_TRY(auto found, search(graph, asked, options, job));
  SearchTrial trial{.found = std::move(found)};
  const Schedule& schedule = trial.found.schedule;
  IOS_TRY(const auto latencies, judge.refined_latencies(schedule.stages, job));
  if (latencies.size() < schedule.stages.size()) {
    trial.found.complete = false;
    return trial;
  }
  trial.cost = judge.overhead().sum(schedule);
  for (const Latency& latency : latencies) trial.cost += latency.value;
  return trial;
}

}  // namespace iosx
