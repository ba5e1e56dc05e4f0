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

constexpr double kSpread = 13;  // between edges that enter one box
constexpr double kLaneWidth = 6;
constexpr double kLaneWeight = 8;  // lanes want to be straight more than boxes want to be centred

// The layout places boxes and, in every layer that an edge passes, a lane. All edges of a producer share its lanes.
struct LayeredItem {
  std::size_t layer = 0;
  bool lane = false;
  double width = 0;
  double x = 0;  // centre
};

// A link between items of neighbouring layers.
struct LayeredLink {
  std::size_t from = 0;
  std::size_t to = 0;
  double weight = 1;
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
  std::vector<std::size_t> item_of;             // per node of the plan
  std::vector<Lanes> lanes;                     // per node of the plan

  std::size_t layer_of(std::size_t node) const { return items[item_of[node]].layer; }
};

LayeredGraph make_layered(const FramePlan& plan) {
  LayeredGraph graph;
  graph.item_of.resize(plan.nodes.size());
  graph.lanes.resize(plan.nodes.size());
  graph.order.resize(plan.layers.size());
  for (std::size_t l = 0; l < plan.layers.size(); ++l) {
    for (const std::size_t node : plan.layers[l]) {
      graph.item_of[node] = graph.items.size();
      graph.order[l].push_back(graph.items.size());
      graph.items.push_back({l, false, plan.nodes[node].size.width, 0});
    }
  }
  std::vector<std::size_t> farthest(plan.nodes.size(), 0);
  for (const auto& [from, to] : plan.edges) {
    IOS_CHECK(graph.layer_of(from) < graph.layer_of(to));
    farthest[from] = std::max(farthest[from], graph.layer_of(to));
  }
  for (std::size_t node = 0; node < plan.nodes.size(); ++node) {
    Lanes& lanes = graph.lanes[node];
    lanes.first_layer = graph.layer_of(node) + 1;
    for (std::size_t l = lanes.first_layer; l < farthest[node]; ++l) {
      const std::size_t above = lanes.items.empty() ? graph.item_of[node] : lanes.items.back();
      graph.links.push_back({above, graph.items.size(), lanes.items.empty() ? 1.5 : kLaneWeight});
      lanes.items.push_back(graph.items.size());
      graph.order[l].push_back(graph.items.size());
      graph.items.push_back({l, true, kLaneWidth, 0});
    }
  }
  for (const auto& [from, to] : plan.edges) {
    const Lanes& lanes = graph.lanes[from];
    const std::size_t used = graph.layer_of(to) - lanes.first_layer;
    graph.links.push_back({used > 0 ? lanes.items[used - 1] : graph.item_of[from], graph.item_of[to], 1});
  }
  return graph;
}

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

  // Returns the place of a link's end in its layer.
  double end(const LayeredLink& link, bool from) const {
    return static_cast<double>(position_[from ? link.from : link.to]);
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
    number(layer);
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
      const double x = graph_.items[from_above ? link.from : link.to].x;
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

// Gives the placed items their heights, and turns them into boxes and curves.
class Drawer {
 public:
  Drawer(const FramePlan& plan, const LayeredGraph& graph) : plan_(plan), graph_(graph) {}

  FrameLayout run() {
    layout_.boxes.resize(plan_.nodes.size());
    for (const LayeredItem& item : graph_.items) {
      layout_.size.width = std::max(layout_.size.width, item.x + item.width / 2);
    }
    double top = 0;
    for (const PlanLayer& layer : plan_.layers) {
      double bottom = top;
      for (const std::size_t node : layer) {
        const Size size = plan_.nodes[node].size;
        layout_.boxes[node] = {graph_.items[graph_.item_of[node]].x - size.width / 2, top, size.width, size.height};
        bottom = std::max(bottom, top + size.height);
      }
      layout_.layers.push_back({top, bottom});
      layout_.size.height = bottom;
      top = bottom + kLayerGap;
    }
    const auto entry = entries();
    for (const auto& [from, to] : plan_.edges) layout_.curves.push_back(draw_edge(from, to, entry.at({from, to})));
    return std::move(layout_);
  }

 private:
  // Returns where the edge comes from, seen from its target: x of the last point before the target's layer.
  double approach(std::size_t from, std::size_t to) const {
    const Lanes& lanes = graph_.lanes[from];
    const std::size_t used = graph_.layer_of(to) - lanes.first_layer;
    return used > 0 ? graph_.items[lanes.items[used - 1]].x : layout_.boxes[from].center().x;
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

  Curve draw_edge(std::size_t from, std::size_t to, double entry_x) const {
    Curve curve{{layout_.boxes[from].center().x, layout_.boxes[from].bottom()}};
    curve_to(curve, {curve.back().x, layout_.layers[graph_.layer_of(from)].bottom});
    const Lanes& lanes = graph_.lanes[from];
    for (std::size_t l = lanes.first_layer; l < graph_.layer_of(to); ++l) {
      const double x = graph_.items[lanes.items[l - lanes.first_layer]].x;
      curve_to(curve, {x, layout_.layers[l].top});
      curve_to(curve, {x, layout_.layers[l].bottom});
    }
    curve_to(curve, {entry_x, layout_.boxes[to].y});
    return curve;
  }

  const FramePlan& plan_;
  const LayeredGraph& graph_;
  FrameLayout layout_;
};

}  // namespace

FrameLayout layered_layout(const FramePlan& plan, const std::stop_token& stop) {
  LayeredGraph graph = make_layered(plan);
  Orderer(graph).run(stop);
  Placer(graph).run(stop);
  if (stop.stop_requested()) return {};
  return Drawer(plan, graph).run();
}

}  // namespace iosx::canvas
