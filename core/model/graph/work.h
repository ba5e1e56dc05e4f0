#pragma once

#include <cstdint>

#include "core/model/graph/graph.h"

namespace iosx {

// Counts what an operator computes and moves in one run. A multiply-add is two FLOPs. Bytes count every input, weight
// and output once.
struct Work {
  double flops = 0;
  std::int64_t bytes_read = 0;  // inputs and weights
  std::int64_t bytes_written = 0;
  std::int64_t parameters = 0;  // weights and biases, in elements

  std::int64_t bytes() const { return bytes_read + bytes_written; }
  Work& operator+=(const Work& other);
  friend bool operator==(const Work&, const Work&) = default;
};

inline constexpr std::int64_t kFloat32Bytes = 4;

// Returns the work of a layer of a graph's tensor, with a bias, that need not stand in the graph.
Work layer_work(const Graph& graph, const Attributes& layer, const Value& input, const Shape& output,
                std::int64_t batch, std::int64_t element_bytes = kFloat32Bytes);

Work work(const Graph& graph, OperatorId id, std::int64_t batch, std::int64_t element_bytes = kFloat32Bytes);
// As devices compute the operator: where the network has no bias they add one of zeros, so that one kernel serves both.
Work kernel_work(const Graph& graph, OperatorId id, std::int64_t batch, std::int64_t element_bytes = kFloat32Bytes);
Work work(const Graph& graph, UnitId id, std::int64_t batch, std::int64_t element_bytes = kFloat32Bytes);
Work total_work(const Graph& graph, std::int64_t batch, std::int64_t element_bytes = kFloat32Bytes);

// Returns what gives a unit its colour: an operator that cannot be executed, else the convolution, pooling or linear
// operator with the most FLOPs, else the last operator.
OperatorId dominant_operator(const Graph& graph, UnitId unit);

}  // namespace iosx
