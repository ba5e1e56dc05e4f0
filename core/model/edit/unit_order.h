#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/model/edit/edit_index.h"
#include "core/model/edit/problem.h"

namespace iosx {

// A unit as it can be built: the unit's operators, the last of which is read outside, or one operator of a unit that
// had to be taken apart.
struct OrderedUnit {
  UnitKey unit;
  bool whole = true;  // not one that was taken apart
  PartKey part;       // in which it can run: that which the unit is in, or a later one
  std::vector<OperatorKey> operators;
};

// The units of a graph, each after those that it reads, part by part, otherwise in the order of their first operators'
// keys. `order` is the index's. Adds what is wrong with units and parts.
std::vector<OrderedUnit> order_units(const EditableGraph& graph, const EditIndex& index,
                                     std::span<const std::size_t> order, std::vector<Problem>& problems);

}  // namespace iosx
