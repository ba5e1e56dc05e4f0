#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/search/search.h"
#include "views/app_model/selection.h"
#include "views/app_model/shown_saving.h"
#include "views/style/theme.h"
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

// Shows the schedules of a comparison, one a row, in its order: it is schedule_comparison() with swatches, bars and
// tool tips.
class ScheduleListModel final : public TableModel {
  Q_OBJECT

 public:
  explicit ScheduleListModel(QObject* parent = nullptr);

  void setComparison(std::shared_ptr<const Comparison> comparison);  // null: no rows
  void setTheme(const Theme& theme);                                 // colours of the swatches

 protected:
  QVariant painted(int row, std::string_view id, int role) const override;

 private:
  QString toolTip(const ScheduleResult& result, std::string_view id) const;

  std::shared_ptr<const Comparison> comparison_;
  Theme theme_ = Theme::light();
};

// Shows the tasks of a search, one a row, in its order: it is task_list() with bars.
class TaskTableModel final : public TableModel {
  Q_OBJECT

 public:
  explicit TaskTableModel(QObject* parent = nullptr);

  // The graph has the parts that the tasks speak of; it may be null where there are no tasks.
  void setTasks(std::shared_ptr<const Graph> graph, std::vector<SearchTask> tasks);

  Selection selection(int row) const;  // the units of the parts

 protected:
  QVariant painted(int row, std::string_view id, int role) const override;

 private:
  QString allParts(const SearchTask& task) const;

  std::shared_ptr<const Graph> graph_;
  std::vector<SearchTask> tasks_;
};

}  // namespace iosx
