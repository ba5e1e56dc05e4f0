#include "views/compare/stage_difference_model.h"

#include <algorithm>
#include <utility>

#include "core/analysis/difference/difference_report.h"
#include "views/compare/difference_text.h"

namespace iosx {

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

}  // namespace iosx

#include "moc_stage_difference_model.cpp"
