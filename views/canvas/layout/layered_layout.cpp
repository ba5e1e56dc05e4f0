#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <stop_token>

#include "core/base/check.h"
#include "views/canvas/layout/frame_plan.h"

namespace iosx::canvas {
namespace {

constexpr double kMergedPadding = 8;
constexpr double kMergedLabelHeight = 17;
constexpr double kMergedGap = 10;
constexpr double kSpread = 13;  // between edges that enter one box

// The layout places columns and, in every layer that an edge passes, a lane. All edges of a producer share its lanes.
struct LayeredItem {
  std::size_t layer = 0;
  std::size_t column = 0;  // index in the plan's layer; unused for a lane
  bool lane = false;
  double width = 0;
  double x = 0;  // centre
};

// A link between items of neighbouring layers. Its offsets are the points of contact, from the items' centres.
struct LayeredLink {
  std::size_t from = 0;
  std::size_t to = 0;
  double from_offset = 0;
  double to_offset = 0;
  double weight = 1;
};

// The place of a node in its column.
struct NodePlace {
  std::size_t item = 0;
  std::size_t row = 0;
  double offset = 0;  // of its centre from the column's centre
  bool last_row = false;
};

// The lane of a producer's edges: items[i] is the item in layer first_layer + i.
struct Lanes {
  std::size_t first_layer = 0;
  std::vector<std::size_t> items;
};

struct LayeredGraph {
  std::vector<LayeredItem> items;
  std::vector<LayeredLink> links;
  std::vector<std::vector<std::size_t>> order;  // per layer: items from left to right
  std::vector<bool> keep_columns;  // per layer: its columns stay in the plan's order, as groups are numbered
  std::vector<NodePlace> places;   // per node of the plan
  std::vector<Lanes> lanes;        // per node of the plan
  std::vector<bool> gutter_left;   // per item: edges enter lower rows from outside
  std::vector<bool> gutter_right;  // per item: edges leave upper rows, or skip a row
};

// Returns whether the column's rows have a box around them; only then is there padding (kGroupPadding).
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
      if (lanes.empty()) continue;
      graph_.links.push_back({graph_.places[node].item, lanes[0], exit_offset(node), 0, 1.5});
      for (std::size_t i = 1; i < lanes.size(); ++i) {
        graph_.links.push_back({lanes[i - 1], lanes[i], 0, 0, kLaneWeight});
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

constexpr int kSweeps = 12;

// Sweeps down and up by barycentres and keeps the order with the fewest crossings.
class Orderer {
 public:
  explicit Orderer(LayeredGraph& graph)
      : graph_(graph), position_(graph.items.size()), up_(graph.items.size()), down_(graph.items.size()) {
    for (std::size_t i = 0; i < graph.links.size(); ++i) {
      up_[graph.links[i].to].push_back(i);
      down_[graph.links[i].from].push_back(i);
    }
  }

  void run(const std::stop_token& stop) {
    for (std::size_t l = 0; l < graph_.order.size(); ++l) number(l);
    auto best = graph_.order;
    std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
    for (int sweep = 0; sweep < kSweeps && fewest > 0 && !stop.stop_requested(); ++sweep) {
      const std::size_t layers = graph_.order.size();
      for (std::size_t i = 1; i < layers; ++i) {
        sweep % 2 == 0 ? reorder(i, up_, true) : reorder(layers - 1 - i, down_, false);
      }
      const std::uint64_t crossings = count_crossings();
      if (crossings >= fewest) continue;
      fewest = crossings;
      best = graph_.order;
    }
    graph_.order = std::move(best);
  }

 private:
  void number(std::size_t layer) {
    const auto& order = graph_.order[layer];
    for (std::size_t i = 0; i < order.size(); ++i) position_[order[i]] = i;
  }

  // Returns a link's end as a position in its layer; fractions tell apart where it attaches to a wide column.
  double end(const LayeredLink& link, bool from) const {
    const std::size_t item = from ? link.from : link.to;
    const double offset = from ? link.from_offset : link.to_offset;
    const double width = graph_.items[item].width;
    return static_cast<double>(position_[item]) + (width > 0 ? 0.8 * offset / width : 0);
  }

  void reorder(std::size_t layer, const std::vector<std::vector<std::size_t>>& links, bool from) {
    auto& order = graph_.order[layer];
    key_.resize(graph_.items.size());
    for (const std::size_t item : order) {
      double sum = 0;
      for (const std::size_t link : links[item]) sum += end(graph_.links[link], from);
      key_[item] =
          links[item].empty() ? static_cast<double>(position_[item]) : sum / static_cast<double>(links[item].size());
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key_[a] < key_[b]; });
    if (graph_.keep_columns[layer]) sort_columns(order);
    number(layer);
  }

  // Puts the columns, where they stand, in their own order; lanes stay.
  void sort_columns(std::vector<std::size_t>& order) const {
    std::vector<std::size_t> columns;
    for (const std::size_t item : order) {
      if (!graph_.items[item].lane) columns.push_back(item);
    }
    std::sort(columns.begin(), columns.end(),
              [&](std::size_t a, std::size_t b) { return graph_.items[a].column < graph_.items[b].column; });
    auto next = columns.begin();
    for (std::size_t& item : order) {
      if (!graph_.items[item].lane) item = *next++;
    }
  }

  std::uint64_t count_crossings() {
    std::uint64_t crossings = 0;
    std::vector<std::pair<double, double>> ends;
    for (std::size_t l = 0; l + 1 < graph_.order.size(); ++l) {
      ends.clear();
      for (const std::size_t item : graph_.order[l]) {
        for (const std::size_t link : down_[item]) {
          ends.emplace_back(end(graph_.links[link], true), end(graph_.links[link], false));
        }
      }
      std::sort(ends.begin(), ends.end());
      crossings += inversions(ends);
    }
    return crossings;
  }

  // Counts pairs (i, j), i before j, whose second ends are the other way round, with a Fenwick tree over their ranks.
  std::uint64_t inversions(const std::vector<std::pair<double, double>>& ends) {
    std::vector<double> ranks;
    for (const auto& e : ends) ranks.push_back(e.second);
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    std::vector<std::uint64_t> tree(ranks.size() + 1, 0);
    std::uint64_t found = 0;
    for (std::size_t seen = 0; seen < ends.size(); ++seen) {
      const auto at =
          static_cast<std::size_t>(std::lower_bound(ranks.begin(), ranks.end(), ends[seen].second) - ranks.begin()) + 1;
      std::uint64_t not_greater = 0;
      for (std::size_t i = at; i > 0; i -= i & (~i + 1)) not_greater += tree[i];
      found += seen - not_greater;
      for (std::size_t i = at; i < tree.size(); i += i & (~i + 1)) ++tree[i];
    }
    return found;
  }

  LayeredGraph& graph_;
  std::vector<std::size_t> position_;           // an item: in its layer
  std::vector<std::vector<std::size_t>> up_;    // an item: links from the layer above
  std::vector<std::vector<std::size_t>> down_;  // an item: links to the layer below
  std::vector<double> key_;
};

constexpr int kPasses = 14;
constexpr double kLaneGap = 10;  // beside a lane

// Each pass moves the items of each layer as close to the positions of their links as order and sizes allow: a
// least-squares fit with minimum distances, solved exactly by pooling neighbours that would collide.
class Placer {
 public:
  explicit Placer(LayeredGraph& graph) : graph_(graph), links_of_(graph.items.size()) {
    for (std::size_t i = 0; i < graph.links.size(); ++i) {
      links_of_[graph.links[i].from].push_back(i);
      links_of_[graph.links[i].to].push_back(i);
    }
  }

