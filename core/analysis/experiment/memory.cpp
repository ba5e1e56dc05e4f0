#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/compare/find_lanes.h"
#include "core/analysis/compare/planned_memory.h"
#include "core/analysis/experiment/lab.h"

namespace iosx {
namespace {

// A point of the curve: lanes of a schedule's kernels, or the schedule itself.
struct MemoryPoint {
  GivenSchedule given;
  ScheduleKind schedule_kind = ScheduleKind::kByHand;  // of the schedule with stages
};

// The schedules with stages, each plan once, and after them lanes of all their kernels.
Result<std::vector<MemoryPoint>> points_of(Lab& lab, const Comparison& staged) {
  std::vector<MemoryPoint> points;
  std::vector<ExecutionPlan> plans;
  for (const ScheduleResult& each : staged.results) {
    if (each.search) lab.note_budget(*each.search, each.title());
    if (std::ranges::find(plans, each.plan) != plans.end()) continue;
    plans.push_back(each.plan);
    points.push_back({GivenSchedule(each.schedule), each.schedule_kind});
    points.back().given.schedule.name = each.title();
  }
  IOS_TRY(auto found, lanes_by_memory(*lab.devices().front().device, plans, lab.options().timing, lab.job()));
  for (FoundLanes& lanes : found) {
    MemoryPoint point = points[lanes.of];
    point.given.lanes = std::move(lanes.lanes);
    points.push_back(std::move(point));
  }
  return points;
}

// Nothing takes at most as much memory and is faster beyond the noise.
bool on_front(const ScheduleResult& one, std::span<const ScheduleResult> runs) {
  return std::ranges::all_of(runs, [&](const ScheduleResult& other) {
    if (other.planned_bytes > one.planned_bytes || &other == &one) return true;
    if (other.planned_bytes < one.planned_bytes && other.latency.value <= one.latency.value) return false;
    return none_faster(one, other);
  });
}

}  // namespace

Result<void> try_memory(Lab& lab) {
  const ExperimentDevice& device = lab.devices().front();
  if (!device.device->info().barrier_free) {
    return fail(message("{} cannot run lanes, so a memory limit does not apply", device.device->info().name), "device",
                message("choose another device"));
  }
  std::vector<ScheduleKind> kinds = made_schedule_kinds();
  std::erase_if(kinds, [](ScheduleKind kind) { return row_of(kind).barrier_free; });
  IOS_TRY(const auto staged, lab.compare({device, lab.options().batch, {}}, kinds));
  IOS_TRY(auto points, points_of(lab, staged));
  std::vector<GivenSchedule> given;
  for (const MemoryPoint& point : points) given.push_back(point.given);
  IOS_TRY(const auto together, lab.compare({device, lab.options().batch, "side by side"}, std::move(given)));
  ExperimentResult& result = lab.result();
  result.factors = {{"schedule", said("schedule")}};
  result.measures = {latency_measure(),
                     spread_measure(),
                     {"planned_peak_mb", said("planned peak"), "MB", 2},
                     {"lanes", said("lanes"), "", 0}};
  // A stop leaves some out.
  const std::span<const ScheduleResult> runs(together.results.data(), std::min(points.size(), together.results.size()));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const ScheduleResult& run = runs[i];
    const bool front = on_front(run, runs);
    if (run.lanes && !front) continue;
    result.trials.push_back(
        {.levels = {run.schedule.name},
         .values = {run.latency.value.count(), run.latency.spread.count(), megabytes(run.planned_bytes),
                    run.lanes ? std::optional(static_cast<double>(run.plan.lane_count())) : std::nullopt},
         .origin = run.latency.origin,
         .schedule_kind = points[i].schedule_kind,
         .best = front});
  }
  std::ranges::stable_sort(result.trials, {}, [](const Trial& trial) { return trial.values[2].value_or(0); });
  return {};
}

}  // namespace iosx
