#pragma once

#include <span>

#include "core/model/graph/graph.h"

namespace iosx {

// How many states the search of these units (by id) has, without listing them: sets of units that hold all predecessors
// of their own, the empty one left out. Limits on stages do not matter, as a unit alone is always a stage. From random
// descents through the sets, after Knuth, "Estimating the efficiency of backtrack programs" (1975), with resampling;
// the same every time, and right to a factor of two.
double estimated_states(const Graph& graph, std::span<const UnitId> units);

}  // namespace iosx
