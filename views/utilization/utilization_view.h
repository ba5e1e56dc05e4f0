#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/compare/comparison.h"
#include "views/bridge/selection.h"
#include "views/export/figure.h"
#include "views/style/theme.h"
#include "views/time/time_axis_model.h"
#include "views/utilization/utilization_plot.h"

class QComboBox;
class QScrollBar;

namespace iosx {

// A counter of the device (active warps, busy cores) over time, one row a schedule; where there are several, a list to
// choose from stands below the texts. On the time axis and with the margins of the TimeAxisModel. Wheel: zoom; drag:
// pan; W A S D, F; a click selects the stage under it. Where not all rows fit, it shows as many as do and scrolls by
// rows (wheel over the texts or with Shift); the axis of time stays.
class UtilizationView final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(UtilizationView)

 public:
  // The models must outlive the view.
  UtilizationView(SelectionModel* selection, TimeAxisModel* axis, QWidget* parent = nullptr);
  ~UtilizationView() override;

  // Shows the schedules that were chosen, or else the default ones.
  void setComparison(std::shared_ptr<const Comparison> comparison);
  void setTheme(const Theme& theme);
  // Which counter is shown; where the comparison has none of that name, its main one.
  void setCounter(const std::string& name);
  const std::string& counter() const { return counter_; }
  // What is on screen: the shown schedules over the visible time.
  std::unique_ptr<Figure> figure() const;
  const UtilizationPlot& plot() const { return drawing_; }
  QCustomPlot* plotWidget() const { return plot_; }
  QString toolTipAt(QPointF point) const;  // in the plot's pixels

  QSize sizeHint() const override { return {1200, 360}; }
  QSize minimumSizeHint() const override { return {420, 120}; }

 public slots:
  void setShownSchedules(const std::vector<ScheduleId>& ids);  // connect to TimelineView::shownSchedulesChanged

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void choose();  // which results are shown
  void listCounters();
  void rebuild();   // after a change of what is shown
  void showRows();  // those at the scroll bar's place
  void layOut();
  std::size_t rowsThatFit() const;
  bool wheel(QWheelEvent* event);
  void click(QPointF point);
  bool mouse(QMouseEvent* event);

  SelectionModel* selection_;
  TimeAxisModel* time_;
  Theme theme_ = Theme::light();
  std::shared_ptr<const Comparison> comparison_;
  std::optional<std::vector<ScheduleId>> chosen_;  // none: the defaults
  std::vector<std::size_t> shown_;                 // indices into the results
  std::string counter_;                            // empty: the main one
  std::vector<UtilizationRow> rows_;               // all; the plot may hold fewer
  QCustomPlot* plot_;
  QScrollBar* bar_;
  QComboBox* counters_;
  UtilizationPlot drawing_;
  QPointF press_;
  QPointF last_;
  bool pressed_ = false;
  bool panning_ = false;
};

// The figure of some results (indices) over a range of time. An empty range shows everything, an empty name the main
// counter.
std::unique_ptr<Figure> make_utilization_figure(std::shared_ptr<const Comparison> comparison,
                                                std::vector<std::size_t> shown, TimeRange range,
                                                const std::string& counter = {});

}  // namespace iosx
