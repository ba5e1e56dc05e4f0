#pragma once

#include <cstddef>
#include <optional>

#include "views/canvas/layout/layout.h"

namespace iosx::canvas {

// Says what lies under a point of a layout: the innermost thing.
struct Hit {
  enum class Kind { kNothing, kNode, kGroup, kBand, kHeader, kDisclosure };
  Kind kind = Kind::kNothing;
  std::size_t index = 0;  // of the layout's node, group, band or frame
};
Hit hit(const Layout& layout, const Point& at, double zoom = 1);

// Returns where a frame's header is drawn and takes clicks, over all its panels (labels.h).
Rect header_target(const FrameBox& frame, double zoom);
// Returns the triangle at its left, which opens this part alone; empty where it is too small to be hit.
Rect disclosure_target(const FrameBox& frame, double zoom);

enum class Direction { kUp, kDown, kLeft, kRight };
// Returns the unit to go to with an arrow key: up to what it reads from, down to what reads it (the one straightest
// above or below), left and right to the nearest box beside it. There is none where nothing lies there.
std::optional<UnitId> neighbour(const Graph& graph, const Layout& layout, UnitId from, Direction direction);

}  // namespace iosx::canvas
