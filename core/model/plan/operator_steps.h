#pragma once

#include <cstddef>
#include <vector>

#include "core/model/graph/graph.h"
#include "core/model/plan/execution_plan.h"

namespace iosx {

// Is what one kernel of a plan computes, for programs in which every concatenation is an operator: there what writes in
// place writes a tensor of its own, and a copy into the place or out of a merged layer is nothing.
struct OperatorStep {
  std::vector<OperatorId> operators;  // in order; of a merged layer those that are merged
  bool merged = false;
  std::size_t stage = 0;  // these are the kernel's; of a concatenation without one, its first reader's
  std::size_t lane = 0;
};

// Returns every operator of the graph but its sources in one step, in the plan's launch order as far as operators come
// after what they read: a kernel may read channels of a concatenation in place before the others are made.
std::vector<OperatorStep> operator_steps(const Graph& graph, const ExecutionPlan& plan);

}  // namespace iosx
