#pragma once

#include <vector>

#include "views/canvas/layout/layout.h"

namespace iosx::canvas {

// The number of edges near each edge, so that dense ones are drawn fainter instead of as one grey area. Made once
// per layout.
class EdgeDensity {
 public:
  EdgeDensity() = default;
  explicit EdgeDensity(const Layout& layout);

  // Returns the mean number of edges through the edge's places, itself included, as lines per unit of length; 0 for
  // an edge that the layout lacks.
  double linesPerLength(std::size_t edge) const { return edge < lines_.size() ? lines_[edge] : 0; }

  // Returns the edge's strength at a zoom, from kFaintest to 1: 1 while its lines of one pixel leave most of the
  // ground free, less where they would cover more.
  double strength(std::size_t edge, double zoom) const;
  static constexpr double kFaintest = 0.3;

 private:
  std::vector<double> lines_;  // per edge
};

}  // namespace iosx::canvas
