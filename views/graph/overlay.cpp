#include "views/graph/overlay.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "views/text/latency_text.h"
#include "views/text/translate.h"

namespace iosx::canvas {
namespace {

QColor mix(const QColor& a, const QColor& b, double share) {
  const auto channel = [share](int from, int to) { return static_cast<int>(std::lround(from + (to - from) * share)); };
  return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue())};
}

}  // namespace

OverlayScale::OverlayScale(const Model& model, Overlay overlay) : overlay_(overlay) {
  const std::size_t units = model.labels.size();
  if (overlay == Overlay::kNone || (overlay == Overlay::kLatency && model.latencies.empty())) return;
  active_ = units > 0;
  values_.resize(units, 0);
  for (std::size_t u = 0; u < units; ++u) {
    if (overlay == Overlay::kFlops) {
      values_[u] = model.labels[u].flops;
    } else if (model.places[u].stage) {
      values_[u] = model.latencies[*model.places[u].stage].value.count();
    }
  }
  if (overlay == Overlay::kFlops) {
    title_ = Text::tr("work of the unit, one sample");
  } else {
    title_ = Text::tr("latency of its stage, %1").arg(origin_text(model.latencies.front().origin));
  }
  for (const double value : values_) {
    if (value <= 0) continue;
    low_ = low_ == 0 ? value : std::min(low_, value);
    high_ = std::max(high_, value);
  }
}

QColor OverlayScale::ramp(double t, const Theme& theme) {
  const std::array<QColor, 3> light{QColor(0xF6, 0xF1, 0xDA), QColor(0x7D, 0xB8, 0xAC), QColor(0x1F, 0x4E, 0x86)};
  const std::array<QColor, 3> dark{QColor(0x2A, 0x38, 0x4A), QColor(0x3C, 0x8C, 0x8A), QColor(0xF3, 0xE0, 0x8A)};
  const auto& stops = theme.dark ? dark : light;
  const double at = std::clamp(t, 0.0, 1.0) * 2;
  return at < 1 ? mix(stops[0], stops[1], at) : mix(stops[1], stops[2], at - 1);
}

QColor OverlayScale::color(UnitId unit, const Theme& theme) const {
  const double value = values_[unit.index()];
  if (value <= 0) return theme.panel;
  if (high_ <= low_) return ramp(1, theme);
  return ramp(std::log(value / low_) / std::log(high_ / low_), theme);  // values span orders of magnitude
}

QString OverlayScale::text(UnitId unit) const { return format(values_[unit.index()]); }

QString OverlayScale::format(double value) const {
  if (overlay_ == Overlay::kLatency) return Text::tr("%1 ms").arg(value, 0, 'f', 3);
  if (value >= 1e9) return Text::tr("%1 GFLOP").arg(value / 1e9, 0, 'f', 2);
  if (value >= 1e6) return Text::tr("%1 MFLOP").arg(value / 1e6, 0, 'f', 1);
  return Text::tr("%1 kFLOP").arg(value / 1e3, 0, 'f', 1);
}

}  // namespace iosx::canvas
