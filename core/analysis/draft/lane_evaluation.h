#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/analysis/draft/draft_evaluation.h"
#include "core/base/progress.h"
#include "core/devices/device.h"
#include "core/model/plan/lanes/lane_draft.h"

// What lanes that are changed by hand take as a whole, when their kernels run, and what every other place of a kernel
// would bring.
namespace iosx {

// Returns the draft of the kernels that this device makes with this batch: the draft itself where these are its own.
// Errors: the device runs stages only, or makes other kernels.
Result<LaneDraft> on_device(const LaneDraft& draft, const DeviceInfo& device, std::int64_t batch);

// When a kernel of the plan with stages runs.
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
// The device must run lanes without barriers, and the draft be of its kernels. Errors are the device's, or a stop.
Result<LaneRun> run_lanes(Device& device, const LaneDraft& draft, const JobContext& job);
// Returns what a run takes with the kernel at each of the places, which must be allowed. The device must be simulated.
Result<std::vector<Millis>> latencies_at(Device& device, const LaneDraft& draft, KernelId kernel,
                                         std::span<const LaneDraft::Place> places, const JobContext& job);

// Returns when kernels ran, by kernel of the plan with stages. The trace must be of a run of the plan on these lanes;
// the answer is empty where it does not have every kernel.
std::vector<KernelTime> times_of(const LaneSchedule& lanes, const Trace& trace);
// Returns when kernels would run if each took as long as given, whatever runs beside it: where nobody has run the
// draft, it says what comes before what, not how long the whole takes.
std::vector<KernelTime> laid_out(const LaneDraft& draft, std::span<const Micros> takes);

// Returns the result of a run that launches the same kernels on the same lanes, whatever their numbers, and was run
// with a trace of all of them; null where there is none.
const ScheduleResult* find_run(const Comparison& run, const LaneDraft& draft);
// Returns when the kernels ran in the first result of a run that has them, with stages or on whatever lanes; empty
// where there is none.
std::vector<KernelTime> times_elsewhere(const Comparison& run, const LaneKernels& kernels);

// Returns the results of a run that lanes are held against, with their end-to-end latencies: IOS-Flow, where it has
// lanes, the fastest of the searches with stages, and sequential.
std::vector<DraftReference> lane_references(const Comparison& run);

}  // namespace iosx
