#pragma once

#include <cstddef>
#include <vector>

#include "core/model/graph/graph.h"
#include "core/model/plan/execution_plan.h"

namespace iosx {

// One kernel's computation, for programs in which every concatenation is an operator: there in-place writes become
// separate tensors, and copies into place or out of a merged layer disappear.
struct OperatorStep {
  std::vector<OperatorId> operators;  // in order; for a merged layer the merged ones
  bool merged = false;
  std::size_t stage = 0;  // the kernel's; for a concatenation without one, its first reader's
  std::size_t lane = 0;
};

// Returns every operator of the graph except sources in one step, in the plan's launch order as far as operators come
// after those that they read: a kernel may read channels of a concatenation in place before the others exist.
std::vector<OperatorStep> operator_steps(const Graph& graph, const ExecutionPlan& plan);

}  // namespace iosx
