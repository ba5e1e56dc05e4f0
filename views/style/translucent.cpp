#include "views/style/translucent.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace iosx {
namespace {

constexpr double kMostRows = 64;  // of the device's pixels

}  // namespace

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

}  // namespace iosx
