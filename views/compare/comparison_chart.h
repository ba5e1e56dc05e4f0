#pragma once

#include <QFont>
#include <QWidget>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "views/app_model/selection.h"
#include "views/compare/comparison_data.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"

class QCustomPlot;
class QLabel;

namespace iosx {

// Draws the bars into a plot of final size; `font` gives the family. The emphasised bar is framed. Simulated
// latencies have dashed outlines, external ones are hatched.
void build_latency_plot(QCustomPlot& plot, std::span<const LatencyBar> bars, const Theme& theme, const QFont& font,
                        std::optional<std::size_t> emphasised = {});

// Returns the height in pixels for readable bars and texts.
int least_plot_height(std::span<const LatencyBar> bars);

// The texts of a figure of bars under a sentence. `context` is the rest of the title: "inception_v3, simulated Tesla
// V100, batch 1".
struct LatencyFigureText {
  QString context = {};
  QString sentence = {};
  QString recorded = {};  // Figure::recorded()
  QString csv = {};       // Figure::csv(), where more is known than the bars
};
std::unique_ptr<Figure> make_latency_figure(std::vector<LatencyBar> bars, LatencyFigureText text);
std::unique_ptr<Figure> make_comparison_figure(std::shared_ptr<const Comparison> comparison,
                                               const ScheduleId& baseline = {});

// Shows one bar per schedule: end-to-end latency, its spread, and the speed-up against a baseline, under a sentence
// with the result. Simulated latencies have dashed outlines and a label; external ones are hatched. It shows one
// comparison, or bars from the caller.
class ComparisonChart final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(ComparisonChart)

 public:
  // The model, which must outlive the chart, has the comparison's schedule to frame. Null: none.
  explicit ComparisonChart(SelectionModel* selection, QWidget* parent = nullptr);
  ~ComparisonChart() override;

  void setComparison(std::shared_ptr<const Comparison> comparison);
  void setBaseline(const ScheduleId& baseline);  // of a comparison; an unknown one: sequential
  // Shows bars in place of a comparison. Without a sentence its line disappears.
  void setBars(std::vector<LatencyBar> bars, LatencyFigureText text, std::optional<std::size_t> emphasised = {});
  std::unique_ptr<Figure> figure() const;
  QString summary() const;
  const std::vector<LatencyBar>& bars() const { return bars_; }
  QCustomPlot* plotWidget() const { return plot_; }
  QPoint centerOfBar(std::size_t bar) const;  // in the plot widget, like the next
  std::optional<std::size_t> barAt(const QPoint& at) const;

  QSize sizeHint() const override { return {760, 340}; }

 signals:
  void scheduleActivated(const iosx::ScheduleId& id);  // its bar was clicked, in a comparison
  void barActivated(std::size_t bar);                  // likewise, for any bars

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void showComparison();
  void rebuild();
  std::optional<std::size_t> emphasised() const;

  SelectionModel* selection_;
  Theme theme_ = Theme::light();
  std::shared_ptr<const Comparison> comparison_;  // null: the bars are the caller's
  ScheduleId baseline_;
  std::vector<LatencyBar> bars_;
  LatencyFigureText text_;
  std::optional<std::size_t> emphasised_;
  QLabel* summary_;
  QCustomPlot* plot_;
};

}  // namespace iosx
