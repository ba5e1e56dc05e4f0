#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/devices/device.h"

namespace iosx {

// A whole plan, timed by itself, with a trace of one run.
struct EndToEnd {
  Latency latency;             // over all rounds
  std::vector<Millis> rounds;  // the median of each
  Trace trace;
  std::int64_t peak_bytes = 0;  // see RunResult
  std::int64_t discarded = 0;   // in all rounds
  bool low_clock = false;       // in any round
  // Of all rounds, one after another, at most kMostSamples; empty where there are none, see RunResult.
  std::vector<Millis> samples = {};
};

// How often each plan runs: every round times it by itself. A simulated device is deterministic and always makes one
// run in one round.
struct Timing {
  int rounds = 7;
  TimingOptions round = {};
};

// Loaded plans to be timed against one another, in order.
using LoadedPlans = std::vector<std::unique_ptr<LoadedPlan>>;

// Loads a plan, tuned. The error is the device's, or that a stop came before.
Result<std::unique_ptr<LoadedPlan>> load_to_time(Device& device, const ExecutionPlan& plan, const JobContext& job);

// A timed runner of a network: a loaded plan, or another program's engine.
struct Contestant {
  Origin origin = Origin::kMeasured;
  std::function<Result<RunResult>(const RunOptions&, const JobContext&)> run = {};
};
Contestant contestant(LoadedPlan& plan);  // the plan must outlive it

// Times all in rounds, with one run request each per round, every second round backwards, so that a slow drift of the
// device (clock, temperature) favours none. Errors: a contestant's, or a stop before each had one round; a later stop
// skips the remaining rounds.
Result<std::vector<EndToEnd>> run_interleaved(std::span<const Contestant> contestants, const Timing& timing,
                                              const JobContext& job);
// Does the same for plans of one device.
Result<std::vector<EndToEnd>> run_interleaved(const LoadedPlans& plans, const Timing& timing, const JobContext& job);

// Combines the latencies of at least one round: the median of their medians. The spread is the larger of their
// median spread and half the range of their medians, so that drift between rounds counts as noise.
Latency combine_rounds(std::span<const Latency> rounds);

// How many times as fast one plan is as another.
struct Speedup {
  double value = 1;  // ratio of the latencies
  // Its confidence interval, at least 95 %: both equal value for latencies without noise, and are 0 and infinity with
  // too few samples.
  double low = 1;
  double high = 1;
  bool known() const { return high < std::numeric_limits<double>::infinity(); }
  bool within_noise() const { return low <= 1 && high >= 1 && low < high; }  // also if unknown
};

// Rounds of the same index ran close together in time, so their ratios are free of drift. The interval is that of the
// median ratio; with fewer than six rounds (see median_interval) it follows from the two spreads.
Speedup speedup(const Latency& base, std::span<const Millis> base_rounds, const Latency& other,
                std::span<const Millis> other_rounds);

}  // namespace iosx
