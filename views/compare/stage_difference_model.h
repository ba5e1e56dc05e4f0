#pragma once

#include <memory>

#include "views/compare/comparison_data.h"
#include "views/style/theme.h"
#include "views/tables/table_model.h"
#include "views/tables/word_filter.h"

namespace iosx {

// Shows stages of two schedules that hold the same operators, one row for as few of them as possible: it is
// stage_comparison() with the differences tinted.
class StageDifferenceModel final : public TableModel {
  Q_OBJECT

 public:
  using TableModel::TableModel;

  void setPair(std::shared_ptr<const StagePair> pair);  // null: no rows
  void setTheme(const Theme& theme);
  const StagePair* pair() const { return pair_.get(); }

  const StageRow& row(int row) const { return pair_->difference.rows[static_cast<std::size_t>(row)]; }
  // Returns the rows with any of these units of A's graph.
  std::vector<int> rowsOf(const std::vector<UnitId>& units_a) const;

 protected:
  QVariant painted(int row, std::string_view id, int role) const override;

 private:
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
