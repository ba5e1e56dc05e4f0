#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/duration.h"
#include "core/search/state_space.h"

namespace iosx {

struct Solution {
  Millis cost{0};
  std::vector<std::uint32_t> stages;  // indices into StateSpace::stages, in the order in which they run
};

// The cheapest sequence of stages. latency[i] is that of space.stages[i]; infinity forbids the stage. Of equally cheap
// sequences it takes, stage by stage from the last one, the one with fewer stages, then the one whose ending is the
// smallest number as a bit set. Nothing if every sequence is forbidden.
std::optional<Solution> solve(const StateSpace& space, std::span<const Millis> latency);

}  // namespace iosx
