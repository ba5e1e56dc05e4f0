#pragma once

#include <functional>
#include <vector>

#include "core/base/result.h"
#include "core/model/graph/graph.h"
#include "core/model/graph/tensor.h"

namespace iosx {

// Computes a graph's outputs, in its order, of its inputs: one tensor each, with a batch of 1. Readers of files take
// one to compute what follows from constants, as they may not know devices.
using GraphFunction = std::function<Result<std::vector<Tensor>>(const Graph&, const std::vector<Tensor>&)>;

}  // namespace iosx
