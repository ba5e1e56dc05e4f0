#pragma once

#include <QWidget>

#include "views/canvas/paint/graph_legend.h"
#include "views/widgets/still_picture.h"

namespace iosx::canvas {

// Shows the legend in a corner of the canvas. It takes a limited share of it and scrolls if necessary.
class LegendCard final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(LegendCard)

 public:
  explicit LegendCard(QWidget* parent);

  void setLegend(GraphLegend legend, OverlayScale overlay);
  void setTheme(const Theme& theme);
  // Empty where the canvas is too small for a legend beside a graph, or the legend has no entries.
  QSize sizeFor(const QSize& canvas) const;
  static QSize sizeFor(const QSize& canvas, const GraphLegend& legend, const OverlayScale& overlay);
  // Opens a separate window with that top right corner, in the screen's coordinates, until a key or a click.
  void popUp(const QPoint& top_right);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  double hidden() const;  // pixels that do not fit
  void draw(QPainter& painter) const;
  void redraw();

  GraphLegend legend_;
  OverlayScale overlay_;
  Theme theme_ = Theme::light();
  double scrolled_ = 0;
  StillPicture still_;  // the canvas below repaints in every frame
};

}  // namespace iosx::canvas
