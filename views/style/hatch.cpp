#include "views/style/hatch.h"

#include <QPainter>
#include <QPen>
#include <algorithm>

namespace iosx {
namespace {

constexpr double kStep = 4;        // pixels from line to line
constexpr double kLine = 0.6;      // pixels
constexpr float kStrength = 0.6F;  // of a line, so that text on it can be read

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
  QColor color = Theme::readableOn(fill);
  color.setAlphaF(kStrength);
  const bool smooth = painter.testRenderHint(QPainter::Antialiasing);
  painter.setRenderHint(QPainter::Antialiasing);  // boxes may be drawn without
  painter.setPen(QPen(color, kLine));
  painter.drawLines(lines.data(), static_cast<int>(lines.size()));
  painter.setRenderHint(QPainter::Antialiasing, smooth);
}

}  // namespace iosx
