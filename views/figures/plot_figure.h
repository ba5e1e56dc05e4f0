#pragma once

#include <QRectF>
#include <functional>

#include "views/style/theme.h"

class QCPAxis;
class QCustomPlot;
class QFont;
class QPainter;

namespace iosx {

// Makes a plot with `build` and draws it into the area as vectors, whatever the painter draws to. It runs on the GUI
// thread only.
void paint_plot(QPainter& painter, const QRectF& area, const std::function<void(QCustomPlot&)>& build);

// Sets colours and font of an axis and its grid, the same in every plot; `font` gives the family.
void style_axis(QCPAxis& axis, const Theme& theme, const QFont& font);

}  // namespace iosx
