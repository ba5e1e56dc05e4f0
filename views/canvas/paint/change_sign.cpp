#include "views/canvas/paint/change_sign.h"

#include <QPainter>
#include <algorithm>

namespace iosx::canvas {

QColor change_color(UnitChange change, const Theme& theme) {
  switch (change) {
    case UnitChange::kAdded: return theme.measured;
    case UnitChange::kMissing: return theme.error;
    case UnitChange::kSame: return theme.outline;
    case UnitChange::kAlike: return theme.text;
    default: return theme.simulated;
  }
}

// Paints a disc for what changed its place, a square for what was added, a diamond for what is missing; inside an
// arrow, lines that come together, part or lie in one another, a plus, a minus.
void paint_change(QPainter& painter, const QRectF& area, UnitChange change, const Theme& theme) {
  if (change == UnitChange::kSame) return;
  const QColor fill = change_color(change, theme);
  const double size = std::min(area.width(), area.height());
  const QPointF middle = area.center();
  const auto at = [&](double x, double y) { return middle + size * QPointF(x, y); };
  painter.setPen(QPen(theme.canvas, std::max(1.0, size / 14)));
  painter.setBrush(fill);
  switch (change) {
    case UnitChange::kAdded:
      painter.drawRoundedRect(QRectF(at(-0.46, -0.46), at(0.46, 0.46)), size / 8, size / 8);
      break;
    case UnitChange::kMissing:
      painter.drawPolygon(QPolygonF({at(0, -0.56), at(0.56, 0), at(0, 0.56), at(-0.56, 0)}));
      break;
    default: painter.drawEllipse(middle, size / 2, size / 2);
  }
  painter.setPen(QPen(Theme::readableOn(fill), std::max(1.0, size / 9), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  switch (change) {
    case UnitChange::kMoved:
      painter.drawLine(at(-0.25, 0), at(0.25, 0));
      painter.drawPolyline(QPolygonF({at(0.05, -0.2), at(0.25, 0), at(0.05, 0.2)}));
      break;
    case UnitChange::kJoined:
      painter.drawPolyline(QPolygonF({at(-0.22, -0.22), at(0, 0), at(-0.22, 0.22)}));
      painter.drawLine(at(0, 0), at(0.28, 0));
      break;
    case UnitChange::kSplit:
      painter.drawPolyline(QPolygonF({at(0.22, -0.22), at(0, 0), at(0.22, 0.22)}));
      painter.drawLine(at(-0.28, 0), at(0, 0));
      break;
    case UnitChange::kMergedOtherwise:
      painter.drawRect(QRectF(at(-0.26, -0.18), at(0.08, 0.12)));
      painter.drawRect(QRectF(at(-0.08, -0.06), at(0.26, 0.24)));
      break;
    case UnitChange::kAdded:
      painter.drawLine(at(0, -0.24), at(0, 0.24));
      painter.drawLine(at(-0.24, 0), at(0.24, 0));
      break;
    case UnitChange::kMissing: painter.drawLine(at(-0.24, 0), at(0.24, 0)); break;
    case UnitChange::kAlike:
      painter.drawLine(at(-0.22, -0.11), at(0.22, -0.11));
      painter.drawLine(at(-0.22, 0.11), at(0.22, 0.11));
      break;
    case UnitChange::kSame: break;
  }
}

}  // namespace iosx::canvas
