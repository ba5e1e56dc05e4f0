#pragma once

#include <optional>

#include "core/model/graph/operator.h"
#include "views/canvas/layout/geometry.h"

namespace iosx::canvas {

// The place of a canvas in a form that another canvas can follow with a different drawing: a schedule's bands change
// the graph's shape, and another graph has other units.
struct ViewPlace {
  // The first selected unit if it is visible, else a visible one, which stays the same while it is visible.
  std::optional<UnitId> unit;
  Point offset;        // from the middle of the canvas to the middle of that unit, in pixels
  Point share;         // the middle of the canvas, in widths and heights of the drawing from its top left corner
  double zoom = 1;     // pixels per unit of length
  bool fitted = true;  // shows everything, and stays so after a resize of the canvas
};

}  // namespace iosx::canvas
