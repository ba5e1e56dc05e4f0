#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/compare/compare_options.h"
#include "core/analysis/compare/end_to_end.h"
#include "core/analysis/compare/verify.h"
#include "core/devices/device.h"
#include "core/devices/measure/latency_sources.h"
#include "core/model/plan/lanes/lane_schedule.h"
#include "core/model/schedule/schedule_table.h"
#include "core/search/search.h"

namespace iosx {

// How sensitive a schedule's place in a simulated comparison is to the errors of the device's model: the schedules
// ran again on devices with errors drawn like the model's (Device::redrawn()): those of single kernels, and on captured
// devices also those that families of kernels share, and of launches, waits and concurrent kernels.
struct Sensitivity {
  std::int64_t draws = 0;
  std::int64_t wins = 0;    // draws in which nothing within the memory limit was faster; 0 of what is over it
  std::int64_t behind = 0;  // draws in which the comparison's best was faster
  std::int64_t before = 0;  // draws in which it was faster than the best
  // The speed-up over sequential: nine of ten draws lie between. 0 without sequential.
  double speedup_low = 0;
  double speedup_high = 0;
  friend bool operator==(const Sensitivity&, const Sensitivity&) = default;
};

// One schedule, run end to end on the device.
struct ScheduleResult {
  ScheduleId id;
  ScheduleKind schedule_kind = ScheduleKind::kByHand;
  Schedule schedule;
  // Of a barrier-free schedule: the lanes of the kernels that `schedule` chose, and of which `plan` is. None where no
  // lanes were faster than its stages; the plan and all that was measured is then the staged one's.
  std::optional<LaneSchedule> lanes = {};
  Latency latency;                       // end to end, measured by itself
  Millis stage_sum{0};                   // of stage_latencies and between_stages: what a search minimises
  Millis between_stages{0};              // what the run adds between stages (InterStageOverhead)
  std::vector<Latency> stage_latencies;  // each stage on its own, one a stage
  ExecutionPlan plan;
  Trace trace;
  std::optional<SearchResult> search;  // how it was found; none for a baseline or a file
  // False: not asked for, run because "best" means the fastest of what was asked for, sequential and greedy.
  bool asked = true;
  std::vector<Millis> rounds = {};  // the median of every round of end-to-end runs; see speedup()
  std::int64_t peak_bytes = 0;      // of device memory for tensors, weights left out; 0: not known
  std::int64_t planned_bytes = 0;   // planned_peak() of the plan, on every device; 0: not known
  std::int64_t discarded = 0;       // see RunResult, as the next one
  bool low_clock = false;
  std::optional<Verification> verification = {};  // if asked for
  std::optional<Sensitivity> sensitivity = {};    // if asked for, on a simulated device
  // The times of end-to-end runs, at most kMostSamples (core/devices/measure/statistics.h): see EndToEnd. Empty where
  // a device has no noise, times several runs as one, or the run is by an earlier program.
  std::vector<Millis> samples = {};
  friend bool operator==(const ScheduleResult&, const ScheduleResult&) = default;

