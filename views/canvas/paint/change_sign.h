#pragma once

#include <QColor>
#include <QRectF>

#include "views/canvas/paint/unit_marks.h"
#include "views/style/theme.h"

class QPainter;

namespace iosx::canvas {

QColor change_color(UnitChange change, const Theme& theme);
// Paints the sign of a change, with a shape for each kind; nothing for kSame.
void paint_change(QPainter& painter, const QRectF& area, UnitChange change, const Theme& theme);

}  // namespace iosx::canvas
