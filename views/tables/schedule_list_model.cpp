#include "views/tables/schedule_list_model.h"

#include <QFont>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/compare/planned_memory.h"
#include "views/style/swatch.h"
#include "views/tables/cell_roles.h"
#include "views/tables/column_head.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/plain_tip.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

const QString kNone = QStringLiteral("–");

bool is_schedule_words(int column) {
  return column == ScheduleListModel::kName || column == ScheduleListModel::kOrigin;
}

}  // namespace

void ScheduleListModel::setComparison(std::shared_ptr<const Comparison> comparison) {
  beginResetModel();
  comparison_ = std::move(comparison);
  networks_.clear();
  if (comparison_) {
    for (const ScheduleResult& result : comparison_->results)
      networks_.push_back(network_times(*comparison_->graph, result));
  }
  endResetModel();
}

void ScheduleListModel::setTheme(const Theme& theme) {
  theme_ = theme;
  if (rowCount() > 0) emit dataChanged(index(0, kName), index(rowCount() - 1, kName), {Qt::DecorationRole});
}

int ScheduleListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !comparison_ ? 0 : static_cast<int>(comparison_->results.size());
}

int ScheduleListModel::columnCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  return kColumnCount + (comparison_ ? static_cast<int>(comparison_->graph->networks().size()) : 0);
}

std::optional<Millis> ScheduleListModel::ownLatency(std::size_t row, int column) const {
  const auto network = static_cast<std::size_t>(column - kColumnCount);
  if (network >= networks_[row].size()) return std::nullopt;
  return networks_[row][network].ends;
}

QVariant ScheduleListModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const auto row = static_cast<std::size_t>(index.row());
  const ScheduleResult& result = comparison_->results[row];
  switch (role) {
    case Qt::DisplayRole: return text(row, index.column());
    case Qt::ToolTipRole: return plain_tip(toolTip(result, index.column()));
    case Qt::TextAlignmentRole: return column_alignment(is_schedule_words(index.column()));
    case Qt::DecorationRole:
      if (index.column() == kName) return schedule_swatch(theme_, result.schedule_kind, is_fastest(*comparison_, row));
      return {};
    case Qt::FontRole: {
      if (!is_fastest(*comparison_, row)) return {};
      QFont bold;
      bold.setBold(true);
      return bold;
    }
    case cell::kSort: return sortKey(row, index.column());
    case cell::kBar: {
      if (index.column() != kLatency) return {};
      Millis longest(0);
      for (const ScheduleResult& each : comparison_->results) longest = std::max(longest, each.latency.value);
      return longest > Millis(0) ? QVariant(result.latency.value / longest) : QVariant();
    }
    default: return {};
  }
}

QVariant ScheduleListModel::sortKey(std::size_t row, int column) const {
  const ScheduleResult& result = comparison_->results[row];
  if (isNetwork(column)) return ownLatency(row, column).value_or(Millis(0)).count();
  switch (column) {
    case kLatency: return result.latency.value.count();
    case kSpeedUp: return speed_up(*comparison_, row).value_or(0);
    case kStageSum: return result.stage_sum.count();
    case kStages: return static_cast<int>(result.schedule.stages.size());
    case kPeak: return static_cast<qlonglong>(result.planned_bytes);
    case kSearchTime: return result.search ? result.search->elapsed.count() : 0;
    case kMeasurements: return result.search ? static_cast<qlonglong>(result.search->tally.needed) : 0;
    default: return text(row, column);
  }
}

