#pragma once

#include <optional>

#include "core/devices/device.h"
#include "core/model/plan/lane_schedule.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

// Lanes that were found for a plan's kernels, and what a run of them took when they were chosen.
struct FoundLanes {
  LaneSchedule lanes;
  ExecutionPlan plan;  // on those lanes
  Millis took{0};
};

// Looks for the lanes on which the kernels of a plan with stages run fastest without barriers: list schedules on 2, 3,
// 5 and 8 lanes, in the plan's own order and with the longest way to an end first, and the plan's own lanes without its
// barriers. How long kernels take comes from a trace of them one after another; each candidate is run on the device.
// None for a plan of fewer than two kernels. Errors are the device's, or a stop.
Result<std::optional<FoundLanes>> find_lanes(Device& device, const ExecutionPlan& staged, const TimingOptions& timing,
                                             const JobContext& job);

// The sequential schedule with all layers of a part that can be merged as one, where the first of them would run. None
// where nothing merges.
std::optional<Schedule> merged_schedule(const Graph& graph);

}  // namespace iosx
