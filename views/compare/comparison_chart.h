#pragma once

#include <QWidget>
#include <memory>

#include "core/compare/comparison.h"
#include "views/bridge/selection.h"
#include "views/export/figure.h"
#include "views/style/theme.h"

class QCustomPlot;
class QLabel;

namespace iosx {

// One bar a schedule: end-to-end latency, its spread, and the speed-up against sequential, under a sentence that says
// who wins. Simulated latencies have dashed outlines and are called so.
class ComparisonChart final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(ComparisonChart)

 public:
  explicit ComparisonChart(SelectionModel* selection, QWidget* parent = nullptr);  // the model must outlive the chart
  ~ComparisonChart() override;

  void setComparison(std::shared_ptr<const Comparison> comparison);
  void setTheme(const Theme& theme);
  std::unique_ptr<Figure> figure() const;
  QString summary() const;
  QCustomPlot* plotWidget() const { return plot_; }

  QSize sizeHint() const override { return {760, 340}; }

 signals:
  void scheduleActivated(const iosx::ScheduleId& id);  // its bar was clicked

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void rebuild();

  SelectionModel* selection_;
  Theme theme_ = Theme::light();
  std::shared_ptr<const Comparison> comparison_;
  QLabel* summary_;
  QCustomPlot* plot_;
};

std::unique_ptr<Figure> make_comparison_figure(std::shared_ptr<const Comparison> comparison);

// Draws the bars into a plot, which must have its final size; `font` gives the family. The bar of `emphasised` is
// framed.
void build_comparison_plot(QCustomPlot& plot, const Comparison& comparison, const Theme& theme, const QFont& font,
                           const ScheduleId& emphasised);

}  // namespace iosx
