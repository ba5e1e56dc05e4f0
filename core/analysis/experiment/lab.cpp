#include "core/analysis/experiment/lab.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/make_schedules.h"
#include "core/base/progress.h"
#include "core/devices/measure/latency_sources.h"
#include "core/search/prepare.h"

namespace iosx {

CompareOptions Lab::compare_options(const Setting& setting) const {
  const CompareOptions& asked = options_.compare;
  return {.batch = setting.batch, .search = asked.search, .max_part_size = asked.max_part_size, .timing = asked.timing};
}

JobContext Lab::job_of(const Setting& setting) const { return setting.name.empty() ? job_ : named(job_, setting.name); }

void Lab::tell(const Setting& setting, const std::vector<Message>& notices) {
  for (const Message& notice : notices) {
    const Message text = setting.name.empty() ? notice : message("{}: {}", setting.name, notice);
    if (std::ranges::count(result_.notices, text) == 0) result_.notices.push_back(text);
  }
}

Result<Comparison> Lab::compare(const Setting& setting, const CompareOptions& options) {
  auto comparison = iosx::compare(graph_, *setting.device.device, options, job_of(setting),
                                  {.keeping = setting.device.keeping, .abandon = abandon_});
  if (!comparison) return comparison;
  if (!comparison->complete) cut_short();
  tell(setting, comparison->notices);
  return comparison;
}

Result<Comparison> Lab::compare(const Setting& setting, std::vector<ScheduleKind> schedule_kinds) {
  CompareOptions options = compare_options(setting);
  options.schedule_kinds = std::move(schedule_kinds);
  return compare(setting, options);
}

Result<Comparison> Lab::compare(const Setting& setting, std::span<const FoundSchedule> schedules) {
  std::vector<GivenSchedule> given;
  for (const FoundSchedule& found : schedules) given.emplace_back(found.schedule, ScheduleKind::kIosBoth);
  return compare(setting, std::move(given));
}

Result<Comparison> Lab::compare(const Setting& setting, std::vector<GivenSchedule> schedules) {
  CompareOptions options = compare_options(setting);
  options.schedule_kinds.clear();
  options.given = std::move(schedules);
  return compare(setting, options);
}

Result<std::optional<FoundSchedule>> Lab::find(const Setting& setting, const SearchOptions& search) {
  if (ended()) return std::nullopt;
  CompareOptions options = compare_options(setting);
  options.search = search;
  options.schedule_kinds = {ScheduleKind::kIosBoth};
  IOS_TRY(check_options(graph_, options));
  const JobContext job = job_of(setting);
  IOS_TRY(auto prepared, prepare(graph_, search, options.max_part_size, kPartBudget, job));
  Comparison found;
  found.graph = std::make_shared<const Graph>(std::move(prepared));
  found.device = setting.device.device->info();
  found.batch = setting.batch;
  DeviceLatencySource source(*found.graph, *setting.device.device, setting.batch, options.timing,
                             setting.device.keeping);
  auto made = make_schedules(found, graph_, options, source, job);
  tell(setting, source.take_notices());
  // A stopped search says nothing about its setting.
  if (!found.complete || (!made && job_.stopped())) {
    cut_short();
    return std::nullopt;
  }
  if (!made) return tl::unexpected(std::move(made.error()));
  ScheduleResult& result = found.results.front();
  return FoundSchedule{std::move(result.schedule), std::move(*result.search)};
}

void Lab::note_budget(const SearchResult& search, std::string trials) {
  if (search.lazy && search.lazy->out_of_budget) out_of_budget_.push_back(std::move(trials));
}

void Lab::tell_out_of_budget() {
  if (out_of_budget_.empty()) return;
  result_.notices.push_back(message("The budget ended these searches; more time may find better schedules: {}",
                                    fmt::join(out_of_budget_, "; ")));
}

const ScheduleResult& fastest_of(std::span<const ScheduleResult> runs) {
  return *std::ranges::min_element(runs, {}, [](const ScheduleResult& run) { return run.latency.value; });
}

bool none_faster(const ScheduleResult& run, const ScheduleResult& fastest) {
  return speedup(fastest.latency, fastest.rounds, run.latency, run.rounds).high >= 1;
}

Measure latency_measure() { return {"latency_ms", said("latency"), "ms", 3}; }
Measure spread_measure() { return {"spread_ms", "+-", "ms", 3, true}; }

std::optional<double> seconds_of(const SearchResult& search) {
  return search.tally.measured == search.tally.needed ? std::optional(search.elapsed.count()) : std::nullopt;
}

}  // namespace iosx
