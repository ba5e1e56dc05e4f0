#include "core/analysis/compare/end_to_end.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/check.h"
#include "core/devices/measure/statistics.h"

namespace iosx {
namespace {

constexpr std::int64_t kFewestSamples = 6;  // of a spread that says anything

constexpr TimingOptions kWatched{.warmup = 1, .repeats = 1, .max_repeats = 1, .min_time = Millis{0}};

constexpr Sentence kStopped{"stopped before every schedule had run"};

// 0 if there is none.
double middle_of(std::vector<double> clocks) {
  if (clocks.empty()) return 0;
  const auto middle = clocks.begin() + static_cast<std::ptrdiff_t>(clocks.size() / 2);
  std::nth_element(clocks.begin(), middle, clocks.end());
  return *middle;
}

// The results of one plan's rounds so far.
struct Rounds {
  std::vector<Latency> latencies;
  std::vector<double> clocks;
  EndToEnd end_to_end;
};

class Race {
 public:
  Race(std::span<const Contestant> contestants, const Timing& timing, const JobContext& job)
      : contestants_(contestants), timing_(timing), job_(job), runners_(contestants.size()) {
    const bool simulated = !contestants.empty() && is_modelled(contestants.front().origin);
    rounds_ = simulated ? 1 : std::max(timing.rounds, 1);
  }

  Result<std::vector<EndToEnd>> run() && {
    for (int round = 0; round < rounds_; ++round) {
      for (std::size_t i = 0; i < contestants_.size(); ++i) {
        IOS_TRY(run_one(round % 2 == 0 ? i : contestants_.size() - 1 - i, round));
      }
    }
    std::vector<EndToEnd> results;
    for (std::size_t i = 0; i < runners_.size(); ++i) {
      Rounds& runner = runners_[i];
      runner.end_to_end.latency = combine_rounds(runner.latencies);
      IOS_TRY(look_for_typical_run(i));
      runner.end_to_end.samples = thinned(std::move(runner.end_to_end.samples));
      for (const Latency& latency : runner.latencies) runner.end_to_end.rounds.push_back(latency.value);
      runner.end_to_end.latency.clock_mhz = middle_of(std::move(runner.clocks));
      results.push_back(std::move(runner.end_to_end));
    }
    return results;
  }

 private:
  // The trace is that of the first round, which may have been slow. Where it is far from the median of all, some more
  // runs are watched, and the one nearest to it is kept.
  Result<void> look_for_typical_run(std::size_t plan) {
    constexpr int kAttempts = 5;
    constexpr double kNear = 0.02;  // of the latency
    EndToEnd& result = runners_[plan].end_to_end;
    const Millis latency = result.latency.value;
    const auto off = [&](const Trace& trace) { return std::abs((Millis(trace.duration) - latency).count()); };
    if (result.latency.origin != Origin::kMeasured || result.trace.duration <= Micros(0)) return {};
    for (int attempt = 0; attempt < kAttempts && off(result.trace) > kNear * latency.count() && !job_.stopped();
         ++attempt) {
      auto run = contestants_[plan].run({.timing = kWatched, .trace = true}, job_);
      if (!run) {
        if (job_.stopped()) return {};
        return tl::unexpected(std::move(run.error()));
      }
      if (run->trace.duration > Micros(0) && off(run->trace) < off(result.trace)) result.trace = std::move(run->trace);
    }
    return {};
  }

  Result<void> run_one(std::size_t plan, int round) {
    if (job_.stopped()) {
      if (round == 0) return fail(kStopped);
      return {};
    }
    auto run = contestants_[plan].run({.timing = timing_.round, .trace = round == 0}, job_);
    if (!run) {
      if (round > 0 && job_.stopped()) return {};  // the device said that it was stopped
      return tl::unexpected(std::move(run.error()));
    }
    Rounds& runner = runners_[plan];
    runner.latencies.push_back(run->latency);
    if (run->latency.clock_mhz > 0) runner.clocks.push_back(run->latency.clock_mhz);
    runner.end_to_end.samples.insert(runner.end_to_end.samples.end(), run->samples.begin(), run->samples.end());
    runner.end_to_end.discarded += run->discarded;
    runner.end_to_end.low_clock = runner.end_to_end.low_clock || run->low_clock;
    runner.end_to_end.peak_bytes = std::max(runner.end_to_end.peak_bytes, run->peak_bytes);
    if (round == 0) runner.end_to_end.trace = std::move(run->trace);
    job_.report(message("running end to end"), ++done_, static_cast<std::int64_t>(rounds_ * contestants_.size()));
    return {};
  }

  std::span<const Contestant> contestants_;
  const Timing& timing_;
  const JobContext& job_;
  int rounds_ = 1;
  std::int64_t done_ = 0;
  std::vector<Rounds> runners_;
};

}  // namespace

Latency combine_rounds(std::span<const Latency> rounds) {
  IOS_CHECK(!rounds.empty());
  std::vector<Millis> values;
  std::vector<Millis> spreads;
  Latency result{.origin = rounds.front().origin};
  for (const Latency& round : rounds) {
    values.push_back(round.value);
    spreads.push_back(round.spread);
    result.samples += round.samples;
  }
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  result.spread = std::max(median(spreads), (*high - *low) / 2.0);
  result.value = median(values);
  return result;
}

Result<std::unique_ptr<LoadedPlan>> load_to_time(Device& device, const ExecutionPlan& plan, const JobContext& job) {
  if (job.stopped()) return fail(kStopped);
  return device.load(plan, {.tune = true}, job);
}

Contestant contestant(LoadedPlan& plan) {
  return {plan.device().origin,
          [&plan](const RunOptions& options, const JobContext& job) { return plan.run(options, job); }};
}

Result<std::vector<EndToEnd>> run_interleaved(std::span<const Contestant> contestants, const Timing& timing,
                                              const JobContext& job) {
  return Race(contestants, timing, job).run();
}

Result<std::vector<EndToEnd>> run_interleaved(const LoadedPlans& plans, const Timing& timing, const JobContext& job) {
  std::vector<Contestant> contestants;
  for (const auto& plan : plans) contestants.push_back(contestant(*plan));
  return run_interleaved(contestants, timing, job);
}

Speedup speedup(const Latency& base, std::span<const Millis> base_rounds, const Latency& other,
                std::span<const Millis> other_rounds) {
  const double value = base.value / other.value;
  if (is_modelled(base.origin) && is_modelled(other.origin)) return {value, value, value};
  std::vector<Millis> ratios;  // the statistics know milliseconds only; these are plain numbers
  for (std::size_t i = 0; i < std::min(base_rounds.size(), other_rounds.size()); ++i) {
    ratios.emplace_back(base_rounds[i] / other_rounds[i]);
  }
  const auto interval = ratios.empty() ? std::nullopt : median_interval(ratios);
  if (interval) {
    return {value, std::min(value, interval->low.count()), std::max(value, interval->high.count())};
  }
  if (std::min(base.samples, other.samples) < kFewestSamples) {
    return {value, 0, std::numeric_limits<double>::infinity()};
  }
  const Millis fastest = std::max(other.value - other.spread, other.value * 1e-3);
  return {value, std::max(base.value - base.spread, Millis{0}) / (other.value + other.spread),
          (base.value + base.spread) / fastest};
}

}  // namespace iosx
