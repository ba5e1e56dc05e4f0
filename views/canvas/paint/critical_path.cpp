#include "views/canvas/paint/critical_path.h"

#include <algorithm>
#include <optional>

#include "core/base/check.h"
#include "core/model/graph/work.h"

namespace iosx::canvas {
namespace {

constexpr double kFlopsPerByte = 16;

double weight(const Graph& graph, UnitId unit) {
  const Work sum = work(graph, unit, 1);
  return sum.flops / kFlopsPerByte + static_cast<double>(sum.bytes());
}

double weight(const Graph& graph, const Step& step) {
  double sum = 0;
  for (const UnitId unit : step.units) sum += weight(graph, unit);
  return sum;
}

double weight(const Graph& graph, const Group& group) {
  double sum = 0;
  for (const Step& step : group.steps) sum += weight(graph, step);
  return sum;
}

}  // namespace

std::size_t UnitCosts::count(Source source) const {
  return static_cast<std::size_t>(std::count(sources.begin(), sources.end(), source));
}

UnitCosts unit_costs(const Graph& graph, const Schedule& schedule, std::span<const Latency> stages) {
  IOS_CHECK(stages.size() == schedule.stages.size());
  const std::size_t units = graph.units().size();
  UnitCosts costs{std::vector<Millis>(units, Millis(0)), std::vector(units, UnitCosts::Source::kUnknown)};
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const Stage& stage = schedule.stages[s];
    double slowest = 0;
    for (const Group& group : stage.groups) slowest = std::max(slowest, weight(graph, group));
    const bool single = stage.units().size() == 1;
    for (const Group& group : stage.groups) {
      for (const Step& step : group.steps) {
        const double share =
            slowest > 0 ? weight(graph, step) / slowest : 1.0 / static_cast<double>(group.steps.size());
        for (const UnitId unit : step.units) {
          costs.values[unit.index()] = single ? stages[s].value : stages[s].value * share;
          costs.sources[unit.index()] = single ? UnitCosts::Source::kAlone : UnitCosts::Source::kShare;
        }
      }
    }
  }
  return costs;
}

CriticalPath critical_path(const Graph& graph, std::span<const Millis> costs) {
  const std::size_t units = graph.units().size();
  IOS_CHECK(costs.size() == units);
  CriticalPath path;
  if (units == 0) return path;
  std::vector<Millis> until(units, Millis(0));  // the end of the longest chain to the unit, itself included
  std::vector<Millis> after(units, Millis(0));  // the longest chain of what must follow it
  std::vector<std::optional<UnitId>> before(units);
  for (std::size_t u = 0; u < units; ++u) {  // topological order
    Millis start(0);
    for (const UnitId from : graph.predecessors(UnitId(u))) {
      if (before[u] && until[from.index()] <= start) continue;
      start = until[from.index()];
      before[u] = from;
    }
    until[u] = start + costs[u];
  }
  for (std::size_t u = units; u-- > 0;) {
    for (const UnitId to : graph.successors(UnitId(u))) {
      after[u] = std::max(after[u], after[to.index()] + costs[to.index()]);
    }
  }
  const auto last = std::max_element(until.begin(), until.end());
  path.length = *last;
  for (std::size_t u = 0; u < units; ++u) path.slack.push_back(std::max(Millis(0), path.length - until[u] - after[u]));
  for (std::optional<UnitId> unit = UnitId(static_cast<std::size_t>(last - until.begin())); unit;
       unit = before[unit->index()]) {
    path.units.push_back(*unit);
  }
  std::reverse(path.units.begin(), path.units.end());
  return path;
}

}  // namespace iosx::canvas
