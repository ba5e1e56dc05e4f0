#include "core/analysis/compare/work_done.h"

#include <algorithm>
#include <utility>

namespace iosx {
namespace {

std::span<const UnitId> units_of(const ScheduleResult& result, const KernelSpan& span) {
  if (span.kernel.index() >= result.plan.kernels.size()) return {};
  return result.plan.kernel(span.kernel).units;
}

// Returns the kernel time of each unit, in µs, by index.
std::vector<double> times_of_units(const ScheduleResult& result) {
  std::vector<double> times;
  for (const KernelSpan& span : result.trace.kernels) {
    const std::span<const UnitId> units = units_of(result, span);
    for (const UnitId unit : units) {
      if (unit.index() >= times.size()) times.resize(unit.index() + 1, 0);
      times[unit.index()] += (span.end - span.begin).count() / static_cast<double>(units.size());
    }
  }
  return times;
}

}  // namespace

double WorkDone::at(Micros time) const {
  const auto after = std::ranges::upper_bound(points, time, {}, &Point::time);
  if (after == points.begin()) return 0;
  const Point& before = *std::prev(after);
  if (after == points.end() || after->time <= before.time) return before.share;
  return before.share + (after->share - before.share) * ((time - before.time) / (after->time - before.time));
}

Micros WorkDone::reached(double share) const {
  const auto after = std::ranges::lower_bound(points, share, {}, &Point::share);
  if (after == points.begin()) return points.front().time;
  if (after == points.end()) return points.back().time;
  const Point& before = *std::prev(after);
  return before.time + (after->time - before.time) * ((share - before.share) / (after->share - before.share));
}

std::optional<WorkDone> work_done(const ScheduleResult& baseline, const ScheduleResult& run,
                                  std::span<const std::optional<UnitId>> counterpart) {
  const std::vector<double> weights = times_of_units(baseline);
  const std::vector<double> times = times_of_units(run);
  const auto weight_of = [&](UnitId unit) {
    if (!counterpart.empty()) {
      if (unit.index() >= counterpart.size() || !counterpart[unit.index()]) return 0.0;
      unit = *counterpart[unit.index()];
    }
    return unit.index() < weights.size() ? weights[unit.index()] : 0.0;
  };
  std::vector<std::pair<Micros, double>> paces;  // changes, per µs
  double whole = 0;
  Micros end = run.trace.duration;
  for (const KernelSpan& span : run.trace.kernels) {
    const double length = (span.end - span.begin).count();
    if (length <= 0) continue;
    const std::span<const UnitId> units = units_of(run, span);
    double pace = 0;
    for (const UnitId unit : units) {
      pace += weight_of(unit) / times[unit.index()] / static_cast<double>(units.size());
    }
    paces.emplace_back(span.begin, pace);
    paces.emplace_back(span.end, -pace);
    whole += pace * length;
    end = std::max(end, span.end);
  }
  if (whole <= 0) return std::nullopt;
  std::ranges::sort(paces);
  WorkDone done{.points = {{Micros(0), 0}}};
  double pace = 0;
  double share = 0;
  for (const auto& [time, change] : paces) {
    const Micros last = done.points.back().time;
    if (time > last) {
      share = std::clamp(share + pace * (time - last).count() / whole, share, 1.0);
      done.points.push_back({time, share});
    }
    pace += change;
  }
  // Rounding left a little: the last kernel's end is the end of the work.
  done.points.back().share = 1;
  if (end > done.points.back().time) done.points.push_back({end, 1});
  return done;
}

}  // namespace iosx
