#pragma once

#include "core/model/graph/graph.h"

namespace iosx {

// An operator's computation and traffic in one run. A multiply-add is two FLOPs. Bytes count every input, weight and
// output once.
struct Work {
  double flops = 0;
  std::int64_t bytes_read = 0;  // inputs and weights
  std::int64_t bytes_written = 0;
  std::int64_t parameters = 0;  // weights and biases, in elements
  bool known = true;            // false: an operator has no known cost, and the rest is an estimate

  std::int64_t bytes() const { return bytes_read + bytes_written; }
  Work& operator+=(const Work& other);
  friend bool operator==(const Work&, const Work&) = default;
};

inline constexpr std::int64_t kFloat32Bytes = 4;

// Returns the work of a layer on a tensor of the graph, with a bias; the layer need not be part of the graph.
Work layer_work(const Graph& graph, const Attributes& layer, const Value& input, const Shape& output,
                std::int64_t batch, std::int64_t element_bytes = kFloat32Bytes);

Work work(const Graph& graph, OperatorId id, std::int64_t batch, std::int64_t element_bytes = kFloat32Bytes);
// Returns the work of devices: where the network has no bias they add one of zeros, so that one kernel serves both.
Work kernel_work(const Graph& graph, OperatorId id, std::int64_t batch, std::int64_t element_bytes = kFloat32Bytes);
Work work(const Graph& graph, UnitId id, std::int64_t batch, std::int64_t element_bytes = kFloat32Bytes);
Work total_work(const Graph& graph, std::int64_t batch, std::int64_t element_bytes = kFloat32Bytes);

// Returns whether the work of all the unit's operators is known: see Graph::has_known_cost().
bool has_known_cost(const Graph& graph, UnitId id);

// Returns the operator that determines a unit's colour: one that cannot be executed, else the convolution, pooling
// or linear operator with the most FLOPs, else the last operator.
OperatorId dominant_operator(const Graph& graph, UnitId unit);

}  // namespace iosx
