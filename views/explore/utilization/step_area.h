#pragma once

#include <qcustomplot.h>

#include "views/style/translucent.h"

namespace iosx {

// Draws a step curve over a filled area, for thousands of steps: on screen, one rectangle per step. QCPGraph fills
// it as one polygon, which takes Qt's rasteriser 100 ms for NASNet's five thousand steps.
class StepArea final : public QCPGraph {
 public:
  StepArea(QCPAxis* time, QCPAxis* value) : QCPGraph(time, value) {
    setLineStyle(lsStepLeft);
    setAntialiased(false);  // its lines are horizontal or vertical
  }

 protected:
  void drawFill(QCPPainter* painter, QVector<QPointF>* lines) const override {
    // For vectors one polygon is right: adjacent rectangles would show seams.
    if (painter->modes().testFlag(QCPPainter::pmVectorized)) return QCPGraph::drawFill(painter, lines);
    if (lines->isEmpty() || brush().style() == Qt::NoBrush) return;
    const double zero = valueAxis()->coordToPixel(0);
    painter->setAntialiasing(false);
    // Two points per step: its begin at the previous step's height, and at its own.
    for (qsizetype i = 1; i + 1 < lines->size(); i += 2) {
      const QPointF& begin = (*lines)[i];
      fill_translucent(*painter, QRectF(begin, QPointF((*lines)[i + 1].x(), zero)).normalized(), brush().color());
    }
  }
};

}  // namespace iosx
