#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "views/app_model/selection.h"
#include "views/app_model/shown_saving.h"
#include "views/tables/table_model.h"

namespace iosx {

// Shows the stages of one schedule of a comparison, one a row: it is stage_list() with bars, chips and glyphs
// (cell_roles.h), and with two columns that only the window knows: what a stage saves against the chosen baseline
// ("saved_ms"), and how much of the device it uses ("use").
class StageTableModel final : public TableModel {
  Q_OBJECT

 public:
  explicit StageTableModel(QObject* parent = nullptr);

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

 protected:
  QVariant painted(int row, std::string_view id, int role) const override;

 private:
  const ScheduleResult* result() const;
  Table made() const;
  void addSaved(Table& table) const;
  void addUse(Table& table) const;  // named after the device's counter
  QString savedTip(std::size_t stage) const;
  const Delta* delta(std::size_t stage) const;  // against the baseline; null where it is not known

  std::shared_ptr<const Comparison> comparison_;
  std::size_t index_ = 0;
  Millis longest_{0};  // of the stages
  SavingFacts saving_;
  Millis largest_{0};  // that a stage saves or loses
};

}  // namespace iosx
