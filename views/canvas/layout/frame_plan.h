#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/model/schedule/schedule.h"
#include "views/canvas/layout/geometry.h"
#include "views/canvas/layout/node_text.h"

namespace iosx::canvas {

// A node is a box to place: a unit, or a port (unit invalid) that stands for the tensor of `source`, made outside the
// frame.
struct PlanNode {
  Size size;
  UnitId unit;
  OperatorId source;
};

// A column holds boxes under one another; with a schedule it is a group, otherwise a single unit. A row with several
// boxes is a merged step.
struct PlanColumn {
  std::vector<std::vector<std::size_t>> rows;  // indices of nodes
};

// A layer holds columns beside one another. Edges lead from a layer to a later one, or down inside one column.
struct PlanLayer {
  std::optional<std::size_t> stage;  // of the schedule; none for ports and without a schedule
  std::vector<PlanColumn> columns;
};

// Holds what is laid out together: the units of a part, in the order of the graph, or of consecutive stages of one
// part.
struct FramePlan {
  PartId part;  // of the graph, or the index of the part that the search would cut
  std::string title;
  bool goes_on = false;    // from an earlier frame of the part, as its title says
  bool staged = false;     // layers are the schedule's stages
  double label_width = 0;  // for a band's lines; only where staged
  bool low = false;        // boxes and bands have fewer lines, and less is between them
  std::vector<PlanNode> nodes;
  std::vector<std::pair<std::size_t, std::size_t>> edges;  // nodes; each pair once
  std::vector<PlanLayer> layers;

  std::size_t unit_count() const;
};

// Returns the same with low rows: boxes keep their name and the first line of what they do.
FramePlan lowered(FramePlan plan, const TextStyle& style);

// Whether frames are of one network each, where the graph is of several: no stage of the schedule has units of two.
bool frames_of_networks(const Graph& graph, const Schedule* schedule);

// Returns one frame a part (shown_parts(): of several networks a frame is of one). With a schedule, which must be
// legal for the graph, a frame holds consecutive stages of the same part, so a part that is left and entered again gets
// two, "heads" and "heads, continued", or more, "heads (3 of 4)". A schedule of which a stage has units of several
// networks is shown in the parts that the graph has, each of all networks.
std::vector<FramePlan> plan_frames(const Graph& graph, const Schedule* schedule, const TextStyle& style);

}  // namespace iosx::canvas
