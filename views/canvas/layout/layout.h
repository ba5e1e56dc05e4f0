#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "views/canvas/layout/frame_layout.h"

namespace iosx::canvas {

struct NodeBox {
  Rect box;
  UnitId unit;        // invalid for a port
  OperatorId source;  // the box's output
};

struct EdgePath {
  std::size_t from = 0;  // indices of nodes
  std::size_t to = 0;
  Curve curve;
  Rect bounds;
  bool folded = false;  // from the foot of a column to the head of the next, around corners
};

// A part, or consecutive stages of it: a panel with a header, or several panels beside one another for a long part. A
// collapsed one is only its header.
struct FrameBox {
  Rect box;
  Rect header;                // its room at the top inside box; the zoom decides how much is used (labels.h)
  std::vector<Rect> columns;  // its panels from left to right, as high as box; at least one
  PartId part;
  std::string title;
  bool goes_on = false;  // from an earlier frame of the part, as in its title
  std::size_t units = 0;
  bool collapsed = false;
  // These are the ranges [first, last) of this frame in the lists of the Layout.
  std::pair<std::size_t, std::size_t> nodes, edges, bands, groups, merged;
};

// A whole drawing. Lists are in the order of the frames.
struct Layout {
  std::vector<FrameBox> frames;
  std::vector<NodeBox> nodes;
  std::vector<EdgePath> edges;
  std::vector<BandBox> bands;
  std::vector<GroupBox> groups;
  std::vector<MergedBox> merged;
  std::vector<std::vector<Point>> links;            // right-angled lines from a frame to the one that runs next
  std::vector<std::optional<std::size_t>> node_of;  // per unit: its node; none inside a collapsed frame
  Rect bounds;
};

struct LayoutRequest {
  std::shared_ptr<const Graph> graph;        // never null
  std::shared_ptr<const Schedule> schedule;  // legal for the graph; null: no stages
  TextStyle style;
  // The window's pixels that all is to fit into: the frames take its shape, and their headers are so high that names
  // can be read there.
  Size room{1600, 1000};
  std::optional<PartId> expanded;  // lays out only this part and collapses the others
  double figure = 0;               // pixels of the widest saving text; 0: none
};

// Lays out every frame, with lower rows in tall ones or, where that is not enough, folded into columns. It runs on the
// caller's thread, and honours a stop between frames: the layout is then empty.
Layout layout_graph(const LayoutRequest& request, const std::stop_token& stop = {});

// Stacks frames with layouts in columns of frames, so that the whole fits the room at the largest scale.
Layout arrange(const LayoutRequest& request, const std::vector<FramePlan>& plans,
               const std::vector<FrameLayout>& layouts);

}  // namespace iosx::canvas
