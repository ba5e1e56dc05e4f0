#include "views/compare/stage_difference_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "views/compare/difference_text.h"
#include "views/tables/cell_roles.h"
#include "views/tables/column_head.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/plain_tip.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr double kShownShare = 5e-4;  // less reads 0.0

bool is_words(int column) {
  return column == StageDifferenceModel::kPart || column == StageDifferenceModel::kUnits ||
         column == StageDifferenceModel::kChange;
}

}  // namespace

void StageDifferenceModel::setPair(std::shared_ptr<const StagePair> pair) {
  beginResetModel();
  pair_ = std::move(pair);
  endResetModel();
}

void StageDifferenceModel::setTheme(const Theme& theme) {
  theme_ = theme;
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
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

int StageDifferenceModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !pair_ ? 0 : static_cast<int>(pair_->difference.rows.size());
}

int StageDifferenceModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumnCount; }

QString StageDifferenceModel::partName(const StageRow& row) const {
  const bool of_a = !row.units_a.empty();
  const Graph& graph = of_a ? pair_->a.graph() : pair_->b.graph();
  const std::vector<UnitId>& units = of_a ? row.units_a : row.units_b;
  if (units.empty()) return {};
  const PartId first = graph.unit(units.front()).part;
  const PartId last = graph.unit(units.back()).part;
  const QString name = shown_name(graph.part(first).name);
  return first == last ? name : name + QString::fromUtf8(" \u2026 ") + shown_name(graph.part(last).name);
}

QString StageDifferenceModel::unitNames(const StageRow& row) const {
  return row.units_a.empty() ? unit_names_of(pair_->b.graph(), row.units_b)
                             : unit_names_of(pair_->a.graph(), row.units_a);
}

QString StageDifferenceModel::text(const StageRow& row, int column) const {
  const bool known = pair_->difference.has_latencies;
  const QString none = QStringLiteral("–");
  switch (column) {
    case kStagesA: return stage_numbers(row.a);
    case kStagesB: return stage_numbers(row.b);
    case kPart: return partName(row);
    case kUnits: return unitNames(row);
    case kLatencyA: return known && !row.a.empty() ? format::millis(row.latency_a) : none;
    case kLatencyB: return known && !row.b.empty() ? format::millis(row.latency_b) : none;
    case kDelta: return known ? delta_words(row.delta) : none;
    case kRelative: {
      const auto relative = row.relative();
      if (!known || !relative) return none;
      if (std::abs(*relative) < kShownShare) return QStringLiteral("0");
      QString percent = QString::number(*relative * 100, 'f', 1);
      if (*relative > 0) percent.prepend(QLatin1Char('+'));
      return percent.replace(QLatin1Char('-'), QChar(0x2212));
    }
    case kNoise:
      if (!known || !row.delta.noise) return known ? QStringLiteral("?") : none;
      return *row.delta.noise > Millis{0} ? QStringLiteral("± ") + format::millis(*row.delta.noise)
                                          : QStringLiteral("0");
    case kChange: return change_words(row, pair_->a, pair_->b);
    default: return {};
  }
}

// Returns every unit's name, however many the table shows.
QString StageDifferenceModel::allTexts(const StageRow& row) const {
  QString texts = text(row, kPart) + QLatin1Char('\n') + text(row, kChange);
  for (const UnitId unit : row.units_a) texts += QLatin1Char('\n') + shown_name(pair_->a.graph().unit(unit).name);
  for (const UnitId unit : row.units_b) texts += QLatin1Char('\n') + shown_name(pair_->b.graph().unit(unit).name);
  return texts;
}

QVariant StageDifferenceModel::number(const StageRow& row, int column) const {
  constexpr auto first = [](const std::vector<std::size_t>& stages, std::size_t otherwise) {
    return static_cast<qulonglong>(stages.empty() ? otherwise : stages.front());
  };
  switch (column) {
    case kStagesA: return first(row.a, pair_->a.schedule().schedule.stages.size());
    case kStagesB: return first(row.b, pair_->b.schedule().schedule.stages.size());
    case kLatencyA: return row.latency_a.count();
    case kLatencyB: return row.latency_b.count();
    case kDelta: return row.delta.value.count();
    case kRelative: return row.relative().value_or(0);
    case kNoise: return row.delta.noise ? row.delta.noise->count() : HUGE_VAL;
    default: return text(row, column);
  }
}

QVariant StageDifferenceModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const StageRow& shown = row(index.row());
  const bool colored = index.column() == kDelta && pair_->difference.has_latencies;
  switch (role) {
    case Qt::DisplayRole: return text(shown, index.column());
    case cell::kSort: return number(shown, index.column());
    case cell::kFilter: return allTexts(shown);
    case Qt::ToolTipRole:
      if (index.column() == kDelta && colored) return verdict_words(shown.delta);
      return is_words(index.column()) ? plain_tip(text(shown, index.column())) : QString();
    case Qt::BackgroundRole: return colored ? QVariant(delta_fill(shown.delta, pair_->largest(), theme_)) : QVariant();
    case Qt::ForegroundRole:
      if (colored) return delta_ink(shown.delta, theme_);
      return index.column() == kChange && shown.same() ? QVariant(theme_.mutedText) : QVariant();
    case Qt::TextAlignmentRole: return column_alignment(is_words(index.column()));
    default: return {};
  }
}

QVariant StageDifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumnCount) return {};
  const bool a_sample = pair_ && pair_->difference.per == Per::kSample;
  const auto head = [section, a_sample]() -> ColumnHead {
    switch (section) {
      case kStagesA: return {tr("Stages\nof A"), tr("Stages of A with the same operators as those of B")};
      case kStagesB: return {tr("Stages\nof B"), tr("Stages of B with the same operators as those of A")};
      case kPart: return {tr("Part"), tr("Of the network")};
      case kUnits: return {tr("Units"), tr("Units of these stages")};
      case kLatencyA:
        return {a_sample ? tr("A\n[ms/sample]") : tr("A\n[ms]"), tr("Sum of the latencies of A's stages")};
      case kLatencyB:
        return {a_sample ? tr("B\n[ms/sample]") : tr("B\n[ms]"), tr("Sum of the latencies of B's stages")};
      case kDelta:
        return {a_sample ? tr("Δ\n[ms/sample]") : tr("Δ\n[ms]"),
                tr("B minus A: below zero B is faster; ≈ is within the noise")};
      case kRelative: return {tr("Δ\n[%]"), tr("Relative to A's latency")};
      case kNoise:
        return {a_sample ? tr("Noise\n[ms/sample]") : tr("Noise\n[ms]"),
                tr("Half width of the difference's 95 % interval, from the samples' spread")};
      default: return {tr("What changed"), tr("From A to B")};
    }
  }();
  return column_head_data(head, is_words(section), role);
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

}  // namespace iosx

#include "moc_stage_difference_model.cpp"
