#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/draft/draft.h"
#include "core/formats/onnx/loaded_onnx.h"
#include "core/model/graph/graph.h"

namespace iosx::onnx_import {

// Returns the operators that outputs need, in units: indices in order, with the units in topological order. A unit
// has one expensive operator and the cheap ones that follow it: after a convolution its sum and activation, after
// others their activations and reshapes. An activation or normalisation with one convolution as its only reader
// stands before it. A matrix product has its bias, and a written-out attention is one whole unit.
std::vector<std::vector<std::size_t>> units_of(const Draft& draft);

// Makes the graph of a draft. Names become unique; the operator of each model output has that output's name and no
// readers. `outputs` receives these names.
Result<Graph> emit(Draft draft, std::string name, std::vector<OnnxOutput>& outputs);

}  // namespace iosx::onnx_import
