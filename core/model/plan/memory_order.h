#pragma once

#include <vector>

#include "core/model/graph/graph.h"

namespace iosx {

// Returns by operator whether its output has three axes but is no feature map, because no reader, also after
// elementwise operators, treats it as channels of pixels: rows of heads, windows of tokens. Devices store such
// tensors in the order of their axes. It depends on the graph alone.
std::vector<bool> row_major_outputs(const Graph& graph);

}  // namespace iosx
