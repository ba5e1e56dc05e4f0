#pragma once

#include <QFont>
#include <QPointF>
#include <QPolygonF>

#include "core/model/cost/latency.h"
#include "views/style/theme.h"

class QPainter;

// Small signs of figures and plots.
namespace iosx {

void fill_polygon(QPainter& painter, const QPolygonF& corners, const QColor& color);  // without an outline
// Draws a fold arrow at the left edge: to the right when closed, down when open.
void paint_fold_arrow(QPainter& painter, QPointF left, bool open, const QColor& color);
double badge_width(Origin origin, const QFont& font);
// Paints a small framed word: the frame is dashed for simulated, solid for measured. Returns its right edge.
double paint_badge(QPainter& painter, QPointF top_left, Origin origin, const Theme& theme, const QFont& font);

}  // namespace iosx
