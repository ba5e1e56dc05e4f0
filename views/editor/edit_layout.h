#pragma once

#include <map>
#include <unordered_map>
#include <utility>

#include "core/edit/check.h"
#include "core/edit/editable_graph.h"
#include "views/graph/geometry.h"

namespace iosx::editor {

using Places = std::unordered_map<OperatorKey, canvas::Point>;  // centres
using Sizes = std::unordered_map<OperatorKey, canvas::Size>;
using Route = std::pair<OperatorKey, OperatorKey>;  // from a producer to its reader

// Where a layout puts operators, and how connections get from one to another around what is between.
struct EditLayout {
  Places places;
  std::map<Route, canvas::Curve> routes;
};

// All operators anew, part by part; parts stand under one another, or beside one another where that comes nearer to the
// aspect ratio. Operators on a circle stand where they would without what closes it. `sizes` has all operators.
EditLayout lay_out(const EditableGraph& graph, const GraphCheck& check, const Sizes& sizes, double aspect = 1.6);

// A place for one more operator among those that have one: below what it reads, else above what reads it, else below
// everything; aside if something is there. `places` has the others, wherever they are from.
canvas::Point place_beside(const EditableGraph& graph, OperatorKey key, const Places& places, const Sizes& sizes);

}  // namespace iosx::editor
