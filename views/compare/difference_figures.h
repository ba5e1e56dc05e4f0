#pragma once

#include <memory>

#include "views/compare/comparison_data.h"
#include "views/figures/figure.h"

namespace iosx {

// Parts × schedules as on the screen; CSV with one record a part and schedule. Not null.
std::unique_ptr<Figure> make_part_matrix_figure(std::shared_ptr<const RunMatrix> data);
// All rows of stages, in the order of A; CSV with numbers in full. Not null.
std::unique_ptr<Figure> make_stage_difference_figure(std::shared_ptr<const StagePair> pair);

// What is known of each schedule's latency, a row a schedule. Not null.
std::unique_ptr<Figure> make_run_statistics_figure(std::shared_ptr<const RunMatrix> data,
                                                   std::vector<LatencyBar> external = {});

}  // namespace iosx
