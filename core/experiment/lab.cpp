#include "core/experiment/lab.h"

#include <algorithm>
#include <utility>

#include "core/base/named_job.h"

namespace iosx {

CompareOptions Lab::compare_options(const Setting& setting) const {
  CompareOptions options;
  options.batch = setting.batch;
  options.search = options_.search;
  options.max_part_size = options_.max_part_size;
  options.timing = options_.timing;
  options.keeping = setting.device.keeping;
  options.abandon = options_.abandon;
  return options;
}

Result<Comparison> Lab::compare(const Setting& setting, const CompareOptions& options) {
  const JobContext job = setting.name.empty() ? job_ : named(job_, setting.name);
  auto comparison = iosx::compare(graph_, *setting.device.device, options, job);
  if (!comparison) return comparison;
  result_.complete = result_.complete && comparison->complete;
  for (const std::string& notice : comparison->notices) {
    if (std::ranges::count(result_.notices, notice) == 0) result_.notices.push_back(notice);
  }
  return comparison;
}

Result<Comparison> Lab::compare(const Setting& setting, std::vector<Recipe> recipes) {
  CompareOptions options = compare_options(setting);
  options.recipes = std::move(recipes);
  return compare(setting, options);
}

Result<Comparison> Lab::compare(const Setting& setting, std::span<const FoundSchedule> schedules) {
  CompareOptions options = compare_options(setting);
  options.recipes.clear();
  for (const FoundSchedule& found : schedules) options.given.emplace_back(found.result.schedule, Recipe::kIosBoth);
  return compare(setting, options);
}

Result<std::optional<ScheduleResult>> Lab::find(const Setting& setting, const SearchOptions& search) {
  if (job_.stopped()) {
    cut_short();
    return std::nullopt;
  }
  CompareOptions options = compare_options(setting);
  options.search = search;
  options.recipes = {Recipe::kIosBoth};
  auto comparison = compare(setting, options);
  if (!comparison) return tl::unexpected(std::move(comparison.error()));
  // Of a search that was stopped nothing is known of the level that it stands for.
  if (comparison->results.front().recipe != Recipe::kIosBoth || !comparison->results.front().search->complete) {
    return std::nullopt;
  }
  return std::move(comparison->results.front());
}

bool none_faster(const ScheduleResult& run, const ScheduleResult& fastest) {
  return speedup(fastest.latency, fastest.rounds, run.latency, run.rounds).high >= 1;
}

Measure latency_measure() { return {"latency_ms", "latency", "ms", 3}; }
Measure spread_measure() { return {"spread_ms", "+-", "ms", 3, true}; }

}  // namespace iosx
