#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "views/compare/comparison_data.h"
#include "views/compare/latency_bar.h"

namespace iosx {

// The table of end-to-end latency statistics: one row per schedule, then external runs.
class StatisticsModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    kSchedule,
    kMedian,
    kSpread,
    kP95,
    kP99,
    kInterval,
    kMean,
    kRange,
    kRounds,
    kSamples,
    kSpeedUp,
    kDelta,
    kOrigin,
    kRemarks,
    kColumnCount
  };

  using QAbstractTableModel::QAbstractTableModel;

  void setRuns(std::shared_ptr<const RunMatrix> data, std::vector<LatencyBar> external = {});  // null: no rows

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  QString text(std::size_t subject, int column) const;
  QString shown(std::size_t row, int column) const;
  QString externalText(const LatencyBar& bar, int column) const;
  QString remarks(std::size_t subject, const SubjectStatistics& statistics) const;

  std::shared_ptr<const RunMatrix> data_;
  std::vector<LatencyBar> external_;
};

}  // namespace iosx
