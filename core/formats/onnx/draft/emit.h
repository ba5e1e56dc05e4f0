#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/draft/draft.h"
#include "core/formats/onnx/loaded_onnx.h"
#include "core/model/graph/graph.h"

namespace iosx::onnx_import {

// Returns the operators that outputs need, in units: indices in order, the units in topological order. A unit has one
// operator that takes time, and what follows it cheaply: a convolution its sum and activation, any other its
// activations and reshapes. What nothing else reads but one convolution, an activation or a normalisation, stands
// before it. A matrix product has its bias, and an attention that is written out is one unit as a whole
// (attention_pattern.h).
std::vector<std::vector<std::size_t>> units_of(const Draft& draft);

// Makes the graph of a draft. Names are made unique; whatever yields an output of the model is named after it and read
// by nothing. `outputs` gets these names.
Result<Graph> emit(Draft draft, std::string name, std::vector<OnnxOutput>& outputs);

}  // namespace iosx::onnx_import
