#include "views/compare/statistics_model.h"

#include <QStringList>
#include <utility>

#include "views/compare/difference_text.h"
#include "views/tables/column_head.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/plain_tip.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

bool has_words(int column) {
  return column == StatisticsModel::kSchedule || column == StatisticsModel::kOrigin ||
         column == StatisticsModel::kRemarks;
}

// Returns a percentile of single runs, or why there is none.
QString percentile_text(const Percentiles& told, const std::optional<Millis>& value) {
  if (value) return format::millis(*value);
  return told.samples > 1 ? StatisticsModel::tr("few runs") : QStringLiteral("–");
}

}  // namespace

void StatisticsModel::setRuns(std::shared_ptr<const RunMatrix> data, std::vector<LatencyBar> external) {
  beginResetModel();
  data_ = std::move(data);
  external_ = std::move(external);
  endResetModel();
}

int StatisticsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !data_ ? 0 : static_cast<int>(data_->subjects.size() + external_.size());
}

int StatisticsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumnCount; }

QString StatisticsModel::remarks(std::size_t subject, const SubjectStatistics& statistics) const {
  const Comparison& comparison = *data_->subjects[subject].comparison;
  QStringList list;
  if (subject == data_->matrix.baseline) list << tr("baseline");
  const QString networks = network_latencies_text(*comparison.graph, data_->subjects[subject].schedule());
  if (!networks.isEmpty()) list << tr("own latencies: %1").arg(networks);
  if (!comparison.complete) list << tr("partial: the run was stopped");
  if (!data_->subjects[subject].ran()) list << tr("a sum of stages: nothing ran end to end");
  if (!comparison.fits(data_->subjects[subject].schedule())) list << tr("over the memory limit");
  if (statistics.low_clock) list << tr("the clock was low");
  if (statistics.discarded > 0) list << tr("%1 samples discarded").arg(statistics.discarded);
  if (statistics.latency.clock_mhz > 0) list << tr("%1 MHz").arg(statistics.latency.clock_mhz, 0, 'f', 0);
  return list.join(QStringLiteral("; "));
}

QString StatisticsModel::text(std::size_t subject, int column) const {
  const SubjectStatistics statistics = statistics_of(data_->subjects[subject]);
  const QString none = QStringLiteral("–");
  const auto millis = [&](const std::optional<Millis>& value) { return value ? format::millis(*value) : none; };
  const auto range = [&](Millis low, Millis high) {
    return QStringLiteral("%1 … %2").arg(format::millis(low), format::millis(high));
  };
  const bool exact = is_modelled(statistics.latency.origin);
  const Percentiles& told = statistics.percentiles;
  switch (column) {
    case kSchedule: return shown_name(data_->subjects[subject].label);
    case kMedian: return format::millis(statistics.latency.value);
    case kSpread: return exact ? tr("exact") : QStringLiteral("± ") + format::millis(statistics.latency.spread);
    case kP95: return percentile_text(told, told.p95);
    case kP99: return percentile_text(told, told.p99);
    case kInterval: return statistics.interval ? range(statistics.interval->low, statistics.interval->high) : none;
    case kMean: return exact ? none : millis(statistics.mean);
    case kRange: return statistics.lowest && !exact ? range(*statistics.lowest, *statistics.highest) : none;
    case kRounds: return exact ? none : format::count(static_cast<std::int64_t>(statistics.rounds));
    case kSamples: return exact ? none : format::count(statistics.latency.samples);
    case kSpeedUp: return subject == data_->matrix.baseline ? none : speed_text(data_->matrix.whole[subject].speedup);
    case kDelta: return subject == data_->matrix.baseline ? none : delta_words(data_->matrix.whole[subject].delta);
    case kOrigin: return origin_of(data_->subjects[subject]);
    default: return remarks(subject, statistics);
  }
}

