#pragma once

#include <QRectF>
#include <functional>

#include "views/style/theme.h"

class QCustomPlot;
class QPainter;

namespace iosx {

// Makes a plot with `build` and draws it into the area as vectors, whatever the painter draws to. GUI thread only.
void paint_plot(QPainter& painter, const QRectF& area, const std::function<void(QCustomPlot&)>& build);

}  // namespace iosx
