#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

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

}  // namespace iosx::canvas
