#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "views/app_model/selection.h"
#include "views/compare/latency_bar.h"
#include "views/compare/latency_plot.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"

class QCustomPlot;
class QLabel;

namespace iosx {

// Shows one bar a schedule: end-to-end latency, its spread, and the speed-up against a baseline, under a sentence that
// says who wins. Simulated latencies have dashed outlines and are called so; external ones are hatched. What it shows
// is one comparison, or bars that somebody else has put together.
class ComparisonChart final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(ComparisonChart)

 public:
  // The model must outlive the chart; it says which schedule of a comparison is framed. Null: none is.
  explicit ComparisonChart(SelectionModel* selection, QWidget* parent = nullptr);
  ~ComparisonChart() override;

  void setComparison(std::shared_ptr<const Comparison> comparison);
  void setBaseline(const ScheduleId& baseline);  // of a comparison; one that it does not have: sequential
  // Shows bars in place of a comparison. Without a sentence there is no line for it.
  void setBars(std::vector<LatencyBar> bars, LatencyFigureText text, std::optional<std::size_t> emphasised = {});
  void setTheme(const Theme& theme);
  std::unique_ptr<Figure> figure() const;
  QString summary() const;
  const std::vector<LatencyBar>& bars() const { return bars_; }
  QCustomPlot* plotWidget() const { return plot_; }
  QPoint centerOfBar(std::size_t bar) const;  // in the plot widget, as the next
  std::optional<std::size_t> barAt(const QPoint& at) const;

  QSize sizeHint() const override { return {760, 340}; }

 signals:
  void scheduleActivated(const iosx::ScheduleId& id);  // its bar was clicked, in a comparison
  void barActivated(std::size_t bar);                  // the same, whatever it shows

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void showComparison();
  void rebuild();
  std::optional<std::size_t> emphasised() const;

  SelectionModel* selection_;
  Theme theme_ = Theme::light();
  std::shared_ptr<const Comparison> comparison_;  // null: the bars are somebody else's
  ScheduleId baseline_;
  std::vector<LatencyBar> bars_;
  LatencyFigureText text_;
  std::optional<std::size_t> emphasised_;
  QLabel* summary_;
  QCustomPlot* plot_;
};

}  // namespace iosx
