#pragma once

#include <QString>
#include <QVector>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "views/time/step_series.h"
#include "views/time/time_warp.h"

namespace iosx {

// Holds a counter of a schedule's run over time: active warps, busy cores. Times are µs on the axis.
struct UtilizationRow {
  TimelineTrack track;
  TimeWarp warp;
  QVector<double> times;        // values[i] holds from times[i] to times[i + 1]; ends with 0 at the end of the run
  QVector<double> values;       // in `unit`, as peak and mean
  std::vector<TimeRange> idle;  // nothing in use; by begin
  std::vector<Micros> stages;   // where each stage begins
  Micros duration{0};           // until the run ends, on the axis
  // These are the same, for pictures of any width: the values, and 1 where nothing is in use.
  std::shared_ptr<const StepSeries> series = {};
  std::shared_ptr<const StepSeries> idleness = {};
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

// Returns one row a track that has the counter of that name, for no name its main one; all rows show the same quantity,
// that of the first one. Where parts are aligned, nothing is in use while a run waits.
std::vector<UtilizationRow> utilization_rows(const std::vector<WarpedTrack>& tracks, const std::string& counter = {});

// Returns the row as seen through the range: nothing outside it. Mean, area, idle share and series stay those of the
// whole run.
UtilizationRow cropped(const UtilizationRow& row, TimeRange range);

// Returns where the rows' common scale ends, in their unit: above everything that any of them shows; of a few cores,
// above all that there are.
double common_top(const std::vector<UtilizationRow>& rows);

}  // namespace iosx
