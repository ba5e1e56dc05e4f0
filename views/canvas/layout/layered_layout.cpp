#include <algorithm>
#include <cmath>
#include <map>

#include "views/canvas/layout/layered_items.h"

namespace iosx::canvas {
namespace {

constexpr double kSpread = 13;  // between edges that enter one box

void curve_to(Curve& curve, const Point& to) {
  const Point from = curve.back();
  if (std::abs(from.x - to.x) < 1e-9 && std::abs(from.y - to.y) < 1e-9) return;
  const double middle = (from.y + to.y) / 2;
  curve.push_back({from.x, middle});
  curve.push_back({to.x, middle});
  curve.push_back(to);
}

// Gives the placed items their heights, and turns them into boxes, bands and curves.
class Drawer {
 public:
  Drawer(const FramePlan& plan, const LayeredGraph& graph) : plan_(plan), graph_(graph) {}

  FrameLayout run() {
    layout_.boxes.resize(plan_.nodes.size());
    row_bottom_.resize(plan_.nodes.size());
    row_top_.resize(plan_.nodes.size());
    left_ = plan_.staged ? kBandPadding + plan_.label_width + kBandLabelGap : 0;
    for (const LayeredItem& item : graph_.items) right_ = std::max(right_, item.x + item.width / 2);
    layout_.size.width = left_ + right_ + (plan_.staged ? kBandPadding : 0);
    double y = 0;
    for (std::size_t l = 0; l < plan_.layers.size(); ++l) y = draw_layer(l, y);
    layout_.size.height = y - last_gap_;
    draw_edges();
    return std::move(layout_);
  }

 private:
  double draw_layer(std::size_t l, double top) {
    const PlanLayer& layer = plan_.layers[l];
    double content = layer.stage ? top + kBandPadding : top;
    double bottom = layer.stage ? content + (plan_.low ? 1 : 3) * kBandLine : content;
    std::vector<Rect> columns(layer.columns.size());
    for (const std::size_t item : graph_.order[l]) {
      if (graph_.items[item].lane) continue;
      const Rect box = draw_column(item, content);
      columns[graph_.items[item].column] = box;
      bottom = std::max(bottom, box.bottom());
    }
    if (layer.stage) {
      bottom += kBandPadding;
      const Rect band{0, top, layout_.size.width, bottom - top};
      layout_.bands.push_back(
          {band, {kBandPadding, content, plan_.label_width, bottom - kBandPadding - content}, *layer.stage});
      for (std::size_t c = 0; c < columns.size(); ++c) {
        layout_.groups.push_back({columns[c], *layer.stage, c, is_outlined(layer, layer.columns[c])});
      }
    }
    layout_.layers.push_back({top, bottom});
    last_gap_ = plan_.low ? kLowGap : plan_.staged ? kBandGap : kLayerGap;
    return bottom + last_gap_;
  }

  Rect draw_column(std::size_t item_index, double top) {
    const LayeredItem& item = graph_.items[item_index];
    const PlanLayer& layer = plan_.layers[item.layer];
    const PlanColumn& column = layer.columns[item.column];
    const bool outlined = is_outlined(layer, column);
    const double center = left_ + item.x;
    double y = top + (!outlined ? 0 : layer.columns.size() > 1 ? kGroupLabelHeight + 4 : kGroupPadding);
    for (std::size_t r = 0; r < column.rows.size(); ++r) {
      if (r > 0) y += kRowGap;
      const auto& row = column.rows[r];
      const Size size = row_size(plan_, row);
      const bool merged = row.size() > 1;
      double inner_top = y + (merged ? kMergedPadding + kMergedLabelHeight : 0);
      if (merged) draw_merged(row, y, size.height, center, *layer.stage);
      for (const std::size_t node : row) {
        const Size box = plan_.nodes[node].size;
        layout_.boxes[node] = {center + graph_.places[node].offset - box.width / 2, inner_top, box.width, box.height};
        row_top_[node] = y;
        row_bottom_[node] = y + size.height;
      }
      y += size.height;
    }
    if (outlined) y += kGroupPadding;
    return {center - item.width / 2, top, item.width, y - top};
  }

  void draw_merged(const std::vector<std::size_t>& row, double top, double height, double center, std::size_t stage) {
    MergedBox merged{{}, stage, {}};
    const std::size_t first = row.front();
    const double left = center + graph_.places[first].offset - plan_.nodes[first].size.width / 2 - kMergedPadding;
    merged.box = {left, top, row_size(plan_, row).width, height};
    for (const std::size_t node : row) merged.units.push_back(plan_.nodes[node].unit);
    layout_.merged.push_back(std::move(merged));
  }

