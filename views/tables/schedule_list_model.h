#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/compare/network_times.h"
#include "views/style/theme.h"

namespace iosx {

// Shows the schedules of a comparison, one a row, in its order. Of several networks there is one column more for each:
// its own latency, from the start of the run to its last kernel.
class ScheduleListModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    kName,
    kLatency,
    kSpeedUp,
    kStageSum,
    kStages,
    kPeak,
    kOrigin,
    kSearchTime,
    kMeasurements,
    kColumnCount,  // from here on: networks
  };

  using QAbstractTableModel::QAbstractTableModel;

  void setComparison(std::shared_ptr<const Comparison> comparison);  // null: no rows
  void setTheme(const Theme& theme);                                 // colours of the swatches

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  QString text(std::size_t row, int column) const;
  QVariant sortKey(std::size_t row, int column) const;
  QString toolTip(const ScheduleResult& result, int column) const;

  bool isNetwork(int column) const { return column >= kColumnCount; }
  std::optional<Millis> ownLatency(std::size_t row, int column) const;

  std::shared_ptr<const Comparison> comparison_;
  std::vector<std::vector<NetworkTime>> networks_;  // a row
  Theme theme_ = Theme::light();
};

}  // namespace iosx
