#pragma once

#include <span>
#include <utility>

#include "core/model/edit/editable_graph.h"
#include "core/model/edit/patch.h"

namespace iosx {

struct PlacedOperator {
  OperatorKey key;
  CanvasPlace place;
};

// Moves operators to dragged places, from any place.
Patch place_operators(const EditableGraph& graph, std::span<const PlacedOperator> placed);
// Returns their placement to the layout.
Patch release_places(const EditableGraph& graph, std::span<const OperatorKey> keys);

enum class Alignment { kLeft, kCentre, kRight, kTop, kMiddle, kBottom };

// `placed`: the operators' current places, by hand or by the layout. Aligns centres, which also aligns boxes of one
// size.
Patch align(const EditableGraph& graph, std::span<const PlacedOperator> placed, Alignment alignment);

}  // namespace iosx
