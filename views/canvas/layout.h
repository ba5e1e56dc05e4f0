#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "views/canvas/frame_layout.h"

namespace iosx::canvas {

class GraphvizLayout;

struct NodeBox {
  Rect box;
  UnitId unit;        // invalid for a port
  OperatorId source;  // whose tensor the box gives
};

struct EdgePath {
  std::size_t from = 0;  // nodes
  std::size_t to = 0;
  Curve curve;
  Rect bounds;
  bool folded = false;  // from the foot of a column to the head of the next, around corners
};

// A frame is a part, or consecutive stages of it: a panel with a header. A collapsed one is only its header.
struct FrameBox {
  Rect box;
  Rect header;  // at the top inside box
  PartId part;
  std::string title;
  std::size_t units = 0;
  bool collapsed = false;
  Engine engine = Engine::kBuiltIn;
  // These are the ranges [first, last) of this frame in the lists of the Layout.
  std::pair<std::size_t, std::size_t> nodes, edges, bands, groups, merged;
};

// Holds a whole drawing. Lists are in the order of the frames.
struct Layout {
  std::vector<FrameBox> frames;
  std::vector<NodeBox> nodes;
  std::vector<EdgePath> edges;
  std::vector<BandBox> bands;
  std::vector<GroupBox> groups;
  std::vector<MergedBox> merged;
  std::vector<std::vector<Point>> links;            // right-angled lines from a frame to the one that runs next
  std::vector<std::optional<std::size_t>> node_of;  // a unit: its node; none inside a collapsed frame
  Rect bounds;
};

struct LayoutRequest {
  std::shared_ptr<const Graph> graph;        // never null
  std::shared_ptr<const Schedule> schedule;  // legal for the graph; null: no stages
  TextStyle style;
  std::chrono::milliseconds deadline{3000};  // for Graphviz; what it has not done by then keeps our own layout
  double aspect = 1.6;                       // width : height to aim at when the frames are arranged
  std::optional<PartId> expanded;            // only this part is laid out, the others are collapsed
};

// Makes our own layout first, with tall frames of it folded into columns, then asks Graphviz for the others frame by
// frame (not with a schedule: bands are ours; nor for frames that would take it long) until the deadline. `early`, if
// given, gets the own layout as soon as Graphviz has taken longer than 150 ms. It runs on the caller's thread; a stop
// is honoured between frames, and gives an empty layout.
Layout layout_graph(const LayoutRequest& request, GraphvizLayout& graphviz, const std::stop_token& stop,
                    const std::function<void(const Layout&)>& early = {});

// Puts laid out frames under one another, in columns of frames so that the whole comes near to the aspect ratio.
Layout arrange(const Graph& graph, const std::vector<FramePlan>& plans, const std::vector<FrameLayout>& layouts,
               double aspect, std::optional<PartId> expanded);

}  // namespace iosx::canvas
