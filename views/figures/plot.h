#pragma once

#include <QRectF>
#include <QString>
#include <QStringList>
#include <cstddef>
#include <functional>
#include <optional>

#include "views/style/theme.h"

class QCPAxis;
class QCustomPlot;
class QFont;
class QPainter;
class QCPGraph;

namespace iosx {

// Makes a plot with `build` and draws it into the area as vectors, on any paint device. GUI thread only.
void paint_plot(QPainter& painter, const QRectF& area, const std::function<void(QCustomPlot&)>& build);

// Sets colours and font of an axis and its grid, equally in every plot; `font` gives the family.
void style_axis(QCPAxis& axis, const Theme& theme, const QFont& font);

// Shared by plots of curves. `font` gives the family; a plot must have its final size.

// Sets axes, colours, and a legend in a narrow plot above the curves, never over them.
void start_curves(QCustomPlot& plot, const Theme& theme, const QFont& font, const QString& x, const QString& y);
// The style of one of several curves. The one in focus, such as the best, is solid and has the accent's colour; the
// others are grey, with markers, lightness and dashes by their index.
struct CurveStyle {
  std::size_t index = 0;
  bool focus = false;
  std::optional<Qt::PenStyle> line = {};  // where dashes have another meaning
};
QCPGraph* add_curve(QCustomPlot& plot, const QString& name, const Theme& theme, const CurveStyle& style);
// Labels values at even distances, which are no scale.
void name_ticks(QCPAxis& axis, const QStringList& names);
// Sets the range; ticks have as many decimals as their distance needs.
void set_range(QCPAxis& axis, double low, double high);

}  // namespace iosx
