#pragma once

#include <QColor>
#include <QString>
#include <vector>

#include "views/graph/scene.h"
#include "views/style/theme.h"

namespace iosx::canvas {

// What the boxes' fill says. kLatency: the latency of the unit's stage.
enum class Overlay { kNone, kFlops, kLatency };

// The overlay's value of each unit, and its place on the colour scale.
class OverlayScale {
 public:
  OverlayScale() = default;
  OverlayScale(const Model& model, Overlay overlay);

  // False where there is nothing to show: no overlay, or no latencies.
  bool active() const { return active_; }
  QColor color(UnitId unit, const Theme& theme) const;
  QString text(UnitId unit) const;  // "1.24 GFLOP", "0.162 ms"
  QString title() const { return title_; }
  QString low() const { return format(low_); }
  QString high() const { return format(high_); }
  static QColor ramp(double t, const Theme& theme);  // t from 0 to 1

 private:
  QString format(double value) const;

  bool active_ = false;
  Overlay overlay_ = Overlay::kNone;
  QString title_;
  std::vector<double> values_;  // a unit; FLOPs or ms
  double low_ = 0;
  double high_ = 0;
};

}  // namespace iosx::canvas
