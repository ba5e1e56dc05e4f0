#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>

#include "views/style/theme.h"

class QCPAxis;
class QCPGraph;
class QCustomPlot;
class QFont;

namespace iosx {

// Plots of curves have these in common. `font` gives the family; a plot must have its final size.

// Sets axes, colours, and a legend beside the curves, in a narrow plot above them; never over them.
void start_curves(QCustomPlot& plot, const Theme& theme, const QFont& font, const QString& x, const QString& y);
// Adds a line with a marker that is its own, so that the colour is not all that tells it from others.
QCPGraph* add_curve(QCustomPlot& plot, const QString& name, const QColor& color, std::size_t index,
                    Qt::PenStyle line = Qt::SolidLine);
// Names values that stand at even distances: they are no scale.
void name_ticks(QCPAxis& axis, const QStringList& names);
// Sets the range; every tick has as many decimals as the distance of two needs.
void set_range(QCPAxis& axis, double low, double high);

}  // namespace iosx
