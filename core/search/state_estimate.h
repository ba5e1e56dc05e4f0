#pragma once

#include <span>

#include "core/model/graph/graph.h"

namespace iosx {

// Estimates the number of states of a search of these units (sorted by id) without listing them: non-empty sets of
// units that contain all their predecessors. Limits on stages do not matter, because a unit alone is always a stage. It
// uses random descents through the sets after Knuth, "Estimating the efficiency of backtrack programs" (1975), with
// resampling; it is deterministic and right within a factor of two.
double estimated_states(const Graph& graph, std::span<const UnitId> units);

}  // namespace iosx
