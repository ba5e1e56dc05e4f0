#include <qcustomplot.h>

#include <QLocale>
#include <QPicture>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "views/figures/plot.h"

namespace iosx {

void paint_plot(QPainter& painter, const QRectF& area, const std::function<void(QCustomPlot&)>& build) {
  QCustomPlot plot;
  plot.resize(area.size().toSize());
  build(plot);
  // QCustomPlot wants a painter of its own class; a picture passes its drawing on as vectors.
  QPicture picture;
  QCPPainter recorder;
  recorder.begin(&picture);
  recorder.setMode(QCPPainter::pmVectorized);
  recorder.setMode(QCPPainter::pmNoCaching);
  plot.toPainter(&recorder, static_cast<int>(area.width()), static_cast<int>(area.height()));
  recorder.end();
  painter.save();
  painter.translate(area.topLeft());
  // Playing a picture scales it to the device's dots per inch; our pixels are the same everywhere.
  painter.scale(static_cast<double>(picture.logicalDpiX()) / painter.device()->logicalDpiX(),
                static_cast<double>(picture.logicalDpiY()) / painter.device()->logicalDpiY());
  painter.drawPicture(0, 0, picture);
  painter.restore();
}

void style_axis(QCPAxis& axis, const Theme& theme, const QFont& font) {
  axis.setBasePen(QPen(theme.outline));
  axis.setTickPen(QPen(theme.outline));
  axis.setSubTickPen(Qt::NoPen);
  axis.setTickLabelColor(theme.text);
  axis.setTickLabelFont(sized(font, 12));
  axis.setLabelColor(theme.text);
  axis.setLabelFont(sized(font, 12));
  axis.grid()->setPen(QPen(theme.gridLine));
  axis.grid()->setZeroLinePen(Qt::NoPen);
}

namespace {

constexpr double kMarker = 9;
constexpr double kLine = 1.75;
constexpr double kFocusLine = 2.5;
constexpr int kNarrow = 600;       // pixels: below, the legend has no room beside the curves
constexpr int kLegendEntry = 130;  // pixels

constexpr std::array kMarkers{QCPScatterStyle::ssCircle,  QCPScatterStyle::ssSquare, QCPScatterStyle::ssTriangle,
                              QCPScatterStyle::ssDiamond, QCPScatterStyle::ssPlus,   QCPScatterStyle::ssCross};

constexpr std::array kDashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine, Qt::DashDotDotLine};

// Places the legend above the curves, or beside them; a rebuilt plot may have had the other place.
void place_legend(QCustomPlot& plot, bool above) {
  constexpr double kNoMore = 0.001;  // than it needs
  const QVariant before = plot.property("legend-above");
  if (!before.isValid() || before.toBool() != above) {
    plot.setProperty("legend-above", above);
    plot.legend->layout()->take(plot.legend);
    if (before.isValid() && !before.toBool()) plot.plotLayout()->remove(plot.plotLayout()->element(0, 1));
    plot.plotLayout()->simplify();
    if (above) {
      plot.plotLayout()->insertRow(0);
      plot.plotLayout()->addElement(0, 0, plot.legend);
      plot.plotLayout()->setRowStretchFactor(0, kNoMore);
    } else {
      auto* const side = new QCPLayoutGrid;
      plot.plotLayout()->addElement(0, 1, side);
      side->setMargins(QMargins(10, 10, 10, 10));
      side->addElement(0, 0, plot.legend);
      side->addElement(1, 0, new QCPLayoutElement(&plot));
      side->setRowStretchFactor(0, kNoMore);
      plot.plotLayout()->setColumnStretchFactor(1, kNoMore);
    }
  }
  plot.legend->setFillOrder(above ? QCPLayoutGrid::foColumnsFirst : QCPLayoutGrid::foRowsFirst);
  plot.legend->setWrap(above ? std::max(1, plot.width() / kLegendEntry) : 0);
  if (above) plot.legend->setBorderPen(Qt::NoPen);
}

}  // namespace

void start_curves(QCustomPlot& plot, const Theme& theme, const QFont& font, const QString& x, const QString& y) {
  plot.clearItems();
  plot.clearPlottables();
  plot.setLocale(QLocale(QLocale::English));
  plot.setBackground(QBrush(theme.canvas));
  for (const auto& [axis, title] : {std::pair(plot.xAxis, x), std::pair(plot.yAxis, y)}) {
    style_axis(*axis, theme, font);
    axis->setLabel(title);
    axis->setLabelPadding(8);
  }
  plot.legend->setVisible(true);
  plot.legend->setFont(sized(font, 12));
  plot.legend->setTextColor(theme.text);
  plot.legend->setBrush(theme.canvas);
  plot.legend->setBorderPen(QPen(theme.gridLine));
  plot.legend->setIconSize(28, 16);
  plot.axisRect()->setMinimumMargins(QMargins(10, 12, 16, 10));
  place_legend(plot, plot.width() < kNarrow);
}

QCPGraph* add_curve(QCustomPlot& plot, const QString& name, const Theme& theme, const CurveStyle& style) {
  const std::size_t index = style.index;
  const QColor color = style.focus ? theme.accent : index % 2 == 0 ? theme.text : theme.mutedText;
  const Qt::PenStyle dashes = style.focus ? Qt::SolidLine : kDashes.at(index % kDashes.size());
  QCPGraph* const curve = plot.addGraph();
  curve->setName(name);
  curve->setPen(QPen(color, style.focus ? kFocusLine : kLine, style.line.value_or(dashes)));
  // Markers of a second turn are hollow.
  const QBrush inside = index / kMarkers.size() % 2 == 0 ? QBrush(color) : QBrush(theme.canvas);
  curve->setScatterStyle(QCPScatterStyle(kMarkers.at(index % kMarkers.size()), QPen(color, 1.5), inside, kMarker));
  return curve;
}

void name_ticks(QCPAxis& axis, const QStringList& names) {
  const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  for (qsizetype i = 0; i < names.size(); ++i) ticker->addTick(static_cast<double>(i), names[i]);
  axis.setTicker(ticker);
  axis.setSubTicks(false);
  axis.setRange(-0.35, static_cast<double>(names.size()) - 0.65);
}

void set_range(QCPAxis& axis, double low, double high) {
  axis.setRange(low, high);
  axis.setSubTicks(false);
  const double step = (high - low) / 5;
  axis.setNumberFormat(QStringLiteral("f"));
  axis.setNumberPrecision(std::clamp(static_cast<int>(std::ceil(-std::log10(step))) + (step < 1 ? 1 : 0), 0, 6));
}

}  // namespace iosx
