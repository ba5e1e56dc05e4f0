#pragma once

#include "core/model/graph/graph.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

// Returns the graph with units split that hold several independent first operators, such as a concatenation with its
// sums: each of these may then run beside the others. A chain of operators with only the next one as a reader stays
// together; the last piece keeps the unit's name, the others are named after their last operator. Whole units
// stay. Operators and parts keep their ids. Returns none without such units.
std::optional<Graph> finer_units(const Graph& graph);

// Returns the same schedule for the graph of finer_units(): a unit's pieces one after another.
Schedule on_finer_units(const Schedule& schedule, const Graph& graph, const Graph& finer);

}  // namespace iosx
