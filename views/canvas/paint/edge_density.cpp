#include "views/canvas/paint/edge_density.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace iosx::canvas {
namespace {

constexpr double kCell = 64;         // side of a place
constexpr double kFreeShare = 0.15;  // of the ground that lines may cover before they get fainter

struct Cell {
  std::size_t edges = 0;
  std::size_t last = 0;  // that was counted, from 1
};

Point on_segment(const Curve& curve, std::size_t at, double t) {
  const double s = 1 - t;
  const auto mix = [&](double a, double b, double c, double d) {
    return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
  };
  return {mix(curve[at].x, curve[at + 1].x, curve[at + 2].x, curve[at + 3].x),
          mix(curve[at].y, curve[at + 1].y, curve[at + 2].y, curve[at + 3].y)};
}

// Calls `visit` with the cells along the curve; a cell may repeat.
template <typename Visit>
void along(const Curve& curve, const Visit& visit) {
  for (std::size_t i = 0; i + 3 < curve.size(); i += 3) {
    const double length = std::hypot(curve[i + 3].x - curve[i].x, curve[i + 3].y - curve[i].y);
    const int steps = std::clamp(static_cast<int>(2 * length / kCell) + 1, 1, 200);
    for (int k = 0; k <= steps; ++k) {
      const Point at = on_segment(curve, i, static_cast<double>(k) / steps);
      const auto column = static_cast<std::int64_t>(std::floor(at.x / kCell));
      const auto row = static_cast<std::int64_t>(std::floor(at.y / kCell));
      visit((column << 32) ^ (row & 0xFFFFFFFF));
    }
  }
}

}  // namespace

EdgeDensity::EdgeDensity(const Layout& layout) {
  std::unordered_map<std::int64_t, Cell> cells;
  for (std::size_t e = 0; e < layout.edges.size(); ++e) {
    along(layout.edges[e].curve, [&](std::int64_t at) {
      Cell& cell = cells[at];
      if (cell.last == e + 1) return;
      cell.last = e + 1;
      ++cell.edges;
    });
  }
  for (const EdgePath& edge : layout.edges) {
    double sum = 0;
    std::size_t places = 0;
    along(edge.curve, [&](std::int64_t at) {
      sum += static_cast<double>(cells[at].edges);
      ++places;
    });
    lines_.push_back(places == 0 ? 0 : sum / static_cast<double>(places) / kCell);
  }
}

double EdgeDensity::strength(std::size_t edge, double zoom) const {
  const double covered = linesPerLength(edge) / std::max(zoom, 1e-9);  // of the ground, by lines of one pixel
  return covered <= kFreeShare ? 1 : std::max(kFaintest, kFreeShare / covered);
}

}  // namespace iosx::canvas
