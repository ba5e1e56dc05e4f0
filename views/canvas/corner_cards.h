#pragma once

#include <QPixmap>
#include <QWidget>
#include <memory>

#include "views/canvas/paint/graph_legend.h"
#include "views/canvas/paint/overlay.h"
#include "views/canvas/paint/scene.h"
#include "views/style/theme.h"
#include "views/widgets/painted_view.h"

namespace iosx::canvas {

// Shows the legend in a corner of the canvas. It takes a limited share of it and scrolls if necessary.
class LegendCard final : public QWidget {
  Q_OBJECT

 public:
  explicit LegendCard(QWidget* parent);

  void setLegend(GraphLegend legend, OverlayScale overlay);
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

// Shows the whole drawing in a corner of the canvas with a frame around the visible area. A click
// goes there, dragging moves the view.
class Minimap final : public QWidget {
  Q_OBJECT

 public:
  explicit Minimap(QWidget* parent);

  // Both are read while painting and must stay until the next call; a null shows nothing.
  void setScene(const Model* model, std::shared_ptr<const Drawing> drawing, const OverlayScale* overlay);
  void setView(const Rect& visible);  // in the layout's coordinates
  void setFound(std::vector<UnitId> found);
  // Returns the size for the undistorted drawing inside a share of the canvas; empty without a drawing.
  QSize sizeFor(const QSize& canvas) const;

 signals:
  void movedTo(const iosx::canvas::Point& center);  // in the layout's coordinates

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  double scale() const;  // pixels per unit of length
  QRectF place(const Rect& rect) const;
  void paintDrawing(QPainter& painter) const;
  void goTo(const QPointF& at);

  const Model* model_ = nullptr;
  std::shared_ptr<const Drawing> drawing_;
  const OverlayScale* overlay_ = nullptr;
  Theme theme_ = Theme::light();
  Rect view_;
  std::vector<UnitId> found_;
  QPixmap cached_;  // the drawing alone
};

}  // namespace iosx::canvas
