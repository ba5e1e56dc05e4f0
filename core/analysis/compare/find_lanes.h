#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/devices/device.h"
#include "core/model/plan/lanes/lane_schedule.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

// Lanes that were found for a plan's kernels, and what a run of them took when they were chosen.
struct FoundLanes {
  LaneSchedule lanes;
  ExecutionPlan plan;  // on those lanes
  Millis took{0};
  std::int64_t planned_bytes = 0;  // planned_peak()
  std::size_t of = 0;              // of several plans: the index of the one whose kernels these are
};

struct LaneSearch {
  std::optional<FoundLanes> best;  // none for a plan of fewer than two kernels, and where nothing fits
  // Under a limit: the smallest planned peak of all that was made, whether it fits or not.
  std::int64_t least_bytes = 0;
};

// Looks for the lanes on which the kernels of a plan with stages run fastest without barriers: list schedules on 2, 3,
// 5 and 8 lanes, in the plan's own order and with the longest way to an end first, and the plan's own lanes without its
// barriers. How long kernels take comes from a trace of them one after another; each candidate is run on the device.
// With a limit of the planned peak (bytes; 0: none) there are also list schedules that keep to it, on one lane too, and
// those that free memory first; what does not fit is not run. Errors are the device's, or a stop.
Result<LaneSearch> find_lanes(Device& device, const ExecutionPlan& staged, const TimingOptions& timing,
                              const JobContext& job, std::int64_t memory_limit = 0);

// Looks for such lanes of the kernels of several plans under limits from the smallest planned peak that is found to
// that of the fastest. Returns by memory those of which no other needs as little and is as fast. None of plans of fewer
// than two kernels. Errors as above.
Result<std::vector<FoundLanes>> lanes_by_memory(Device& device, std::span<const ExecutionPlan> staged,
                                                const TimingOptions& timing, const JobContext& job);

// The sequential schedule with all layers of a part that can be merged as one, where the first of them would run. None
// where nothing merges.
std::optional<Schedule> merged_schedule(const Graph& graph);

}  // namespace iosx
