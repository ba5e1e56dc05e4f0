#pragma once

#include <functional>
#include <vector>

#include "core/base/result.h"
#include "core/model/graph/graph.h"
#include "core/model/graph/tensor.h"

namespace iosx {

// Computes a graph's outputs from its inputs, in order: one tensor each, with a batch of 1. File readers receive one
// to compute constants, because they may not depend on devices.
using GraphFunction = std::function<Result<std::vector<Tensor>>(const Graph&, const std::vector<Tensor>&)>;

}  // namespace iosx
