#include <QFont>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/compare/report.h"
#include "views/style/fills.h"
#include "views/tables/cell_roles.h"
#include "views/tables/schedule_models.h"
#include "views/text/counter_text.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/stage_text.h"

namespace iosx {

StageTableModel::StageTableModel(QObject* parent) : TableModel(parent) { setTable(made()); }

void StageTableModel::setResult(std::shared_ptr<const Comparison> comparison, std::size_t index) {
  comparison_ = std::move(comparison);
  index_ = index;
  longest_ = Millis(0);
  if (const ScheduleResult* shown = result()) {
    for (const Latency& latency : shown->stage_latencies) longest_ = std::max(longest_, latency.value);
  }
  setTable(made());
}

void StageTableModel::setSaving(const SavingFacts& saving) {
  saving_ = saving;
  largest_ = Millis(0);
  for (const auto& stage : saving_.steps.stages) {
    if (stage) largest_ = std::max(largest_, Millis(std::abs(stage->value.count())));
  }
  updateTable(made());
}

Table StageTableModel::made() const {
  Table table = comparison_ ? stage_list(*comparison_, index_) : stage_list(std::vector<ComparedSchedule>{});
  addSaved(table);
  addUse(table);
  return table;
}

void StageTableModel::addSaved(Table& table) const {
  std::vector<Cell> cells;
  for (std::size_t stage = 0; stage < table.rows.size(); ++stage) {
    const Delta* saved = delta(stage);
    Cell& cell = cells.emplace_back();
    if (saved == nullptr) continue;
    cell.value = -saved->value.count();
    if (saved->verdict() == Verdict::kSame && saved->value != Millis(0)) cell.mark = verbatim(std::string(1, '~'));
  }
  const Message help = saving_.known() ? message("what the units of the stage take with {}, less what the stage takes",
                                                 saving_.baseline.label)
                                       : Message(Sentence{"what a stage saves against the baseline: choose another one "
                                                          "to compare with"});
  add_column(table,
             {.id = "saved_ms",
              .title = Sentence{"saved against baseline"},
              .help = help,
              .kind = ColumnKind::kMillis,
              .decimals = std::max(3, change_decimals(largest_)),
              .difference = true},
             std::move(cells));
}

void StageTableModel::addUse(Table& table) const {
  const Counter* counter = comparison_ ? main_counter(*comparison_) : nullptr;
  ColumnInfo info{.id = "use",
                  .title = Sentence{"use"},
                  .help = Sentence{"the device does not report its utilization"},
                  .kind = ColumnKind::kShare};
  if (counter != nullptr) {
    const Message name = Message::sentence(counter->name, {});
    const Message unit = Message::sentence(counter->unit, {});
    info.title = unit;
    info.help = message("mean of the {} in the stage", name);
    if (counter->peak > 0) {
      info.help = message("mean of the {} in the stage, of the {} {} that the device has", name,
                          quantity_text(counter->peak, counter->peak).toStdString(), unit);
    } else {
      info.kind = ColumnKind::kNumber;
      info.unit = "mean";
      info.decimals = is_countable(counter->peak) ? 2 : 0;
    }
  }
  std::vector<Cell> cells;
  for (std::size_t stage = 0; stage < table.rows.size(); ++stage) {
    const Trace& trace = result()->trace;
    const auto value = info.kind == ColumnKind::kShare ? mean_utilization(trace, stage) : mean_in_stage(trace, stage);
    cells.push_back(value ? Cell{*value} : Cell{});
  }
  add_column(table, std::move(info), std::move(cells));
}

const Delta* StageTableModel::delta(std::size_t stage) const {
  if (!saving_.known() || saving_.schedule.comparison != comparison_ || saving_.schedule.result != index_)
    return nullptr;
  const auto& stages = saving_.steps.stages;
  return stage < stages.size() && stages[stage] ? &*stages[stage] : nullptr;
}

const ScheduleResult* StageTableModel::result() const {
  return comparison_ && index_ < comparison_->results.size() ? &comparison_->results[index_] : nullptr;
}

Selection StageTableModel::selection(int row) const {
  const ScheduleResult* shown = result();
  if (shown == nullptr || row < 0 || row >= rowCount()) return {};
  const auto stage = static_cast<std::size_t>(row);
  return stage_selection(*shown, stage);
}

std::vector<int> StageTableModel::rows(const Selection& selection) const {
  std::vector<int> rows;
  const ScheduleResult* shown = result();
  if (shown == nullptr) return rows;
  const auto& stages = shown->schedule.stages;
  if (selection.stage && selection.schedule == shown->id && *selection.stage < stages.size()) {
    return {static_cast<int>(*selection.stage)};
  }
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    const std::vector<UnitId> units = stages[stage].units();
    if (std::any_of(units.begin(), units.end(), [&](UnitId unit) { return selection.contains(unit); })) {
      rows.push_back(static_cast<int>(stage));
    }
  }
  return rows;
}

QString StageTableModel::savedTip(std::size_t stage) const {
  const Delta* saved = delta(stage);
  if (saved != nullptr) {
    const QString baseline = shown_name(saving_.baseline.label);
    const QString ms = QString::number(std::abs(saved->value.count()), 'f', 4);
    const QString origin = origin_text(saving_.schedule.schedule().latency.origin);
    return (saved->value > Millis(0) ? tr("Stage %1 takes %2 ms more than its units with %3 (%4)")
                                     : tr("Stage %1 saves %2 ms against its units with %3 (%4)"))
        .arg(QString::number(stage + 1), ms, baseline, origin);
  }
  return saving_.known()
             ? tr("The time of %1 for these units alone is not known").arg(shown_name(saving_.baseline.label))
             : tr("There is nothing to compare with");
}

