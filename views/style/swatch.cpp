#include "views/style/swatch.h"

#include <QPainter>

namespace iosx {

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
