#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/analysis/draft/draft_evaluation.h"
#include "core/base/progress.h"
#include "core/devices/device.h"
#include "core/model/plan/lanes/lane_draft.h"

// The latency of hand-edited lanes, the times of their kernels, and the effect of every other place of a kernel.
namespace iosx {

// Returns the draft for the kernels that this device makes with this batch; the same draft where these are its own.
// Errors: the device cannot run lanes, or makes other kernels.
Result<LaneDraft> on_device(const LaneDraft& draft, const DeviceInfo& device, std::int64_t batch);

// The time of a kernel of the plan with stages.
struct KernelTime {
  Micros begin{0};
  Micros end{0};
  friend bool operator==(const KernelTime&, const KernelTime&) = default;
};

// One run of lanes.
struct LaneRun {
  Latency latency;                // end to end
  std::vector<KernelTime> times;  // by kernel of the plan with stages
};
// The device must run lanes without barriers, and the draft be of its kernels. Errors: the device's, or a stop.
Result<LaneRun> run_lanes(Device& device, const LaneDraft& draft, const JobContext& job);
// Returns the latency with the kernel at each of the places, which must be allowed. The device must be simulated.
Result<std::vector<Millis>> latencies_at(Device& device, const LaneDraft& draft, KernelId kernel,
                                         std::span<const LaneDraft::Place> places, const JobContext& job);

// Returns the times of kernels, by kernel of the plan with stages. The trace must be of a run on these lanes; the
// result is empty where it lacks a kernel.
std::vector<KernelTime> times_of(const LaneSchedule& lanes, const Trace& trace);
// Returns the times of kernels if each took as long as given, whatever runs beside it: for a draft without a run,
// this shows the order, not the latency of the whole.
std::vector<KernelTime> laid_out(const LaneDraft& draft, std::span<const Micros> takes);

// Returns a run's result with the same kernels on the same lanes, whatever their numbers, and a complete trace;
// null if there is none.
const ScheduleResult* find_run(const Comparison& run, const LaneDraft& draft);
// Returns the times of the kernels in a run's first result that has them, with stages or on any lanes; empty if
// there is none.
std::vector<KernelTime> times_elsewhere(const Comparison& run, const LaneKernels& kernels);

// Returns the results of a run that lanes are compared with, with their end-to-end latencies: IOS-Flow, where it
// has lanes, the fastest search with stages, and sequential.
std::vector<DraftReference> lane_references(const Comparison& run);

}  // namespace iosx
