#pragma once

#include <optional>

#include "core/model/graph/graph.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

// Returns the graph with units parted that hold several independent first operators, such as a concatenation with the
// sums that it joins: each of these may then run beside the others. A run of operators that only the next one reads
// stays together; the last piece keeps the unit's name, the others are called after their last operator. Operators and
// parts keep their ids. None where no unit is like that.
std::optional<Graph> finer_units(const Graph& graph);

// Returns the same schedule of what finer_units() made of its graph: a unit's pieces one after another.
Schedule on_finer_units(const Schedule& schedule, const Graph& graph, const Graph& finer);

}  // namespace iosx
