#pragma once

#include <QAbstractScrollArea>
#include <QPointF>
#include <memory>

#include "views/explore/utilization/why_painter.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"
#include "views/time/time_axis.h"
#include "views/widgets/painted_view.h"

namespace iosx {

// Shows why a schedule is faster than the baseline: the time by kernels in flight, kernels in flight over time, the
// share of the work done, and all counters of the device. Its plots have the time axis and the margins of the
// TimeAxisModel. Where not all plots fit it scrolls by plots; head, bars and the scale of time stay.
//
// Mouse: the wheel zooms at the cursor, over the texts or with Shift it scrolls; a drag measures, a click sets the
// playhead, so that the other views show what is in flight; Ctrl-drag or the middle button pans. Keys: W A S D, F.
class WhyView final : public QAbstractScrollArea {
  Q_OBJECT

 public:
  // The model must outlive the view.
  explicit WhyView(TimeAxisModel* axis, QWidget* parent = nullptr);

  void setTheme(const Theme& theme);
  const WhyPanel* panel() const { return panel_.get(); }  // null without one
  TimeAxis axis() const;                                  // in viewport pixels
  WhyLayout places() const;                               // in the viewport
  QString toolTipAt(QPointF viewport) const;
  std::unique_ptr<Figure> figure() const;  // of all plots over the visible time; null without a panel

  QSize sizeHint() const override { return {1200, 380}; }
  QSize minimumSizeHint() const override { return {420, static_cast<int>(WhyPainter::kLeastWhole)}; }

 public slots:
  void setPanel(const std::shared_ptr<const iosx::WhyPanel>& panel);

 protected:
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  enum class Gesture { kNone, kPress, kPan, kMeasure };

  WhyPicture picture() const;
  void redraw();
  void layOut();
  bool onAxis(double x) const;

  TimeAxisModel* time_;
  Theme theme_ = Theme::light();
  std::shared_ptr<const WhyPanel> panel_;
  StillPicture still_;
  Gesture gesture_ = Gesture::kNone;
  QPointF press_;
  QPointF last_;
};

// Returns a figure of a panel over a range of the axis (empty: everything).
std::unique_ptr<Figure> make_why_figure(std::shared_ptr<const WhyPanel> panel, TimeRange range);
// Makes the figure of the comparison's best result against sequential; null without traced runs.
std::unique_ptr<Figure> make_why_figure(const std::shared_ptr<const Comparison>& comparison);

}  // namespace iosx
