#pragma once

#include <map>

#include "core/base/components.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

// Returns the step of each unit.
inline std::map<UnitId, std::size_t> step_numbers(std::span<const Step> steps) {
  std::map<UnitId, std::size_t> numbers;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (const UnitId unit : steps[i].units) numbers.emplace(unit, i);
  }
  return numbers;
}

// Connects steps of which one reads the other's output.
inline Components connected(const Graph& graph, std::span<const Step> steps) {
  const std::map<UnitId, std::size_t> numbers = step_numbers(steps);
  Components components(steps.size());
  for (const auto& [unit, step] : numbers) {
    for (const UnitId before : graph.predecessors(unit)) {
      if (const auto other = numbers.find(before); other != numbers.end()) components.connect(other->second, step);
    }
  }
  return components;
}

// Returns a stage with a group for each component of the steps, each in the order of its first step.
inline Stage in_lanes(std::span<const Step> steps, Components components) {
  std::map<std::size_t, Group> groups;
  for (std::size_t i = 0; i < steps.size(); ++i) groups[components.lowest(i)].steps.push_back(steps[i]);
  Stage stage;
  for (auto& [first, group] : groups) stage.groups.push_back(std::move(group));
  return stage;
}

}  // namespace iosx
