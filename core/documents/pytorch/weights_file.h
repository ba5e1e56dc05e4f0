#pragma once

#include <iosfwd>

#include "core/documents/pytorch/python_text.h"

namespace iosx::pytorch {

// Writes the weights and biases of the graph's operators in the safetensors format, float32, under the keys of the
// written class's state_dict(): "conv1.weight", "conv1.bias", and a constant's own name.
void write_weights(std::ostream& out, const Graph& graph, const PythonNames& names);

}  // namespace iosx::pytorch
