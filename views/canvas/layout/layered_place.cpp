#include <algorithm>

#include "views/canvas/layout/layered_items.h"

namespace iosx::canvas {
namespace {

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
    double left = 0;
    bool first = true;
    for (const LayeredItem& item : graph_.items) {
      const double edge = item.x - item.width / 2;
      left = first ? edge : std::min(left, edge);
      first = false;
    }
    for (LayeredItem& item : graph_.items) item.x -= left;
  }

  LayeredGraph& graph_;
  std::vector<std::vector<std::size_t>> links_of_;  // an item
};

}  // namespace

void place_layers(LayeredGraph& graph, const std::stop_token& stop) { Placer(graph).run(stop); }

}  // namespace iosx::canvas
