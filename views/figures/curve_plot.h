#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>
#include <optional>

#include "views/style/theme.h"

class QCPAxis;
class QCPGraph;
class QCustomPlot;
class QFont;

namespace iosx {

// Plots of curves have these in common. `font` gives the family; a plot must have its final size.

// Sets axes, colours, and a legend beside the curves, in a narrow plot above them; never over them.
void start_curves(QCustomPlot& plot, const Theme& theme, const QFont& font, const QString& x, const QString& y);
// Says how one of several curves is drawn. The one in focus, the best one say, is solid and has the accent's colour;
// the others are grey. By their index they have markers of their own, steps of lightness and dashes.
struct CurveStyle {
  std::size_t index = 0;
  bool focus = false;
  std::optional<Qt::PenStyle> line = {};  // where dashes say something else
};
QCPGraph* add_curve(QCustomPlot& plot, const QString& name, const Theme& theme, const CurveStyle& style);
// Names values that stand at even distances: they are no scale.
void name_ticks(QCPAxis& axis, const QStringList& names);
// Sets the range; every tick has as many decimals as the distance of two needs.
void set_range(QCPAxis& axis, double low, double high);

}  // namespace iosx
