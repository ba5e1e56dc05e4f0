#pragma once

#include <cstddef>
#include <stop_token>
#include <vector>

#include "views/canvas/layout/frame_plan.h"
#include "views/canvas/layout/geometry.h"

namespace iosx::canvas {

struct BandBox {
  Rect box;    // encloses the whole stage
  Rect label;  // at the left inside box; no edge crosses it
  std::size_t stage = 0;
};

struct GroupBox {
  Rect box;  // encloses its steps
  std::size_t stage = 0;
  std::size_t group = 0;
  bool outlined = false;  // false where the stage is one unit: the box is the unit's own
};

struct MergedBox {
  Rect box;  // encloses the units of a merged step
  std::size_t stage = 0;
  std::vector<UnitId> units;
};

// The place of a layer; no box or label lies between two layers.
struct LayerSpan {
  double top = 0;
  double bottom = 0;
};

// One frame with its top left corner at (0, 0). `boxes` and `curves` correspond to the plan's nodes and edges.
struct FrameLayout {
  Size size;
  std::vector<Rect> boxes;
  std::vector<Curve> curves;
  std::vector<BandBox> bands;
  std::vector<GroupBox> groups;
  std::vector<MergedBox> merged;
  std::vector<LayerSpan> layers;  // top down, before the frame is folded
  std::vector<bool> folded;       // a curve: leads from the foot of a column to the head of the next; empty: none does
  std::vector<Rect> columns;      // of a folded one, from left to right; empty: it is one
};

// Distances shared by the layout steps.
inline constexpr double kBandLabelGap = 16;  // right of a band's label
inline constexpr double kBandLine = 16;      // height of one of its lines
inline constexpr double kBandPadding = 10;
inline constexpr double kGroupPadding = 8;
inline constexpr double kGroupLabelHeight = 17;
inline constexpr double kGutter = 12;     // beside a group's steps, for edges that pass them
inline constexpr double kRowGap = 26;     // between the steps of a group
inline constexpr double kLayerGap = 40;   // between layers without bands
inline constexpr double kBandGap = 30;    // between bands
inline constexpr double kLowGap = 16;     // between layers and between bands with low rows
inline constexpr double kColumnGap = 24;  // between columns

// Makes a layered layout: layers stand under one another in the plan's order, columns are ordered by barycentres
// so that few edges cross, then placed near what they are connected with. It is deterministic. Edges leave a box at its
// bottom and enter at the top; an edge over several layers gets a lane of its own in each, so it crosses no box. The
// layout is empty (no boxes) when stopped.
FrameLayout layered_layout(const FramePlan& plan, const std::stop_token& stop);

}  // namespace iosx::canvas
