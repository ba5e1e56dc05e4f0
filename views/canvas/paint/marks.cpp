#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

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

StageGains::StageGains(const Deltas& deltas) {
  if (!deltas.of_stages) return;
  deltas_ = deltas;
  for (const std::optional<Delta>& value : deltas_.values) {
    if (!value) continue;
    active_ = true;
    largest_ = std::max(largest_, Millis(std::abs(value->value.count())));
  }
  decimals_ = change_decimals(largest_);
  for (std::size_t stage = 0; stage < deltas_.values.size(); ++stage) any_loses_ = any_loses_ || lost({stage}) > 0;
}

std::optional<Delta> StageGains::sum(const std::vector<std::size_t>& stages) const {
  std::optional<Delta> sum;
  double noise = 0;  // squared: errors of different stages are independent
  for (const std::size_t stage : stages) {
    if (stage >= deltas_.values.size() || !deltas_.values[stage]) continue;
    sum = Delta{(sum ? sum->value : Millis(0)) + deltas_.values[stage]->value, Millis(0)};
    noise += deltas_.values[stage]->noise.count() * deltas_.values[stage]->noise.count();
  }
  if (sum) sum->noise = Millis(std::sqrt(noise));
  return sum;
}

double StageGains::lost(const std::vector<std::size_t>& stages) const {
  const auto delta = sum(stages);
  if (!delta || largest_ <= Millis{0}) return 0;
  // A figure rounded to nothing has no tint either.
  if (std::abs(delta->value.count()) <= delta->noise.count() || figure(stages).isEmpty()) return 0;
  return std::clamp(delta->value / largest_, -1.0, 1.0);
}

QString StageGains::figure(const std::vector<std::size_t>& stages) const {
  const auto delta = sum(stages);
  if (!delta) return {};
  const QString number = change_number(delta->value, decimals_);
  return number == QStringLiteral("0") ? QString() : number;
}

}  // namespace iosx::canvas
