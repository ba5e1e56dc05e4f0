#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/model/edit/edit_index.h"
#include "core/model/edit/problem.h"

namespace iosx {

// A unit in buildable form: its operators, of which the last is read outside, or one operator of a unit that had to
// be taken apart.
struct OrderedUnit {
  UnitKey unit;
  bool whole = true;  // false: taken apart
  PartKey part;       // where it can run: the unit's own part, or a later one
  std::vector<OperatorKey> operators;
};

// Returns the units of a graph, each after those that it reads, part by part, otherwise in the order of their first
// operators' keys. `order` is the index's. Appends the problems of units and parts.
std::vector<OrderedUnit> order_units(const EditableGraph& graph, const EditIndex& index,
                                     std::span<const std::size_t> order, std::vector<Problem>& problems);

}  // namespace iosx
