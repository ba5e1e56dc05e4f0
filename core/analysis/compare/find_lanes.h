#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/devices/device.h"
#include "core/model/plan/lanes/lane_schedule.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

struct Comparison;

// Lanes found for a plan's kernels, with the latency of the run that selected them.
struct FoundLanes {
  LaneSchedule lanes;
  ExecutionPlan plan;  // on those lanes
  Millis took{0};
  std::int64_t planned_bytes = 0;       // planned_peak()
  std::size_t of = 0;                   // of several plans: the index of the one with these kernels
  std::optional<double> slowdown = {};  // of several networks: see SlowdownOf; none: of one, or not known
};

// Returns whether it is known that one slows the networks down less.
bool slows_less(const FoundLanes& one, const FoundLanes& other);

// Returns how many times its time alone a network takes in a traced run of a plan, on average over the networks.
using SlowdownOf = std::function<std::optional<double>(const ExecutionPlan& plan, const RunResult& run)>;

struct LaneSearch {
  std::optional<FoundLanes> best;  // none for a plan of fewer than two kernels, and where nothing fits
  // Under a limit: the smallest planned peak of all candidates, whether it fits or not.
  std::int64_t least_bytes = 0;
};

// Finds the lanes on which the kernels of a plan with stages run fastest without barriers. Candidates are list
// schedules on 2, 3, 5 and 8 lanes, in the plan's own order and longest path first, and the plan's own lanes without
// its barriers. A trace of the kernels one after another gives their times; each candidate runs on the device. A limit
// of the planned peak (bytes; 0: none) adds list schedules that keep to it, also on one lane, and those that free
// memory first; candidates that do not fit do not run. With `slowdown`, of what takes hardly longer than the fastest
// (kFairTie) the one with the least is the best. Errors: the device's, or a stop.
Result<LaneSearch> find_lanes(Device& device, const ExecutionPlan& staged, const TimingOptions& timing,
                              const JobContext& job, std::int64_t memory_limit = 0, const SlowdownOf& slowdown = {});

// Finds such lanes for the kernels of several plans under limits from the smallest planned peak found to that of the
// fastest. Returns by memory the lanes that no other beats in both memory and speed. None for plans of fewer than two
// kernels. Errors as above.
Result<std::vector<FoundLanes>> lanes_by_memory(Device& device, std::span<const ExecutionPlan> staged,
                                                const TimingOptions& timing, const JobContext& job);

// Returns what a longer search could still find after a quick one (CompareOptions::quick): by how much other lanes may
// be faster, by the longest path of sequential's kernels, and how many sets of layers could be merged.
std::vector<Message> left_to_find(const Comparison& comparison);

// Returns the sequential schedule with all mergeable layers of a part as one, at the place of the first. None where
// nothing merges.
std::optional<Schedule> merged_schedule(const Graph& graph);

}  // namespace iosx
