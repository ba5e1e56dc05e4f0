#include "views/canvas/layout.h"

#include <algorithm>

#include "views/canvas/frame_columns.h"
#include "views/canvas/graphviz_layout.h"

namespace iosx::canvas {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPatience{150};
// Graphviz cannot be stopped, and its time grows with the square of this: a frame of a DenseNet, whose edges pass
// 27,000 layers, took it 49 s. Of networks that it draws better than we do it is hundreds.
constexpr std::size_t kMostPassed = 2500;

// Counts the layers that edges pass without beginning or ending there, all edges together.
std::size_t layers_passed(const FramePlan& plan, const FrameLayout& own) {
  std::vector<std::size_t> layer_of;
  for (const Rect& box : own.boxes) {
    const auto after = std::ranges::upper_bound(own.layers, box.center().y, {}, &LayerSpan::top);
    layer_of.push_back(static_cast<std::size_t>(after - own.layers.begin()));
  }
  std::size_t passed = 0;
  for (const auto& [from, to] : plan.edges) {
    if (layer_of[to] > layer_of[from] + 1) passed += layer_of[to] - layer_of[from] - 1;
  }
  return passed;
}

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

Layout layout_graph(const LayoutRequest& request, GraphvizLayout& graphviz, const std::stop_token& stop,
                    const std::function<void(const Layout&)>& early) {
  const auto start = Clock::now();
  const Graph& graph = *request.graph;
  std::vector<FramePlan> plans = plan_frames(graph, request.schedule.get(), request.style);
  const auto& expanded = request.expanded;
  const auto hidden = [&](std::size_t f) { return expanded && *expanded != plans[f].part; };
  std::vector<FrameLayout> layouts(plans.size());
  for (std::size_t f = 0; f < plans.size(); ++f) {
    if (!hidden(f)) layouts[f] = layered_layout(plans[f], stop);
    if (stop.stop_requested()) return {};
  }
  fit_tall_frames(plans, layouts, request, stop);
  if (stop.stop_requested()) return {};
  bool given = false;
  std::vector<FrameLayout> better = layouts;
  for (std::size_t f = 0; f < plans.size() && !request.schedule; ++f) {
    const auto taken = Clock::now() - start;
    if (taken >= request.deadline) break;
    if (early && !given && taken > kPatience) {
      early(arrange(request, plans, layouts));
      given = true;
    }
    if (hidden(f) || plans[f].low || !layouts[f].folded.empty() || layers_passed(plans[f], layouts[f]) > kMostPassed)
      continue;
    if (auto drawn = graphviz.layout(plans[f])) better[f] = std::move(*drawn);
    if (stop.stop_requested()) return {};
  }
  return arrange(request, plans, better);
}

}  // namespace iosx::canvas
