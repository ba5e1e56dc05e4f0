#include <utility>

#include "core/analysis/experiment/lab.h"
#include "core/model/trace/main_counter.h"

namespace iosx {

Result<void> try_utilization(Lab& lab) {
  IOS_TRY(auto comparison, lab.compare({lab.devices().front(), lab.options().batch, {}},
                                       {ScheduleKind::kSequential, ScheduleKind::kIosBoth}));
  const ScheduleResult* const base = comparison.find(ScheduleKind::kSequential);
  if (base == nullptr) return fail("stopped before anything was finished");
  const Trace& sequential = base->trace;
  const Counter* const counter = main_counter(sequential);
  if (counter == nullptr) {
    return fail("tells nothing of how full it is", comparison.device.id, "choose another device");
  }
  const double baseline = counter->mean(Micros(0), sequential.duration);
  ExperimentResult& result = lab.result();
  result.factors = {{"schedule", "schedule"}};
  result.measures = {latency_measure(),
                     spread_measure(),
                     {"mean_utilization", "mean of " + counter->name, counter->unit, counter->peak < 1000 ? 2 : 0},
                     {"share_percent", "of what the device holds", "%", 1},
                     {"ratio", "against sequential", "", 2}};
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
