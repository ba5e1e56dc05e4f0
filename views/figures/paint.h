#pragma once

#include <QFont>
#include <QPainter>
#include <QPainterPath>
#include <QString>

// Combines calls of a painter that most drawings repeat. The painter keeps the font, the pen and the brush.
namespace iosx {

// Places of a text in its box.
inline constexpr int kAtLeft = Qt::AlignLeft | Qt::AlignVCenter;
inline constexpr int kAtRight = Qt::AlignRight | Qt::AlignVCenter;

inline void paint_text(QPainter& painter, const QColor& ink, const QRectF& box, int flags, const QString& text) {
  painter.setPen(ink);
  painter.drawText(box, flags, text);
}

inline void paint_text(QPainter& painter, const QFont& font, const QColor& ink, const QRectF& box, int flags,
                       const QString& text) {
  painter.setFont(font);
  paint_text(painter, ink, box, flags, text);
}

// `radius` is of the box's corners.
inline void paint_box(QPainter& painter, const QPen& pen, const QBrush& brush, const QRectF& box, double radius = 0) {
  painter.setPen(pen);
  painter.setBrush(brush);
  painter.drawRoundedRect(box, radius, radius);
}

inline void paint_shape(QPainter& painter, const QPen& pen, const QBrush& brush, const QPolygonF& shape) {
  painter.setPen(pen);
  painter.setBrush(brush);
  painter.drawPolygon(shape);
}
inline void paint_shape(QPainter& painter, const QPen& pen, const QBrush& brush, const QPainterPath& shape) {
  painter.setPen(pen);
  painter.setBrush(brush);
  painter.drawPath(shape);
}

}  // namespace iosx
