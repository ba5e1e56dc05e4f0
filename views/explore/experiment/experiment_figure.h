#pragma once

#include <QFont>
#include <memory>

#include "core/analysis/experiment/experiment.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"

class QCustomPlot;

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

}  // namespace iosx