  void run(const std::stop_token& stop) {
    for (const auto& order : graph_.order) pack(order);
    const std::size_t layers = graph_.order.size();
    for (int pass = 0; pass < kPasses && !stop.stop_requested(); ++pass) {
      const bool down = pass % 2 == 0;
      const bool both = pass >= kPasses / 2;  // first the layer before only, then both sides
      for (std::size_t i = 0; i < layers; ++i) fit(graph_.order[down ? i : layers - 1 - i], down, both);
    }
    shift_to_zero();
  }

 private:
  double distance(std::size_t a, std::size_t b) const {
    const LayeredItem& left = graph_.items[a];
    const LayeredItem& right = graph_.items[b];
    const double gap = left.lane || right.lane ? kLaneGap : kColumnGap;
    return left.width / 2 + gap + right.width / 2;
  }

  void pack(const std::vector<std::size_t>& order) {
    for (std::size_t i = 1; i < order.size(); ++i) {
      graph_.items[order[i]].x = graph_.items[order[i - 1]].x + distance(order[i - 1], order[i]);
    }
    if (order.empty()) return;
    const double middle = (graph_.items[order.front()].x + graph_.items[order.back()].x) / 2;
    for (const std::size_t item : order) graph_.items[item].x -= middle;
  }

  // Returns where the links pull the item, and how strongly.
  std::pair<double, double> pull(std::size_t item, bool down, bool both) const {
    double sum = 0;
    double weights = 0;
    for (const std::size_t id : links_of_[item]) {
      const LayeredLink& link = graph_.links[id];
      const bool from_above = link.to == item;
      if (!both && from_above != down) continue;
      const double x = from_above ? graph_.items[link.from].x + link.from_offset - link.to_offset
                                  : graph_.items[link.to].x + link.to_offset - link.from_offset;
      sum += link.weight * x;
      weights += link.weight;
    }
    if (weights == 0) return {graph_.items[item].x, 0.05};
    return {sum / weights, weights};
  }

