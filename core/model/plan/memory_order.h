#pragma once

#include <vector>

#include "core/model/graph/graph.h"

namespace iosx {

// By operator: whether its output has three axes but is no feature map, because nothing looks at it, or at what is
// computed from it element by element, as channels of pixels: rows of heads, windows of tokens. Devices keep such
// tensors in the order of their axes. It depends on the graph alone.
std::vector<bool> row_major_outputs(const Graph& graph);

}  // namespace iosx
