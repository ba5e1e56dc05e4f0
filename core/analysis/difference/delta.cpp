#include "core/analysis/difference/delta.h"

#include <algorithm>
#include <cmath>

namespace iosx {
namespace {

constexpr Millis kNothing{1e-6};            // what sums of exact latencies are off by
constexpr std::int64_t kFewestSamples = 6;  // of a spread that says anything

}  // namespace

Verdict Delta::verdict() const {
  if (Millis(std::abs(value.count())) <= kNothing) return Verdict::kSame;
  if (!noise) return Verdict::kUnknown;
  if (Millis(std::abs(value.count())) <= *noise) return Verdict::kSame;
  return value < Millis{0} ? Verdict::kFaster : Verdict::kSlower;
}

void DeltaSum::add(const Latency& latency, int times) {
  sum_ += latency.value * static_cast<double>(times);
  if (is_modelled(latency.origin) && latency.spread <= Millis{0}) return;
  times_[{latency.value, latency.spread, latency.samples, latency.origin}] += times;
}

Delta DeltaSum::delta() const {
  Delta delta{.value = sum_};
  double variance = 0;
  for (const auto& [measurement, times] : times_) {
    if (times == 0) continue;
    if (measurement.samples < kFewestSamples) {
      delta.noise.reset();
      return delta;
    }
    const Latency latency{.value = measurement.value, .spread = measurement.spread, .samples = measurement.samples};
    const double error = error_of_median(latency).count() * times;
    variance += error * error;
  }
  delta.noise = Millis(std::sqrt(variance));
  return delta;
}

WholeDifference whole_difference(const Subject& a, const Subject& b, Per per) {
  const ScheduleResult& one = a.schedule();
  const ScheduleResult& other = b.schedule();
  const Latency of_a = told(a, one.latency, per);
  const Latency of_b = told(b, other.latency, per);
  WholeDifference whole{.a = of_a.value, .b = of_b.value, .delta = {}, .speedup = {}};
  whole.delta.value = whole.b - whole.a;
  if (!a.ran() && !b.ran() && a.has_stages() && b.has_stages()) {
    DeltaSum sum;
    for (const Latency& latency : one.stage_latencies) sum.add(told(a, latency, per), -1);
    for (const Latency& latency : other.stage_latencies) sum.add(told(b, latency, per));
    whole.delta.noise = sum.delta().noise;
    const double ratio = whole.a / whole.b;
    whole.speedup = {ratio, 0, std::numeric_limits<double>::infinity()};
    if (whole.delta.noise) {
      const Millis noise = *whole.delta.noise;
      whole.speedup = {ratio, whole.a / (whole.b + noise), whole.a / std::max(whole.b - noise, whole.b * 1e-3)};
    }
    return whole;
  }
  // Rounds of one comparison are of one batch: their ratios are the same for a sample.
  const bool together = a.comparison == b.comparison;
  const std::span<const Millis> none;
  whole.speedup = speedup(of_a, together ? one.rounds : none, of_b, together ? other.rounds : none);
  if (!whole.speedup.known()) {
    whole.delta.noise.reset();
  } else if (whole.speedup.low < whole.speedup.high) {
    // The interval of a ratio is not symmetric: its half that lies towards "no difference" is what counts.
    whole.delta.noise = whole.b < whole.a ? whole.a / std::max(whole.speedup.low, 1e-3) - whole.b
                                          : whole.b - whole.a / whole.speedup.high;
  }
  return whole;
}

}  // namespace iosx
