#include "views/timeline/legend.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "views/text/latency_text.h"
#include "views/text/translate.h"

namespace iosx {
QString class_text(OperatorClass what) {
  switch (what) {
    case OperatorClass::kConv: return Text::tr("convolution");
    case OperatorClass::kMergedConv: return Text::tr("merged convolution");
    case OperatorClass::kGroupedConv: return Text::tr("grouped convolution");
    case OperatorClass::kPool: return Text::tr("pooling");
    case OperatorClass::kLinear: return Text::tr("linear");
    case OperatorClass::kArithmetic: return Text::tr("arithmetic");
    case OperatorClass::kActivation: return Text::tr("activation");
    case OperatorClass::kOpaque: return Text::tr("not executable");
    case OperatorClass::kConcat:
    case OperatorClass::kInput: break;
  }
  return Text::tr("concat, copy");
}

std::vector<LegendEntry> legend(const std::vector<TimelineBand>& bands, const Theme& theme) {
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < kOperatorClasses; ++i) {
    const auto what = static_cast<OperatorClass>(i);
    const bool seen = std::ranges::any_of(bands, [&](const TimelineBand& band) { return band.index->classes()[i]; });
    if (!seen) continue;
    const QColor fill = theme.operatorFill(what);
    const bool listed = std::ranges::any_of(entries, [&](const LegendEntry& entry) { return entry.fill == fill; });
    if (!listed) entries.push_back({class_text(what), fill});
  }
  return entries;
}

double paint_legend(QPainter& painter, const QRectF& area, const std::vector<LegendEntry>& entries, const Theme& theme,
                    const QFont& font) {
  QFont small = font;
  small.setPixelSize(11);
  painter.setFont(small);
  const QFontMetricsF metrics(small);
  double x = area.left();
  for (const LegendEntry& entry : entries) {
    const double width = metrics.horizontalAdvance(entry.text) + 2;
    if (x + 18 + width > area.right()) break;
    const QRectF swatch(x, area.center().y() - 5.5, 11, 11);
    painter.fillRect(swatch, entry.fill);
    painter.setPen(theme.outline);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(swatch);
    painter.setPen(theme.text);
    painter.drawText(QRectF(x + 16, area.top(), width, area.height()), Qt::AlignLeft | Qt::AlignVCenter, entry.text);
    x += 16 + width + 14;
  }
  return x;
}

double badge_width(Origin origin, const QFont& font) {
  return QFontMetricsF(font).horizontalAdvance(origin_text(origin)) + 10;
}

double paint_badge(QPainter& painter, QPointF top_left, Origin origin, const Theme& theme, const QFont& font) {
  const QString text = origin_text(origin);
  const QColor color = origin == Origin::kSimulated ? theme.simulated : theme.measured;
  painter.setFont(font);
  const QRectF box(top_left.x() + 0.5, top_left.y() + 0.5, badge_width(origin, font), 16);
  painter.setPen(QPen(color, 1, origin == Origin::kMeasured ? Qt::SolidLine : Qt::DashLine));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(box, 3, 3);
  painter.setPen(color);
  painter.drawText(box, Qt::AlignCenter, text);
  return box.right();
}

}  // namespace iosx
