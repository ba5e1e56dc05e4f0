#include <algorithm>

#include "views/canvas/frame_columns.h"
#include "views/canvas/layout.h"

namespace iosx::canvas {
namespace {

Rect curve_bounds(const Curve& curve) {
  Rect bounds{curve.front().x, curve.front().y, 0, 0};
  double right = bounds.x;
  double bottom = bounds.y;
  for (const Point& p : curve) {
    bounds.x = std::min(bounds.x, p.x);
    bounds.y = std::min(bounds.y, p.y);
    right = std::max(right, p.x);
    bottom = std::max(bottom, p.y);
  }
  bounds.width = right - bounds.x;
  bounds.height = bottom - bounds.y;
  return bounds;
}

class Arranger {
 public:
  Arranger(const Graph& graph, const std::vector<FramePlan>& plans, const std::vector<FrameLayout>& layouts)
      : plans_(plans), layouts_(layouts) {
    layout_.node_of.resize(graph.units().size());
  }

  Layout run(double aspect, std::optional<PartId> expanded) {
    std::vector<Size> sizes;
    for (std::size_t f = 0; f < plans_.size(); ++f) sizes.push_back(frame_size(f, is_collapsed(f, expanded)));
    const auto column_of = expanded ? three_columns(*expanded) : choose_columns(sizes, aspect).column_of;
    std::vector<double> widths(column_of.empty() ? 0 : column_of.back() + 1, 0);
    for (std::size_t f = 0; f < sizes.size(); ++f) {
      widths[column_of[f]] = std::max(widths[column_of[f]], sizes[f].width);
    }
    double x = 0;
    double y = 0;
    for (std::size_t f = 0; f < sizes.size(); ++f) {
      if (f > 0 && column_of[f] != column_of[f - 1]) {
        x += widths[column_of[f - 1]] + kFrameColumnGap;
        y = 0;
      }
      const double indent = (widths[column_of[f]] - sizes[f].width) / 2;
      const bool collapsed = is_collapsed(f, expanded);
      add_frame(f, {x + indent, y, sizes[f].width, sizes[f].height}, collapsed);
      y += sizes[f].height + (collapsed ? kCollapsedGap : kFrameGap);
    }
    for (std::size_t f = 1; f < sizes.size(); ++f) link(f, column_of[f] != column_of[f - 1]);
    for (const FrameBox& frame : layout_.frames) layout_.bounds = layout_.bounds.united(frame.box);
    for (const auto& line : layout_.links) layout_.bounds = layout_.bounds.united(curve_bounds(line));
    return std::move(layout_);
  }

 private:
  bool is_collapsed(std::size_t f, std::optional<PartId> expanded) const {
    return expanded && *expanded != plans_[f].part;
  }

  // Returns three columns: what runs before the open part, the part itself, and what runs after it.
  std::vector<std::size_t> three_columns(PartId expanded) const {
    std::vector<std::size_t> column_of;
    std::size_t column = 0;
    bool opened = false;
    for (std::size_t f = 0; f < plans_.size(); ++f) {
      const bool open = plans_[f].part == expanded;
      if (f > 0 && ((open && !opened) || (!open && plans_[f - 1].part == expanded))) ++column;
      opened = opened || open;
      column_of.push_back(column);
    }
    return column_of;
  }

  Size frame_size(std::size_t f, bool collapsed) const {
    if (collapsed) return {kCollapsedWidth, kHeaderHeight};
    return framed(plans_[f], layouts_[f].size);
  }

  void add_frame(std::size_t f, const Rect& box, bool collapsed) {
    const FramePlan& plan = plans_[f];
    FrameBox frame;
    frame.box = box;
    frame.header = {box.x, box.y, box.width, kHeaderHeight};
    frame.part = plan.part;
    frame.title = plan.title;
    frame.units = plan.unit_count();
    frame.collapsed = collapsed;
    frame.nodes.first = layout_.nodes.size();
    frame.edges.first = layout_.edges.size();
    frame.bands.first = layout_.bands.size();
    frame.groups.first = layout_.groups.size();
    frame.merged.first = layout_.merged.size();
    if (!collapsed) {
      frame.engine = layouts_[f].engine;
      const double indent = (box.width - layouts_[f].size.width) / 2;
      add_contents(f, {box.x + indent, box.y + kHeaderHeight + kFramePadding});
    }
    frame.nodes.second = layout_.nodes.size();
    frame.edges.second = layout_.edges.size();
    frame.bands.second = layout_.bands.size();
    frame.groups.second = layout_.groups.size();
    frame.merged.second = layout_.merged.size();
    layout_.frames.push_back(std::move(frame));
  }

  void add_contents(std::size_t f, const Point& at) {
    const FramePlan& plan = plans_[f];
    const FrameLayout& from = layouts_[f];
    const std::size_t first = layout_.nodes.size();
    for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
      const PlanNode& node = plan.nodes[n];
      if (node.unit.valid()) layout_.node_of[node.unit.index()] = layout_.nodes.size();
      layout_.nodes.push_back({from.boxes[n].moved(at.x, at.y), node.unit, node.source});
    }
    for (std::size_t e = 0; e < plan.edges.size(); ++e) {
      Curve curve = from.curves[e];
      for (Point& p : curve) p = {p.x + at.x, p.y + at.y};
      const Rect bounds = curve_bounds(curve);
      const bool folded = !from.folded.empty() && from.folded[e];
      layout_.edges.push_back(
          {first + plan.edges[e].first, first + plan.edges[e].second, std::move(curve), bounds, folded});
    }
    for (BandBox band : from.bands) {
      band.box = band.box.moved(at.x, at.y);
      band.label = band.label.moved(at.x, at.y);
      layout_.bands.push_back(band);
    }
    for (GroupBox group : from.groups) {
      group.box = group.box.moved(at.x, at.y);
      layout_.groups.push_back(group);
    }
    for (MergedBox merged : from.merged) {
      merged.box = merged.box.moved(at.x, at.y);
      layout_.merged.push_back(std::move(merged));
    }
  }

  // Links a frame to the next straight down, or through the gap between two columns.
  void link(std::size_t f, bool next_column) {
    const Rect& from = layout_.frames[f - 1].box;
    const Rect& to = layout_.frames[f].box;
    const Point start{from.center().x, from.bottom()};
    const Point end{to.center().x, to.y};
    if (!next_column) {
      layout_.links.push_back({start, end});
      return;
    }
    const double half = kFrameGap / 2;
    double column_left = to.x;
    for (const FrameBox& frame : layout_.frames) {
      if (frame.box.x < to.center().x && frame.box.right() > to.x) column_left = std::min(column_left, frame.box.x);
    }
    const double gutter = column_left - kFrameColumnGap / 2;
    layout_.links.push_back({start,
                             {start.x, start.y + half},
                             {gutter, start.y + half},
                             {gutter, end.y - half},
                             {end.x, end.y - half},
                             end});
  }

  const std::vector<FramePlan>& plans_;
  const std::vector<FrameLayout>& layouts_;
  Layout layout_;
};

}  // namespace

Layout arrange(const Graph& graph, const std::vector<FramePlan>& plans, const std::vector<FrameLayout>& layouts,
               double aspect, std::optional<PartId> expanded) {
  return Arranger(graph, plans, layouts).run(aspect, expanded);
}

}  // namespace iosx::canvas
