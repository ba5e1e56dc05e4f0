#include "core/search/improve.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/search/ask_source.h"

namespace iosx {
namespace {

constexpr double kRounding = 1e-9;  // sums of the same latencies in another order

bool same_stage(Stage a, Stage b) {
  const auto first_unit = [](const Group& group) { return group.steps.front().units.front(); };
  std::ranges::sort(a.groups, {}, first_unit);
  std::ranges::sort(b.groups, {}, first_unit);
  return a == b;
}

bool has_all(const Schedule& schedule, std::span<const Stage> pinned) {
  return std::ranges::all_of(pinned, [&](const Stage& stage) {
    return std::ranges::any_of(schedule.stages, [&](const Stage& other) { return same_stage(stage, other); });
  });
}

// The start takes the place of what was found.
void take_start(const Graph& graph, const Schedule& start, std::span<const Latency> latencies,
                const InterStageOverhead& overhead, SearchResult& result) {
  result.schedule = start;
  for (PartSummary& part : result.parts) part.cost = Millis(0);
  result.stage_sum = Millis(0);
  std::optional<StageWidth> before;
  for (std::size_t i = 0; i < latencies.size(); ++i) {
    const StageWidth own = width_of(start.stages[i]);
    const Millis cost = overhead.before(before, own) + latencies[i].value;
    before = own;
    result.parts[graph.unit(start.stages[i].units().back()).part.index()].cost += cost;
    result.stage_sum += cost;
  }
}

}  // namespace

SearchOptions improving(SearchOptions options, const Schedule& start, std::span<const std::size_t> pinned) {
  options.pinned_stages.clear();
  options.candidate_stages.clear();
  for (std::size_t i = 0; i < start.stages.size(); ++i) {
    const bool pins = std::ranges::find(pinned, i) != pinned.end();
    (pins ? options.pinned_stages : options.candidate_stages).push_back(start.stages[i]);
  }
  return options;
}

Result<Improvement> improve(const Graph& prepared, const Schedule& start, LatencySource& latencies,
                            const SearchOptions& options, const JobContext& job, const SearchWatch& watch) {
  auto found = search(prepared, latencies, options, job, watch);
  if (!found) return tl::unexpected(std::move(found.error()));
  Improvement improvement{.found = std::move(*found), .start = Millis(0), .better = true};
  SearchResult& result = improvement.found;
  result.schedule.name = start.name;
  // Asked for last, so that what was measured with care is what is compared.
  const Care care = latencies.estimates_quickly() && !job.stopped() ? Care::kRefined : Care::kQuickEstimate;
  IOS_TRY(const auto answers, ask_source(latencies, care, start.stages, 0, 0, JobContext{job.stop, {}}));
  const InterStageOverhead overhead = latencies.overhead();
  const bool known = answers.size() == start.stages.size();
  if (known) {
    improvement.start = overhead.sum(start);
    for (const Latency& answer : answers) improvement.start += answer.value;
  }
  const bool cheaper = result.stage_sum < improvement.start * (1 - kRounding);
  improvement.better = known && cheaper && has_all(result.schedule, options.pinned_stages);
  result.warm_start = WarmStart{.name = start.name, .cost = improvement.start, .better = improvement.better};
  if (!improvement.better) take_start(prepared, start, answers, overhead, result);
  return improvement;
}

}  // namespace iosx
