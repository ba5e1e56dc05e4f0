#include "views/canvas/layout/layout.h"

#include <algorithm>

#include "views/canvas/layout/frame_columns.h"

namespace iosx::canvas {
namespace {

// Makes the rows of tall frames lower where that is as good as folding them, else folds them: all is to be seen large.
void fit_tall_frames(std::vector<FramePlan>& plans, std::vector<FrameLayout>& layouts, const LayoutRequest& request,
                     const std::stop_token& stop) {
  const double aspect = request.room.aspect();
  const auto fold = find_fold(plans, layouts, aspect, request.expanded);
  if (!fold) return;
  std::vector<FramePlan> low_plans = plans;
  std::vector<FrameLayout> low_layouts = layouts;
  for (std::size_t f = 0; f < plans.size() && !stop.stop_requested(); ++f) {
    if (layouts[f].size.height <= fold->height) continue;
    low_plans[f] = lowered(std::move(low_plans[f]), request.style);
    low_layouts[f] = layered_layout(low_plans[f], stop);
  }
  if (stop.stop_requested()) return;
  if (!nearly_as_large(frames_scale(low_plans, low_layouts, aspect, request.expanded), fold->scale)) {
    fold_frames(plans, layouts, fold->height, request.expanded);
    return;
  }
  plans = std::move(low_plans);
  layouts = std::move(low_layouts);
}

}  // namespace

Layout layout_graph(const LayoutRequest& request, const std::stop_token& stop) {
  const Graph& graph = *request.graph;
  std::vector<FramePlan> plans = plan_frames(graph, request.schedule.get(), request.style);
  const auto& expanded = request.expanded;
  std::vector<FrameLayout> layouts(plans.size());
  for (std::size_t f = 0; f < plans.size(); ++f) {
    if (!expanded || *expanded == plans[f].part) layouts[f] = layered_layout(plans[f], stop);
    if (stop.stop_requested()) return {};
  }
  fit_tall_frames(plans, layouts, request, stop);
  if (stop.stop_requested()) return {};
  return arrange(request, plans, layouts);
}

}  // namespace iosx::canvas
