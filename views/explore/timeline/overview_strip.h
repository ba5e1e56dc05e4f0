#pragma once

#include <QWidget>

#include "views/explore/timeline/timeline_scene.h"
#include "views/style/theme.h"
#include "views/time/time_axis.h"
#include "views/widgets/painted_view.h"

namespace iosx {

// The visible window in the picture of everything, and the effect of a drag on it.
struct OverviewWindow {
  enum class Grip { kNone, kBegin, kEnd, kInside };
  TimeAxis axis;  // of everything
  TimeRange visible;

  double left() const { return axis.x(visible.begin); }
  double right() const { return axis.x(visible.end); }
  // The edges of a narrow window can also be grabbed beside it.
  Grip grip_at(double x) const;
  // Returns the visible range after a drag of the grip by some time; an edge does not pass the other one.
  TimeRange dragged(Grip grip, Micros by) const;
};

// Shows all runs in one low strip, a row per track, with the visible window: it can be dragged, resized at its
// edges, and moved by a click. Left and right arrows move it, up and down make it narrower and wider.
class OverviewStrip final : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kHeight = 34;

  // The model and, until another is set, the scene must outlive the strip.
  OverviewStrip(TimeAxisModel* axis, QWidget* parent);

  void setScene(const TimelineScene* scene);
  OverviewWindow window() const;
  QSize sizeHint() const override { return {600, kHeight}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void drawRuns(QPainter& painter) const;

  TimeAxisModel* time_;
  const TimelineScene* scene_ = nullptr;
  Theme theme_ = Theme::light();
  StillPicture still_;
  OverviewWindow::Grip grip_ = OverviewWindow::Grip::kNone;
  OverviewWindow pressed_;  // at the drag's begin
  double press_ = 0;
};

}  // namespace iosx
