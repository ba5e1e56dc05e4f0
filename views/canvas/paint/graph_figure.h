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

// Holds what a figure shows besides the graph.
struct FigureExtras {
  Overlay overlay = Overlay::kNone;
  Deltas deltas;
  std::vector<UnitMark> marks;  // one a unit, or none
  bool band_gains = false;      // bands say what their stages save, by `deltas`
  // At a time that is looked at: what runs, and what has not begun.
  std::vector<UnitId> running = {};
  std::vector<UnitId> ahead = {};
  bool legend = true;
  std::shared_ptr<const UnitColumn> column = {};  // what Overlay::kColumn shows; null: nothing
};

std::unique_ptr<Figure> make_figure(std::shared_ptr<const Model> model, std::shared_ptr<const Drawing> drawing,
                                    FigureExtras extras, QString context);

}  // namespace canvas
}  // namespace iosx
