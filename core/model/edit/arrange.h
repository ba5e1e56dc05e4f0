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

// Puts operators where they are dragged to, wherever they stood.
Patch place_operators(const EditableGraph& graph, std::span<const PlacedOperator> placed);
// Leaves where they stand to the layout again.
Patch release_places(const EditableGraph& graph, std::span<const OperatorKey> keys);

enum class Alignment { kLeft, kCentre, kRight, kTop, kMiddle, kBottom };

// `placed`: where the operators stand now, by hand or by the layout. Centres are aligned: boxes of one size are then
// too.
Patch align(const EditableGraph& graph, std::span<const PlacedOperator> placed, Alignment alignment);

}  // namespace iosx
