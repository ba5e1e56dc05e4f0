#pragma once

#include <QFont>
#include <QString>
#include <QWidget>
#include <memory>
#include <string>

#include "core/analysis/experiment/experiment.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"

class QCustomPlot;

namespace iosx {

// Texts of core/analysis/experiment/report.h in the window's language.
QString experiment_title(const ExperimentResult& result);  // "Pruning: Inception V3, simulated Tesla V100, batch 1"
QString explanation_words(const ExperimentResult& result);
QString marks_words(const ExperimentResult& result);  // what stars and other signs mean; empty without any
// Says of each engine what it is and was told, or why it has no time, a line each; empty without engines.
QString engines_words(const ExperimentResult& result);
QString level_words(const ExperimentResult& result, const std::string& level);  // of a factor, in a header

// Draw an experiment into a plot of final size; `font` gives the family.

// Draws samples per second over batch sizes, a curve per schedule.
void build_throughput(QCustomPlot& plot, const ExperimentResult& result, const Theme& theme, const QFont& font);
// Draws latency over the stages that a search needed, a curve per limit s, a point per limit r.
void build_pruning(QCustomPlot& plot, const ExperimentResult& result, const Theme& theme, const QFont& font);
// Draws the loss of the best schedule so far over the share of all stages requested, a curve per lazy search.
void build_search_cost(QCustomPlot& plot, const ExperimentResult& result, const Theme& theme, const QFont& font);

// Draws latency over the planned peak of memory: lanes under limits as a curve, schedules with stages as points.
void build_memory(QCustomPlot& plot, const ExperimentResult& result, const Theme& theme, const QFont& font);

// Returns the picture of an experiment: a heat map for specialisation, curves for the others. None for schedules and
// utilization, which have their comparison's own figures.
std::unique_ptr<Figure> make_experiment_figure(std::shared_ptr<const ExperimentResult> result);

// Shows a figure as in its export, in the window's theme and size.
class FigureWidget final : public QWidget {
  Q_OBJECT

 public:
  explicit FigureWidget(std::unique_ptr<Figure> figure, QWidget* parent = nullptr);

  const Figure& figure() const { return *figure_; }

  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::unique_ptr<Figure> figure_;
  Theme theme_ = Theme::light();
};

}  // namespace iosx
