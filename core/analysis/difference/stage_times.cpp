#include "core/analysis/difference/stage_times.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace iosx {
namespace {

// The begin or end of a kernel.
struct TraceEvent {
  Micros time;
  bool begins = false;
  const KernelSpan* span = nullptr;
};

std::vector<TraceEvent> events_of(const Trace& trace) {
  std::vector<TraceEvent> events;
  for (const KernelSpan& span : trace.kernels) {
    if (span.end <= span.begin) continue;  // only another view of what is there
    events.push_back({span.begin, true, &span});
    events.push_back({span.end, false, &span});
  }
  // Ends come before begins at the same time.
  std::ranges::stable_sort(events, [](const TraceEvent& a, const TraceEvent& b) {
    return std::tie(a.time, a.begins) < std::tie(b.time, b.begins);
  });
  return events;
}

// The time of a run outside its stages and gaps: it is in the trace before the first stage's kernels.
Micros ahead_of_stages(const ScheduleResult& result) {
  Micros ahead = result.latency.value;
  for (const Latency& latency : result.stage_latencies) ahead -= latency.value;
  const std::vector<StageSpan>& stages = result.trace.stages;
  for (std::size_t s = 1; s < stages.size(); ++s) ahead -= stages[s].begin - stages[s - 1].end;
  return std::max(Micros{0}, ahead);
}

// The time of a stage before its first kernel begins.
Micros lead_in(const ScheduleResult& result, const KernelSpan& first) {
  if (first.stage >= result.trace.stages.size()) return Micros{0};
  const Micros begin = result.trace.stages[first.stage].begin;
  const Micros ahead = first.stage == 0 ? ahead_of_stages(result) : Micros{0};
  return std::max(Micros{0}, first.begin - begin - ahead);
}

Latency scaled(Latency latency, double share) {
  latency.value *= share;
  latency.spread *= share;
  return latency;
}

// The sets while times are assigned.
class TimesOfSets {
 public:
  TimesOfSets(std::span<const std::optional<std::size_t>> set_of_unit, std::size_t sets)
      : set_of_unit_(set_of_unit), times_(sets, std::vector<Latency>()) {}

  // Returns whether all of the units are in one set, or in none.
  bool in_one(std::span<const UnitId> units) const {
    return std::ranges::adjacent_find(units, std::ranges::not_equal_to{}, [&](UnitId unit) { return set(unit); }) ==
           units.end();
  }
  // The units are in_one().
  void add(std::span<const UnitId> units, const Latency& latency) {
    const auto at = units.empty() ? std::nullopt : set(units.front());
    if (at && times_[*at]) times_[*at]->push_back(latency);
  }
  void give_up(std::span<const UnitId> units) {
    for (const UnitId unit : units) {
      if (const auto at = set(unit)) times_[*at].reset();
    }
  }
  std::vector<std::optional<std::vector<Latency>>> take() && { return std::move(times_); }

 private:
  std::optional<std::size_t> set(UnitId unit) const { return set_of_unit_[unit.index()]; }

  std::span<const std::optional<std::size_t>> set_of_unit_;
  std::vector<std::optional<std::vector<Latency>>> times_;
};

}  // namespace

std::vector<Micros> kernel_shares(const ScheduleResult& result) {
  if (result.trace.kernels.empty()) return {};
  std::vector<Micros> shares(result.plan.kernels.size());
  Micros each{0};  // what a kernel that has run from the beginning would have
  Micros before{0};
  std::size_t running = 0;
  std::optional<std::size_t> stage;  // of what ended last
  for (const TraceEvent& event : events_of(result.trace)) {
    const KernelSpan& span = *event.span;
    Micros& share = shares[span.kernel.index()];
    if (running > 0) {
      each += (event.time - before) / static_cast<double>(running);
    } else if (result.lanes || stage == span.stage) {
      share += event.time - before;
    } else {
      share += lead_in(result, span);
    }
    before = event.time;
    share += event.begins ? -each : each;
    if (!event.begins) stage = span.stage;
    running = event.begins ? running + 1 : running - 1;
  }
  return shares;
}

std::vector<Latency> stage_times(const Subject& subject) {
  const ScheduleResult& result = subject.schedule();
  if (subject.has_stages()) return result.stage_latencies;
  const std::vector<Micros> shares = kernel_shares(result);
  if (!result.lanes || shares.empty() || result.trace.duration <= Micros{0}) return {};
  Latency of_run = result.latency;
  of_run.samples = 1;  // the trace is of one run
  of_run.value /= result.trace.duration / Micros{1};
  std::vector<Latency> times(result.schedule.stages.size(), scaled(of_run, 0));
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const std::size_t stage = result.plan.kernels[k].stage;
    if (stage < times.size()) times[stage].value += of_run.value * shares[k].count();
  }
  return times;
}

std::vector<std::optional<std::vector<Latency>>> times_of_sets(const Subject& subject,
                                                               std::span<const std::optional<std::size_t>> set_of_unit,
                                                               std::size_t sets) {
  const ScheduleResult& result = subject.schedule();
  const std::vector<Latency> times = stage_times(subject);
  if (times.empty()) return std::vector<std::optional<std::vector<Latency>>>(sets);
  TimesOfSets found(set_of_unit, sets);
  const std::vector<Micros> shares = kernel_shares(result);
  std::vector<std::vector<std::size_t>> kernels(times.size());  // of a stage
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (result.plan.kernels[k].stage < kernels.size()) kernels[result.plan.kernels[k].stage].push_back(k);
  }
  for (std::size_t s = 0; s < times.size(); ++s) {
    const std::vector<UnitId> units = result.schedule.stages[s].units();
    if (found.in_one(units)) {
      found.add(units, times[s]);
      continue;
    }
    Micros sum{0};
    for (const std::size_t k : kernels[s]) sum += shares[k];
    if (sum <= Micros{0}) {
      found.give_up(units);
      continue;
    }
    for (const std::size_t k : kernels[s]) {
      const std::vector<UnitId>& own = result.plan.kernels[k].units;
      found.in_one(own) ? found.add(own, scaled(times[s], shares[k] / sum)) : found.give_up(own);
    }
  }
  return std::move(found).take();
}

}  // namespace iosx
