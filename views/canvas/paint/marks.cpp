#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/canvas/paint/marks.h"
#include "views/text/latency_text.h"
#include "views/text/translate.h"

namespace iosx::canvas {

QString change_word(UnitChange change) {
  switch (change) {
    case UnitChange::kSame: return Text::tr("same");
    case UnitChange::kMoved: return Text::tr("moved");
    case UnitChange::kJoined: return Text::tr("joined");
    case UnitChange::kSplit: return Text::tr("split");
    case UnitChange::kMergedOtherwise: return Text::tr("other merging");
    case UnitChange::kAdded: return Text::tr("added");
    case UnitChange::kMissing: return Text::tr("missing");
    case UnitChange::kAlike: return Text::tr("same");
  }
  return {};
}

QColor change_color(UnitChange change, const Theme& theme) {
  switch (change) {
    case UnitChange::kAdded: return theme.measured;
    case UnitChange::kMissing: return theme.error;
    case UnitChange::kSame: return theme.outline;
    case UnitChange::kAlike: return theme.text;
    default: return theme.simulated;
  }
}

// Paints a disc for what changed its place, a square for what was added, a diamond for what is missing; inside an
// arrow, lines that come together, part or lie in one another, a plus, a minus.
void paint_change(QPainter& painter, const QRectF& area, UnitChange change, const Theme& theme) {
  if (change == UnitChange::kSame) return;
  const QColor fill = change_color(change, theme);
  const double size = std::min(area.width(), area.height());
  const QPointF middle = area.center();
  const auto at = [&](double x, double y) { return middle + size * QPointF(x, y); };
  painter.setPen(QPen(theme.canvas, std::max(1.0, size / 14)));
  painter.setBrush(fill);
  switch (change) {
    case UnitChange::kAdded:
      painter.drawRoundedRect(QRectF(at(-0.46, -0.46), at(0.46, 0.46)), size / 8, size / 8);
      break;
    case UnitChange::kMissing:
      painter.drawPolygon(QPolygonF({at(0, -0.56), at(0.56, 0), at(0, 0.56), at(-0.56, 0)}));
      break;
    default: painter.drawEllipse(middle, size / 2, size / 2);
  }
  painter.setPen(QPen(Theme::readableOn(fill), std::max(1.0, size / 9), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  switch (change) {
    case UnitChange::kMoved:
      painter.drawLine(at(-0.25, 0), at(0.25, 0));
      painter.drawPolyline(QPolygonF({at(0.05, -0.2), at(0.25, 0), at(0.05, 0.2)}));
      break;
    case UnitChange::kJoined:
      painter.drawPolyline(QPolygonF({at(-0.22, -0.22), at(0, 0), at(-0.22, 0.22)}));
      painter.drawLine(at(0, 0), at(0.28, 0));
      break;
    case UnitChange::kSplit:
      painter.drawPolyline(QPolygonF({at(0.22, -0.22), at(0, 0), at(0.22, 0.22)}));
      painter.drawLine(at(-0.28, 0), at(0, 0));
      break;
    case UnitChange::kMergedOtherwise:
      painter.drawRect(QRectF(at(-0.26, -0.18), at(0.08, 0.12)));
      painter.drawRect(QRectF(at(-0.08, -0.06), at(0.26, 0.24)));
      break;
    case UnitChange::kAdded:
      painter.drawLine(at(0, -0.24), at(0, 0.24));
      painter.drawLine(at(-0.24, 0), at(0.24, 0));
      break;
    case UnitChange::kMissing: painter.drawLine(at(-0.24, 0), at(0.24, 0)); break;
    case UnitChange::kAlike:
      painter.drawLine(at(-0.22, -0.11), at(0.22, -0.11));
      painter.drawLine(at(-0.22, 0.11), at(0.22, 0.11));
      break;
    case UnitChange::kSame: break;
  }
}

Deltas saving_deltas(const SavingSteps& steps, const QString& baseline) {
  Deltas deltas{baseline, true, {}, steps.per == Per::kSample};
  for (const std::optional<iosx::Delta>& stage : steps.stages) {
    const bool known = stage && stage->noise;
    deltas.values.push_back(known ? std::optional(Delta{stage->value, *stage->noise}) : std::nullopt);
  }
  for (const SavingStep& step : steps.steps) {  // also those whose noise is not known: the waterfall shows them
    const Delta delta{step.delta.value, step.delta.noise.value_or(Millis{0})};
    if (!step.units.empty()) deltas.parts.push_back({step.units, delta});
  }
  return deltas;
}

PartGains::PartGains(Deltas deltas) : deltas_(std::move(deltas)) {
  for (std::size_t p = 0; p < deltas_.parts.size(); ++p) {
    largest_ = std::max(largest_, Millis(std::abs(deltas_.parts[p].delta.value.count())));
    for (const UnitId unit : deltas_.parts[p].units) {
      if (unit.index() >= part_of_.size()) part_of_.resize(unit.index() + 1);
      part_of_[unit.index()] = p;
    }
  }
  decimals_ = change_decimals(largest_);
  any_loses_ = std::ranges::any_of(deltas_.parts, [this](const PartDelta& part) { return lost(part.units) > 0; });
}

std::optional<Delta> PartGains::sum(const std::vector<UnitId>& units) const {
  std::vector<std::size_t> counts(deltas_.parts.size(), 0);  // of the units, by part
  for (const UnitId unit : units) {
    const auto part = unit.index() < part_of_.size() ? part_of_[unit.index()] : std::nullopt;
    if (!part) return std::nullopt;
    ++counts[*part];
  }
  std::optional<Delta> sum;
  double noise = 0;  // squared: errors of different parts are independent
  for (std::size_t p = 0; p < counts.size(); ++p) {
    const auto& [all, delta] = deltas_.parts[p];
    if (counts[p] == 0) continue;
    if (counts[p] != all.size()) return std::nullopt;
    sum = Delta{(sum ? sum->value : Millis(0)) + delta.value, Millis(0)};
    noise += delta.noise.count() * delta.noise.count();
  }
  if (sum) sum->noise = Millis(std::sqrt(noise));
  return sum;
}

double PartGains::lost(const std::vector<UnitId>& units) const {
  const auto delta = sum(units);
  if (!delta || largest_ <= Millis{0}) return 0;
  // A figure rounded to nothing has no tint either.
  if (std::abs(delta->value.count()) <= delta->noise.count() || figure(delta).isEmpty()) return 0;
  return std::clamp(delta->value / largest_, -1.0, 1.0);
}

QString PartGains::figure(const std::vector<UnitId>& units) const { return figure(sum(units)); }

QString PartGains::stageFigure(std::size_t stage) const {
  return stage < deltas_.values.size() ? figure(deltas_.values[stage]) : QString();
}

QString PartGains::figure(const std::optional<Delta>& delta) const {
  if (!delta) return {};
  const QString number = change_number(delta->value, decimals_);
  return number == QStringLiteral("0") ? QString() : number;
}

}  // namespace iosx::canvas
