#pragma once

#include <cstddef>
#include <vector>

#include "core/base/result.h"
#include "core/model/graph/graph.h"
#include "core/model/plan/execution_plan.h"

namespace iosx {

// A network as a plan runs it, for engines that only know graphs: its operators are in launch order, and layers that
// the plan merges are one operator, whose output the others read in slices.
struct ScheduledGraph {
  // Computes the same as the network, with inputs and outputs of the same names. Every operator is a unit of its own. A
  // merged layer's name joins those in it ("a+b"); a network output from a merged layer is an Identity or a Slice with
  // the output's name.
  Graph graph;
  std::vector<std::size_t> stages;  // by operator of `graph`: its stage in the plan; 0 for a source
  std::vector<std::size_t> lanes;   // likewise
};

// Makes it from a plan of the graph. Errors are GraphBuilder's, for a network at a limit.
Result<ScheduledGraph> scheduled_graph(const Graph& graph, const ExecutionPlan& plan);

}  // namespace iosx
