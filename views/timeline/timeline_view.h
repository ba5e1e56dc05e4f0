#pragma once

#include <QAbstractScrollArea>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/compare/comparison.h"
#include "views/bridge/selection.h"
#include "views/export/figure.h"
#include "views/style/theme.h"
#include "views/time/time_axis_model.h"
#include "views/timeline/timeline_painter.h"
#include "views/timeline/timeline_scene.h"

class QMenu;
class QToolButton;

namespace iosx {

// Kernel timelines of several schedules, one band each, on one time axis. Wheel: zoom at the cursor; drag: pan;
// Shift-drag: measure; W A S D, F, Z (fit the selection), period and comma (next and previous span), arrows (span on
// the lane above or below), Return (the span's stage), Escape. Selects units and stages in the SelectionModel and
// follows it.
class TimelineView final : public QAbstractScrollArea {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(TimelineView)

 public:
  // The models must outlive the view.
  TimelineView(SelectionModel* selection, TimeAxisModel* axis, QWidget* parent = nullptr);
  ~TimelineView() override;

  // Shows the default schedules; where the comparison has the ones that were shown, those.
  void setComparison(std::shared_ptr<const Comparison> comparison);
  void setTheme(const Theme& theme);
  std::vector<ScheduleId> shownSchedules() const;
  void setShownSchedules(const std::vector<ScheduleId>& ids);
  void setCollapsed(const ScheduleId& id, bool collapsed);
  // Shows or hides each schedule, for a button or a menu bar; owned by the view.
  QMenu* schedulesMenu() const { return schedules_menu_; }

  // What is on screen: the shown schedules over the visible time.
  std::unique_ptr<Figure> figure() const;

  const TimelineScene& scene() const { return scene_; }
  TimeAxis axis() const;                      // in viewport pixels
  QPointF contentAt(QPointF viewport) const;  // scene coordinates of a point of the viewport
  std::optional<SpanRef> currentSpan() const { return current_; }
  std::optional<TimeMeasure> measure() const { return measure_; }

  QSize sizeHint() const override { return {1200, 420}; }
  QSize minimumSizeHint() const override { return {420, 160}; }

 public slots:
  void fitAll();
  void fitSelection();
  void nextSpan();
  void previousSpan();

 signals:
  void shownSchedulesChanged(const std::vector<iosx::ScheduleId>& ids);

 protected:
  bool event(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  enum class Gesture { kNone, kPress, kPan, kMeasure };

  void rebuild();  // after a change of what is shown
  void layOut();   // after a change of size
  void rebuildMenu();
  void follow(const Selection& selection);
  void setCurrent(std::optional<SpanRef> span, bool show);
  void reveal(SpanRef span);
  void click(QPointF viewport);
  void selectStage(std::size_t result, std::size_t stage);
  Micros snapped(double x) const;
  QString toolTipAt(QPointF viewport) const;
  void showSchedule(std::size_t result, bool shown);

  SelectionModel* selection_;
  TimeAxisModel* time_;
  Theme theme_ = Theme::light();
  std::shared_ptr<const Comparison> comparison_;
  std::vector<std::size_t> shown_;  // indices into the results
  std::set<ScheduleId> collapsed_;
  TimelineScene scene_;
  std::optional<SpanRef> current_;
  std::optional<TimeMeasure> measure_;
  Gesture gesture_ = Gesture::kNone;
  QPointF press_;
  QPointF last_;
  QMenu* schedules_menu_;
  QToolButton* schedules_button_;
};

}  // namespace iosx
