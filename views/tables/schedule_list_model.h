#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "core/analysis/compare/comparison.h"
#include "views/style/theme.h"

namespace iosx {

// Shows the schedules of a comparison, one a row, in its order.
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
    kColumnCount
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

  std::shared_ptr<const Comparison> comparison_;
  Theme theme_ = Theme::light();
};

}  // namespace iosx
