#include "core/model/schedule/baselines.h"

#include <algorithm>
#include <deque>

#include "core/base/check.h"
#include "core/model/graph/networks.h"
#include "core/model/schedule/schedule_table.h"

namespace iosx {
namespace {

// Units of one part that run as soon as their inputs exist.
class ReadyQueue {
 public:
  ReadyQueue(const Graph& graph, const Part& part)
      : graph_(graph), part_(graph.unit(part.units.front()).part), missing_(graph.units().size(), 0) {
    for (const UnitId unit : part.units) {
      for (const UnitId before : graph.predecessors(unit)) missing_[unit.index()] += inside(before) ? 1 : 0;
      if (missing_[unit.index()] == 0) ready_.push_back(unit);
    }
  }

  bool empty() const { return ready_.empty(); }

  Stage take(std::size_t max_streams) {
    Stage stage;
    std::vector<UnitId> started;
    while (!ready_.empty() && started.size() < max_streams) {
      started.push_back(ready_.front());
      stage.groups.push_back(Group{{Step{{ready_.front()}}}});
      ready_.pop_front();
    }
    std::vector<UnitId> newly_ready;
    for (const UnitId unit : started) {
      for (const UnitId next : graph_.successors(unit)) {
        if (inside(next) && --missing_[next.index()] == 0) newly_ready.push_back(next);
      }
    }
    std::sort(newly_ready.begin(), newly_ready.end());
    ready_.insert(ready_.end(), newly_ready.begin(), newly_ready.end());
    std::sort(stage.groups.begin(), stage.groups.end(), [](const Group& a, const Group& b) {
      return a.steps.front().units.front() < b.steps.front().units.front();
    });
    return stage;
  }

 private:
  bool inside(UnitId unit) const { return graph_.unit(unit).part == part_; }

  const Graph& graph_;
  PartId part_;
  std::vector<std::size_t> missing_;  // by unit: predecessors in the part that have not run
  std::deque<UnitId> ready_;
};

Group group_of(std::span<const UnitId> units) {
  Group group;
  for (const UnitId unit : units) group.steps.push_back(Step{{unit}});
  return group;
}

}  // namespace

Stage sequential_stage(const Part& part) { return Stage{{group_of(part.units)}}; }

Schedule sequential_schedule(const Graph& graph) {
  Schedule schedule{std::string(row_of(ScheduleKind::kSequential).id), {}};
  if (has_independent_networks(graph)) {
    for (const std::vector<UnitId>& units : independent_units(graph)) schedule.stages.push_back({{group_of(units)}});
    return schedule;
  }
  for (const Part& part : graph.parts()) schedule.stages.push_back(sequential_stage(part));
  return schedule;
}

Schedule one_by_one_schedule(const Graph& graph) {
  Schedule schedule{std::string(row_of(ScheduleKind::kOneByOne).id), {}};
  for (const std::vector<UnitId>& units : independent_units(graph)) {
    for (const UnitId unit : units) schedule.stages.push_back(single_unit_stage(unit));
  }
  return schedule;
}

Schedule side_by_side_schedule(const Graph& graph) {
  Stage stage;
  for (const std::vector<UnitId>& units : independent_units(graph)) stage.groups.push_back(group_of(units));
  return {std::string(row_of(ScheduleKind::kSideBySide).id), {std::move(stage)}};
}

Schedule greedy_schedule(const Graph& graph, std::size_t max_streams) {
  IOS_CHECK(max_streams >= 1);
  Schedule schedule{std::string(row_of(ScheduleKind::kGreedy).id), {}};
  for (const Part& part : graph.parts()) {
    for (ReadyQueue queue(graph, part); !queue.empty();) schedule.stages.push_back(queue.take(max_streams));
  }
  return schedule;
}

}  // namespace iosx
