#include "core/model/schedule/schedule.h"

#include <algorithm>
#include <utility>

namespace iosx {

std::vector<UnitId> Stage::units() const {
  std::vector<UnitId> all;
  for (const Group& group : groups) {
    for (const Step& step : group.steps) all.insert(all.end(), step.units.begin(), step.units.end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

Stage single_unit_stage(UnitId unit) { return Stage{{Group{{Step{{unit}}}}}}; }

Stage merge_stage(std::vector<UnitId> units) { return Stage{{Group{{Step{std::move(units)}}}}}; }

Strategy strategy_of(const Graph& graph, const Stage& stage) {
  if (stage.groups.size() != 1 || stage.groups.front().steps.size() != 1) return Strategy::kConcurrent;
  const Step& step = stage.groups.front().steps.front();
  if (step.merged()) return Strategy::kMerge;
  if (step.units.empty()) return Strategy::kConcurrent;
  const Unit& unit = graph.unit(step.units.front());
  if (unit.operators.size() != 1) return Strategy::kConcurrent;
  const Conv* conv = graph.op(unit.operators.front()).as<Conv>();
  return conv != nullptr && conv->merged_from.size() > 1 ? Strategy::kMerge : Strategy::kConcurrent;
}

std::string_view strategy_name(Strategy strategy) {
  switch (strategy) {
    case Strategy::kConcurrent: return "concurrent";
    case Strategy::kMerge: return "merge";
  }
  return "concurrent";
}

}  // namespace iosx
