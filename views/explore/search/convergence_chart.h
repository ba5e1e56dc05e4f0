#pragma once

#include <QWidget>
#include <memory>

#include "views/explore/search/convergence.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"

class QCheckBox;
class QComboBox;
class QCustomPlot;
class QLabel;

namespace iosx {

// Shows the best schedule so far as curves, in milliseconds over the requested stages, or over time; the lower bound
// of all schedules is dashed, where computed. A sentence above describes the running search, or else that of the shown
// schedule.
class ConvergenceChart final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(ConvergenceChart)

 public:
  explicit ConvergenceChart(QWidget* parent = nullptr);
  ~ConvergenceChart() override;

  // Either may be null; `active` is an index into the comparison's results.
  void setSearches(std::shared_ptr<const Comparison> comparison, std::size_t active,
                   std::shared_ptr<const LiveSearches> live);
  void setTheme(const Theme& theme);
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

// Draws the curves into a plot of final size; `font` gives the family. With `curves_only` the range of latencies is
// that of lazy searches' schedules: bounds and exhaustive searches may lie outside.
void build_convergence_plot(QCustomPlot& plot, const Convergence& searches, SearchEffortAxis axis, bool curves_only,
                            const Theme& theme, const QFont& font);

}  // namespace iosx
