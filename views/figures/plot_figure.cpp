#include "views/figures/plot_figure.h"

#include <qcustomplot.h>

#include <QPicture>

#include "views/style/style.h"

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
  // Playing a picture scales it to the device's dots per inch; our pixels are the same on every device.
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

}  // namespace iosx
