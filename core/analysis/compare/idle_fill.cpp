#include "core/analysis/compare/idle_fill.h"

#include <algorithm>

namespace iosx {
namespace {

// The name in simulated devices and the GPU profiler. On a GPU other counters may come first.
constexpr const char* kWarps = "active warps";

double mean_share(const Counter& counter, Micros duration) {
  return std::clamp(counter.mean(Micros(0), duration) / counter.peak, 0.0, 1.0);
}

}  // namespace

const Counter* occupancy(const Trace& trace) {
  const auto warps = std::ranges::find_if(
      trace.counters, [](const Counter& counter) { return counter.name == kWarps && !counter.times.empty(); });
  const Counter* counter = warps != trace.counters.end() ? &*warps : main_counter(trace);
  return counter != nullptr && counter->peak > 0 ? counter : nullptr;
}

double IdleFill::filled() const { return baseline < 1 ? (schedule - baseline) / (1 - baseline) : 0; }

std::optional<IdleFill> idle_fill(const Trace& baseline, const Trace& schedule) {
  const Counter* first = occupancy(baseline);
  const Counter* second = occupancy(schedule);
  if (first == nullptr || second == nullptr || first->name != second->name) return std::nullopt;
  if (baseline.duration <= Micros(0) || schedule.duration <= Micros(0)) return std::nullopt;
  return IdleFill{mean_share(*first, baseline.duration), mean_share(*second, schedule.duration)};
}

}  // namespace iosx
