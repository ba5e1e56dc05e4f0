#pragma once

#include <QString>
#include <QWidget>
#include <memory>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "views/app_model/search_watcher.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"

class QCheckBox;
class QComboBox;
class QCustomPlot;
class QLabel;

namespace iosx {

// The effort of a search up to a result: requested stages, or seconds.
enum class SearchEffortAxis { kStages, kSeconds };
double effort(const SearchMoment& moment, SearchEffortAxis axis);

// How one search came to its schedule.
struct SearchCurve {
  QString id;     // its schedule's
  QString title;  // for display
  ScheduleKind schedule_kind = ScheduleKind::kIosBoth;
  bool running = false;
  bool exhaustive = false;  // it requested every stage and found the best at its end: one moment
  // Elapsed and needed never decrease; a best of 0 (none yet) has no moment.
  std::vector<SearchMoment> moments = {};

  Millis best() const { return moments.back().best; }
  // Returns the last computed bound; 0: none.
  Millis bound() const;
};

// The searches of a comparison and of the running job, for one plot.
struct Convergence {
  QString context;   // network, device, batch
  QString recorded;  // Comparison::recorded
  Origin origin = Origin::kSimulated;
  std::vector<SearchCurve> curves = {};  // each with a moment
};

// Either may be null. A running search replaces the comparison's of the same schedule kind; a job of another network,
// device or batch than the comparison's appears alone.
Convergence convergence_of(const Comparison* comparison, const LiveSearches* live);

// Returns one sentence about the running search: "IOS-Both is searching: 412 stages asked for in 3.2 s, best so far
// 14.3 ms, certified bound 12.1 ms." It must have reported something already.
QString running_sentence(const LiveSearches& live);

// Shows the best schedule so far as curves, in milliseconds over the requested stages, or over time; the lower bound
// of all schedules is dashed, where computed. A sentence above describes the running search, or else that of the shown
// schedule.
class ConvergenceChart final : public QWidget {
  Q_OBJECT

 public:
  explicit ConvergenceChart(QWidget* parent = nullptr);

  // Either may be null; `active` is an index into the comparison's results.
  void setSearches(std::shared_ptr<const Comparison> comparison, std::size_t active,
                   std::shared_ptr<const LiveSearches> live);
  void setAxis(SearchEffortAxis axis);
  std::unique_ptr<Figure> figure() const;  // null without a curve
  QString summary() const;
  QCustomPlot* plotWidget() const { return plot_; }

  QSize sizeHint() const override { return {760, 340}; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void rebuild();
  void showPointAt(QMouseEvent* event);

  Theme theme_ = Theme::light();
  Convergence shown_;
  QString sentence_;
  SearchEffortAxis axis_ = SearchEffortAxis::kStages;
  QLabel* summary_;
  QComboBox* axis_box_;
  QCheckBox* zoom_;
  QCustomPlot* plot_;
};

// Both are null without a curve; the first shows the searches of a finished comparison.
std::unique_ptr<Figure> make_convergence_figure(const Comparison& comparison);
std::unique_ptr<Figure> make_convergence_figure(Convergence searches, SearchEffortAxis axis);

}  // namespace iosx
