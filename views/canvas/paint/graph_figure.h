#pragma once

#include <memory>
#include <vector>

#include "views/canvas/paint/overlay.h"
#include "views/canvas/paint/scene.h"
#include "views/figures/figure.h"

namespace iosx {

// Returns a figure of the whole graph in full detail with its legend. It is laid out on the calling thread (any thread
// that may measure fonts). Latencies are one a stage, or
// empty. `context` says in the title which network, device and batch this is, as context_text() does; empty: the
// network's name alone.
std::unique_ptr<Figure> graph_figure(std::shared_ptr<const Graph> graph, const Schedule* schedule,
                                     std::vector<Latency> latencies, QString context = {},
                                     canvas::Overlay overlay = canvas::Overlay::kNone,
                                     canvas::ScheduleLabel label = {});

namespace canvas {

// Additional content of a figure.
struct FigureExtras {
  Overlay overlay = Overlay::kNone;
  Deltas deltas;
  std::vector<UnitMark> marks;  // one per unit, or none
  bool gains = false;           // headers show what their frames save, from `deltas`
  // At the current time: units that run, and units that have not begun.
  std::vector<UnitId> running = {};
  std::vector<UnitId> ahead = {};
  bool legend = true;
  std::shared_ptr<const UnitColumn> column = {};  // for Overlay::kColumn; null: none
};

std::unique_ptr<Figure> make_figure(std::shared_ptr<const Model> model, std::shared_ptr<const Drawing> drawing,
                                    FigureExtras extras, QString context);

}  // namespace canvas
}  // namespace iosx
