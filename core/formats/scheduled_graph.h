#pragma once

#include <cstddef>
#include <vector>

#include "core/base/result.h"
#include "core/model/graph/graph.h"
#include "core/model/plan/execution_plan.h"

namespace iosx {

// Is a network as a plan runs it, for engines that know of graphs only: its operators stand in launch order, and layers
// that the plan merges are one operator, of whose output the others read their slices.
struct ScheduledGraph {
  // Computes what the network does, with inputs and outputs of the same names. Every operator is a unit of its own. A
  // merged layer is named after those in it ("a+b"); an output of the network that was in one is an Identity or a Slice
  // of its name.
  Graph graph;
  std::vector<std::size_t> stages;  // by operator of `graph`: where it stands in the plan; 0 for a source
  std::vector<std::size_t> lanes;   // the same
};

// Makes it of a plan of the graph. Errors: what GraphBuilder says, of a network at a limit.
Result<ScheduledGraph> scheduled_graph(const Graph& graph, const ExecutionPlan& plan);

}  // namespace iosx
