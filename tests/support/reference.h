#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/graph/graph.h"
#include "core/model/graph/tensor.h"

namespace iosx::test {

// What a graph computes, in the plainest loops and in double precision: one sample after another, one operator after
// another, everything row-major. Shares no code with any device. No Opaque operators.
// inputs: one a graph input, batch × shape. The outputs are in the order of Graph::outputs(), batch × shape.
std::vector<Tensor> reference_outputs(const Graph& graph, const std::vector<Tensor>& inputs, std::int64_t batch);

// Tensors alike by shape; the largest difference, relative to the largest number of `expected`.
double largest_error(const Tensor& expected, const Tensor& actual);

// Returns the index of the first element where one is NaN or infinite and the other not the same, or where both are
// numbers further apart than this part of the largest of `expected`.
std::optional<std::size_t> first_unlike(const Tensor& expected, const Tensor& actual, double tolerance);

}  // namespace iosx::test
