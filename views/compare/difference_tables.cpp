#include "views/compare/difference_tables.h"

#include <QClipboard>
#include <QFont>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/tables/render.h"
#include "views/compare/difference_text.h"
#include "views/figures/figure_table.h"
#include "views/tables/copied_text.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr int kTableRowHeight = 26;
constexpr int kRowsLookedAt = 100;
constexpr int kWidestColumn = 260;
constexpr int kNarrowestColumn = 56;
constexpr int kRoomForBold = 10;

constexpr int kRowsBelow = 3;  // between stages, beyond its stages, the whole
enum Below { kBetween, kBeyond, kWhole };

QString unknown() { return QStringLiteral("–"); }

constexpr double kNothing = 5e-4;  // ms: less reads 0.000, or -0.000
constexpr double kSentenceGap = 4;
constexpr double kNarrowest = 640;  // where there is room: a sentence in a narrow column is hard to read

// A sentence over a table, which becomes narrower where necessary.
std::unique_ptr<Figure> sentence_and_table(FigureParts parts, const QString& sentence,
                                           const std::function<FigureTable(const Theme&)>& table_in) {
  const FigureTable light = table_in(Theme::light());
  const QSizeF natural = TableLayout(light).size();
  const double usual = std::max(natural.width(), kNarrowest);
  parts.size = {usual, sentence_height(sentence, usual) + kSentenceGap + natural.height()};
  parts.height_within = [sentence, light](double width) {
    return sentence_height(sentence, width) + kSentenceGap + TableLayout(light, width).size().height();
  };
  parts.paint = [sentence, table_in](QPainter& painter, const QRectF& area, const Theme& theme) {
    const double above = sentence_height(sentence, area.width());
    paint_sentence(painter, area, sentence, theme);
    const FigureTable table = table_in(theme);
    TableLayout(table, area.width()).paint(painter, area.topLeft() + QPointF(0, above + kSentenceGap), theme);
  };
  return figure_of(std::move(parts));
}

QString noise_number(const Delta& delta) { return delta.noise ? csv_number(delta.noise->count()) : QString(); }

QString verdict_id(const Delta& delta) { return qstring(verdict_name(delta.verdict())); }

QString recorded_of(const Subject& subject) { return shown_name(subject.comparison->recorded.text()); }

QString part_matrix_csv(const RunMatrix& data, const PartMatrixModel& model) {
  auto text = QStringLiteral("part,schedule,baseline,latency_ms,delta_ms,noise_ms,verdict,units,origin,recorded\n");
  for (int row = 0; row < model.rowCount(); ++row) {
    for (std::size_t i = 0; i < data.subjects.size(); ++i) {
      const Subject& subject = data.subjects[i];
      const auto latency = model.latency(row, i);
      const auto delta = model.delta(row, i);
      const QString units = model.isPart(row)
                                ? QString::number(data.matrix.rows[static_cast<std::size_t>(row)].cells[i].units.size())
                                : QString();
      text += csv_record({model.index(row, PartMatrixModel::kPart).data().toString(), shown_name(subject.label),
                          i == data.matrix.baseline ? QStringLiteral("yes") : QStringLiteral("no"),
                          latency ? csv_number(latency->count()) : QString(),
                          delta ? csv_number(delta->value.count()) : QString(),
                          delta ? noise_number(*delta) : QString(), delta ? verdict_id(*delta) : QString(), units,
                          origin_id(subject.schedule().latency.origin), recorded_of(subject)});
    }
  }
  return text;
}

FigureTable stage_difference_table(const StageDifferenceModel& model) {
  FigureTable table = figure_table(model);
  const auto at = [&](std::string_view id) { return static_cast<std::size_t>(model.columnOf(id)); };
  table.keys = 2;  // stages of A and of B
  table.below = {{at("part"), at("units")}, {at("change")}};
  return table;
}

}  // namespace

CompareTable::CompareTable(const QString& accessible_name, QWidget* parent) : QTableView(parent) {
  setAccessibleName(accessible_name);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setTextElideMode(Qt::ElideRight);
  setWordWrap(false);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setCornerButtonEnabled(false);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(kTableRowHeight);
  horizontalHeader()->setResizeContentsPrecision(kRowsLookedAt);
  horizontalHeader()->setStretchLastSection(true);
  horizontalHeader()->setHighlightSections(false);
}

