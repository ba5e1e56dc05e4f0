#include "core/analysis/difference/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace iosx {
namespace {

using Name = std::function<std::string(const Subject&)>;

// Possible differences of two schedules, the most natural first.
std::vector<Name> distinctions(const LabelWords& words) {
  return {
      [](const Subject& subject) { return subject.graph().name(); },
      [](const Subject& subject) { return subject.comparison->device.name; },
      [&words](const Subject& subject) { return words.batch(subject.comparison->batch); },
      [&words](const Subject& subject) { return words.origin(subject.comparison->device.origin); },
      [](const Subject& subject) { return subject.comparison->recorded.text(); },
  };
}

bool all_differ(std::span<const Subject> subjects) {
  std::set<std::string> labels;
  return std::ranges::all_of(subjects, [&](const Subject& subject) { return labels.insert(subject.label).second; });
}

bool tells_apart(std::span<const Subject> subjects, const Name& name) {
  return std::ranges::any_of(subjects, [&](const Subject& subject) { return name(subject) != name(subjects.front()); });
}

constexpr Millis kNothing{1e-6};            // what sums of exact latencies are off by
constexpr std::int64_t kFewestSamples = 6;  // of a spread that says anything

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

bool Subject::valid() const {
  return comparison != nullptr && comparison->graph != nullptr && result < comparison->results.size();
}

bool Subject::has_stages() const {
  return !schedule().lanes && schedule().stage_latencies.size() == schedule().schedule.stages.size();
}

LabelWords english_labels() {
  return {.title = [](const ScheduleResult& result) { return result.title(); },
          .batch = [](std::int64_t batch) { return fmt::format("batch {}", batch); },
          .origin = [](Origin origin) { return std::string(origin_name(origin)); },
          .run = [](int run) { return fmt::format("run {}", run); }};
}

void label_subjects(std::span<Subject> subjects, const LabelWords& words) {
  for (Subject& subject : subjects) subject.label = words.title(subject.schedule());
  for (const Name& name : distinctions(words)) {
    if (!tells_apart(subjects, name)) continue;
    for (Subject& subject : subjects) {
      const std::string word = name(subject);
      if (!word.empty()) subject.label += ", " + word;
    }
  }
  if (all_differ(subjects)) return;
  std::map<std::string, int> seen;
  for (Subject& subject : subjects) {
    const int run = ++seen[subject.label];
    if (run > 1) subject.label += ", " + words.run(run);
  }
}

Per per_of(std::span<const Subject> subjects) {
  const auto batch = [](const Subject& subject) { return subject.comparison->batch; };
  const bool one = std::ranges::adjacent_find(subjects, std::ranges::not_equal_to{}, batch) == subjects.end();
  return one ? Per::kBatch : Per::kSample;
}

double share(const Subject& subject, Per per) {
  return per == Per::kBatch ? 1 : 1 / static_cast<double>(subject.comparison->batch);
}

Latency told(const Subject& subject, const Latency& latency, Per per) { return scaled(latency, share(subject, per)); }

SubjectStatistics statistics_of(const Subject& subject) {
  const ScheduleResult& result = subject.schedule();
  SubjectStatistics statistics{.latency = result.latency,
                               .rounds = result.rounds.size(),
                               .discarded = result.discarded,
                               .low_clock = result.low_clock,
                               .percentiles = percentiles_of(result.samples)};
  if (result.rounds.empty()) return statistics;
  const auto [low, high] = std::ranges::minmax_element(result.rounds);
  statistics.lowest = *low;
  statistics.highest = *high;
  statistics.mean = std::accumulate(result.rounds.begin(), result.rounds.end(), Millis{0}) /
                    static_cast<double>(result.rounds.size());
  statistics.interval = median_interval(result.rounds);
  return statistics;
}

std::string origin_words(const Subject& subject) {
  std::string words(origin_name(subject.schedule().latency.origin));
  const std::string recorded = subject.comparison->recorded.text();
  return recorded.empty() ? words : words + ", " + recorded;
}

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
  if (!subject.comparison->knows_latencies()) return {};
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
