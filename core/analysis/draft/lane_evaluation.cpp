#include "core/analysis/draft/lane_evaluation.h"

#include <algorithm>
#include <utility>

#include "core/analysis/compare/make_schedules.h"

namespace iosx {
namespace {

bool same_launches(const LaneSchedule& a, const LaneSchedule& b) {
  if (a.launches.size() != b.launches.size()) return false;
  std::vector<std::size_t> to(kMostLanes, kMostLanes);
  std::vector<std::size_t> back(kMostLanes, kMostLanes);
  for (std::size_t i = 0; i < a.launches.size(); ++i) {
    const LaneSchedule::Launch& x = a.launches[i];
    const LaneSchedule::Launch& y = b.launches[i];
    if (x.kernel != y.kernel || x.lane >= kMostLanes || y.lane >= kMostLanes) return false;
    if (to[x.lane] == kMostLanes && back[y.lane] == kMostLanes) {
      to[x.lane] = y.lane;
      back[y.lane] = x.lane;
    }
    if (to[x.lane] != y.lane || back[y.lane] != x.lane) return false;
  }
  return true;
}

bool has_kernels(const ScheduleResult& result, const LaneKernels& kernels) {
  return result.schedule.stages == kernels.schedule.stages &&
         result.trace.kernels.size() == kernels.staged.kernels.size();
}

}  // namespace

Result<LaneDraft> on_device(const LaneDraft& draft, const DeviceInfo& device, std::int64_t batch) {
  const LaneKernels& own = draft.kernels();
  if (!device.barrier_free) return tl::unexpected(runs_stages_only(device, own.schedule.name));
  if (own.staged.batch == batch && own.lowering == device.lowering) return draft;
  return LaneDraft::make(lane_kernels(own.graph, own.schedule, batch, device.lowering), draft.lanes());
}

Result<LaneRun> run_lanes(Device& device, const LaneDraft& draft, const JobContext& job) {
  IOS_TRY(const RunResult run, load_and_run(device, draft.plan(), {.trace = true}, job));
  return LaneRun{run.latency, times_of(draft.lanes(), run.trace)};
}

Result<std::vector<Millis>> latencies_at(Device& device, const LaneDraft& draft, KernelId kernel,
                                         std::span<const LaneDraft::Place> places, const JobContext& job) {
  std::vector<Millis> latencies;
  for (const LaneDraft::Place& place : places) {
    IOS_TRY(const LaneDraft there, draft.moved(kernel, place));
    IOS_TRY(const RunResult run, load_and_run(device, there.plan(), {}, job));
    latencies.push_back(run.latency.value);
  }
  return latencies;
}

std::vector<KernelTime> times_of(const LaneSchedule& lanes, const Trace& trace) {
  if (trace.kernels.size() != lanes.launches.size()) return {};
  std::vector<KernelTime> times(lanes.launches.size());
  for (const KernelSpan& span : trace.kernels) {  // of the plan on lanes, whose kernels stand in launch order
    times[lanes.launches[span.kernel.index()].kernel.index()] = {span.begin, span.end};
  }
  return times;
}

std::vector<KernelTime> laid_out(const LaneDraft& draft, std::span<const Micros> takes) {
  std::vector<KernelTime> times(takes.size());
  std::vector<Micros> free(draft.rows().size(), Micros{0});
  for (const auto& [kernel, lane, name] : draft.lanes().launches) {
    Micros begin = free[lane];
    for (const KernelId need : draft.kernels().needs[kernel.index()]) begin = std::max(begin, times[need.index()].end);
    free[lane] = begin + takes[kernel.index()];
    times[kernel.index()] = {begin, free[lane]};
  }
  return times;
}

const ScheduleResult* find_run(const Comparison& run, const LaneDraft& draft) {
  const auto found = std::ranges::find_if(run.results, [&](const ScheduleResult& result) {
    return result.lanes && has_kernels(result, draft.kernels()) && same_launches(*result.lanes, draft.lanes());
  });
  return found == run.results.end() ? nullptr : &*found;
}

std::vector<KernelTime> times_elsewhere(const Comparison& run, const LaneKernels& kernels) {
  const auto found =
      std::ranges::find_if(run.results, [&](const ScheduleResult& result) { return has_kernels(result, kernels); });
  if (found == run.results.end()) return {};
  return times_of(found->lanes.value_or(one_lane(kernels.staged)), found->trace);
}

std::vector<DraftReference> lane_references(const Comparison& run) {
  std::vector<DraftReference> references;
  const ScheduleResult* staged = nullptr;
  for (const ScheduleResult& result : run.results) {
    if (result.search && !result.lanes && (staged == nullptr || result.latency.value < staged->latency.value))
      staged = &result;
  }
  const ScheduleResult* flow = run.find(ScheduleKind::kIosFlow);
  if (flow != nullptr && !flow->lanes) flow = nullptr;
  for (const ScheduleResult* result : {flow, staged, run.find(ScheduleKind::kSequential)}) {
    if (result != nullptr) references.push_back({result->schedule_kind, result->title(), result->latency.value});
  }
  return references;
}

}  // namespace iosx
