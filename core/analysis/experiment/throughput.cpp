#include <fmt/format.h>

#include <utility>

#include "core/analysis/experiment/lab.h"

namespace iosx {

Result<void> try_throughput(Lab& lab) {
  ExperimentResult& result = lab.result();
  result.factors = {{"batch", "batch", true}, {"schedule", "schedule"}};
  result.measures = {{"samples_per_second", "throughput", "samples/s", 1}, latency_measure(), spread_measure()};
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

}  // namespace iosx
