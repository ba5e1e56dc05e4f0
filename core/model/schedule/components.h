#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <span>
#include <vector>

#include "core/model/schedule/schedule.h"

namespace iosx {

// Which of n things are connected, directly or not.
class Components {
 public:
  explicit Components(std::size_t n) : lowest_(n) { std::iota(lowest_.begin(), lowest_.end(), std::size_t{0}); }

  void connect(std::size_t a, std::size_t b) {
    const auto [low, high] = std::minmax(lowest_[a], lowest_[b]);
    std::ranges::replace(lowest_, std::size_t{high}, std::size_t{low});
  }
  // Returns the lowest one connected with it, or itself.
  std::size_t lowest(std::size_t i) const { return lowest_[i]; }

 private:
  std::vector<std::size_t> lowest_;
};

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

}  // namespace iosx
