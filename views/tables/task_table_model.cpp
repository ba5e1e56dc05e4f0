#include "views/tables/task_table_model.h"

#include <QStringList>
#include <algorithm>
#include <utility>

#include "core/analysis/compare/comparison_tables.h"
#include "views/tables/cell_roles.h"
#include "views/text/plain_tip.h"
#include "views/text/qstring.h"
#include "views/text/stage_text.h"

namespace iosx {
namespace {

bool same_parts(const SearchTask& a, const SearchTask& b) { return a.parts == b.parts; }

}  // namespace

TaskTableModel::TaskTableModel(QObject* parent) : TableModel(parent) { setTable(task_list(nullptr, {})); }

void TaskTableModel::setTasks(std::shared_ptr<const Graph> graph, std::vector<SearchTask> tasks) {
  // While a search runs only the numbers change: what is selected and in sight stays.
  const bool same = graph == graph_ && std::ranges::equal(tasks, tasks_, same_parts);
  graph_ = std::move(graph);
  tasks_ = std::move(tasks);
  Table table = task_list(graph_.get(), tasks_);
  if (same) return updateTable(std::move(table));
  setTable(std::move(table));
}

Selection TaskTableModel::selection(int row) const {
  Selection chosen;
  for (const PartId part : tasks_[static_cast<std::size_t>(row)].parts) {
    const auto& units = graph_->part(part).units;
    chosen.units.insert(chosen.units.end(), units.begin(), units.end());
  }
  std::ranges::sort(chosen.units);
  return chosen;
}

QVariant TaskTableModel::painted(int row, std::string_view id, int role) const {
  if (role == Qt::ToolTipRole) return plain_tip(allParts(tasks_[static_cast<std::size_t>(row)]));
  if (role != cell::kBar || id != "gain_ms") return {};
  const auto* share = std::get_if<double>(&cell_of(table(), static_cast<std::size_t>(row), "gain_share").value);
  return share == nullptr ? QVariant() : QVariant(std::min(1.0, *share));
}

QString TaskTableModel::allParts(const SearchTask& task) const {
  QStringList names;
  for (const PartId part : task.parts) names << shown_name(graph_->part(part).name);
  const QString all = shortened(std::move(names));
  return task.parts.size() == 1 ? all : tr("Same structure, planned as one: %1").arg(all);
}

}  // namespace iosx

#include "moc_task_table_model.cpp"
