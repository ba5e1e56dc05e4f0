#pragma once

#include <vector>

#include "views/canvas/layout/layout.h"

namespace iosx::canvas {

// Knows how many edges run near each edge, so that where they would be one grey area each of them is fainter. It is
// made once a layout.
class EdgeDensity {
 public:
  EdgeDensity() = default;
  explicit EdgeDensity(const Layout& layout);

  // Returns how many edges run on average through the places that the edge runs through, itself included, as lines a
  // unit of length; 0 for an edge that the layout does not have.
  double linesPerLength(std::size_t edge) const { return edge < lines_.size() ? lines_[edge] : 0; }

  // Returns how strong the edge is drawn at a zoom, from kFaintest to 1: 1 while its lines of one pixel leave most of
  // the ground free, then less the more of it they would cover.
  double strength(std::size_t edge, double zoom) const;
  static constexpr double kFaintest = 0.3;

 private:
  std::vector<double> lines_;  // an edge
};

}  // namespace iosx::canvas
