#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/model/edit/check.h"
#include "core/model/edit/editable_graph.h"
#include "views/canvas/layout/geometry.h"

namespace iosx::editor {

using Places = std::unordered_map<OperatorKey, canvas::Point>;  // centres
using Sizes = std::unordered_map<OperatorKey, canvas::Size>;
using Route = std::pair<OperatorKey, OperatorKey>;  // from a producer to its reader

// A layout's places of operators, and the routes of connections around others.
struct EditLayout {
  Places places;
  std::map<Route, canvas::Curve> routes;
};

// Returns the operators' places: those set by hand, else those of a layout.
Places standing_of(const EditableGraph& graph, const Places& laid);

// Lays out all operators anew, part by part; parts are stacked, or side by side where that fits the aspect ratio
// better. Operators on a circle are placed as if its closing edge were missing. `sizes` has all operators.
EditLayout lay_out(const EditableGraph& graph, const GraphCheck& check, const Sizes& sizes, double aspect = 1.6);

// Returns a place for one more operator: below its producers, else above its readers, else below everything; beside an
// occupied place. `places` has the others, from any source.
canvas::Point place_beside(const EditableGraph& graph, OperatorKey key, const Places& places, const Sizes& sizes);

// Returns a place for an operator between producers and readers, such as one dropped on a connection: below the former
// and above the latter. With too little room between them, operators there and below in the same column of parts, if
// placed by the layout, move down with their routes. Returns none where it is not between operators that have a place.
std::optional<canvas::Point> place_between(const EditableGraph& graph, OperatorKey key, EditLayout& layout,
                                           const Sizes& sizes);

}  // namespace iosx::editor
