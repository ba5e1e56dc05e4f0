#pragma once

#include <optional>

#include "core/model/graph/operator.h"
#include "views/canvas/layout/geometry.h"

namespace iosx::canvas {

// Says where a canvas looks, so that another canvas can follow although its drawing is another one: a schedule's bands
// give the same graph another shape, and another graph has other units.
struct ViewPlace {
  // This is the first selected unit if it is in view, else one in view, the same for as long as it stays there.
  std::optional<UnitId> unit;
  Point offset;        // from the middle of the canvas to the middle of that unit, in pixels
  Point share;         // the middle of the canvas, in widths and heights of the drawing from its top left corner
  double zoom = 1;     // pixels a unit of length
  bool fitted = true;  // everything is shown, and stays so when the canvas changes its size
};

}  // namespace iosx::canvas
