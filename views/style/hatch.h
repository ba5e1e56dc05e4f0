#pragma once

#include <QLineF>
#include <QRectF>
#include <vector>

#include "views/style/theme.h"

class QPainter;

namespace iosx {

// Returns the lines of a hatching, `step` apart and cut at the box by hand: SVG has neither clipping nor patterns.
std::vector<QLineF> hatch_lines(const QRectF& box, Hatch hatch, double step);

// Paints the lines in a colour that is readable on the fill; nothing for Hatch::kNone.
void paint_hatch(QPainter& painter, const QRectF& box, Hatch hatch, const QColor& fill);

}  // namespace iosx
