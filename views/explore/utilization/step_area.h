#pragma once

#include <qcustomplot.h>

#include "views/style/translucent.h"

namespace iosx {

// Draws a step curve over a filled area and is made for thousands of steps: on screen the area is drawn as one
// rectangle a step. QCPGraph fills it as one polygon, which takes Qt's rasteriser 100 ms for NASNet's five thousand
// steps.
class StepArea final : public QCPGraph {
 public:
  StepArea(QCPAxis* time, QCPAxis* value) : QCPGraph(time, value) {
    setLineStyle(lsStepLeft);
    setAntialiased(false);  // its lines are level or upright
  }

 protected:
  void drawFill(QCPPainter* painter, QVector<QPointF>* lines) const override {
    // As vectors one polygon is right: rectangles side by side would show seams.
    if (painter->modes().testFlag(QCPPainter::pmVectorized)) return QCPGraph::drawFill(painter, lines);
    if (lines->isEmpty() || brush().style() == Qt::NoBrush) return;
    const double zero = valueAxis()->coordToPixel(0);
    painter->setAntialiasing(false);
    // Two points a step: where it begins on the last step's height, and on its own.
    for (qsizetype i = 1; i + 1 < lines->size(); i += 2) {
      const QPointF& begin = (*lines)[i];
      fill_translucent(*painter, QRectF(begin, QPointF((*lines)[i + 1].x(), zero)).normalized(), brush().color());
    }
  }
};

}  // namespace iosx
