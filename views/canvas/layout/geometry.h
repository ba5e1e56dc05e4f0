#pragma once

#include <algorithm>
#include <vector>

// The geometry of the graph canvas, independent of Qt. Lengths are device-independent pixels at 100
// % zoom; y grows downwards.
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

// Returns the least rectangle with all of its points.
inline Rect bounds_of(const Curve& curve) {
  const auto [left, right] = std::ranges::minmax(curve, {}, &Point::x);
  const auto [top, bottom] = std::ranges::minmax(curve, {}, &Point::y);
  return {left.x, top.y, right.x - left.x, bottom.y - top.y};
}

// The piece of a layout that a window shows. A whole graph always fits: there is no lower limit to that zoom.
struct Camera {
  static constexpr double kMaxZoom = 4;
  static constexpr double kMaxFitZoom = 1.15;  // fitting does not enlarge small graphs further
  static constexpr double kMinZoom = 1e-3;

  double zoom = 1;  // pixels per unit of length
  Point origin;     // of the layout, at the window's top left corner

  Point to_view(const Point& p) const { return {(p.x - origin.x) * zoom, (p.y - origin.y) * zoom}; }
  Point to_scene(const Point& p) const { return {p.x / zoom + origin.x, p.y / zoom + origin.y}; }
  Rect scene_rect(const Rect& r) const {
    const Point corner = to_scene({r.x, r.y});
    return {corner.x, corner.y, r.width / zoom, r.height / zoom};
  }
  Rect visible(const Size& view) const { return scene_rect({0, 0, view.width, view.height}); }

  // Moves a point of the layout to `at` in the window.
  void put(const Point& p, const Point& at) { origin = {p.x - at.x / zoom, p.y - at.y / zoom}; }

  // Zooms around the point at `at` (in the window), which stays there. `least` is the zoom at which
  // everything fits, if it is below kMinZoom.
  void zoom_at(const Point& at, double factor, double least = kMinZoom) {
    const Point fixed = to_scene(at);
    zoom = std::clamp(zoom * factor, std::min(kMinZoom, least), kMaxZoom);
    put(fixed, at);
  }
  void pan(double dx, double dy) {
    origin.x -= dx / zoom;
    origin.y -= dy / zoom;
  }
  // Returns the zoom at which the scene fits into `area` of the window.
  static double fitting_zoom(const Rect& scene, const Rect& area) {
    if (scene.empty() || area.empty()) return kMaxFitZoom;
    return std::min({kMaxFitZoom, area.width / scene.width, area.height / scene.height});
  }
  // Fits the scene and centres it in `area`, a part of the window.
  void fit(const Rect& scene, const Rect& area) {
    if (scene.empty() || area.empty()) return;
    zoom = fitting_zoom(scene, area);
    put(scene.center(), area.center());
  }
  // Moves as little as possible to bring all of `scene` into `area` of the window, then with a margin of `margin`
  // pixels. Centres a scene that is too large. Returns false where it was there already.
  bool reveal(const Rect& scene, const Rect& area, double margin) {
    const Rect view = scene_rect(area);
    if (scene.empty() || view.contains(scene)) return false;
    const Rect wanted = scene.grown(margin / zoom);
    if (wanted.width > view.width || wanted.height > view.height) {
      put(scene.center(), area.center());
      return true;
    }
    origin.x += std::min(0.0, wanted.x - view.x) + std::max(0.0, wanted.right() - view.right());
    origin.y += std::min(0.0, wanted.y - view.y) + std::max(0.0, wanted.bottom() - view.bottom());
    return true;
  }
};

}  // namespace iosx::canvas
