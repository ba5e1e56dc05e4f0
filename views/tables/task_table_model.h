#pragma once

#include <memory>
#include <vector>

#include "core/search/search.h"
#include "views/app_model/selection.h"
#include "views/tables/table_model.h"

namespace iosx {

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