void CompareTable::fitColumns(bool stretch_last) {
  if (model() == nullptr) return;
  horizontalHeader()->setStretchLastSection(false);
  resizeColumnsToContents();
  for (int column = 0; column < model()->columnCount(); ++column) {
    // Titles may turn bold.
    setColumnWidth(
        column, std::clamp(columnWidth(column) + kRoomForBold, kNarrowestColumn, widest_.value(column, kWidestColumn)));
  }
  horizontalHeader()->setStretchLastSection(stretch_last);
}

int CompareTable::heightOf(int rows) const {
  return horizontalHeader()->sizeHint().height() + rows * kTableRowHeight + 2 * frameWidth() + 14;
}

void CompareTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy) && model() != nullptr && selectionModel()->hasSelection()) {
    QGuiApplication::clipboard()->setText(tsv(*model(), selectionModel()->selectedIndexes()));
    return;
  }
  QTableView::keyPressEvent(event);
}

void PartMatrixModel::setRuns(std::shared_ptr<const RunMatrix> data) {
  beginResetModel();
  data_ = std::move(data);
  emphasised_.reset();
  sortColumns();
  endResetModel();
}

void PartMatrixModel::sortColumns() {
  order_.clear();
  if (!data_) return;
  const std::size_t second = emphasised_.value_or(data_->finding.subject);
  order_.push_back(data_->matrix.baseline);
  if (second != data_->matrix.baseline) order_.push_back(second);
  for (std::size_t i = 0; i < data_->subjects.size(); ++i) {
    if (i != data_->matrix.baseline && i != second) order_.push_back(i);
  }
}

void PartMatrixModel::setTheme(const Theme& theme) {
  theme_ = theme;
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void PartMatrixModel::setEmphasised(std::optional<std::size_t> subject) {
  if (subject == emphasised_ || (subject && (!data_ || *subject >= data_->subjects.size()))) return;
  emit layoutAboutToBeChanged();
  emphasised_ = subject;
  sortColumns();
  emit layoutChanged();
  if (columnCount() > 0) emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

bool PartMatrixModel::isPart(int row) const {
  return data_ && row >= 0 && row < static_cast<int>(data_->matrix.rows.size());
}

std::optional<std::size_t> PartMatrixModel::subject(int column) const {
  if (!data_ || column <= kPart || column >= columnCount()) return std::nullopt;
  return order_[static_cast<std::size_t>(column - 1)];
}

std::vector<UnitId> PartMatrixModel::units(int row) const {
  if (!isPart(row)) return {};
  return data_->matrix.rows[static_cast<std::size_t>(row)].cells[data_->matrix.baseline].units;
}

int PartMatrixModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !data_ ? 0 : static_cast<int>(data_->matrix.rows.size()) + kRowsBelow;
}

int PartMatrixModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !data_ ? 0 : static_cast<int>(data_->subjects.size()) + 1;
}

QString PartMatrixModel::rowTitle(int row) const {
  if (isPart(row)) return shown_name(data_->matrix.rows[static_cast<std::size_t>(row)].name);
  switch (row - static_cast<int>(data_->matrix.rows.size())) {
    case kBetween: return tr("between stages");
    case kBeyond: return tr("rest of the run");
    default: return tr("the whole");
  }
}

std::optional<Millis> PartMatrixModel::latency(int row, std::size_t subject) const {
  const PartMatrix& matrix = data_->matrix;
  const int below = row - static_cast<int>(matrix.rows.size());
  if (below == kWhole) return matrix.whole[subject].b;
  if (!matrix.has_times[subject]) return std::nullopt;
  if (below == kBetween) return matrix.between_stages[subject];
  if (below == kBeyond) return matrix.rest[subject];
  const PartCell& cell = matrix.rows[static_cast<std::size_t>(row)].cells[subject];
  return cell.empty() ? std::nullopt : std::optional(cell.latency);
}