QString StatisticsModel::externalText(const LatencyBar& bar, int column) const {
  const QString none = QStringLiteral("–");
  const Latency& latency = bar.latency;
  const Subject& baseline = data_->baseline();
  switch (column) {
    case kSchedule: return bar.label;
    case kMedian: return format::millis(latency.value);
    case kSpread: return latency.spread > Millis(0) ? QStringLiteral("± ") + format::millis(latency.spread) : none;
    case kP95:
    case kP99: {
      const Percentiles told = percentiles_of(bar.samples);
      return percentile_text(told, column == kP95 ? told.p95 : told.p99);
    }
    case kSamples: return format::count(latency.samples);
    case kSpeedUp: return bar.piece ? none : speed_text(speedup(baseline.schedule().latency, {}, latency, {}));
    case kDelta: return bar.piece ? none : delta_words(external_difference(baseline, bar, data_->matrix.per));
    case kOrigin: return bar.source;
    case kRemarks: return bar.piece ? tr("external, %1").arg(bar.remark) : tr("external");
    default: return none;
  }
}

QString StatisticsModel::shown(std::size_t row, int column) const {
  const std::size_t own = data_->subjects.size();
  return row < own ? text(row, column) : externalText(external_[row - own], column);
}

QVariant StatisticsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const auto subject = static_cast<std::size_t>(index.row());
  switch (role) {
    case Qt::DisplayRole: return shown(subject, index.column());
    case Qt::ToolTipRole:
      if (index.column() == kDelta && subject >= data_->subjects.size()) {
        const LatencyBar& bar = external_[subject - data_->subjects.size()];
        return bar.piece ? bar.remark : verdict_words(external_difference(data_->baseline(), bar, data_->matrix.per));
      }
      if (index.column() == kDelta) return verdict_words(data_->matrix.whole[subject].delta);
      return has_words(index.column()) ? plain_tip(shown(subject, index.column())) : QString();
    case Qt::TextAlignmentRole: return column_alignment(has_words(index.column()));
    default: return {};
  }
}

QVariant StatisticsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumnCount) return {};
  const bool a_sample = data_ && data_->matrix.per == Per::kSample;
  const auto head = [section, a_sample]() -> ColumnHead {
    switch (section) {
      case kSchedule: return {tr("Schedule"), tr("With its difference to the others")};
      case kMedian: return {tr("Median\n[ms]"), tr("End to end, of all rounds")};
      case kSpread: return {tr("Spread\n[ms]"), tr("Half width of the interval that holds 95 % of the samples")};
      case kP95:
        return {tr("p95\n[ms]"), tr("95 % of the single runs took no longer; shown from %1 runs on").arg(kLeastForP95)};
      case kP99:
        return {tr("p99\n[ms]"), tr("99 % of the single runs took no longer; shown from %1 runs on").arg(kLeastForP99)};
      case kInterval: return {tr("95 % of median\n[ms]"), tr("95 % interval of the median, from the rounds")};
      case kMean: return {tr("Mean\n[ms]"), tr("Mean of the rounds' medians")};
      case kRange: return {tr("Rounds from … to\n[ms]"), tr("The lowest and the highest of the rounds' medians")};
      case kRounds: return {tr("Rounds"), tr("Schedules of one run take turns: one round each")};
      case kSamples: return {tr("Samples"), tr("Of all rounds together")};
      case kSpeedUp:
        return {tr("Speed-up"),
                a_sample ? tr("Against the baseline, per sample because batches differ; ?: too few runs to tell")
                         : tr("Against the baseline, per run; ?: too few runs to tell")};
      case kDelta: return {a_sample ? tr("Δ\n[ms/sample]") : tr("Δ\n[ms]"), tr("Against the baseline")};
      case kOrigin: return {tr("Origin"), tr("Simulated, predicted, measured here, or recorded elsewhere")};
      default: return {tr("Remarks"), QString()};
    }
  }();
  return column_head_data(head, has_words(section), role);
}

}  // namespace iosx

#include "moc_statistics_model.cpp"
