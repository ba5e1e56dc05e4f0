#include "views/tables/task_table_model.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/tables/cell_roles.h"
#include "views/tables/column_head.h"
#include "views/text/format.h"
#include "views/text/plain_tip.h"
#include "views/text/qstring.h"
#include "views/text/stage_text.h"

namespace iosx {
namespace {

double times(const SearchTask& task) { return static_cast<double>(task.parts.size()); }
// The cost is unknown where the stages known so far make no whole path.
bool unknown(const SearchTask& task) { return !std::isfinite(task.cost.count()); }
Millis cost(const SearchTask& task) { return unknown(task) ? Millis(0) : task.cost * times(task); }
Millis gain(const SearchTask& task) {
  return unknown(task) ? Millis(0) : std::max(Millis(0), task.cost - task.least) * times(task);
}
bool same_parts(const SearchTask& a, const SearchTask& b) { return a.parts == b.parts; }

}  // namespace

void TaskTableModel::setTasks(std::shared_ptr<const Graph> graph, std::vector<SearchTask> tasks) {
  // While a search runs only the numbers change: what is selected and in sight stays.
  const bool same = graph == graph_ && std::ranges::equal(tasks, tasks_, same_parts);
  if (!same) beginResetModel();
  graph_ = std::move(graph);
  tasks_ = std::move(tasks);
  total_ = Millis(0);
  for (const SearchTask& task : tasks_) total_ += cost(task);
  if (!same) return endResetModel();
  if (!tasks_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
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

int TaskTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(tasks_.size());
}

int TaskTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumnCount; }

QVariant TaskTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const SearchTask& task = tasks_[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole: return text(task, index.column());
    case Qt::ToolTipRole: return plain_tip(allParts(task));
    case Qt::TextAlignmentRole: return column_alignment(index.column() == kParts);
    case cell::kSort: return number(task, index.column());
    case cell::kBar:
      if (index.column() != kGain || total_ <= Millis(0)) return {};
      return std::min(1.0, gain(task) / total_);
    case cell::kFilter: {
      QStringList names;
      for (const PartId part : task.parts) names << partName(part);
      return names.join(QLatin1Char(' '));
    }
    default: return {};
  }
}

QString TaskTableModel::partName(PartId part) const { return shown_name(graph_->part(part).name); }

QString TaskTableModel::allParts(const SearchTask& task) const {
  QStringList names;
  for (const PartId part : task.parts) names << partName(part);
  const QString all = shortened(std::move(names));
  return task.parts.size() == 1 ? all : tr("Alike, planned as one: %1").arg(all);
}

QString TaskTableModel::text(const SearchTask& task, int column) const {
  switch (column) {
    case kParts: {
      const QString first = partName(task.parts.front());
      if (task.parts.size() == 1) return first;
      if (task.parts.size() == 2) return tr("%1 and %2").arg(first, partName(task.parts.back()));
      return tr("%1 and %2 alike").arg(first).arg(task.parts.size() - 1);
    }
    case kTimes: return QString::number(task.parts.size());
    case kAsked: return tr("%1 of %2").arg(format::count(task.measured), format::count(task.candidates));
    default: break;
  }
  if (unknown(task)) return QStringLiteral("–");
  switch (column) {
    case kCost: return format::millis(task.cost);
    case kShare: return format::percent(total_ > Millis(0) ? cost(task) / total_ : 0);
    case kGain: return format::millis(gain(task));
    default: return format::percent(total_ > Millis(0) ? gain(task) / total_ : 0);
  }
}

double TaskTableModel::number(const SearchTask& task, int column) const {
  switch (column) {
    case kParts: return static_cast<double>(task.parts.front().index());
    case kTimes: return times(task);
    case kCost: return task.cost.count();
    case kShare: return cost(task).count();
    case kAsked: return static_cast<double>(task.measured);
    default: return gain(task).count();
  }
}

QVariant TaskTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumnCount) return {};
  const auto head = [section]() -> ColumnHead {
    switch (section) {
      case kParts: return {tr("Parts"), tr("Parts of the network; those that are alike are searched as one")};
      case kTimes: return {tr("Times"), tr("How many parts are alike")};
      case kCost: return {tr("Cost\n[ms]"), tr("Of one such part, with the best stages known so far")};
      case kShare: return {tr("Share\n[%]"), tr("Of all of them together, of the whole schedule's time")};
      case kAsked:
        return {tr("Stages\nasked for"), tr("Stages of such a part that have a latency, of all that there are")};
      case kGain:
        return {tr("Gain\n[ms]"),
                tr("At most that much less for all of them together, by estimate: if every stage that "
                   "was not asked for took only 0.9 of what is predicted. No bound")};
      default: return {tr("Gain\n[%]"), tr("The same, of the whole schedule's time; an estimate, no bound")};
    }
  }();
  return column_head_data(head, section == kParts, role);
}

}  // namespace iosx

#include "moc_task_table_model.cpp"
