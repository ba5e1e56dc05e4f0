#pragma once

#include <cstddef>
#include <stop_token>
#include <vector>

#include "views/canvas/layout/frame_plan.h"

namespace iosx::canvas {

// The steps of layered_layout(), for the things that it places: columns and, in every layer that an edge passes, a
// lane. All edges of one producer share their lanes.
struct LayeredItem {
  std::size_t layer = 0;
  std::size_t column = 0;  // index in the plan's layer; unused for a lane
  bool lane = false;
  double width = 0;
  double x = 0;  // centre
};

// A link between items of neighbouring layers. Its offsets are the points of contact, from the items' centres.
struct LayeredLink {
  std::size_t from = 0;
  std::size_t to = 0;
  double from_offset = 0;
  double to_offset = 0;
  double weight = 1;
};

// The place of a node in its column.
struct NodePlace {
  std::size_t item = 0;
  std::size_t row = 0;
  double offset = 0;  // of its centre from the column's centre
  bool last_row = false;
};

// The lane of a producer's edges: items[i] is the item in layer first_layer + i.
struct Lanes {
  std::size_t first_layer = 0;
  std::vector<std::size_t> items;
};

struct LayeredGraph {
  std::vector<LayeredItem> items;
  std::vector<LayeredLink> links;
  std::vector<std::vector<std::size_t>> order;  // per layer: items from left to right
  std::vector<bool> keep_columns;  // per layer: its columns stay in the plan's order, as groups are numbered
  std::vector<NodePlace> places;   // per node of the plan
  std::vector<Lanes> lanes;        // per node of the plan
  std::vector<bool> gutter_left;   // per item: edges enter lower rows from outside
  std::vector<bool> gutter_right;  // per item: edges leave upper rows, or skip a row
};

// Returns whether the column's rows have a box around them; only then is there padding (kGroupPadding).
bool is_outlined(const PlanLayer& layer, const PlanColumn& column);
Size row_size(const FramePlan& plan, const std::vector<std::size_t>& row);
inline constexpr double kMergedPadding = 8;
inline constexpr double kMergedLabelHeight = 17;
inline constexpr double kMergedGap = 10;

LayeredGraph make_layered(const FramePlan& plan);
void order_layers(LayeredGraph& graph, const std::stop_token& stop);
void place_layers(LayeredGraph& graph, const std::stop_token& stop);

}  // namespace iosx::canvas
