#include "views/export/plot_figure.h"

#include <qcustomplot.h>

#include <QPicture>

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
  painter.drawPicture(area.topLeft(), picture);
}

}  // namespace iosx
