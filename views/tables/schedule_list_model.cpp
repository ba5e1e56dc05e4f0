#include "views/tables/schedule_list_model.h"

#include <QFont>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/compare/comparison_tables.h"
#include "core/analysis/compare/planned_memory.h"
#include "views/style/swatch.h"
#include "views/tables/cell_roles.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/plain_tip.h"

namespace iosx {

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
    case Qt::FontRole: {
      if (!is_fastest(*comparison_, at)) return {};
      QFont bold;
      bold.setBold(true);
      return bold;
    }
    case Qt::DecorationRole:
      if (id == "schedule") return schedule_swatch(theme_, result.schedule_kind, is_fastest(*comparison_, at));
      return {};
    case Qt::DisplayRole:
    case cell::kSort:
      if (id == "schedule") return schedule_title(result);
      if (id == "origin") return origin_text(result.latency.origin);
      return {};
    case cell::kBar: {
      if (id != "latency_ms") return {};
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
    const QString text = QStringLiteral("%1, %2").arg(latency_text(latency), origin_text(latency.origin));
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

}  // namespace iosx

#include "moc_schedule_list_model.cpp"
