#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/model/graph/graph.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/plan/operator_steps.h"

namespace iosx::pytorch {

// A step on lane 0 runs on the stream that the network is called on.
struct LaneStep : OperatorStep {
  std::vector<std::size_t> waits = {};          // earlier steps, on other lanes, that must have ended
  bool awaited = false;                         // a step on another lane waits for it
  std::vector<OperatorId> dropped_before = {};  // tensors that nobody needs when the step starts, after its waits
  std::vector<OperatorId> dropped_after = {};   // and when it has been launched
};

// A barrier-free plan in launch order. A tensor's memory goes back to the lane that made it, which may use it at once:
// so a tensor that other lanes read is dropped where the waits of its own lane say that they have read it.
struct LaneProgram {
  std::vector<LaneStep> steps;
  std::size_t lanes = 0;
  // Made on lanes but the first, there until all lanes have ended, and read on others by then: outputs, and what no
  // step can drop.
  std::vector<OperatorId> kept;
};

// Makes it of a barrier-free plan of the graph; `outputs` are the operators whose results are returned.
LaneProgram lane_program(const Graph& graph, const ExecutionPlan& plan, std::span<const OperatorId> outputs);

}  // namespace iosx::pytorch
