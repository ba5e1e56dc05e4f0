#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/model/graph/graph.h"
#include "core/model/graph/tensor.h"

namespace iosx {

// Returns a graph's outputs, in its order, of these inputs, one tensor each with a batch of 1, as the CPU device
// computes them. Errors are operators that it cannot execute, lack of memory, and a program that was built without it.
Result<std::vector<Tensor>> compute_graph(const Graph& graph, const std::vector<Tensor>& inputs);

}  // namespace iosx
