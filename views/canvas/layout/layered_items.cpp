#include "views/canvas/layout/layered_items.h"

#include <algorithm>

#include "core/base/check.h"

namespace iosx::canvas {
namespace {

constexpr double kLaneWidth = 6;
constexpr double kLaneWeight = 8;  // lanes want to be straight more than boxes want to be centred

// Makes items from columns; gutters are decided before widths, as they widen them.
class Maker {
 public:
  explicit Maker(const FramePlan& plan) : plan_(plan) {}

  LayeredGraph run() {
    add_columns();
    find_gutters();
    measure_columns();
    add_lanes();
    add_links();
    return std::move(graph_);
  }

 private:
  void add_columns() {
    graph_.places.resize(plan_.nodes.size());
    graph_.lanes.resize(plan_.nodes.size());
    graph_.order.resize(plan_.layers.size());
    for (std::size_t l = 0; l < plan_.layers.size(); ++l) {
      graph_.keep_columns.push_back(plan_.layers[l].stage.has_value());
      for (std::size_t c = 0; c < plan_.layers[l].columns.size(); ++c) {
        const std::size_t item = graph_.items.size();
        graph_.items.push_back({l, c, false, 0, 0});
        graph_.order[l].push_back(item);
        const auto& rows = plan_.layers[l].columns[c].rows;
        for (std::size_t r = 0; r < rows.size(); ++r) {
          for (const std::size_t node : rows[r]) graph_.places[node] = {item, r, 0, r + 1 == rows.size()};
        }
      }
    }
  }

  void find_gutters() {
    graph_.gutter_left.resize(graph_.items.size(), false);
    graph_.gutter_right.resize(graph_.items.size(), false);
    for (const auto& [from, to] : plan_.edges) {
      const NodePlace& a = graph_.places[from];
      const NodePlace& b = graph_.places[to];
      if (a.item == b.item) {
        IOS_CHECK(a.row < b.row);
        if (b.row > a.row + 1) graph_.gutter_right[a.item] = true;
        continue;
      }
      IOS_CHECK(graph_.items[a.item].layer < graph_.items[b.item].layer);
      if (!a.last_row) graph_.gutter_right[a.item] = true;
      if (b.row > 0) graph_.gutter_left[b.item] = true;
    }
  }

  void measure_columns() {
    for (std::size_t i = 0; i < graph_.items.size(); ++i) {
      LayeredItem& item = graph_.items[i];
      const PlanLayer& layer = plan_.layers[item.layer];
      const PlanColumn& column = layer.columns[item.column];
      double inner = 0;
      for (const auto& row : column.rows) inner = std::max(inner, row_size(plan_, row).width);
      const double padding = is_outlined(layer, column) ? kGroupPadding : 0;
      const double left = padding + (graph_.gutter_left[i] ? kGutter : 0);
      const double right = padding + (graph_.gutter_right[i] ? kGutter : 0);
      item.width = inner + left + right;
      for (const auto& row : column.rows) {
        const Size size = row_size(plan_, row);
        double x = left + (inner - size.width) / 2 - item.width / 2 + (row.size() > 1 ? kMergedPadding : 0);
        for (const std::size_t node : row) {
          const double width = plan_.nodes[node].size.width;
          graph_.places[node].offset = x + width / 2;
          x += width + kMergedGap;
        }
      }
    }
  }

  void add_lanes() {
    std::vector<std::size_t> farthest(plan_.nodes.size(), 0);
    for (const auto& [from, to] : plan_.edges) farthest[from] = std::max(farthest[from], layer_of(to));
    for (std::size_t node = 0; node < plan_.nodes.size(); ++node) {
      const std::size_t first = layer_of(node) + 1;
      graph_.lanes[node].first_layer = first;
      for (std::size_t l = first; l < farthest[node]; ++l) {
        graph_.lanes[node].items.push_back(graph_.items.size());
        graph_.order[l].push_back(graph_.items.size());
        graph_.items.push_back({l, 0, true, kLaneWidth, 0});
      }
    }
  }

  void add_links() {
    for (std::size_t node = 0; node < plan_.nodes.size(); ++node) {
      const auto& lanes = graph_.lanes[node].items;
      for (std::size_t i = 0; i < lanes.size(); ++i) {
        if (i == 0) {
          graph_.links.push_back({graph_.places[node].item, lanes[0], exit_offset(node), 0, 1.5});
        } else {
          graph_.links.push_back({lanes[i - 1], lanes[i], 0, 0, kLaneWeight});
        }
      }
    }
    for (const auto& [from, to] : plan_.edges) {
      if (graph_.places[from].item == graph_.places[to].item) continue;
      const auto& lanes = graph_.lanes[from];
      const std::size_t before = layer_of(to) - lanes.first_layer;  // lanes that the edge uses
      LayeredLink link{graph_.places[from].item, graph_.places[to].item, exit_offset(from), entry_offset(to), 1};
      if (before > 0) {
        link.from = lanes.items[before - 1];
        link.from_offset = 0;
      }
      graph_.links.push_back(link);
    }
  }

  std::size_t layer_of(std::size_t node) const { return graph_.items[graph_.places[node].item].layer; }

  double exit_offset(std::size_t node) const {
    const NodePlace& place = graph_.places[node];
    return place.last_row ? place.offset : graph_.items[place.item].width / 2 - kGutter / 2;
  }
  double entry_offset(std::size_t node) const {
    const NodePlace& place = graph_.places[node];
    return place.row == 0 ? place.offset : -graph_.items[place.item].width / 2 + kGutter / 2;
  }

  const FramePlan& plan_;
  LayeredGraph graph_;
};

}  // namespace

bool is_outlined(const PlanLayer& layer, const PlanColumn& column) {
  return layer.stage && (layer.columns.size() > 1 || column.rows.size() > 1);
}

Size row_size(const FramePlan& plan, const std::vector<std::size_t>& row) {
  Size size;
  for (const std::size_t node : row) {
    size.width += plan.nodes[node].size.width;
    size.height = std::max(size.height, plan.nodes[node].size.height);
  }
  if (row.size() > 1) {
    size.width += kMergedGap * static_cast<double>(row.size() - 1) + 2 * kMergedPadding;
    size.height += kMergedLabelHeight + 2 * kMergedPadding;
  }
  return size;
}

LayeredGraph make_layered(const FramePlan& plan) { return Maker(plan).run(); }

}  // namespace iosx::canvas
