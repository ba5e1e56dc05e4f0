#pragma once

#include <cstddef>
#include <vector>

#include "core/formats/onnx/draft/draft.h"

namespace iosx::onnx_import {

// Finds attention that exporters wrote out, softmax(scale · Q Kᵀ + mask) V, by structure. Returns the operators of
// each, in order: the two matrix products, the operators between them (constant factors and divisors, masks, soft caps,
// the softmax, reshapes), and those that only prepare their inputs (reshapes, transpositions, slices, repetitions and
// constant factors without other readers). The last operator is the second product, and only it has other readers.
// `readers` counts the input slots and outputs that read each operator; 0 where it is not needed.
std::vector<std::vector<std::size_t>> attentions(const Draft& draft, const std::vector<std::size_t>& readers);

}  // namespace iosx::onnx_import
