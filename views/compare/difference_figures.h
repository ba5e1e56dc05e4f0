#pragma once

#include <memory>
#include <vector>

#include "views/compare/comparison_data.h"
#include "views/compare/latency_bar.h"
#include "views/figures/figure.h"

namespace iosx {

// Shows parts × schedules as on the screen; the CSV has one record a part and schedule. It is not null.
std::unique_ptr<Figure> make_part_matrix_figure(std::shared_ptr<const RunMatrix> data);
// Shows all rows of stages, in the order of A; the CSV has numbers in full. It is not null.
std::unique_ptr<Figure> make_stage_difference_figure(std::shared_ptr<const StagePair> pair);

// Shows what is known of each schedule's latency, a row a schedule. It is not null.
std::unique_ptr<Figure> make_run_statistics_figure(std::shared_ptr<const RunMatrix> data,
                                                   std::vector<LatencyBar> external = {});

}  // namespace iosx
