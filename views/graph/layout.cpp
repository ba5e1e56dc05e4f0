#include "views/graph/layout.h"

#include "views/graph/frame_columns.h"
#include "views/graph/graphviz_layout.h"

namespace iosx::canvas {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPatience{150};

}  // namespace

Layout layout_graph(const LayoutRequest& request, GraphvizLayout& graphviz, const std::stop_token& stop,
                    const std::function<void(const Layout&)>& early) {
  const auto start = Clock::now();
  const Graph& graph = *request.graph;
  const std::vector<FramePlan> plans = plan_frames(graph, request.schedule.get(), request.style);
  const auto& expanded = request.expanded;
  const auto hidden = [&](std::size_t f) { return expanded && *expanded != plans[f].part; };
  std::vector<FrameLayout> layouts(plans.size());
  for (std::size_t f = 0; f < plans.size(); ++f) {
    if (!hidden(f)) layouts[f] = layered_layout(plans[f], stop);
    if (stop.stop_requested()) return {};
  }
  fold_tall_frames(plans, layouts, request.aspect, expanded);
  bool given = false;
  std::vector<FrameLayout> better = layouts;
  for (std::size_t f = 0; f < plans.size() && !request.schedule; ++f) {
    const auto taken = Clock::now() - start;
    if (taken >= request.deadline) break;
    if (early && !given && taken > kPatience) {
      early(arrange(graph, plans, layouts, request.aspect, expanded));
      given = true;
    }
    if (hidden(f) || !layouts[f].folded.empty()) continue;
    if (auto drawn = graphviz.layout(plans[f])) better[f] = std::move(*drawn);
    if (stop.stop_requested()) return {};
  }
  return arrange(graph, plans, better, request.aspect, expanded);
}

}  // namespace iosx::canvas
