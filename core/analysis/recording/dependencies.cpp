#include "core/analysis/recording/dependencies.h"

#include <algorithm>
#include <utility>

namespace iosx {

Dependencies::Dependencies(const Recording& recording, const RecordedEdges& edges)
    : recording_(recording), barriers_(edges.barriers) {
  const auto kernels = static_cast<std::uint32_t>(recording.kernels.size());
  const std::size_t nodes = kernels + barriers_.size();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
  for (const RecordedEdge& edge : edges.edges) {
    if (!edges.is_off(edge.kind)) arcs.emplace_back(edge.before, edge.after);
  }
  std::vector<double> ends;
  for (std::uint32_t b = 0; b < barriers_.size(); ++b) {
    ends.push_back(barriers_[b].end);
    if (b > 0) arcs.emplace_back(kernels + b - 1, kernels + b);
    for (const std::uint32_t i : barriers_[b].kernels) arcs.emplace_back(i, kernels + b);
  }
  barrier_of_.assign(kernels, kNoIndex);
  for (std::uint32_t i = 0; i < kernels; ++i) {
    if (recording.kernels[i].launch == kNoIndex) continue;
    const double launch = recording.launches[recording.kernels[i].launch].begin;
    const auto after = std::ranges::upper_bound(ends, launch);
    if (after == ends.begin()) continue;
    barrier_of_[i] = static_cast<std::uint32_t>(after - ends.begin() - 1);
    arcs.emplace_back(kernels + barrier_of_[i], i);
  }
  begins_.assign(nodes + 1, 0);
  waits_.assign(nodes, 0);
  for (const auto& [before, after] : arcs) {
    ++begins_[before + 1];
    ++waits_[after];
  }
  for (std::size_t node = 0; node < nodes; ++node) begins_[node + 1] += begins_[node];
  after_.resize(arcs.size());
  std::vector<std::uint32_t> at(begins_.begin(), begins_.end() - 1);
  for (const auto& [before, after] : arcs) after_[at[before]++] = after;
}

std::vector<std::uint32_t> Dependencies::order() const {
  std::vector<std::uint32_t> left = waits_;
  std::vector<std::uint32_t> order;
  order.reserve(nodes());
  for (std::uint32_t node = 0; node < nodes(); ++node) {
    if (left[node] == 0) order.push_back(node);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    each_after(order[i], [&](std::uint32_t after) {
      if (--left[after] == 0) order.push_back(after);
    });
  }
  return order;
}

std::optional<RecordedPath> critical_path(const Dependencies& dependencies) {
  const std::vector<std::uint32_t> order = dependencies.order();
  if (order.size() < dependencies.nodes()) return std::nullopt;
  std::vector<double> longest(order.size(), 0);  // until the node has ended; before that until it begins
  std::vector<std::uint32_t> through(order.size(), kNoIndex);
  std::uint32_t last = kNoIndex;
  for (const std::uint32_t node : order) {
    const bool is_kernel = node < dependencies.kernels();
    if (is_kernel) longest[node] += dependencies.recording().kernels[node].duration();
    if (last == kNoIndex || longest[node] > longest[last]) last = node;
    dependencies.each_after(node, [&](std::uint32_t after) {
      if (through[after] != kNoIndex && longest[node] <= longest[after]) return;
      longest[after] = longest[node];
      through[after] = node;
    });
  }
  RecordedPath path;
  if (last == kNoIndex) return path;
  path.length = longest[last];
  for (std::uint32_t node = last; node != kNoIndex; node = through[node]) {
    if (node < dependencies.kernels()) path.kernels.push_back(node);
  }
  std::ranges::reverse(path.kernels);
  return path;
}

}  // namespace iosx
