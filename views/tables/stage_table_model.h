#pragma once

#include <QAbstractTableModel>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "views/app_model/selection.h"
#include "views/app_model/shown_saving.h"
#include "views/tables/column_head.h"

namespace iosx {

// Shows the stages of one schedule of a comparison, one a row. Its cells have the roles of cell_roles.h too.
class StageTableModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kNumber, kStrategy, kGroups, kUnitCount, kLatency, kSaved, kShare, kUtilization, kColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  // There are no rows where the comparison is null or does not have the index.
  void setResult(std::shared_ptr<const Comparison> comparison, std::size_t index);
  // What the result's stages save; that of another result, or where nothing is known, shows dashes. setResult() keeps
  // it.
  void setSaving(const SavingFacts& saving);

  // Returns the selection that the row stands for: the stage with its units.
  Selection selection(int row) const;
  // Returns rows of the stages that hold any of the selected units; the stage itself where it was selected in this
  // schedule.
  std::vector<int> rows(const Selection& selection) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  const ScheduleResult* result() const;
  QString text(const ScheduleResult& shown, std::size_t stage, int column) const;
  ColumnHead utilizationHead() const;  // named after the device's counter
  QString latencyHelp() const;
  ColumnHead savedHead() const;
  QString savedTip(std::size_t stage) const;
  const Delta* delta(std::size_t stage) const;  // against the baseline; null where it is not known
  QVariant extra(const ScheduleResult& shown, std::size_t stage, int column, int role) const;  // of cell_roles.h

  std::shared_ptr<const Comparison> comparison_;
  std::size_t index_ = 0;
  Millis longest_{0};  // of the stages
  SavingFacts saving_;
  Millis largest_{0};  // that a stage saves or loses
};

}  // namespace iosx
