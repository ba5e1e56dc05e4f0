#include "views/canvas/paint/hit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "views/canvas/layout/labels.h"

namespace iosx::canvas {
namespace {

std::optional<UnitId> straightest(std::span<const UnitId> candidates, const Layout& layout, const Point& from) {
  std::optional<UnitId> best;
  double least = std::numeric_limits<double>::max();
  for (const UnitId unit : candidates) {
    const auto node = layout.node_of[unit.index()];
    if (!node) continue;
    const double off = std::abs(layout.nodes[*node].box.center().x - from.x);
    if (off >= least) continue;
    least = off;
    best = unit;
  }
  return best;
}

std::optional<UnitId> beside(const Layout& layout, std::size_t from, double sign) {
  const Rect& box = layout.nodes[from].box;
  std::optional<UnitId> best;
  double least = std::numeric_limits<double>::max();
  for (const NodeBox& node : layout.nodes) {
    if (!node.unit.valid()) continue;
    const double ahead = sign * (node.box.center().x - box.center().x);
    const double aside = std::abs(node.box.center().y - box.center().y);
    if (ahead <= 1 || aside > ahead) continue;
    const double cost = ahead + 4 * aside;
    if (cost >= least) continue;
    least = cost;
    best = node.unit;
  }
  return best;
}

}  // namespace

Rect header_target(const FrameBox& frame, double zoom) {
  const Rect row = header_row(frame, 0, zoom);
  return {frame.box.x, row.y, frame.box.width, row.height};
}

Rect disclosure_target(const FrameBox& frame, double zoom) {
  constexpr double kWidth = 28;
  constexpr double kLeast = 0.75;  // zoom
  if (zoom < kLeast) return {};
  const Rect row = header_row(frame, 0, zoom);
  return {row.x, row.y, kWidth, row.height};
}

Hit hit(const Layout& layout, const Point& at, double zoom) {
  for (std::size_t f = 0; f < layout.frames.size(); ++f) {
    const FrameBox& frame = layout.frames[f];
    if (!frame.box.contains(at)) continue;
    const bool on_header = header_target(frame, zoom).contains(at);
    if (const Rect triangle = disclosure_target(frame, zoom); !triangle.empty() && triangle.contains(at)) {
      return {Hit::Kind::kDisclosure, f};
    }
    if (on_header) return {Hit::Kind::kHeader, f};
    for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
      if (layout.nodes[n].box.contains(at)) return {Hit::Kind::kNode, n};
    }
    for (std::size_t g = frame.groups.first; g < frame.groups.second; ++g) {
      if (layout.groups[g].outlined && layout.groups[g].box.contains(at)) return {Hit::Kind::kGroup, g};
    }
    for (std::size_t b = frame.bands.first; b < frame.bands.second; ++b) {
      if (layout.bands[b].box.contains(at)) return {Hit::Kind::kBand, b};
    }
    return {};
  }
  return {};
}

std::optional<UnitId> neighbour(const Graph& graph, const Layout& layout, UnitId from, Direction direction) {
  const auto node = layout.node_of[from.index()];
  if (!node) return std::nullopt;
  const Point center = layout.nodes[*node].box.center();
  switch (direction) {
    case Direction::kUp: return straightest(graph.predecessors(from), layout, center);
    case Direction::kDown: return straightest(graph.successors(from), layout, center);
    case Direction::kLeft: return beside(layout, *node, -1);
    case Direction::kRight: return beside(layout, *node, 1);
  }
  return std::nullopt;
}

}  // namespace iosx::canvas