QString ScheduleListModel::text(std::size_t row, int column) const {
  const ScheduleResult& result = comparison_->results[row];
  if (isNetwork(column)) {
    const auto own = ownLatency(row, column);
    return own ? format::millis(*own) : kNone;
  }
  switch (column) {
    case kName: return schedule_title(result);
    case kLatency: {
      QString value = format::millis(result.latency.value);
      if (result.latency.spread.count() <= 0) return value;
      return tr("%1 ± %2").arg(value, format::millis(result.latency.spread));
    }
    case kSpeedUp: {
      const auto factor = speed_up(*comparison_, row);
      if (!factor) return kNone;
      const ScheduleResult& baseline = *comparison_->find(ScheduleKind::kSequential);
      if (&result == &baseline) return format::factor(1);
      if (within_noise(result, baseline)) return QString::fromUtf8("\u2248 1");
      const bool sure = difference(result, baseline) != Difference::kUnknown;
      return sure ? format::factor(*factor) : format::factor(*factor) + QStringLiteral(" ?");
    }
    case kStageSum: return result.lanes ? kNone : format::millis(result.stage_sum);
    case kStages: return result.lanes ? kNone : QString::number(result.schedule.stages.size());
    case kPeak: {
      if (result.planned_bytes == 0) return kNone;
      const QString megabytes = QString::number(iosx::megabytes(result.planned_bytes), 'f', 2);
      return comparison_->fits(result) ? megabytes : tr("%1, too much").arg(megabytes);
    }
    case kOrigin: return origin_text(result.latency.origin);
    case kSearchTime: return result.search ? QString::number(result.search->elapsed.count(), 'f', 2) : kNone;
    case kMeasurements: return result.search ? format::count(result.search->tally.needed) : kNone;
    default: return {};
  }
}

QString ScheduleListModel::toolTip(const ScheduleResult& result, int column) const {
  if (column == kName && result.search && !result.search->complete) {
    return tr("The search was stopped; parts it had not solved run sequentially.");
  }
  if (column == kSpeedUp) {
    const Speedup interval = comparison_->speedup(result);
    if (interval.value > 0 && !interval.known()) return tr("Too few runs to tell whether that is noise");
    if (interval.value > 0 && interval.low < interval.high) {
      return tr("95 % confidence interval: %1 to %2").arg(format::factor(interval.low), format::factor(interval.high));
    }
  }
  if (column == kLatency) {
    const Latency& latency = result.latency;
    const QString text = QStringLiteral("%1, %2").arg(latency_text(latency), origin_text(latency.origin));
    const QString runs = latency.samples > 1 ? tr(", median of %1 runs").arg(latency.samples) : QString();
    const QString clock =
        result.latency.clock_mhz > 0 ? tr(", SM clock %1 MHz").arg(std::lround(result.latency.clock_mhz)) : QString();
    return text + runs + clock;
  }
  if (column == kPeak && !comparison_->fits(result)) {
    return tr("More than the limit of %1 MB: never the fastest").arg(megabytes(comparison_->memory_limit), 0, 'f', 2);
  }
  if ((column == kName || column == kSearchTime) && result.search) return search_sentence(result);
  if (column == kMeasurements && result.search) {
    const bool simulated = is_modelled(result.latency.origin);
    const QString help = headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
    return search_sentence(result) + QLatin1Char('\n') + (simulated ? help : tally_text(result.search->tally));
  }
  return headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
}

QVariant ScheduleListModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const auto head = [section, this]() -> ColumnHead {
    if (isNetwork(section)) {
      const std::string& name = comparison_->graph->networks()[static_cast<std::size_t>(section - kColumnCount)];
      return {tr("%1\n[ms]").arg(shown_name(name)),
              tr("Own latency of %1: from the start of the run to its last kernel").arg(shown_name(name))};
    }
    switch (section) {
      case kName: return {tr("Schedule"), tr("The fastest is bold, and what is as fast within the noise")};
      case kLatency:
        return {tr("Latency\n[ms]"), tr("End to end, run by itself; \u00B1 its spread where it is measured")};
      case kSpeedUp:
        return {tr("Speed-up\n[×]"), tr("Latency of the sequential schedule over this one's; \u2248 1 where the "
                                        "difference is within the noise")};
      case kStageSum: return {tr("Stage sum\n[ms]"), tr("Sum of the stages' latencies, each run on its own")};
      case kStages: return {tr("Stages"), tr("Number of stages")};
      case kPeak:
        return {tr("Planned\n[MB]"),
                tr("Peak of tensors as the plan lays them out, inputs and outputs too, weights not; planned, not "
                   "measured")};
      case kOrigin: return {tr("Origin"), tr("Whether the latencies are simulated or measured")};
      case kSearchTime: return {tr("Search\n[s]"), tr("Time the search took on this computer")};
      default:
        return {
            tr("Stages\nneeded"),
            tr("Distinct stages whose latency the search needs; each is measured once for all searches, and not again "
               "where it is kept from an earlier run")};
    }
  }();
  return column_head_data(head, is_schedule_words(section), role);
}

}  // namespace iosx

#include "moc_schedule_list_model.cpp"
