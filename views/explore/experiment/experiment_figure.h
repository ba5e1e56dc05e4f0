#pragma once

#include <memory>

#include "core/analysis/experiment/experiment.h"
#include "views/figures/figure.h"

namespace iosx {

// The picture of an experiment: a heat map of what specialisation is worth, curves of the others. Schedules and
// utilization have none here: their comparison's own figures show them.
std::unique_ptr<Figure> make_experiment_figure(std::shared_ptr<const ExperimentResult> result);

}  // namespace iosx
