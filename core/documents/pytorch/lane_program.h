#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/model/graph/graph.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/plan/operator_steps.h"

namespace iosx::pytorch {

// A step on lane 0 runs on the caller's stream.
struct LaneStep : OperatorStep {
  std::vector<std::size_t> waits = {};          // earlier steps on other lanes that must end first
  bool awaited = false;                         // a step on another lane waits for it
  std::vector<OperatorId> dropped_before = {};  // tensors that are not needed from the step's start on, after its waits
  std::vector<OperatorId> dropped_after = {};   // and from its launch on
};

// A barrier-free plan in launch order. A tensor's memory returns to the lane that made it, which may reuse it at once:
// so a tensor that other lanes read is dropped where the waits of its own lane imply that they have read it.
struct LaneProgram {
  std::vector<LaneStep> steps;
  std::size_t lanes = 0;
  // Tensors made on later lanes that stay until all lanes have ended, and are then read on others: outputs, and
  // tensors that no step can drop.
  std::vector<OperatorId> kept;
};

// Makes it from a barrier-free plan of the graph; `outputs` are the operators whose results are returned.
LaneProgram lane_program(const Graph& graph, const ExecutionPlan& plan, std::span<const OperatorId> outputs);

}  // namespace iosx::pytorch
