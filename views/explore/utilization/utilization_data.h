#pragma once

#include <QString>
#include <QVector>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "views/time/step_series.h"
#include "views/time/timeline_track.h"

namespace iosx {

// A counter of a schedule's run over time: active warps, busy cores. Times are µs on the axis.
struct UtilizationRow {
  TimelineTrack track;
  TimeWarp warp;
  QVector<double> times;        // values[i] holds from times[i] to times[i + 1]; ends with 0 at the end of the run
  QVector<double> values;       // in `unit`, like peak and mean
  std::vector<TimeRange> idle;  // nothing in use; sorted by begin
  std::vector<Micros> stages;   // begins of the stages
  Micros duration{0};           // end of the run, on the axis
  // The same, for pictures of any width: the values, and 1 where nothing is in use.
  std::shared_ptr<const StepSeries> series = {};
  std::shared_ptr<const StepSeries> idleness = {};
  QString quantity;                  // "active warps"
  QString unit;                      // "warps"
  std::string counter;               // its name in the trace
  QString source;                    // "simulated": source of the values
  double peak = 0;                   // the device's maximum
  double mean = 0;                   // over the run
  double mean_error = 0;             // its standard error; 0: exact, or unknown
  double area = 0;                   // unit · µs
  double idle_share = 0;             // of the duration
  std::optional<double> mean_ratio;  // to sequential's
  std::optional<double> area_ratio;
};

// Returns one row per track that has the counter of that name (empty: its main one); all rows show the same quantity,
// that of the first one. Where parts are aligned, waiting times count as unused.
std::vector<UtilizationRow> utilization_rows(const std::vector<WarpedTrack>& tracks, const std::string& counter = {});

// Returns the row within the range. Mean, area, idle share and series stay those of the whole run.
UtilizationRow cropped(const UtilizationRow& row, TimeRange range);

// Returns the end of the rows' common scale, in their unit: above all values, and for few cores above their number.
double common_top(const std::vector<UtilizationRow>& rows);

}  // namespace iosx
