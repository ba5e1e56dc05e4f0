#include "views/figures/badge.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include "views/figures/paint.h"
#include "views/text/latency_text.h"

namespace iosx {

void fill_polygon(QPainter& painter, const QPolygonF& corners, const QColor& color) {
  QPainterPath path;
  path.addPolygon(corners);
  path.closeSubpath();
  painter.fillPath(path, color);
}

void paint_fold_arrow(QPainter& painter, QPointF left, bool open, const QColor& color) {
  const double x = left.x();
  const double y = left.y();
  fill_polygon(painter,
               open ? QPolygonF{{x - 1, y - 2}, {x + 7, y - 2}, {x + 3, y + 3}}
                    : QPolygonF{{x + 1, y - 4}, {x + 6, y}, {x + 1, y + 4}},
               color);
}

double badge_width(Origin origin, const QFont& font) {
  return QFontMetricsF(font).horizontalAdvance(origin_text(origin)) + 10;
}

double paint_badge(QPainter& painter, QPointF top_left, Origin origin, const Theme& theme, const QFont& font) {
  const QString text = origin_text(origin);
  const QColor color = is_modelled(origin) ? theme.simulated : theme.measured;
  painter.setFont(font);
  const QRectF box(top_left.x() + 0.5, top_left.y() + 0.5, badge_width(origin, font), 16);
  paint_box(painter, QPen(color, 1, origin == Origin::kMeasured ? Qt::SolidLine : Qt::DashLine), Qt::NoBrush, box, 3);
  paint_text(painter, color, box, Qt::AlignCenter, text);
  return box.right();
}

}  // namespace iosx
