#pragma once

#include <algorithm>

#include "views/canvas/geometry.h"

namespace iosx::canvas {

// Which piece of a layout a window shows. There is no lower limit to the zoom at which a whole graph fits.
struct Camera {
  static constexpr double kMaxZoom = 4;
  static constexpr double kMaxFitZoom = 1.15;  // fitting does not blow small graphs up
  static constexpr double kMinZoom = 1e-3;

  double zoom = 1;  // pixels a unit of length
  Point origin;     // of the layout, at the window's top left corner

  Point to_view(const Point& p) const { return {(p.x - origin.x) * zoom, (p.y - origin.y) * zoom}; }
  Point to_scene(const Point& p) const { return {p.x / zoom + origin.x, p.y / zoom + origin.y}; }
  Rect visible(const Size& view) const { return {origin.x, origin.y, view.width / zoom, view.height / zoom}; }

  // The point under `at` (in the window) stays where it is. `least` is the zoom at which everything fits, if that is
  // further out than kMinZoom.
  void zoom_at(const Point& at, double factor, double least = kMinZoom) {
    const Point fixed = to_scene(at);
    zoom = std::clamp(zoom * factor, std::min(kMinZoom, least), kMaxZoom);
    origin = {fixed.x - at.x / zoom, fixed.y - at.y / zoom};
  }
  void pan(double dx, double dy) {
    origin.x -= dx / zoom;
    origin.y -= dy / zoom;
  }
  void center_on(const Point& p, const Size& view) {
    origin = {p.x - view.width / zoom / 2, p.y - view.height / zoom / 2};
  }
  // `area` is the part of the window to fill; what shows is centred in it.
  void fit(const Rect& scene, const Rect& area) {
    if (scene.empty() || area.empty()) return;
    zoom = std::min({kMaxFitZoom, area.width / scene.width, area.height / scene.height});
    const Point middle = scene.center();
    const Point target = area.center();
    origin = {middle.x - target.x / zoom, middle.y - target.y / zoom};
  }
};

}  // namespace iosx::canvas
