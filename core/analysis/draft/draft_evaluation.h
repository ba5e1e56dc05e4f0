#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/devices/device.h"
#include "core/model/cost/latency.h"
#include "core/model/plan/lanes/lane_draft.h"
#include "core/model/schedule/schedule_draft.h"
#include "core/search/stage_candidates.h"

// The costs of a hand-edited schedule, stage by stage, compared with its start and other schedules.
namespace iosx {

struct DraftCosts {
  std::vector<std::optional<Latency>> stages = {};  // by stage; none: unknown
  std::optional<Millis> sum = {};                   // with the overhead between stages; none while a stage's is unknown
  Millis spread{0};                                 // of the sum, if stages vary independently
};

// A schedule that the draft is compared with.
struct DraftReference {
  ScheduleKind schedule_kind = ScheduleKind::kSequential;
  std::string title;
  Millis sum{0};
};

struct DraftEvaluation {
  DraftCosts costs = {};
  // By stage, how much longer it takes than the stages of the start with most of its units. None where the start has
  // the same stage, or a latency is unknown.
  std::vector<std::optional<Millis>> changes = {};
  // The best search of the run, greedy, sequential. Missing ones are computed where the source allows.
  std::vector<DraftReference> references = {};
  std::optional<Error> error = {};  // the source's; then all stages are unknown
};

// `source` answers for the draft's graph; if it measures(), unknown stages are measured, otherwise only known ones
// count; null: none. `run` is the draft's comparison; null: none.
DraftEvaluation evaluate_draft(const ScheduleDraft& draft, const ScheduleDraft& start, LatencySource* source,
                               const Comparison* run);

// Returns the best search of the run, where a schedule of these costs beats it; else null.
const ScheduleResult* beaten_search(const DraftCosts& costs, const Comparison& run);

// A draft that beats a search, and why that search has no such stages.
struct DraftInsight {
  ScheduleKind schedule_kind = ScheduleKind::kIosBoth;  // the search's
  std::string title;                                    // the search's
  Millis gained{0};
  // The draft's stages that the search's schedule lacks, the largest gain first. Without a reason the search was
  // free to take the stage.
  std::vector<StageBeyond> stages = {};
};
// `searched_with` has the options of the run's searches. None where no search was beaten.
std::optional<DraftInsight> insight_of(const ScheduleDraft& draft, const DraftEvaluation& evaluation,
                                       const Comparison& run, SearchOptions searched_with);

// Returns the run's result of this schedule made by hand, with groups in any order, on these lanes if it has any, or
// null.
const ScheduleResult* find_by_hand(const Comparison& run, const Schedule& schedule,
                                   const std::optional<LaneSchedule>& lanes = {});

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
