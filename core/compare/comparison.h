#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare/end_to_end.h"
#include "core/compare/verify.h"
#include "core/device/device.h"
#include "core/search/prepare.h"
#include "core/search/search.h"

namespace iosx {

inline constexpr std::int64_t kMaxBatch = 65536;  // what both programs accept; compare() and evaluate() check it

// One schedule, run end to end on the device.
struct ScheduleResult {
  Schedule schedule;
  Latency latency;                       // end to end, measured by itself
  Millis stage_sum{0};                   // of stage_latencies
  std::vector<Latency> stage_latencies;  // each stage on its own, one a stage
  ExecutionPlan plan;
  Trace trace;
  std::optional<SearchResult> search;  // how it was found; none for a baseline or a file
  // False: not asked for, run because "best" means the fastest of what was asked for, sequential and greedy.
  bool asked = true;
  std::vector<Millis> rounds = {};  // the median of every round of end-to-end runs; see speedup()
  std::int64_t peak_bytes = 0;      // of device memory for tensors, weights left out; 0: not known
  double clock_mhz = 0;             // of the device while it ran, the median; 0: not known
  std::int64_t discarded = 0;       // see RunResult, as the next one
  bool low_clock = false;
  std::optional<Verification> verification = {};  // if asked for
};

struct Comparison {
  std::shared_ptr<const Graph> graph;  // cut into the parts that were searched; the baselines keep the caller's parts
  DeviceInfo device;
  std::int64_t batch = 1;
  std::vector<ScheduleResult> results;  // in the order asked for, then the baselines that nobody asked for
  bool complete = true;                 // false: stopped; schedules are missing or their search did not end

  // Index of the lowest end-to-end latency, never slower than sequential and greedy; the first one on ties. There
  // must be a result. On a device with noise it may be no faster: see speedup().
  std::size_t best() const;
  const ScheduleResult* find(std::string_view schedule_name) const;  // the first of that name; may be null
  // How many times as fast as sequential; of value 0 if that is missing.
  Speedup speedup(const ScheduleResult& result) const;
  bool failed_verification() const;  // of one schedule at least
};

struct CompareOptions {
  std::int64_t batch = 1;
  std::vector<std::string> schedules{"sequential", "greedy", "ios-merge", "ios-parallel", "ios-both"};
  SearchOptions search;  // its strategies field is set by each name
  std::size_t max_part_size = kDefaultMaxPartSize;
  std::size_t max_streams = 10;
  TimingOptions timing;         // of every stage, and of every round of the end-to-end runs
  std::vector<Schedule> given;  // further schedules, from files or by hand
  bool verify = false;          // also compare every schedule's outputs with sequential's
  Device* reference = nullptr;  // on which sequential then computes what is right; null: the device itself
  std::stop_token abandon;      // ends compare() with an error, whatever it has found: nobody wants the result any more
};

// What CompareOptions::schedules may hold, in the order to show them.
std::span<const std::string_view> schedule_names();

// The search of that name ("ios-both", …); none for a baseline or an unknown name.
std::optional<StrategySet> strategies_of(std::string_view schedule_name);

// Makes the schedules, then runs all of them end to end, interleaved, so that drift of the device hits each alike. One
// latency source serves all searches: a search's stage_measurements holds what no earlier one had measured. Sequential
// and greedy are always run (Comparison::best()).
//
// A stop ends the running search, keeps its best schedule so far if it solved any part, leaves out the searches after
// it, and still runs once what it has; only CompareOptions::abandon ends that last run. Schedules are verified at
// the end; a stop then leaves the rest unverified. Errors: an unknown schedule name, an option out of range, a given
// schedule that is not legal, the device's, and "abandoned".
Result<Comparison> compare(const Graph& graph, Device& device, const CompareOptions& options, const JobContext& job);

// Runs one schedule end to end with stage latencies and a trace, and verifies it if asked for. The error is the
// schedule's (not legal for the graph), the device's, or that a stop came before the end. `reference` as in
// CompareOptions.
Result<ScheduleResult> evaluate(const Graph& graph, Schedule schedule, Device& device, std::int64_t batch,
                                const TimingOptions& timing, const JobContext& job, bool verify = false,
                                Device* reference = nullptr);

}  // namespace iosx
