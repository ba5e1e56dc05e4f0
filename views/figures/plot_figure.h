#pragma once

#include <QRectF>
#include <functional>

#include "views/style/theme.h"

class QCPAxis;
class QCustomPlot;
class QFont;
class QPainter;

namespace iosx {

// Makes a plot with `build` and draws it into the area as vectors, on any paint device. GUI thread only.
void paint_plot(QPainter& painter, const QRectF& area, const std::function<void(QCustomPlot&)>& build);

// Sets colours and font of an axis and its grid, equally in every plot; `font` gives the family.
void style_axis(QCPAxis& axis, const Theme& theme, const QFont& font);

}  // namespace iosx
