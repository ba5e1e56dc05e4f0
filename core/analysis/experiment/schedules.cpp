#include <utility>

#include "core/analysis/experiment/lab.h"

namespace iosx {

Result<void> try_schedules(Lab& lab) {
  IOS_TRY(auto comparison, lab.compare({lab.devices().front(), lab.options().batch, {}}, made_schedule_kinds()));
  ExperimentResult& result = lab.result();
  result.factors = {{"schedule", "schedule"}};
  result.measures = {latency_measure(),
                     spread_measure(),
                     {"speedup", "speed-up", "", 2},
                     {"speedup_low", "95 % from", "", 2, true},
                     {"speedup_high", "to", "", 2, true},
                     {"stages", "stages", "", 0},
                     {"search_seconds", "search", "s", 3}};
  const ScheduleResult& fastest = comparison.results[comparison.best()];
  for (const ScheduleResult& one : comparison.results) {
    if (!one.asked) continue;
    if (one.search) lab.note_budget(*one.search, one.title());
    const Speedup gain = comparison.speedup(one);
    const auto bound = [&](double value) { return gain.known() ? std::optional(value) : std::nullopt; };
    result.trials.push_back(
        {.levels = {one.title()},
         .values = {one.latency.value.count(), one.latency.spread.count(), gain.value, bound(gain.low),
                    bound(gain.high), static_cast<double>(one.schedule.stages.size()),
                    one.search ? seconds_of(*one.search) : std::nullopt},
         .origin = one.latency.origin,
         .schedule_kind = one.schedule_kind,
         .best = none_faster(one, fastest),
         .within_noise = one.schedule_kind != ScheduleKind::kSequential && gain.within_noise()});
  }
  result.comparison = std::make_shared<const Comparison>(std::move(comparison));
  return {};
}

}  // namespace iosx
