#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace iosx {

// Fills what QPainter::fillRect() fills, without antialiasing. Qt shares a translucent fill of more than 95 rows of
// pixels out among threads: for a narrow one that takes ten times as long as the fill. So it is given in pieces.
void fill_translucent(QPainter& painter, const QRectF& box, const QColor& color);

}  // namespace iosx
