#include "core/search/baseline.h"

#include "core/base/check.h"
#include "core/model/graph/networks.h"
#include "core/search/prepare.h"

namespace iosx {

namespace {

// Runs one network after another, each in the parts that it has alone.
Schedule in_turn(const Graph& graph, const JobContext& job) {
  Schedule schedule{std::string(row_of(ScheduleKind::kSequential).id), {}};
  for (const std::vector<UnitId>& units : independent_units(graph)) {
    const Graph own = alone(graph, units);
    for (Stage& stage : made_baseline(ScheduleKind::kSequential, own, kDefaultMaxStreams, job).stages) {
      for (Step& step : stage.groups.front().steps) step.units.front() = units[step.units.front().index()];
      schedule.stages.push_back(std::move(stage));
    }
  }
  return schedule;
}

}  // namespace

Schedule made_baseline(ScheduleKind kind, const Graph& graph, std::size_t max_streams, const JobContext& job) {
  const ScheduleKindRow& row = row_of(kind);
  IOS_CHECK(row.baseline());
  if (kind == ScheduleKind::kSequential && has_independent_networks(graph)) return in_turn(graph, job);
  if (kind != ScheduleKind::kSequential) return row.make_baseline(graph, max_streams);
  const auto parts = prepare(graph, {}, kDefaultMaxPartSize, kPartBudget, JobContext{job.stop, {}});
  return row.make_baseline(parts ? *parts : graph, max_streams);
}

}  // namespace iosx
