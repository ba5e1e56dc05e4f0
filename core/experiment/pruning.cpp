#include <fmt/format.h>

#include <utility>

#include "core/experiment/lab.h"

namespace iosx {
namespace {

struct Point {
  Pruning pruning;
  FoundSchedule found;
};

// What the search under one pruning took; its latency is `run`'s.
Trial trial_of(const Point& point, const ScheduleResult& run) {
  const SearchResult& search = *point.found.result.search;
  std::int64_t transitions = 0;
  for (const PartSummary& part : search.parts) transitions += part.transitions;
  return {.levels = {fmt::format("{}", point.pruning.r), fmt::format("{}", point.pruning.s)},
          .values = {run.latency.value.count(), run.latency.spread.count(), search.elapsed.count(),
                     static_cast<double>(search.tally.needed), static_cast<double>(search.tally.measured),
                     static_cast<double>(transitions)},
          .origin = run.latency.origin};
}

}  // namespace

Result<void> try_pruning(Lab& lab) {
  const ExperimentOptions& options = lab.options();
  ExperimentResult& result = lab.result();
  result.factors = {{"r", "r", true}, {"s", "s", true}};
  result.measures = {latency_measure(),
                     spread_measure(),
                     {"search_seconds", "search", "s", 3},
                     {"stages_needed", "stages needed", "", 0},
                     {"stages_measured", "of them measured", "", 0, true},
                     {"transitions", "transitions", "", 0}};
  const ExperimentDevice& device = lab.devices().front();
  const std::size_t count = options.r.size() * options.s.size();
  std::vector<Point> points;
  for (const std::size_t s : options.s) {
    for (const std::size_t r : options.r) {
      SearchOptions search = options.search;
      search.pruning = {.r = r, .s = s};
      const std::string name = fmt::format("r = {}, s = {} ({} of {})", r, s, points.size() + 1, count);
      auto found = lab.find({device, options.batch, name}, search);
      if (!found) return tl::unexpected(std::move(found.error()));
      if (*found) points.push_back({search.pruning, {name, std::move(**found)}});
    }
  }
  for (const Point& point : points) result.trials.push_back(trial_of(point, point.found.result));
  if (lab.job().stopped()) {
    lab.cut_short();
    return {};
  }

  std::vector<FoundSchedule> schedules;
  for (const Point& point : points) schedules.push_back(point.found);
  const auto together = lab.compare({device, options.batch, "side by side"}, schedules);
  if (!together) return tl::unexpected(together.error());
  const std::vector<ScheduleResult>& runs = together->results;
  std::size_t best = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (runs[i].latency.value < runs[best].latency.value) best = i;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    result.trials[i] = trial_of(points[i], runs[i]);
    result.trials[i].best = none_faster(runs[i], runs[best]);
  }
  return {};
}

}  // namespace iosx
