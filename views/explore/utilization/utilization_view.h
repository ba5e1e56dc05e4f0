#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "views/app_model/selection.h"
#include "views/explore/utilization/utilization_plot.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"
#include "views/time/time_axis.h"

class QComboBox;
class QScrollBar;

namespace iosx {

// Shows a counter of the device (active warps, busy cores) over time, one row per schedule; with several counters, a
// list to choose from is below the texts. It has the time axis and the margins of the TimeAxisModel. Wheel: zoom; drag:
// measure, snapping to stages; Ctrl-drag or the middle button: pan; W A S D, F; a click selects the stage under it.
// Where not all rows fit, it scrolls by rows (wheel over the texts or with Shift); the axis of time stays.
class UtilizationView final : public QWidget {
  Q_OBJECT

 public:
  // The models must outlive the view.
  UtilizationView(SelectionModel* selection, TimeAxisModel* axis, QWidget* parent = nullptr);

  void setTheme(const Theme& theme);
  // Sets the counter; where the comparison has none of that name, its main one.
  void setCounter(const std::string& name);
  const std::string& counter() const { return counter_; }
  // Returns a figure of the screen: the shown schedules over the visible time.
  std::unique_ptr<Figure> figure() const;
  const UtilizationPlot& plot() const { return drawing_; }
  QCustomPlot* plotWidget() const { return plot_; }
  QString toolTipAt(QPointF point) const;  // in the plot's pixels

  QSize sizeHint() const override { return {1200, 360}; }
  QSize minimumSizeHint() const override { return {420, 120}; }

 public slots:
  void setTracks(const iosx::TracksOnAxis& tracks);  // connect to TimelineView::shownTracksChanged

 signals:
  void counterChanged(const std::string& name);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  enum class Gesture { kNone, kPress, kPan, kMeasure };

  void listCounters();
  void rebuild();   // after a change of the shown tracks
  void showRows();  // those at the scroll bar's place
  void layOut();
  void replot();  // if visible
  void mark();    // draws the current cursor, playhead and measure
  Micros snapped(double x) const;
  std::size_t rowsThatFit() const;
  bool wheel(QWheelEvent* event);
  void click(QPointF point);
  bool mouse(QMouseEvent* event);

  SelectionModel* selection_;
  TimeAxisModel* time_;
  Theme theme_ = Theme::light();
  TracksOnAxis tracks_;
  std::string counter_;               // empty: the main one
  std::vector<UtilizationRow> rows_;  // all; the plot may have fewer
  QCustomPlot* plot_;
  QScrollBar* bar_;
  QComboBox* counters_;
  UtilizationPlot drawing_;
  QPointF press_;
  QPointF last_;
  Gesture gesture_ = Gesture::kNone;
};

// Returns the figure of some tracks over a range of the axis. An empty range shows everything, an empty name the main
// counter.
std::unique_ptr<Figure> make_utilization_figure(const std::vector<WarpedTrack>& tracks, TimeRange range,
                                                const std::string& counter = {});
// Makes a figure of some results (indices) of a comparison.
std::unique_ptr<Figure> make_utilization_figure(const std::shared_ptr<const Comparison>& comparison,
                                                const std::vector<std::size_t>& shown, TimeRange range,
                                                const std::string& counter = {});

}  // namespace iosx
