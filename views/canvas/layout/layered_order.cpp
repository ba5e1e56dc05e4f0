#include <algorithm>
#include <cstdint>
#include <limits>

#include "views/canvas/layout/layered_items.h"

namespace iosx::canvas {
namespace {

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

}  // namespace

void order_layers(LayeredGraph& graph, const std::stop_token& stop) { Orderer(graph).run(stop); }

}  // namespace iosx::canvas