  std::string title() const { return schedule_title(schedule_kind, schedule.name, id); }
  // Returns its name in documents and messages: a barrier-free one's `schedule` has the name of the stages that chose
  // its kernels, which is another schedule's.
  std::string name() const { return row_of(schedule_kind).barrier_free ? id.text() : schedule.name; }
  Schedule named() const { return {name(), schedule.stages}; }  // by that name
};

// What a schedule saves against running one operator a stage, as the paper does, and why: kernels that one stream fuses
// across operators need no schedule at all.
struct Saving {
  Millis fusion{0};       // one by one less sequential
  Millis concurrency{0};  // sequential less the schedule: what runs side by side, and what merged layers save
  Millis whole() const { return fusion + concurrency; }
};

// The fastest schedule with stages without its barriers: its kernels in its order on its own lanes, run in turns with
// the results, of which it is none.
struct OwnLanes {
  ScheduleId of;
  Latency latency;
  std::vector<Millis> rounds = {};  // as ScheduleResult::rounds
  friend bool operator==(const OwnLanes&, const OwnLanes&) = default;
};

// By how much lanes are faster than the fastest schedule with stages, and by what. Three plans were run in turns: that
// one, its own lanes without barriers, and the lanes that were found. The shares add up to the whole. A share may be
// negative: other lanes may lose what dropping barriers wins, and noise is in both.
struct LaneGain {
  ScheduleId staged;          // the fastest with stages
  Millis barriers{0};         // its latency less that of its own lanes without barriers
  Millis order{0};            // that of its own lanes less that of the lanes: by other lanes and order, and kernels
  bool same_kernels = false;  // no part of it is by other kernels: those of the lanes are its own
  bool barriers_in_noise = false;  // for all that the runs tell, that share is nothing
  bool order_in_noise = false;
  Millis whole() const { return barriers + order; }
};

// Why a comparison with unknown latencies tells nothing: see forget_unknown().
inline constexpr Sentence kUnknownLatencies{"the cost of an operator is unknown, and so are all latencies"};

// One of several networks on the device alone, by its own fastest schedule, IOS-Flow if that was asked for.
struct NetworkAlone {
  std::string name;
  Latency latency;
  friend bool operator==(const NetworkAlone&, const NetworkAlone&) = default;
};

// Of several networks, a total that is longer by no more than this part is no worse if networks are slowed down less.
inline constexpr double kFairTie = 0.01;

struct Comparison {
  std::shared_ptr<const Graph> graph;  // cut into the parts that were searched
  DeviceInfo device;
  std::int64_t batch = 1;
  std::vector<ScheduleResult> results;    // in the order asked for, then the baselines that nobody asked for
  bool complete = true;                   // false: stopped; schedules are missing or their search did not end
  std::vector<Message> notices;           // sentences for the user, such as that nothing could be kept
  std::vector<std::string> missing = {};  // titles of schedules that a stop left no time for; a notice names them
  // On a simulated device what one operator a stage takes, end to end, whether that schedule is among the results or
  // not.
  std::optional<Latency> one_by_one = {};
  std::int64_t memory_limit = 0;  // of planned_bytes: what takes more is never the best; 0: none
  // Where lanes were found here. None where the device had no room to hold that plan too, and of runs by earlier
  // programs.
  std::optional<OwnLanes> own_lanes = {};
  // Of several networks, where searches or lanes were asked for and not stopped; empty of runs by earlier programs.
  std::vector<NetworkAlone> alone = {};
  // "recorded on gpu-server, 2026-03-01 14:05 UTC" of one that was opened from a run file, empty of one made here and
  // now: every table and figure of it says so.
  Message recorded = {};

