#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "core/analysis/experiment/lab.h"

namespace iosx {
namespace {

struct PruningRow {
  Pruning pruning;
  FoundSchedule found;
};

bool was_lazy(const PruningRow& row) { return row.found.search.lazy.has_value(); }

// Runs all searches by one method, because otherwise their costs do not compare: the requested one; automatic is lazy
// where the device measures, and where one of them cannot be exhaustive. After a stop it returns the finished ones.
Result<std::vector<PruningRow>> find_all(Lab& lab) {
  const ExperimentOptions& options = lab.options();
  const ExperimentDevice& device = lab.devices().front();
  std::vector<Pruning> prunings;
  for (const std::size_t s : options.s) {
    for (const std::size_t r : options.r) prunings.push_back({.r = r, .s = s});
  }
  SearchOptions search = options.search;
  const bool measures = !is_modelled(device.device->info().origin);
  if (search.method == SearchMethod::kAutomatic && measures) search.method = SearchMethod::kLazy;
  const auto find = [&](std::size_t number) {
    search.pruning = prunings[number];
    const std::string name =
        fmt::format("r = {}, s = {} ({} of {})", search.pruning.r, search.pruning.s, number + 1, prunings.size());
    return lab.find({device, options.batch, name}, search);
  };
  std::vector<PruningRow> rows;
  for (std::size_t i = 0; i < prunings.size(); ++i) {
    IOS_TRY(auto found, find(i));
    if (!found) break;
    rows.push_back({prunings[i], std::move(*found)});
    if (was_lazy(rows.back())) search.method = SearchMethod::kLazy;
  }
  if (std::ranges::none_of(rows, was_lazy)) return rows;
  for (std::size_t i = 0; i < rows.size() && !was_lazy(rows[i]); ++i) {  // these came before the first lazy one
    IOS_TRY(auto found, find(i));
    if (!found) break;
    rows[i].found = std::move(*found);
  }
  std::erase_if(rows, std::not_fn(was_lazy));
  return rows;
}

Trial trial_of(const PruningRow& row, const ScheduleResult& run) {
  const SearchResult& search = row.found.search;
  std::int64_t transitions = 0;
  for (const PartSummary& part : search.parts) transitions += part.transitions;
  return {.levels = {fmt::format("{}", row.pruning.r), fmt::format("{}", row.pruning.s)},
          .values = {run.latency.value.count(), run.latency.spread.count(), seconds_of(search),
                     static_cast<double>(search.tally.needed), static_cast<double>(search.tally.measured),
                     static_cast<double>(transitions)},
          .origin = run.latency.origin};
}

}  // namespace

Result<void> try_pruning(Lab& lab) {
  ExperimentResult& result = lab.result();
  result.factors = {{"r", "r", true}, {"s", "s", true}};
  result.measures = {latency_measure(),
                     spread_measure(),
                     {"search_seconds", said("search"), "s", 3},
                     {"stages_needed", said("stages needed"), "", 0},
                     {"stages_measured", said("stages measured"), "", 0, true},
                     {"transitions", said("transitions"), "", 0}};
  IOS_TRY(auto rows, find_all(lab));
  if (rows.empty()) return {};
  result.method = was_lazy(rows.front()) ? SearchMethod::kLazy : SearchMethod::kExhaustive;
  if (result.method == SearchMethod::kLazy) {
    result.notices.push_back(
        message("All these searches were lazy and needed few stages, however many r and s allow; an exhaustive search "
                "needs all of them"));
  }
  std::vector<FoundSchedule> found;
  for (const PruningRow& row : rows) {
    found.push_back(row.found);
    lab.note_budget(row.found.search, fmt::format("r = {}, s = {}", row.pruning.r, row.pruning.s));
  }
  IOS_TRY(const auto together, lab.compare({lab.devices().front(), lab.options().batch, "side by side"}, found));
  // A stop leaves some out.
  const std::span<const ScheduleResult> runs(together.results.data(), std::min(found.size(), together.results.size()));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    result.trials.push_back(trial_of(rows[i], runs[i]));
    result.trials.back().best = none_faster(runs[i], fastest_of(runs));
  }
  return {};
}

}  // namespace iosx
