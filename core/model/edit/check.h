#pragma once

#include <optional>
#include <vector>

#include "core/model/edit/editable_graph.h"
#include "core/model/edit/problem.h"
#include "core/model/edit/unit_order.h"
#include "core/model/graph/parameters.h"

namespace iosx {

// The result of checking an editable graph. It is deterministic, and a mistake affects only what depends on it.
struct GraphCheck {
  // Operators, each after those that it reads, otherwise by key; without those on a circle and after one.
  std::vector<OperatorKey> order;
  // Outputs of the valid operators: those that accept their inputs, which are all valid.
  KeyMap<OperatorKey, Shape> shapes;
  std::vector<OrderedUnit> units;
  std::vector<Problem> problems;

  bool valid(OperatorKey key) const { return shapes.contains(key); }
  // Returns the shape of a whole output or of the channels read from it; none for an open slot, an invalid operator or
  // missing channels.
  std::optional<Shape> shape_of(const EditInput& input) const;
};

GraphCheck check(const EditableGraph& graph);

// Returns whether the operator's own weights and bias have these dims, or are made up.
bool fits(const EditOperator& op, const ParameterDims& dims);

}  // namespace iosx
