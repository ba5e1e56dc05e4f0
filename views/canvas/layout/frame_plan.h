#pragma once

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

// A box to place: a unit, or a port (unit invalid) for the tensor of `source`, made outside the frame.
struct PlanNode {
  Size size;
  UnitId unit;
  OperatorId source;
};

// Boxes under one another: a group of the schedule, or a single unit without one. A row with several boxes is a
// merged step.
struct PlanColumn {
  std::vector<std::vector<std::size_t>> rows;  // indices of nodes
};

// Columns beside one another. Edges lead from a layer to a later one, or down inside one column.
struct PlanLayer {
  std::optional<std::size_t> stage;  // of the schedule; none for ports and without a schedule
  std::vector<PlanColumn> columns;
};

// The content of one layout: the units of a part, in the order of the graph, or of consecutive stages of one part.
struct FramePlan {
  PartId part;  // of the graph, or the index of the part in a search's cuts
  std::string title;
  bool goes_on = false;    // from an earlier frame of the part, as in its title
  bool staged = false;     // layers are the schedule's stages
  double label_width = 0;  // for a band's lines; only if staged
  bool low = false;        // boxes and bands have fewer lines and smaller gaps
  std::vector<PlanNode> nodes;
  std::vector<std::pair<std::size_t, std::size_t>> edges;  // of nodes; each pair once
  std::vector<PlanLayer> layers;

  std::size_t unit_count() const;
};

// Returns the same with low rows: boxes keep their name and first line.
FramePlan lowered(FramePlan plan, const TextStyle& style);

// Returns whether each frame has a single network, for a graph of several: no stage of the schedule has units of two.
bool frames_of_networks(const Graph& graph, const Schedule* schedule);

// Returns one frame per part (shown_parts(): with several networks a frame has one). With a schedule, which must be
// legal for the graph, a frame has consecutive stages of one part, so a part that is left and entered again has two,
// "heads" and "heads, continued", or more, "heads (3 of 4)". A schedule with a stage of several networks is shown in
// the parts of the graph, each of all networks.
std::vector<FramePlan> plan_frames(const Graph& graph, const Schedule* schedule, const TextStyle& style);

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
  Rect tally;  // at the left inside box: room for the numbers of units in flight
  Micros at{0};
  std::size_t own = 0;         // units of the frame that are in flight
  std::vector<UnitId> guests;  // units of other frames that are
  bool even = false;           // of every two rows one is tinted
  bool barrier = false;        // all above had ended before it began
};

// A part in a woven frame of several.
struct PartBox {
  Rect box;
  Rect name;  // room for the title inside box: beside the units of the first row; empty where they take it all
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
  std::vector<GroupBox> groups;
  std::vector<MergedBox> merged;
  std::vector<LayerSpan> layers;  // top down, before the frame is folded
  std::vector<bool> folded;       // a curve: leads from the foot of a column to the head of the next; empty: none does
  std::vector<Rect> columns;      // of a folded one, from left to right; empty: it is one
  // Of a woven frame:
  std::vector<NodeShape> shapes;  // per box
  std::vector<bool> across;       // per curve
  std::vector<RowBox> rows;
  std::vector<PartBox> parts;
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
