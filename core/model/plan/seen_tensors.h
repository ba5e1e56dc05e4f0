#pragma once

#include "core/model/graph/concat_places.h"
#include "core/model/graph/graph.h"
#include "core/model/plan/execution_plan.h"

namespace iosx {

// Finds the Transpose and Reshape operators that have no kernel, because matrix products see another tensor in their
// axes (LowerOptions::strided_products):
// - those that only matrix products read, perhaps through each other: the products read what the first of them reads;
// - those that alone read a matrix product, one after another: the product writes what the last of them puts out.
// It depends on the graph and the batch, never on a schedule: such an operator may be in another group than the
// product. In a batch, operators that move heads keep their kernels, because a library needs one stride from matrix to
// matrix, and samples and heads have two.
class SeenTensors {
 public:
  SeenTensors() = default;  // every operator has its kernel
  // With attention as one kernel, the factors of what it reads (patterns.h) are part of it.
  SeenTensors(const Graph& graph, std::int64_t batch, const ConcatPlaces& concats, bool attention);

  // Returns the operator whose output holds that of this one: usually itself.
  OperatorId stored(OperatorId id) const { return places_.empty() ? id : places_[id.index()].stored; }
  // Returns the axes in which the value is seen in the whole output that holds it; empty: it lies there in its own.
  std::vector<SeenAxis> seen(const Value& value) const;
  bool has_kernel(OperatorId id) const { return places_.empty() || places_[id.index()].has_kernel; }

 private:
  struct Place {
    OperatorId stored;
    std::vector<SeenAxis> seen = {};
    bool has_kernel = true;
  };
  std::vector<Place> places_;  // by operator
};

}  // namespace iosx
