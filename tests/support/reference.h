#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/graph/graph.h"
#include "core/model/graph/tensor.h"

namespace iosx::test {

// Computes a graph with the plainest loops in double precision: one sample after another, one operator after
// another, everything row-major. It shares no code with any device. No Opaque operators. inputs: one per graph
// input, batch × shape. Outputs are in the order of Graph::outputs(), batch × shape.
std::vector<Tensor> reference_outputs(const Graph& graph, const std::vector<Tensor>& inputs, std::int64_t batch);

// Returns the largest difference of tensors of one shape, relative to the largest number of `expected`.
double largest_error(const Tensor& expected, const Tensor& actual);

// Returns the index of the first element where one is NaN or infinite and the other different, or where the numbers
// differ by more than this fraction of the largest of `expected`.
std::optional<std::size_t> first_unlike(const Tensor& expected, const Tensor& actual, double tolerance);

}  // namespace iosx::test
