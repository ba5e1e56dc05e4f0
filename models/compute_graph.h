#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/model/graph/graph.h"
#include "core/model/graph/tensor.h"

namespace iosx {

// Returns a graph's outputs for these inputs, in order, one tensor each with a batch of 1, computed by the CPU device.
// Errors: operators that it cannot execute, lack of memory, and a program built without it.
Result<std::vector<Tensor>> compute_graph(const Graph& graph, const std::vector<Tensor>& inputs);

}  // namespace iosx
