#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/duration.h"
#include "core/model/schedule/schedule.h"
#include "views/canvas/layout/geometry.h"
#include "views/canvas/layout/node_text.h"

namespace iosx::canvas {

// A box to place.
struct PlanNode {
  Size size;
  UnitId unit = {};  // in a weave
};

// Boxes beside one another. Edges lead from a layer to a later one.
using PlanLayer = std::vector<std::size_t>;  // indices of nodes

// The content of one frame.
struct FramePlan {
  PartId part;  // the first one in it
  std::string title;
  // A woven frame's size for a usual schedule. It decides in which column the frame stands, whatever schedule is shown.
  std::optional<Size> usual = {};
  std::vector<PlanNode> nodes;
  std::vector<std::pair<std::size_t, std::size_t>> edges;  // of nodes
  std::vector<PlanLayer> layers;                           // for layered_layout(); empty in a weave
};

// A stage of a schedule with barriers, in one panel.
struct BandBox {
  Rect box;    // around its rows
  Rect label;  // at the left inside box, for its number
  std::size_t stage = 0;
};

struct MergedBox {
  Rect box;  // encloses the units of a merged step
  std::vector<UnitId> units;
};

// How a woven unit is drawn; all of it is empty for other boxes, which are plain.
struct NodeShape {
  std::vector<Rect> pieces;  // rows in which it is in flight, one after another; the largest first
  std::vector<Rect> stems;   // between pieces: it waits
  std::vector<Rect> chips;   // of kernels that began before the unit above it had ended
  bool pill = false;         // it has no row of its own
};

// A row of a woven frame, in one of its panels: an instant of the run.
struct RowBox {
  Rect box;    // as wide as the panel
  Rect tally;  // at the left inside box: room for the numbers of kernels in flight
  Micros at{0};
  std::vector<std::vector<UnitId>> own;     // units of the frame that are in flight: a list a kernel, as by_kernel()
  std::vector<std::vector<UnitId>> guests;  // units of other frames that are
  bool even = false;                        // of every two rows one is tinted
  bool barrier = false;                     // all above had ended before it began

  // Returns all that are in flight, by id.
  std::vector<UnitId> units() const {
    std::vector<UnitId> all;
    for (const auto* kernels : {&own, &guests}) {
      for (const std::vector<UnitId>& kernel : *kernels) all.insert(all.end(), kernel.begin(), kernel.end());
    }
    std::ranges::sort(all);
    return all;
  }
};

// A part in a woven frame of several.
struct PartBox {
  Rect box;
  std::string title;
  bool goes_on = false;  // from the panel before
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
  std::vector<MergedBox> merged;
  std::vector<LayerSpan> layers;  // top down, before the frame is folded
  std::vector<bool> corners;      // a curve: is drawn around its corners far out, as one over a fold; empty: none is
  std::vector<Rect> columns;      // of a folded one, from left to right; empty: it is one
  // A woven frame has these, too.
  std::vector<NodeShape> shapes;  // per box
  std::vector<bool> across;       // per curve
  std::vector<RowBox> rows;
  std::vector<PartBox> parts;
};

// Distances of the layered layout.
inline constexpr double kLayerGap = 40;   // between layers
inline constexpr double kColumnGap = 24;  // between columns

// Makes a layered layout: layers stand under one another in the plan's order, columns are ordered by barycentres
// so that few edges cross, then placed near what they are connected with. It is deterministic. Edges leave a box at its
// bottom and enter at the top; an edge over several layers gets a lane of its own in each, so it crosses no box. The
// layout is empty (no boxes) when stopped.
FrameLayout layered_layout(const FramePlan& plan, const std::stop_token& stop);

}  // namespace iosx::canvas
