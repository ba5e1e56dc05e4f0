#pragma once

#include <memory>
#include <vector>

#include "views/compare/comparison_data.h"
#include "views/figures/figure.h"

namespace iosx {

// Makes a figure of parts × schedules as on the screen; the CSV has one record per part and schedule. Not null.
std::unique_ptr<Figure> make_part_matrix_figure(std::shared_ptr<const RunMatrix> data);
// Makes a figure of all rows of stages, in the order of A; the CSV has full numbers. Not null.
std::unique_ptr<Figure> make_stage_difference_figure(std::shared_ptr<const StagePair> pair);

// Makes a figure of each schedule's latency statistics, a row per schedule. Not null.
std::unique_ptr<Figure> make_run_statistics_figure(std::shared_ptr<const RunMatrix> data,
                                                   std::vector<LatencyBar> external = {});

}  // namespace iosx