std::optional<Delta> PartMatrixModel::delta(int row, std::size_t subject) const {
  const PartMatrix& matrix = data_->matrix;
  const int below = row - static_cast<int>(matrix.rows.size());
  if (below == kWhole) return matrix.whole[subject].delta;
  if (!matrix.has_times[subject] || !matrix.has_times[matrix.baseline]) return std::nullopt;
  if (below == kBetween) {
    return Delta{matrix.between_stages[subject] - matrix.between_stages[matrix.baseline], Millis{0}};
  }
  if (below == kBeyond) {
    const Delta& whole = matrix.whole[subject].delta;
    return Delta{matrix.rest[subject] - matrix.rest[matrix.baseline], whole.noise};
  }
  return matrix.rows[static_cast<std::size_t>(row)].cells[subject].delta;
}

QString PartMatrixModel::text(int row, int column) const {
  const auto which = subject(column);
  if (!which) return rowTitle(row);
  if (*which == data_->matrix.baseline) {
    const auto value = latency(row, *which);
    const bool nothing = value && !isPart(row) && std::abs(value->count()) < kNothing;
    return nothing ? QStringLiteral("0") : value ? format::millis(*value) : unknown();
  }
  const auto difference = delta(row, *which);
  return difference ? delta_words(*difference) : unknown();
}

QString PartMatrixModel::toolTip(int row, int column) const {
  const auto which = subject(column);
  if (!which) {
    const auto own = units(row);
    return own.empty() ? QString() : tr("%1 units").arg(own.size());
  }
  const auto value = latency(row, *which);
  const auto base = latency(row, data_->matrix.baseline);
  const auto difference = delta(row, *which);
  if (*which == data_->matrix.baseline || !difference) {
    return value ? duration_text(*value) : tr("stage latencies are not known");
  }
  return tr("%1 instead of %2: %3")
      .arg(value ? duration_text(*value) : unknown(), base ? duration_text(*base) : unknown(),
           verdict_words(*difference));
}

QVariant PartMatrixModel::background(int row, int column) const {
  const auto which = subject(column);
  if (!which || *which == data_->matrix.baseline || !isPart(row)) return {};
  const auto difference = delta(row, *which);
  return difference ? QVariant(delta_fill(*difference, data_->largest(), theme_)) : QVariant();
}

QVariant PartMatrixModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  switch (role) {
    case Qt::DisplayRole: return text(index.row(), index.column());
    case Qt::ToolTipRole: return toolTip(index.row(), index.column());
    case Qt::BackgroundRole: return background(index.row(), index.column());
    case Qt::ForegroundRole: {
      if (background(index.row(), index.column()).isValid()) {
        return delta_ink(*delta(index.row(), *subject(index.column())), theme_);
      }
      return isPart(index.row()) || index.row() == rowCount() - 1 ? theme_.text : theme_.mutedText;
    }
    case Qt::FontRole: return bold_font(index.row() == rowCount() - 1);
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(Qt::AlignVCenter | (index.column() == kPart ? Qt::AlignLeft : Qt::AlignRight));
    default: return {};
  }
}

QVariant PartMatrixModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const auto which = subject(section);
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(Qt::AlignVCenter | (which ? Qt::AlignRight : Qt::AlignLeft));
  }
  if (role == Qt::FontRole) return bold_font(which && which == emphasised_);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  if (!which) return role == Qt::DisplayRole ? tr("Part") : tr("Of the baseline's network");
  const QString label = shown_name(data_->subjects[*which].label);
  const bool baseline = *which == data_->matrix.baseline;
  if (role == Qt::ToolTipRole) {
    return baseline ? tr("%1, the baseline: milliseconds").arg(label)
                    : tr("%1: milliseconds more or less than the baseline; click to show it as B").arg(label);
  }
  QString lines = label;
  lines.replace(QStringLiteral(", "), QStringLiteral("\n"));
  if (data_->matrix.per == Per::kSample) return lines + (baseline ? tr("\n[ms/sample]") : tr("\n[Δ ms/sample]"));
  return lines + (baseline ? tr("\n[ms]") : tr("\n[Δ ms]"));
}

void StageDifferenceModel::setPair(std::shared_ptr<const StagePair> pair) {
  pair_ = std::move(pair);
  setTable(pair_ ? stage_comparison(pair_->a, pair_->b, pair_->difference) : stage_comparison({}, {}, {}));
}

