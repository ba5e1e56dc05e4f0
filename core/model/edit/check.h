#pragma once

#include <optional>
#include <vector>

#include "core/model/edit/editable_graph.h"
#include "core/model/edit/problem.h"
#include "core/model/edit/unit_order.h"
#include "core/model/graph/parameters.h"

namespace iosx {

// Holds what is known of an editable graph. The same graph gives the same, and a mistake spoils only what depends on
// it.
struct GraphCheck {
  // Operators, each after what it reads, otherwise by key; without those on a circle and behind one.
  std::vector<OperatorKey> order;
  // Outputs of the valid operators: those that take what they read, all of which is valid.
  KeyMap<OperatorKey, Shape> shapes;
  std::vector<OrderedUnit> units;
  std::vector<Problem> problems;

  bool valid(OperatorKey key) const { return shapes.contains(key); }
  // The shape is that of a whole output or of the channels that are read of it; none for an open slot, for what is not
  // valid and for channels that are not there.
  std::optional<Shape> shape_of(const EditInput& input) const;
};

GraphCheck check(const EditableGraph& graph);

// Whether the operator's own weights and bias are of these dims, or made up.
bool fits(const EditOperator& op, const ParameterDims& dims);

}  // namespace iosx
