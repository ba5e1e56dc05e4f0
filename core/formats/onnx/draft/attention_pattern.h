#pragma once

#include <cstddef>
#include <vector>

#include "core/formats/onnx/draft/draft.h"

namespace iosx::onnx_import {

// Finds where exporters wrote attention out, softmax(scale · Q Kᵀ + mask) V: returns for each place the operators that
// compute it, in order, found by structure. They are the two matrix products, what lies between them (factors and
// divisors that are constant, masks, soft caps, the softmax, reshapes), and what only prepares their inputs: reshapes,
// transpositions, slices, repetitions and constant factors that nothing else reads. The last operator is the second
// product, and only it is read by others. `readers` counts the input slots and outputs that read each operator; it is 0
// where the operator is not needed.
std::vector<std::vector<std::size_t>> attentions(const Draft& draft, const std::vector<std::size_t>& readers);

}  // namespace iosx::onnx_import
