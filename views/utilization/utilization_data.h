#pragma once

#include <QString>
#include <QVector>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/compare/comparison.h"
#include "views/timeline/time_axis.h"

namespace iosx {

// A schedule's active warps over time. Times are µs from the start of the run.
struct UtilizationRow {
  std::size_t result = 0;       // index into Comparison::results
  QVector<double> times;        // values[i] holds from times[i] to times[i + 1]; ends with 0 at the end of the run
  QVector<double> values;       // warps
  std::vector<TimeRange> idle;  // no active warp; by begin
  std::vector<Micros> stages;   // where each stage begins
  Micros duration{0};
  double peak = 0;                   // warps the device holds at most
  double mean = 0;                   // warps, over the run
  double area = 0;                   // warps · µs
  double idle_share = 0;             // of the duration
  std::optional<double> mean_ratio;  // to sequential's
  std::optional<double> area_ratio;
};

// One row a result that has a counter of active warps.
std::vector<UtilizationRow> utilization_rows(const Comparison& comparison, const std::vector<std::size_t>& shown);

// The row as seen through the range: nothing outside it. Mean, area and idle share stay those of the whole run.
UtilizationRow cropped(const UtilizationRow& row, TimeRange range);

// The rows' common scale. Kernels of a few microseconds may fill the device while all the others use a twentieth of it:
// the scale then ends above what is exceeded for a fiftieth of the time, and what is larger is marked as cut.
struct Scale {
  double top = 1;      // warps
  double largest = 0;  // of all rows; above `top` some peaks are cut
  bool cuts() const { return largest > top; }
};
Scale common_scale(const std::vector<UtilizationRow>& rows);

}  // namespace iosx
