#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/experiment/lab.h"

namespace iosx {
namespace {

Trial trial_of(const Pruning& pruning, const SearchResult& search, const ScheduleResult& run) {
  std::int64_t transitions = 0;
  for (const PartSummary& part : search.parts) transitions += part.transitions;
  return {.levels = {fmt::format("{}", pruning.r), fmt::format("{}", pruning.s)},
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
  std::vector<Pruning> prunings;
  for (const std::size_t s : options.s) {
    for (const std::size_t r : options.r) prunings.push_back({.r = r, .s = s});
  }
  std::vector<FoundSchedule> found;
  for (const Pruning& pruning : prunings) {
    SearchOptions search = options.search;
    search.pruning = pruning;
    const std::string name =
        fmt::format("r = {}, s = {} ({} of {})", pruning.r, pruning.s, found.size() + 1, prunings.size());
    auto one = lab.find({device, options.batch, name}, search);
    if (!one) return tl::unexpected(std::move(one.error()));
    if (!*one) break;
    found.push_back(std::move(**one));
  }
  if (found.empty()) return {};
  if (std::ranges::any_of(found, [](const FoundSchedule& one) { return one.search.lazy.has_value(); })) {
    result.notices.emplace_back(
        "These searches were lazy and needed few stages whatever r and s allow; an exhaustive one asks for all");
  }
  const auto together = lab.compare({device, options.batch, "side by side"}, found);
  if (!together) return tl::unexpected(together.error());
  const std::span<const ScheduleResult> runs(together->results.data(), found.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    result.trials.push_back(trial_of(prunings[i], found[i].search, runs[i]));
    result.trials.back().best = none_faster(runs[i], fastest_of(runs));
  }
  return {};
}

}  // namespace iosx
