#pragma once

#include <QString>
#include <cstddef>
#include <optional>

#include "views/canvas/layout/layout.h"
#include "views/canvas/paint/marks.h"
#include "views/canvas/paint/overlay.h"
#include "views/canvas/paint/scene.h"

namespace iosx::canvas {

// The innermost thing under a point of a layout.
struct Hit {
  enum class Kind { kNothing, kNode, kRow, kBand, kHeader, kDisclosure };
  Kind kind = Kind::kNothing;
  std::size_t index = 0;  // of the layout's node, row, band or frame
};
Hit hit(const Layout& layout, const Point& at, double zoom = 1);

// Returns the clickable place of a frame's header, over all its panels (layout.h).
Rect header_target(const FrameBox& frame, double zoom);
// Returns the triangle at its left, which opens this part alone; empty where it is too small to click.
Rect disclosure_target(const FrameBox& frame, double zoom);

enum class Direction { kUp, kDown, kLeft, kRight };
// Returns the unit in the direction of an arrow key: up to its producers, down to its readers (the one most
// directly above or below), left and right to the nearest box. None where there is none.
std::optional<UnitId> neighbour(const Graph& graph, const Layout& layout, UnitId from, Direction direction);

// Additional content of a tool tip; each may be null.
struct TipExtras {
  const OverlayScale* overlay = nullptr;
  const std::vector<UnitMark>* marks = nullptr;
  const PartGains* gains = nullptr;
};

// Returns rich text about the hit thing, with names as plain text; empty without content.
QString tool_tip(const Model& model, const Layout& layout, const Hit& hit, const TipExtras& extras = {});

}  // namespace iosx::canvas