void StageDifferenceModel::setTheme(const Theme& theme) {
  theme_ = theme;
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

std::vector<int> StageDifferenceModel::rowsOf(const std::vector<UnitId>& units_a) const {
  std::vector<int> rows;
  for (int i = 0; i < rowCount(); ++i) {
    const std::vector<UnitId>& own = row(i).units_a;
    if (std::ranges::any_of(units_a, [&](UnitId unit) { return std::ranges::binary_search(own, unit); })) {
      rows.push_back(i);
    }
  }
  return rows;
}

QVariant StageDifferenceModel::painted(int row, std::string_view id, int role) const {
  const StageRow& shown = this->row(row);
  if (id == "change" && role == Qt::ForegroundRole && shown.same()) return theme_.mutedText;
  if (id != "delta_ms" || !pair_->difference.has_latencies) return {};
  switch (role) {
    case Qt::ToolTipRole: return verdict_words(shown.delta);
    case Qt::BackgroundRole: return delta_fill(shown.delta, pair_->largest(), theme_);
    case Qt::ForegroundRole: return delta_ink(shown.delta, theme_);
    default: return {};
  }
}

void StageDifferenceFilter::setChangedOnly(bool changed_only) {
  changed_only_ = changed_only;
  invalidateFilter();
}

bool StageDifferenceFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  const auto* model = qobject_cast<const StageDifferenceModel*>(sourceModel());
  if (model == nullptr || row >= model->rowCount(parent)) return true;
  if (changed_only_ && model->row(row).same() && !model->row(row).delta.outside_noise()) return false;
  return WordFilter::filterAcceptsRow(row, parent);
}

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

std::unique_ptr<Figure> make_part_matrix_figure(std::shared_ptr<const RunMatrix> data) {
  const auto model = std::make_shared<PartMatrixModel>();
  model->setRuns(data);
  const auto table = [model](const Theme& theme) {
    model->setTheme(theme);
    return figure_table(*model);
  };
  const QString context = context_text(*data->baseline().comparison);
  return sentence_and_table({.title = PartMatrixModel::tr("Where the difference lies: %1").arg(context),
                             .file_stem = QStringLiteral("part-matrix"),
                             .csv = [data, model] { return part_matrix_csv(*data, *model); }},
                            finding_words(data->subjects, data->matrix, data->finding), table);
}

std::unique_ptr<Figure> make_stage_difference_figure(std::shared_ptr<const StagePair> pair) {
  const auto model = std::make_shared<StageDifferenceModel>();
  model->setPair(pair);
  const auto table = [model](const Theme& theme) {
    model->setTheme(theme);
    return stage_difference_table(*model);
  };
  const QString a = context_text(*pair->a.comparison);
  const QString b = context_text(*pair->b.comparison);
  const QString labels = StageDifferenceModel::tr("A: %1, B: %2, stage against stage")
                             .arg(shown_name(pair->a.label), shown_name(pair->b.label));
  const QString separator = QStringLiteral(" · ");
  return sentence_and_table({.title = labels + separator + (a == b ? a : a + separator + b),
                             .file_stem = QStringLiteral("stage-differences"),
                             .csv = [model] { return qstring(table_csv(model->table())); },
                             .recorded = recorded_of(pair->b)},
                            rest_words(pair->difference), table);
}

std::unique_ptr<Figure> make_run_statistics_figure(std::shared_ptr<const RunMatrix> data,
                                                   std::vector<LatencyBar> external) {
  const auto model = std::make_shared<StatisticsModel>();
  model->setRuns(data, std::move(external));
  const auto table = [model](const Theme& /*theme*/) {
    const auto at = [&](std::string_view id) { return static_cast<std::size_t>(model->columnOf(id)); };
    FigureTable made = figure_table(*model);
    made.below = {{at("origin"), at("remarks")}};
    return made;
  };
  const QString context = context_text(*data->baseline().comparison);
  return sentence_and_table({.title = StatisticsModel::tr("Statistics: %1").arg(context),
                             .file_stem = QStringLiteral("run-statistics"),
                             .csv = [model] { return qstring(table_csv(model->table())); }},
                            finding_words(data->subjects, data->matrix, data->finding), table);
}

}  // namespace iosx

#include "moc_difference_tables.cpp"
