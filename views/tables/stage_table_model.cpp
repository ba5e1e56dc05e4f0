#include "views/tables/stage_table_model.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "views/tables/cell_roles.h"
#include "views/text/change_text.h"
#include "views/text/counter_text.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/plain_tip.h"
#include "views/text/qstring.h"
#include "views/text/stage_text.h"

namespace iosx {
namespace {

bool is_stage_words(int column) { return column == StageTableModel::kStrategy || column == StageTableModel::kGroups; }

}  // namespace

void StageTableModel::setResult(std::shared_ptr<const Comparison> comparison, std::size_t index) {
  beginResetModel();
  comparison_ = std::move(comparison);
  index_ = index;
  longest_ = Millis(0);
  if (const ScheduleResult* shown = result()) {
    for (const Latency& latency : shown->stage_latencies) longest_ = std::max(longest_, latency.value);
  }
  endResetModel();
}

void StageTableModel::setSaving(const SavingFacts& saving) {
  saving_ = saving;
  largest_ = Millis(0);
  for (const auto& stage : saving_.steps.stages) {
    if (stage) largest_ = std::max(largest_, Millis(std::abs(stage->value.count())));
  }
  const int rows = rowCount();
  if (rows > 0) emit dataChanged(index(0, kSaved), index(rows - 1, kSaved));
  emit headerDataChanged(Qt::Horizontal, kSaved, kSaved);
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

int StageTableModel::rowCount(const QModelIndex& parent) const {
  const ScheduleResult* shown = result();
  return parent.isValid() || shown == nullptr ? 0 : static_cast<int>(shown->schedule.stages.size());
}

int StageTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumnCount; }

QVariant StageTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const ScheduleResult& shown = *result();
  const auto stage = static_cast<std::size_t>(index.row());
  switch (role) {
    case Qt::DisplayRole: return text(shown, stage, index.column());
    case Qt::ToolTipRole:
      if (index.column() == kLatency && stage < shown.stage_latencies.size()) {
        const Latency& latency = shown.stage_latencies[stage];
        return QStringLiteral("%1, %2").arg(latency_text(latency), origin_text(latency.origin));
      }
      if (index.column() == kSaved) return plain_tip(savedTip(stage));
      return plain_tip(units_of_groups(*comparison_->graph, shown.schedule.stages[stage]));
    case Qt::TextAlignmentRole: return column_alignment(is_stage_words(index.column()));
    default: return extra(shown, stage, index.column(), role);
  }
}

QVariant StageTableModel::extra(const ScheduleResult& shown, std::size_t stage, int column, int role) const {
  const Graph& graph = *comparison_->graph;
  const Stage& value = shown.schedule.stages[stage];
  const double latency = stage < shown.stage_latencies.size() ? shown.stage_latencies[stage].value.count() : 0;
  switch (role) {
    case cell::kSort:
      switch (column) {
        case kNumber: return static_cast<int>(stage);
        case kUnitCount: return static_cast<int>(value.units().size());
        case kLatency:
        case kShare: return latency;
        case kSaved: {
          const Delta* saved = delta(stage);
          return saved != nullptr ? -saved->value.count() : std::numeric_limits<double>::lowest();
        }
        case kUtilization:
          return mean_utilization(shown.trace, stage).value_or(mean_in_stage(shown.trace, stage).value_or(-1));
        default: return text(shown, stage, column);
      }
    case cell::kBar:
      if (column != kLatency || longest_ <= Millis(0)) return {};
      return latency / longest_.count();
    case cell::kGain: {
      const Delta* saved = column == kSaved ? delta(stage) : nullptr;
      if (saved == nullptr || largest_ <= Millis(0) || saved->verdict() == Verdict::kSame) return {};
      return -(saved->value / largest_);
    }
    case cell::kChips: {
      if (column != kGroups) return {};
      QStringList chips;
      const qsizetype prefix = stage_prefix(graph, value).size();
      for (const Group& group : value.groups) chips << units_of_group(graph, group, prefix);
      return chips;
    }
    case cell::kPrefix: return column == kGroups ? stage_prefix(graph, value) : QVariant();
    case cell::kGlyph: {
      if (column != kStrategy) return {};
      if (strategy_of(graph, value) == Strategy::kMerge) return static_cast<int>(cell::Glyph::kMerge);
      return static_cast<int>(value.groups.size() > 1 ? cell::Glyph::kConcurrent : cell::Glyph::kOne);
    }
    case cell::kFilter: return strategy_text(graph, value) + QLatin1Char(' ') + units_of_groups(graph, value);
    default: return {};
  }
}

