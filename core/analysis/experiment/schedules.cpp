#include <fmt/format.h>

#include <utility>

#include "core/analysis/experiment/lab.h"
#include "core/model/trace/trace.h"

namespace iosx {

Result<void> try_schedules(Lab& lab) {
  IOS_TRY(auto comparison, lab.compare({lab.devices().front(), lab.options().batch, {}}, made_schedule_kinds()));
  ExperimentResult& result = lab.result();
  result.factors = {{"schedule", said("schedule")}};
  result.measures = {latency_measure(),
                     spread_measure(),
                     {"speedup", said("speed-up"), "", 2},
                     {"speedup_low", said("95 % from"), "", 2, true},
                     {"speedup_high", said("to"), "", 2, true},
                     {"stages", said("stages"), "", 0},
                     {"search_seconds", said("search"), "s", 3}};
  const ScheduleResult& fastest = comparison.results[comparison.best()];
  for (const ScheduleResult& one : comparison.results) {
    if (!one.asked) continue;
    if (one.search) lab.note_budget(*one.search, one.title());
    const Speedup gain = comparison.speedup(one);
    const auto bound = [&](double value) { return gain.known() ? std::optional(value) : std::nullopt; };
    result.trials.push_back(
        {.levels = {one.title()},
         .values = {one.latency.value.count(), one.latency.spread.count(), gain.value, bound(gain.low),
                    bound(gain.high),
                    one.lanes ? std::nullopt : std::optional(static_cast<double>(one.schedule.stages.size())),
                    one.search ? seconds_of(*one.search) : std::nullopt},
         .origin = one.latency.origin,
         .schedule_kind = one.schedule_kind,
         .best = none_faster(one, fastest),
         .within_noise = one.schedule_kind != ScheduleKind::kSequential && gain.within_noise()});
  }
  result.comparison = std::make_shared<const Comparison>(std::move(comparison));
  return {};
}

Result<void> try_throughput(Lab& lab) {
  ExperimentResult& result = lab.result();
  result.factors = {{"batch", said("batch"), true}, {"schedule", said("schedule")}};
  result.measures = {{"samples_per_second", said("throughput"), "samples/s", 1}, latency_measure(), spread_measure()};
  const std::vector<std::int64_t>& batches = lab.options().batches;
  std::size_t done = 0;
  for (const std::int64_t batch : batches) {
    if (lab.job().stopped()) {
      lab.cut_short();
      return {};
    }
    const std::string name = fmt::format("batch {} ({} of {})", batch, ++done, batches.size());
    IOS_TRY(const auto comparison,
            lab.compare({lab.devices().front(), batch, name},
                        {ScheduleKind::kSequential, ScheduleKind::kGreedy, ScheduleKind::kIosBoth}));
    const ScheduleResult& fastest = comparison.results[comparison.best()];
    for (const ScheduleResult& one : comparison.results) {
      const Millis latency = one.latency.value;
      if (one.search) lab.note_budget(*one.search, fmt::format("batch {}, {}", batch, one.title()));
      result.trials.push_back({.levels = {fmt::format("{}", batch), one.title()},
                               .values = {static_cast<double>(batch) / Seconds(latency).count(), latency.count(),
                                          one.latency.spread.count()},
                               .origin = one.latency.origin,
                               .schedule_kind = one.schedule_kind,
                               .best = none_faster(one, fastest)});
    }
  }
  return {};
}

Result<void> try_utilization(Lab& lab) {
  IOS_TRY(auto comparison, lab.compare({lab.devices().front(), lab.options().batch, {}},
                                       {ScheduleKind::kSequential, ScheduleKind::kIosBoth}));
  const ScheduleResult* const base = comparison.find(ScheduleKind::kSequential);
  if (base == nullptr) return fail(message("stopped before anything was finished"));
  const Trace& sequential = base->trace;
  const Counter* const counter = main_counter(sequential);
  if (counter == nullptr) {
    return fail(message("does not report its utilization"), comparison.device.id, message("choose another device"));
  }
  const double baseline = counter->mean(Micros(0), sequential.duration);
  ExperimentResult& result = lab.result();
  result.factors = {{"schedule", said("schedule")}};
  result.measures = {latency_measure(),
                     spread_measure(),
                     {"mean_utilization", "mean of " + counter->name, counter->unit, counter->peak < 1000 ? 2 : 0},
                     {"share_percent", "of what the device holds", "%", 1},
                     {"ratio", said("against sequential"), "", 2}};
  for (const ScheduleResult& one : comparison.results) {
    if (one.search) lab.note_budget(*one.search, one.title());
    const Counter* const own = main_counter(one.trace);
    if (!one.asked || own == nullptr) continue;
    const double mean = own->mean(Micros(0), one.trace.duration);
    result.trials.push_back({.levels = {one.title()},
                             .values = {one.latency.value.count(), one.latency.spread.count(), mean,
                                        own->peak > 0 ? std::optional(100 * mean / own->peak) : std::nullopt,
                                        baseline > 0 ? std::optional(mean / baseline) : std::nullopt},
                             .origin = one.latency.origin,
                             .schedule_kind = one.schedule_kind});
  }
  result.comparison = std::make_shared<const Comparison>(std::move(comparison));
  return {};
}

}  // namespace iosx
