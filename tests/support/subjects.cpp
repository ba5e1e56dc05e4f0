#include "tests/support/subjects.h"

#include <utility>

#include "core/base/check.h"

namespace iosx::test {

Subject subject_of(std::shared_ptr<const Graph> graph, Schedule schedule, const MadeUpRun& run,
                   ScheduleKind schedule_kind) {
  auto comparison = std::make_shared<Comparison>();
  comparison->graph = std::move(graph);
  comparison->device = {"made-up", run.device, "for tests", "made-up", run.origin};
  comparison->batch = run.batch;
  ScheduleResult& result = comparison->add(schedule_kind, std::move(schedule));
  IOS_CHECK(run.stages.size() == result.schedule.stages.size());
  const auto latency = [&](double ms) { return Latency{Millis(ms), Millis(run.spread), run.samples, run.origin}; };
  for (const double ms : run.stages) {
    result.stage_latencies.push_back(latency(ms));
    result.stage_sum += Millis(ms);
  }
  result.between_stages = Millis(run.between);
  result.stage_sum += result.between_stages;
  result.latency = latency(result.stage_sum.count() + run.rest);
  Subject subject{comparison, 0};
  subject.label = result.title();
  return subject;
}

Schedule schedule_of(const std::vector<std::vector<std::vector<std::size_t>>>& stages, std::string name) {
  Schedule schedule{std::move(name), {}};
  for (const auto& groups : stages) {
    Stage& stage = schedule.stages.emplace_back();
    for (const auto& units : groups) {
      Group& group = stage.groups.emplace_back();
      for (const std::size_t unit : units) group.steps.push_back({{UnitId(unit)}});
    }
  }
  return schedule;
}

}  // namespace iosx::test