QString StageTableModel::text(const ScheduleResult& shown, std::size_t stage, int column) const {
  const Graph& graph = *comparison_->graph;
  const Stage& value = shown.schedule.stages[stage];
  const Millis latency = stage < shown.stage_latencies.size() ? shown.stage_latencies[stage].value : Millis(0);
  switch (column) {
    case kNumber: return QString::number(stage + 1);
    case kStrategy: return strategy_text(graph, value);
    case kGroups: return units_of_groups(graph, value, common_prefix(graph, value.units()).size());
    case kUnitCount: return QString::number(value.units().size());
    case kLatency: return format::millis(latency);
    case kSaved: {
      const Delta* saved = delta(stage);
      if (saved == nullptr) return QStringLiteral("–");
      const QString number = change_number(-saved->value, std::max(3, change_decimals(largest_)));
      return saved->verdict() == Verdict::kSame && number != QStringLiteral("0") ? number + QStringLiteral(" ≈")
                                                                                 : number;
    }
    case kShare: return shown.stage_sum.count() > 0 ? format::percent(latency / shown.stage_sum) : QStringLiteral("–");
    case kUtilization: {
      const auto share = mean_utilization(shown.trace, stage);
      if (share) return format::percent(*share);
      const auto mean = mean_in_stage(shown.trace, stage);
      return mean ? quantity_text(*mean, 0) : QStringLiteral("–");
    }
    default: return {};
  }
}

QString StageTableModel::latencyHelp() const {
  const QString help = tr("Of the stage run on its own");
  return comparison_ ? help + QStringLiteral(", ") + origin_text(comparison_->device.origin) : help;
}

ColumnHead StageTableModel::savedHead() const {
  if (!saving_.known())
    return {tr("Saved against\nbaseline [ms]"),
            tr("What a stage saves against the baseline: choose another one to compare with")};
  return {tr("Saved against\nbaseline [ms]"), tr("What the units of the stage take with %1, less what the stage takes")
                                                  .arg(shown_name(saving_.baseline.label))};
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
             ? tr("What %1 takes for these units alone is not known").arg(shown_name(saving_.baseline.label))
             : tr("There is nothing to compare with");
}

ColumnHead StageTableModel::utilizationHead() const {
  const Counter* counter = comparison_ ? main_counter(*comparison_) : nullptr;
  if (counter == nullptr) return {tr("Use\n[%]"), tr("The device does not report its utilization")};
  QString unit = core_words(counter->unit);
  if (!unit.isEmpty()) unit[0] = unit[0].toUpper();
  if (counter->peak <= 0)
    return {unit + tr("\n[mean]"), tr("Mean of the %1 in the stage").arg(core_words(counter->name))};
  return {unit + tr("\n[%]"),
          tr("Mean of the %1 in the stage, of the %2 %3 that the device has")
              .arg(core_words(counter->name), quantity_text(counter->peak, counter->peak), core_words(counter->unit))};
}

QVariant StageTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumnCount) return {};
  const auto head = [this, section]() -> ColumnHead {
    switch (section) {
      case kNumber: return {tr("#"), tr("Stages run one after another")};
      case kStrategy: return {tr("Strategy"), tr("How the stage's units run")};
      case kGroups: return {tr("Groups"), tr("Units: → one after another, | side by side, + merged into one layer")};
      case kUnitCount: return {tr("Units"), tr("Number of units")};
      case kLatency: return {tr("Latency\n[ms]"), latencyHelp()};
      case kSaved: return savedHead();
      case kShare: return {tr("Share\n[%]"), tr("Of the sum of all stages' latencies")};
      default: return utilizationHead();
    }
  }();
  return column_head_data(head, is_stage_words(section), role);
}

}  // namespace iosx

#include "moc_stage_table_model.cpp"
