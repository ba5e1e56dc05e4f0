#pragma once

#include <QFrame>
#include <QString>
#include <QStringList>
#include <cstddef>
#include <memory>
#include <vector>

#include "views/explore/timeline/timeline_scene.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"

class QLabel;
class QTableWidget;

namespace iosx {

// A run's activity in a range of time.
struct RangeStatistics {
  struct CounterMean {
    QString quantity;  // "active warps"
    QString unit;
    QString source;
    double mean = 0;  // over `own`
    double peak = 0;  // the device's maximum; 0: unknown
  };
  TimelineTrack track;
  TimeRange own;              // the range within the run, in its own time; may be empty
  std::vector<Micros> lanes;  // busy time per lane
  std::size_t kernels = 0;    // that run in it, wholly or partly
  ClassTimes by_class{};      // of the lanes' time
  std::vector<CounterMean> counters;

  double lane_share(std::size_t lane) const;  // 0 to 1, of `own`
  double busy_share() const;                  // the mean over all lanes
};

// `shown` is a range of the axis.
RangeStatistics range_statistics(const TimelineScene& scene, const TimelineBand& band, TimeRange shown);

// The statistics of several runs side by side, as text: the columns are quantity, unit and one per run.
class StatisticsTable {
 public:
  StatisticsTable() = default;
  StatisticsTable(const TimelineScene& scene, TimeRange shown);

  bool empty() const { return runs_.empty(); }
  TimeRange shown() const { return shown_; }
  QStringList header() const;  // for display
  std::vector<QStringList> rows() const;
  QString tab_separated() const;  // header and rows, for the clipboard
  QString csv() const;            // one record per run and quantity, with unformatted numbers
  const std::vector<RangeStatistics>& runs() const { return runs_; }

 private:
  TimeRange shown_;
  std::vector<RangeStatistics> runs_;
};

// Makes a figure of the table, with CSV.
std::unique_ptr<Figure> make_statistics_figure(StatisticsTable table);

// Shows the statistics of a range over a corner of the timeline: a small table that can be copied and exported.
class RangePanel final : public QFrame {
  Q_OBJECT

 public:
  explicit RangePanel(QWidget* parent);

  void show(StatisticsTable table);  // and fits its size to it
  const StatisticsTable& table() const { return table_; }
  void copy() const;  // as tab-separated text

 signals:
  void exportWanted();
  void closed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  StatisticsTable table_;
  QLabel* title_;
  QTableWidget* cells_;
};

}  // namespace iosx
