#include "core/analysis/compare/beaten.h"

#include <cmath>

namespace iosx {
namespace {

constexpr double kRounding = 1e-9;  // sums of the same latencies in another order

}  // namespace

const ScheduleResult* best_search(const Comparison& comparison) {
  const ScheduleResult* best = nullptr;
  for (const ScheduleResult& result : comparison.results) {
    if (!result.search || row_of(result.schedule_kind).given()) continue;
    if (best == nullptr || result.stage_sum <= best->stage_sum) best = &result;
  }
  return best;
}

Millis spread_of(std::span<const Latency> stages) {
  double variance = 0;
  for (const Latency& stage : stages) variance += stage.spread.count() * stage.spread.count();
  return Millis(std::sqrt(variance));
}

bool beats(Millis sum, Millis spread, const ScheduleResult& search) {
  return sum + spread < search.stage_sum * (1 - kRounding);
}

}  // namespace iosx
