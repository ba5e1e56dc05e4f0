#include "views/canvas/paint/band_gains.h"

#include <algorithm>
#include <cmath>

#include "views/text/change_text.h"

namespace iosx::canvas {

Deltas stage_deltas(const std::vector<std::optional<iosx::Delta>>& stages, const QString& baseline) {
  Deltas deltas{baseline, true, {}};
  for (const std::optional<iosx::Delta>& stage : stages) {
    if (stage && stage->noise) {
      deltas.values.emplace_back(Delta{stage->value, *stage->noise});
    } else {
      deltas.values.emplace_back();
    }
  }
  return deltas;
}

BandGains::BandGains(const Deltas& deltas) {
  if (!deltas.of_stages) return;
  deltas_ = deltas;
  for (const std::optional<Delta>& value : deltas_.values) {
    if (!value) continue;
    active_ = true;
    largest_ = std::max(largest_, Millis(std::abs(value->value.count())));
  }
  decimals_ = change_decimals(largest_);
  for (std::size_t stage = 0; stage < deltas_.values.size(); ++stage) any_loses_ = any_loses_ || lost(stage) > 0;
}

const Delta* BandGains::find(std::size_t stage) const {
  return stage < deltas_.values.size() && deltas_.values[stage] ? &*deltas_.values[stage] : nullptr;
}

double BandGains::lost(std::size_t stage) const {
  const Delta* delta = find(stage);
  if (delta == nullptr || largest_ <= Millis{0}) return 0;
  // A figure rounded to nothing has no tint either.
  if (std::abs(delta->value.count()) <= delta->noise.count() || figure(stage).isEmpty()) return 0;
  return delta->value / largest_;
}

QString BandGains::widestFigure() const {
  QString widest;
  for (std::size_t stage = 0; stage < deltas_.values.size(); ++stage) {
    if (QString each = figure(stage); each.size() > widest.size()) widest = std::move(each);
  }
  return widest;
}

QString BandGains::figure(std::size_t stage) const {
  const Delta* delta = find(stage);
  if (delta == nullptr) return {};
  const QString number = change_number(delta->value, decimals_);
  return number == QStringLiteral("0") ? QString() : number;
}

}  // namespace iosx::canvas
