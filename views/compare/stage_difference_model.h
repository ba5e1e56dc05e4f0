#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "views/app_model/selection.h"
#include "views/compare/comparison_data.h"
#include "views/style/theme.h"
#include "views/tables/word_filter.h"

namespace iosx {

// The table of stages of two schedules with the same operators, one row for as few of them as possible. Its cells
// have cell::kSort and cell::kFilter.
class StageDifferenceModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    kStagesA,
    kStagesB,
    kPart,
    kUnits,
    kLatencyA,
    kLatencyB,
    kDelta,
    kRelative,
    kNoise,
    kChange,
    kColumnCount
  };

  using QAbstractTableModel::QAbstractTableModel;

  void setPair(std::shared_ptr<const StagePair> pair);  // null: no rows
  void setTheme(const Theme& theme);
  const StagePair* pair() const { return pair_.get(); }

  const StageRow& row(int row) const { return pair_->difference.rows[static_cast<std::size_t>(row)]; }
  // Returns the rows with any of these units of A's graph.
  std::vector<int> rowsOf(const std::vector<UnitId>& units_a) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  QString text(const StageRow& row, int column) const;
  QVariant number(const StageRow& row, int column) const;
  QString partName(const StageRow& row) const;
  QString unitNames(const StageRow& row) const;
  QString allTexts(const StageRow& row) const;  // for the filter

  std::shared_ptr<const StagePair> pair_;
  Theme theme_ = Theme::light();
};

// Filters and sorts it.
class StageDifferenceFilter final : public WordFilter {
  Q_OBJECT

 public:
  using WordFilter::WordFilter;

  void setChangedOnly(bool changed_only);  // or different beyond the noise

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  bool changed_only_ = false;
};

}  // namespace iosx
