#pragma once

#include <algorithm>
#include <vector>

// The geometry of the graph canvas, independent of Qt. Lengths are device-independent pixels at 100 % zoom; y grows
// downwards.
namespace iosx::canvas {

struct Point {
  double x = 0;
  double y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

struct Size {
  double width = 0;
  double height = 0;
  double aspect() const { return width / height; }
  friend bool operator==(const Size&, const Size&) = default;
};

struct Rect {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;

  double right() const { return x + width; }
  double bottom() const { return y + height; }
  Point center() const { return {x + width / 2, y + height / 2}; }
  bool empty() const { return width <= 0 || height <= 0; }

  bool contains(const Point& p) const { return p.x >= x && p.x <= right() && p.y >= y && p.y <= bottom(); }
  bool contains(const Rect& r) const { return r.x >= x && r.right() <= right() && r.y >= y && r.bottom() <= bottom(); }
  // A common border alone does not count.
  bool intersects(const Rect& r) const { return r.x < right() && r.right() > x && r.y < bottom() && r.bottom() > y; }
  Rect moved(double dx, double dy) const { return {x + dx, y + dy, width, height}; }
  Rect grown(double by) const { return {x - by, y - by, width + 2 * by, height + 2 * by}; }
  // An empty rectangle adds nothing.
  Rect united(const Rect& r) const {
    if (empty()) return r;
    if (r.empty()) return *this;
    const double left = std::min(x, r.x);
    const double top = std::min(y, r.y);
    return {left, top, std::max(right(), r.right()) - left, std::max(bottom(), r.bottom()) - top};
  }
  friend bool operator==(const Rect&, const Rect&) = default;
};

// A smooth line: one start point, then three points (two controls, one end) per cubic Bézier segment.
using Curve = std::vector<Point>;

}  // namespace iosx::canvas
