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

// Says where a layout puts operators, and how connections get from one to another around what is between.
struct EditLayout {
  Places places;
  std::map<Route, canvas::Curve> routes;
};

// Returns where operators stand: where somebody put them by hand, else where a layout did.
Places standing_of(const EditableGraph& graph, const Places& laid);

// Lays out all operators anew, part by part; parts stand under one another, or beside one another where that comes
// nearer to the aspect ratio. Operators on a circle stand where they would without what closes it. `sizes` has all
// operators.
EditLayout lay_out(const EditableGraph& graph, const GraphCheck& check, const Sizes& sizes, double aspect = 1.6);

// Returns a place for one more operator among those that have one: below what it reads, else above what reads it, else
// below everything; aside if something is there. `places` has the others, wherever they are from.
canvas::Point place_beside(const EditableGraph& graph, OperatorKey key, const Places& places, const Sizes& sizes);

// Returns a place for an operator that reads and is read, as one that was put on a connection: below what it reads and
// above what reads it. Where there is too little room between them, what stands there and below in the same column of
// parts goes down, with its routes, if the layout put it there. Returns nothing where it is not between operators that
// have a place.
std::optional<canvas::Point> place_between(const EditableGraph& graph, OperatorKey key, EditLayout& layout,
                                           const Sizes& sizes);

}  // namespace iosx::editor
