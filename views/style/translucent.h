#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace iosx {

// Fills like QPainter::fillRect(), without antialiasing. Qt divides a translucent fill of more than 95 rows of
// pixels among threads, which takes ten times as long for a narrow one. So this fills it in pieces.
void fill_translucent(QPainter& painter, const QRectF& box, const QColor& color);

}  // namespace iosx
