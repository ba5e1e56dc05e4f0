#include <QPainter>
#include <QPen>
#include <algorithm>
#include <cmath>

#include "views/style/fills.h"

namespace iosx {
namespace {

constexpr double kStep = 4;        // pixels from line to line
constexpr double kLine = 0.6;      // pixels
constexpr float kStrength = 0.6F;  // of a line, so that text on it can be read

constexpr double kMostRows = 64;  // of the device's pixels

}  // namespace

std::vector<QLineF> hatch_lines(const QRectF& box, Hatch hatch, double step) {
  std::vector<QLineF> lines;
  if (hatch == Hatch::kLevel) {
    for (double y = box.top() + step / 2; y < box.bottom(); y += step) {
      lines.emplace_back(box.left(), y, box.right(), y);
    }
  }
  // A slanted line leaves the top edge, or its extension, `along` right of the left one.
  for (double along = step / 2; along < box.width() + box.height(); along += step) {
    const double low = std::max(0.0, along - box.width());  // below the top, where the line begins
    const double high = std::min(box.height(), along);      // and where it ends
    const QLineF rising(box.left() + along - low, box.top() + low, box.left() + along - high, box.top() + high);
    if (hatch == Hatch::kRising || hatch == Hatch::kCrossed) lines.push_back(rising);
    if (hatch == Hatch::kFalling || hatch == Hatch::kCrossed) {
      const double mirror = box.left() + box.right();
      lines.emplace_back(mirror - rising.x1(), rising.y1(), mirror - rising.x2(), rising.y2());
    }
  }
  return lines;
}

void paint_hatch(QPainter& painter, const QRectF& box, Hatch hatch, const QColor& fill) {
  const std::vector<QLineF> lines = hatch == Hatch::kNone ? std::vector<QLineF>() : hatch_lines(box, hatch, kStep);
  if (lines.empty()) return;
  const QColor color = with_alpha(Theme::readableOn(fill), kStrength);
  const bool smooth = painter.testRenderHint(QPainter::Antialiasing);
  painter.setRenderHint(QPainter::Antialiasing);  // boxes may be drawn without
  painter.setPen(QPen(color, kLine));
  painter.drawLines(lines.data(), static_cast<int>(lines.size()));
  painter.setRenderHint(QPainter::Antialiasing, smooth);
}

void fill_translucent(QPainter& painter, const QRectF& box, const QColor& color) {
  const QTransform device = painter.deviceTransform();
  const double scale = device.m22();
  if (color.alpha() == 255 || box.height() * scale <= kMostRows || device.type() > QTransform::TxScale || scale <= 0) {
    painter.fillRect(box, color);
    return;
  }
  // Cut between rows, so that no row is filled twice.
  const double bottom = box.bottom();
  double top = box.top();
  for (double row = std::floor(top * scale + device.dy()); top < bottom;) {
    row += kMostRows;
    const double next = std::min(bottom, (row - device.dy()) / scale);
    painter.fillRect(QRectF(QPointF(box.left(), top), QPointF(box.right(), next)), color);
    top = next;
  }
}

QColor gain_color(bool saved, const Theme& theme) {
  if (theme.dark) return saved ? QColor(0x6C, 0xB8, 0xFF) : QColor(0xFF, 0x9A, 0x5C);
  return saved ? QColor(0x12, 0x5A, 0xA8) : QColor(0xB8, 0x42, 0x00);
}

QColor gain_band(double lost, std::size_t stage, const Theme& theme) {
  constexpr double kFaintest = 0.12;  // of the tint, where anything is saved or lost at all
  if (lost == 0) return theme.stageBand(stage);
  QColor tint;
  double strongest = 0;
  if (theme.dark) {
    tint = lost < 0 ? QColor(0x1E, 0x6F, 0xC0) : QColor(0xB8, 0x6A, 0x10);
    strongest = lost < 0 ? 0.37 : 0.28;
  } else {
    tint = lost < 0 ? QColor(0x56, 0xB4, 0xE9) : QColor(0xE6, 0x9F, 0x00);
    strongest = 0.36;
  }
  const double share = std::clamp(std::abs(lost), 0.0, 1.0);
  tint.setAlphaF(static_cast<float>(strongest * (kFaintest + (1 - kFaintest) * share)));
  return tint;
}

QPixmap schedule_swatch(const Theme& theme, ScheduleKind kind, bool focus) {
  constexpr int kSide = 11;
  constexpr int kDense = 2;  // pixels a unit, for screens that have them
  QPixmap square(kSide * kDense, kSide * kDense);
  square.setDevicePixelRatio(kDense);
  square.fill(Qt::transparent);
  QPainter painter(&square);
  painter.setPen(QPen(focus ? theme.accent : theme.boxLine, 1));
  painter.setBrush(theme.schedule(kind, focus));
  painter.drawRect(QRectF(0.5, 0.5, kSide - 1, kSide - 1));
  return square;
}

}  // namespace iosx