  // Index of the lowest end-to-end latency of what fits(), never slower than sequential and greedy where these fit (as
  // far as they were run before a stop); the first one on ties, but not one made on request, and IOS-Flow rather than
  // List. Of several networks, the fairest of what is hardly slower: see is_fairer(). Where nothing fits, it is what
  // takes least memory. There must be a result. On a device with noise it may be no faster: see speedup().
  std::size_t best() const;
  // Say whether latencies are known, of schedules and of a stage: see forget_unknown().
  bool knows_latencies() const;
  bool knows_latency(const Stage& stage) const;
  // Returns whether a schedule of several networks takes hardly longer in total (kFairTie) and slows them down less
  // (mean_slowdown()).
  bool is_fairer(const ScheduleResult& one, const ScheduleResult& other) const;
  bool fits(const ScheduleResult& result) const { return memory_limit == 0 || result.planned_bytes <= memory_limit; }
  const ScheduleResult* find(const ScheduleId& id) const;           // may be null
  const ScheduleResult* find(ScheduleKind schedule_kind) const;     // the first of that schedule kind; may be null
  std::optional<std::size_t> index_of(const ScheduleId& id) const;  // into results
  // Appends a schedule without any latencies, under an id that no other result has.
  ScheduleResult& add(ScheduleKind schedule_kind, Schedule schedule);
  // How many times as fast as the first sequential one; of value 0 if there is none, or latencies are not known.
  Speedup speedup(const ScheduleResult& result) const;
  // None where the schedule is a baseline or does not save anything against sequential, where one by one or latencies
  // are not known, and where the noise is larger than what was saved.
  std::optional<Saving> saving(const ScheduleResult& result) const;
  // The schedule with stages that lanes are measured against: the fastest, by own_lanes where that is known. Null of a
  // result without lanes, and where no result has stages.
  const ScheduleResult* staged(const ScheduleResult& result) const;
  // The schedule with stages that chose the kernels of a result's lanes; the result itself where it has stages, and
  // where that schedule is not among the results.
  const ScheduleResult& kernels_of(const ScheduleResult& result) const;
  // None of a result without lanes, and where own_lanes or latencies are not known.
  std::optional<LaneGain> lane_gain(const ScheduleResult& result) const;
  bool failed_verification() const;  // of one schedule at least
};

// Takes away all times that a model of the device made up because the cost of an operator is unknown: those of stages
// with such an operator, sums, runs and what a search says of the optimum. Known stages keep theirs. `latency` stays,
// because schedules were chosen by it: Comparison::knows_latencies() says not to show it.
void forget_unknown(const Graph& graph, const DeviceInfo& device, ScheduleResult& result);
void forget_unknown(Comparison& comparison);

// Who wants to hear of a comparison while it is made. All are called on the job's thread and may be empty.
struct CompareListener {
  // Told once, before the first search: the graph in the parts that are searched, those that `watch` speaks of, and the
  // device.
  std::function<void(const std::shared_ptr<const Graph>&, const DeviceInfo&)> prepared = {};
  // How every search goes; see SearchWatch. Of a search that chooses again too.
  std::function<void(ScheduleKind, const SearchMoment&, std::span<const SearchTask>, const Schedule* better)> watch =
      {};
  // Told what a search has found, before it is run: what is left of it if a stop comes before it could be.
  std::function<void(ScheduleKind, const Schedule&)> found = {};
  // On a simulated device, told after every search what there is so far, each schedule run: a comparison that is not
  // complete. Nothing that was asked for changes by it.
  std::function<void(Comparison)> growing = {};
};

// What a comparison is made with besides its options.
struct CompareContext {
  Device* reference = nullptr;  // on which sequential computes what is right; null: the device itself
  Keeping keeping = {};         // where stage latencies are kept from run to run
  Device* guesser = nullptr;    // predicts, so that searches know more before they measure; null: nobody does
  CompareListener listener = {};
  std::stop_token abandon = {};  // ends compare() with an error, whatever it found: nobody wants the result any more
};

// Returns the best search result, on a tie the one of the search with most freedom; null without a search.
const ScheduleResult* best_search(const Comparison& comparison);
// Returns whether a search made one of the schedules.
bool has_search(const Comparison& comparison);

// Returns the spread of the stages' sum, if they vary independently.
Millis spread_of(std::span<const Latency> stages);

// Returns whether the sum is below the search's by more than rounding and spread.
bool beats(Millis sum, Millis spread, const ScheduleResult& search);

// The time of one of several networks (core/model/graph/networks.h) in a run of a schedule. Both count from the start
// of the run.
struct NetworkTime {
  std::string name;
  Millis begins{0};  // begin of its first kernel
  Millis ends{0};    // end of its last kernel: the network's own latency
};

// Returns this for every network from the traced run, scaled so that the trace is as long as the latency. Empty
// where the graph is one network, and without a trace.
std::vector<NetworkTime> network_times(const Graph& graph, const ScheduleResult& result);

// Returns the time of every network alone, in the graph's order; none where it is not known (Comparison::alone). Empty
// where none is known.
std::vector<std::optional<Millis>> alone_times(const Comparison& comparison);

// Returns how many times its time alone a network takes in a traced run, on average over all networks. None where the
// graph is one network, without a trace, and where one network's time alone is not known.
std::optional<double> mean_slowdown(const Comparison& comparison, const ScheduleResult& result);

// The unit of memory limits and peaks.
inline constexpr double kMegabyte = 1e6;  // bytes
inline double megabytes(std::int64_t bytes) { return static_cast<double>(bytes) / kMegabyte; }

// Returns the layout of tensors in a device's memory as far as a plan can know it: elements of its precision, at
// multiples of GPUs' allocation unit.
MemoryBudget memory_budget(const DeviceInfo& device, std::int64_t bytes);

// Returns the planned peak: the most bytes that a run's tensors take at once in the layout of plan_memory(). The
// network's inputs (during the whole run) and outputs count; weights, other constants and the kernels' own memory do
// not. It follows from the plan and is not measured, also on a measuring device (RunResult::peak_bytes).
std::int64_t planned_peak(const ExecutionPlan& plan, const DeviceInfo& device);

}  // namespace iosx