  double item_left(std::size_t item) const { return left_ + graph_.items[item].x - graph_.items[item].width / 2; }
  double item_right(std::size_t item) const { return left_ + graph_.items[item].x + graph_.items[item].width / 2; }

  // Returns where the edge comes from, seen from its target: x of the last point before the target's column.
  double approach(std::size_t from, std::size_t to) const {
    const NodePlace& source = graph_.places[from];
    const NodePlace& target = graph_.places[to];
    if (source.item == target.item) return layout_.boxes[from].center().x;
    const Lanes& lanes = graph_.lanes[from];
    const std::size_t used = graph_.items[target.item].layer - lanes.first_layer;
    if (used > 0) return left_ + graph_.items[lanes.items[used - 1]].x;
    return source.last_row ? layout_.boxes[from].center().x : item_right(source.item) - kGutter / 2;
  }

  // Edges enter a box side by side, in the order in which they come.
  std::map<std::pair<std::size_t, std::size_t>, double> entries() const {
    std::map<std::size_t, std::vector<std::pair<double, std::size_t>>> sources;
    for (const auto& [from, to] : plan_.edges) sources[to].emplace_back(approach(from, to), from);
    std::map<std::pair<std::size_t, std::size_t>, double> x;
    for (auto& [to, list] : sources) {
      std::sort(list.begin(), list.end());
      const Rect& box = layout_.boxes[to];
      const double count = static_cast<double>(list.size());
      const double step = list.size() > 1 ? std::min(kSpread, (box.width - 32) / (count - 1)) : 0;
      for (std::size_t i = 0; i < list.size(); ++i) {
        x[{list[i].second, to}] = box.center().x + step * (static_cast<double>(i) - (count - 1) / 2);
      }
    }
    return x;
  }

  void draw_edges() {
    const auto entry = entries();
    for (const auto& [from, to] : plan_.edges) layout_.curves.push_back(draw_edge(from, to, entry.at({from, to})));
  }

  Curve draw_edge(std::size_t from, std::size_t to, double entry_x) const {
    const NodePlace& source = graph_.places[from];
    const NodePlace& target = graph_.places[to];
    const Rect& end = layout_.boxes[to];
    Curve curve{{layout_.boxes[from].center().x, layout_.boxes[from].bottom()}};
    if (source.item == target.item) {
      if (target.row > source.row + 1) {
        const double x = item_right(source.item) - kGutter / 2;
        curve_to(curve, {x, row_bottom_[from] + kRowGap - 2});
        curve_to(curve, {x, row_top_[to] - kRowGap + 2});
      }
      curve_to(curve, {entry_x, end.y});
      return curve;
    }
    leave(curve, from);
    const std::size_t last_layer = graph_.items[target.item].layer;
    const Lanes& lanes = graph_.lanes[from];
    for (std::size_t l = lanes.first_layer; l < last_layer; ++l) {
      const double x = left_ + graph_.items[lanes.items[l - lanes.first_layer]].x;
      curve_to(curve, {x, layout_.layers[l].top});
      curve_to(curve, {x, layout_.layers[l].bottom});
    }
    if (target.row == 0) {
      curve_to(curve, {entry_x, layout_.layers[last_layer].top});
    } else {
      const double x = item_left(target.item) + kGutter / 2;
      curve_to(curve, {x, layout_.layers[last_layer].top});
      curve_to(curve, {x, row_top_[to] - kRowGap + 2});
    }
    curve_to(curve, {entry_x, end.y});
    return curve;
  }

  // Leads the curve from the box to the bottom of its layer.
  void leave(Curve& curve, std::size_t from) const {
    const NodePlace& source = graph_.places[from];
    const std::size_t layer = graph_.items[source.item].layer;
    if (!source.last_row) {
      const double x = item_right(source.item) - kGutter / 2;
      curve_to(curve, {x, row_bottom_[from] + kRowGap - 2});
    }
    curve_to(curve, {curve.back().x, layout_.layers[layer].bottom});
  }

  const FramePlan& plan_;
  const LayeredGraph& graph_;
  FrameLayout layout_;
  double left_ = 0;
  double right_ = 0;
  double last_gap_ = 0;
  std::vector<double> row_top_;     // a node: of its step
  std::vector<double> row_bottom_;  // a node
};

}  // namespace

FrameLayout layered_layout(const FramePlan& plan, const std::stop_token& stop) {
  LayeredGraph graph = make_layered(plan);
  order_layers(graph, stop);
  place_layers(graph, stop);
  if (stop.stop_requested()) return {};
  return Drawer(plan, graph).run();
}

}  // namespace iosx::canvas
