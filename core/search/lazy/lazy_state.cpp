#include "core/search/lazy/lazy_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

namespace iosx {

LazyState::LazyState(const Graph& graph, LatencySource& latencies, const SearchOptions& options, const JobContext& job,
                     const SpaceBudget& budget)
    : graph(graph),
      latencies(latencies),
      job(job),
      budget(budget),
      options(options),
      knowledge(graph, latencies, options.effort, job),
      last_width(graph.parts().size(), StageWidth::kOneLane) {}

bool LazyState::is_cut() const {
  return std::ranges::any_of(graph.parts(), [](const Part& part) { return part.continued; });
}

std::size_t LazyState::candidates() const {
  std::size_t count = 0;
  for (const LazyPart& part : parts) count += part.problem().candidates.size() * part.parts().size();
  return count;
}

std::int64_t LazyState::known_stages() const {
  std::int64_t count = 0;
  for (const LazyPart& part : parts) count += static_cast<std::int64_t>(part.answered().size());
  return count;
}

const InterStageOverhead::ByWidth& LazyState::first_overhead(const LazyPart& part) const {
  const PartId first = part.parts().front();
  if (first.index() == 0) return knowledge.overhead().first;
  return knowledge.overhead().between[static_cast<std::size_t>(last_width[first.index() - 1])];
}

std::vector<std::size_t> LazyState::all_parts() const {
  std::vector<std::size_t> all(parts.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

LazyState::Paths LazyState::known_paths() {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  return paths_of(all_parts(),
                  [](const LazyPart& part, Candidate c) { return part.known(c) ? part.answer(c) : kNever; });
}

void LazyState::report_progress() const {
  const std::int64_t needed = latencies.tally().needed;
  job.report(best > Millis(0) ? message("planning: {} stages requested, best {:.3f} ms", needed, best.count())
                              : message("planning: {} stages requested", needed),
             0, 0);
}

}  // namespace iosx
