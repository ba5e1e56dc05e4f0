#pragma once

#include <QFont>
#include <QRectF>
#include <QSizeF>
#include <QWidget>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/experiment/experiment.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"

class QCustomPlot;
class QPainter;

namespace iosx {

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

// A matrix of trials as coloured cells: the latency, and as a colour and text the loss against the column's own
// schedule. The best of a column is framed, with those equal within the noise; a loss within the noise has no colour.
class HeatMap {
 public:
  explicit HeatMap(const ExperimentResult& result);  // must outlive it

  QSizeF natural_size(const QFont& font) const;
  // Cells scale with the area. `font` gives the family.
  void paint(QPainter& painter, const QRectF& area, const Theme& theme, const QFont& font) const;

 private:
  QColor fill(const Trial& trial, const Theme& theme) const;
  double label_width(const QFont& font) const;
  void paint_cell(QPainter& painter, const QRectF& cell, const Trial* trial, const Theme& theme,
                  const QFont& font) const;
  void paint_labels(QPainter& painter, const QRectF& cells, const Theme& theme, const QFont& font) const;
  void paint_scale(QPainter& painter, const QRectF& area, const Theme& theme, const QFont& font) const;

  const ExperimentResult& result_;
  std::vector<std::string> rows_;
  std::vector<std::string> columns_;
  double worst_ = 0;  // the largest loss, in per cent
};

// Shows a figure as in its export, in the window's theme and size.
class FigureWidget final : public QWidget {
  Q_OBJECT

 public:
  explicit FigureWidget(std::unique_ptr<Figure> figure, QWidget* parent = nullptr);

  const Figure& figure() const { return *figure_; }
  void setTheme(const Theme& theme);

  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::unique_ptr<Figure> figure_;
  Theme theme_ = Theme::light();
};

}  // namespace iosx