QVariant StageTableModel::painted(int row, std::string_view id, int role) const {
  const Graph& graph = *comparison_->graph;
  const ScheduleResult& shown = *result();
  const auto stage = static_cast<std::size_t>(row);
  const Stage& value = shown.schedule.stages[stage];
  switch (role) {
    case Qt::DisplayRole:
      if (id != "units") return {};
      return units_of_groups(graph, value, common_prefix(graph, value.units()).size());
    case Qt::ToolTipRole:
      if (id == "latency_ms" && stage < shown.stage_latencies.size()) {
        const QString origin = origin_text(shown.stage_latencies[stage].origin);
        return QStringLiteral("%1, %2").arg(latency_text(*comparison_, shown, stage), origin);
      }
      return plain_tip(id == "saved_ms" ? savedTip(stage) : units_of_groups(graph, value));
    case cell::kBar: {
      if (id != "latency_ms" || longest_ <= Millis(0) || stage >= shown.stage_latencies.size()) return {};
      if (!comparison_->knows_latencies()) return {};
      return shown.stage_latencies[stage].value / longest_;
    }
    case cell::kGain: {
      const Delta* saved = id == "saved_ms" ? delta(stage) : nullptr;
      if (saved == nullptr || largest_ <= Millis(0) || saved->verdict() == Verdict::kSame) return {};
      return -(saved->value / largest_);
    }
    case cell::kChips: {
      if (id != "units") return {};
      QStringList chips;
      const qsizetype prefix = stage_prefix(graph, value).size();
      for (const Group& group : value.groups) chips << units_of_group(graph, group, prefix);
      return chips;
    }
    case cell::kPrefix: return id == "units" ? stage_prefix(graph, value) : QVariant();
    case cell::kGlyph: {
      if (id != "strategy") return {};
      if (strategy_of(graph, value) == Strategy::kMerge) return static_cast<int>(cell::Glyph::kMerge);
      return static_cast<int>(value.groups.size() > 1 ? cell::Glyph::kConcurrent : cell::Glyph::kOne);
    }
    case cell::kFilter: return strategy_text(graph, value) + QLatin1Char(' ') + units_of_groups(graph, value);
    default: return {};
  }
}

ScheduleListModel::ScheduleListModel(QObject* parent) : TableModel(parent) { setComparison(nullptr); }

void ScheduleListModel::setComparison(std::shared_ptr<const Comparison> comparison) {
  comparison_ = std::move(comparison);
  setTable(comparison_ ? schedule_comparison(*comparison_) : schedule_comparison(std::vector<ComparedSchedule>{}));
}

void ScheduleListModel::setTheme(const Theme& theme) {
  theme_ = theme;
  const int name = columnOf("schedule");
  if (rowCount() > 0) emit dataChanged(index(0, name), index(rowCount() - 1, name), {Qt::DecorationRole});
}

QVariant ScheduleListModel::painted(int row, std::string_view id, int role) const {
  const auto at = static_cast<std::size_t>(row);
  const ScheduleResult& result = comparison_->results[at];
  switch (role) {
    case Qt::ToolTipRole: return plain_tip(toolTip(result, id));
    case Qt::FontRole: return is_fastest(*comparison_, at) ? QVariant(bold_font(true)) : QVariant();
    case Qt::DecorationRole:
      if (id == "schedule") return schedule_swatch(theme_, result.schedule_kind, is_fastest(*comparison_, at));
      return {};
    case Qt::DisplayRole:
    case cell::kSort:
      if (id == "schedule") return schedule_title(result);
      if (id == "origin") return origin_text(result.latency.origin);
      return {};
    case cell::kBar: {
      if (id != "latency_ms" || !comparison_->knows_latencies()) return {};
      Millis longest(0);
      for (const ScheduleResult& each : comparison_->results) longest = std::max(longest, each.latency.value);
      return longest > Millis(0) ? QVariant(result.latency.value / longest) : QVariant();
    }
    default: return {};
  }
}

QString ScheduleListModel::toolTip(const ScheduleResult& result, std::string_view id) const {
  const QString help = headerData(columnOf(id), Qt::Horizontal, Qt::ToolTipRole).toString();
  if (id == "schedule" && result.search && !result.search->complete) {
    return tr("The search was stopped; its unsolved parts run sequentially.");
  }
  if (id == "speedup") {
    const Speedup interval = comparison_->speedup(result);
    if (interval.value > 0 && !interval.known()) return tr("Too few runs to tell whether that is noise");
    if (interval.value > 0 && interval.low < interval.high) {
      return tr("95 % confidence interval: %1 to %2").arg(format::factor(interval.low), format::factor(interval.high));
    }
  }
  if (id == "latency_ms") {
    const Latency& latency = result.latency;
    const QString text = QStringLiteral("%1, %2").arg(latency_text(*comparison_, result), origin_text(latency.origin));
    const QString runs = latency.samples > 1 ? tr(", median of %1 runs").arg(latency.samples) : QString();
    const QString clock =
        result.latency.clock_mhz > 0 ? tr(", SM clock %1 MHz").arg(std::lround(result.latency.clock_mhz)) : QString();
    return text + runs + clock;
  }
  if (id == "planned_peak_bytes" && !comparison_->fits(result)) {
    return tr("More than the limit of %1 MB: never the fastest").arg(megabytes(comparison_->memory_limit), 0, 'f', 2);
  }
  if ((id == "schedule" || id == "search_seconds") && result.search) return search_sentence(result);
  if (id == "stages_needed" && result.search) {
    const bool simulated = is_modelled(result.latency.origin);
    return search_sentence(result) + QLatin1Char('\n') + (simulated ? help : tally_text(result.search->tally));
  }
  return help;
}

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

#include "moc_schedule_models.cpp"
