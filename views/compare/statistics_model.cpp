#include "views/compare/statistics_model.h"

#include <QStringList>
#include <utility>

#include "views/compare/difference_text.h"
#include "views/text/latency_text.h"
#include "views/text/plain_tip.h"

namespace iosx {

void StatisticsModel::setRuns(std::shared_ptr<const RunMatrix> data, std::vector<LatencyBar> external) {
  data_ = std::move(data);
  external_ = std::move(external);
  std::vector<RunStatistics> runs;
  for (std::size_t i = 0; data_ && i < data_->subjects.size(); ++i) runs.push_back(statisticsOf(i));
  for (const LatencyBar& bar : external_) {
    if (data_) runs.push_back(externalOf(bar));
  }
  setTable(statistics_table(runs, data_ ? data_->matrix.per : Per::kBatch));
}

RunStatistics StatisticsModel::statisticsOf(std::size_t subject) const {
  const Subject& run = data_->subjects[subject];
  RunStatistics row{.label = run.label, .statistics = statistics_of(run), .recorded = run.comparison->recorded};
  row.remarks = verbatim(remarks(subject, row.statistics).toStdString());
  if (subject == data_->matrix.baseline) return row;
  row.speedup = data_->matrix.whole[subject].speedup;
  row.delta = data_->matrix.whole[subject].delta;
  return row;
}

RunStatistics StatisticsModel::externalOf(const LatencyBar& bar) const {
  const Subject& baseline = data_->baseline();
  RunStatistics row{
      .label = bar.label.toStdString(),
      .statistics = {.latency = bar.latency, .percentiles = percentiles_of(bar.samples)},
      .recorded = verbatim(bar.source.toStdString()),
      .remarks = verbatim((bar.piece ? tr("external, %1").arg(bar.remark) : tr("external")).toStdString())};
  if (bar.piece) return row;
  row.speedup = iosx::speedup(baseline.schedule().latency, {}, bar.latency, {});
  row.delta = external_difference(baseline, bar, data_->matrix.per);
  return row;
}

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

QVariant StatisticsModel::painted(int row, std::string_view id, int role) const {
  const auto at = static_cast<std::size_t>(row);
  const LatencyBar* const bar = at < data_->subjects.size() ? nullptr : &external_[at - data_->subjects.size()];
  if (id == "origin" && (role == Qt::DisplayRole || role == Qt::ToolTipRole)) {
    const QString words = bar == nullptr ? origin_of(data_->subjects[at]) : bar->source;
    return role == Qt::DisplayRole ? words : plain_tip(words);
  }
  if (id != "delta_ms" || role != Qt::ToolTipRole) return {};
  if (bar == nullptr) return verdict_words(data_->matrix.whole[at].delta);
  return bar->piece ? bar->remark : verdict_words(external_difference(data_->baseline(), *bar, data_->matrix.per));
}

}  // namespace iosx

#include "moc_statistics_model.cpp"