  void fit(const std::vector<std::size_t>& order, bool down, bool both) {
    struct Block {
      double sum;  // of weight · (wanted − lead)
      double weight;
      std::size_t first;
      double at() const { return sum / weight; }
    };
    std::vector<double> lead(order.size(), 0);  // least distance from the first item
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i > 0) lead[i] = lead[i - 1] + distance(order[i - 1], order[i]);
      const auto [wanted, weight] = pull(order[i], down, both);
      blocks.push_back({weight * (wanted - lead[i]), weight, i});
      while (blocks.size() > 1 && blocks[blocks.size() - 2].at() > blocks.back().at()) {
        const Block right = blocks.back();
        blocks.pop_back();
        blocks.back().sum += right.sum;
        blocks.back().weight += right.weight;
      }
    }
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const std::size_t end = b + 1 < blocks.size() ? blocks[b + 1].first : order.size();
      for (std::size_t i = blocks[b].first; i < end; ++i) graph_.items[order[i]].x = blocks[b].at() + lead[i];
    }
  }

  void shift_to_zero() {
    const auto edge = [](const LayeredItem& item) { return item.x - item.width / 2; };
    const auto leftmost = std::ranges::min_element(graph_.items, {}, edge);
    const double left = leftmost == graph_.items.end() ? 0 : edge(*leftmost);
    for (LayeredItem& item : graph_.items) item.x -= left;
  }

  LayeredGraph& graph_;
  std::vector<std::vector<std::size_t>> links_of_;  // an item
};

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
    const std::size_t first = row.front();
    const double left = center + graph_.places[first].offset - plan_.nodes[first].size.width / 2 - kMergedPadding;
    MergedBox merged{{left, top, row_size(plan_, row).width, height}, stage, {}};
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
  LayeredGraph graph = Maker(plan).run();
  Orderer(graph).run(stop);
  Placer(graph).run(stop);
  if (stop.stop_requested()) return {};
  return Drawer(plan, graph).run();
}

}  // namespace iosx::canvas
