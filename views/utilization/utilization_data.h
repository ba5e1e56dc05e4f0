#pragma once

#include <QString>
#include <QVector>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/compare/comparison.h"
#include "views/time/time_axis.h"

namespace iosx {

// A counter of a schedule's run over time: active warps, busy cores. Times are µs from the start of the run.
struct UtilizationRow {
  std::size_t result = 0;       // index into Comparison::results
  QVector<double> times;        // values[i] holds from times[i] to times[i + 1]; ends with 0 at the end of the run
  QVector<double> values;       // in `unit`, as peak and mean
  std::vector<TimeRange> idle;  // nothing in use; by begin
  std::vector<Micros> stages;   // where each stage begins
  Micros duration{0};
  QString quantity;                  // "active warps"
  QString unit;                      // "warps"
  std::string counter;               // its name in the trace
  QString source;                    // "simulated": where the values come from
  double peak = 0;                   // what the device holds at most
  double mean = 0;                   // over the run
  double mean_error = 0;             // standard error of that; 0: exact, or not known
  double area = 0;                   // unit · µs
  double idle_share = 0;             // of the duration
  std::optional<double> mean_ratio;  // to sequential's
  std::optional<double> area_ratio;
};

// One row a result that has the counter of that name, for no name its main one; all rows show the same quantity, that
// of the first one.
std::vector<UtilizationRow> utilization_rows(const Comparison& comparison, const std::vector<std::size_t>& shown,
                                             const std::string& counter = {});

// The row as seen through the range: nothing outside it. Mean, area and idle share stay those of the whole run.
UtilizationRow cropped(const UtilizationRow& row, TimeRange range);

// The rows' common scale. It shows all of a few cores. But kernels of a few microseconds may fill thousands of warps
// while all the others use a twentieth of them: the scale then ends above what is exceeded for a fiftieth of the time,
// and what is larger is marked as cut.
struct Scale {
  double top = 1;      // in the rows' unit
  double largest = 0;  // of all rows; above `top` some peaks are cut
  bool cuts() const { return largest > top; }
};
Scale common_scale(const std::vector<UtilizationRow>& rows);

}  // namespace iosx
