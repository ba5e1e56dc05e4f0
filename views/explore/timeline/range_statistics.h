#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>
#include <memory>
#include <vector>

#include "views/explore/timeline/timeline_scene.h"
#include "views/figures/figure.h"

namespace iosx {

// Says what a run did in a stretch of time.
struct RangeStatistics {
  struct CounterMean {
    QString quantity;  // "active warps"
    QString unit;
    QString source;
    double mean = 0;  // over `own`
    double peak = 0;  // what the device holds at most; 0: not known
  };
  TimelineTrack track;
  TimeRange own;              // what of the stretch is time of the run, in its own time; may be empty
  std::vector<Micros> lanes;  // busy in each lane
  std::size_t kernels = 0;    // that run in it, whole or in part
  ClassTimes by_class{};      // of the lanes' time
  std::vector<CounterMean> counters;

  double lane_share(std::size_t lane) const;  // 0 to 1, of `own`
  double busy_share() const;                  // the mean of all lanes'
};

// `shown` is a stretch of the axis.
RangeStatistics range_statistics(const TimelineScene& scene, const TimelineBand& band, TimeRange shown);

// Holds the statistics of several runs side by side, as text: the columns are quantity, unit and one a run.
class StatisticsTable {
 public:
  StatisticsTable() = default;
  StatisticsTable(const TimelineScene& scene, TimeRange shown);

  bool empty() const { return runs_.empty(); }
  TimeRange shown() const { return shown_; }
  QStringList header() const;  // as people read it
  std::vector<QStringList> rows() const;
  QString tab_separated() const;  // header and rows, for the clipboard
  QString csv() const;            // one record a run and quantity, with numbers as they are
  const std::vector<RangeStatistics>& runs() const { return runs_; }

 private:
  TimeRange shown_;
  std::vector<RangeStatistics> runs_;
};

// Shows the table as a picture and as CSV.
std::unique_ptr<Figure> make_statistics_figure(StatisticsTable table);

}  // namespace iosx
