#include "views/explore/timeline/legend.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "views/figures/paint.h"
#include "views/style/fills.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kSwatch = 11;
constexpr double kSwatchAdvance = 16;
constexpr double kEntryGap = 14;

QFont legend_font(QFont font) {
  font.setPixelSize(11);
  return font;
}

double entry_width(const LegendEntry& entry, const QFontMetricsF& metrics) {
  return metrics.horizontalAdvance(entry.text) + 2;
}

}  // namespace

std::vector<LegendEntry> legend(const std::vector<TimelineBand>& bands, const Theme& theme) {
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < kOperatorClasses; ++i) {
    const auto what = static_cast<OperatorClass>(i);
    const bool seen = std::ranges::any_of(bands, [&](const TimelineBand& band) { return band.index->classes()[i]; });
    if (seen) entries.push_back({class_text(what), theme.operatorFill(what), theme.operatorHatch(what)});
  }
  const bool merged = std::ranges::any_of(bands, [](const TimelineBand& band) { return band.index->any_merged(); });
  if (merged) entries.push_back({Text::tr("merged: layers run as one"), theme.panel, theme.mergedHatch()});
  return entries;
}

std::vector<std::vector<LegendEntry>> legend_rows(const std::vector<LegendEntry>& entries, double width,
                                                  const QFont& font) {
  const QFontMetricsF metrics(legend_font(font));
  std::vector<std::vector<LegendEntry>> rows(1);
  double x = 0;
  for (const LegendEntry& entry : entries) {
    const double own = entry_width(entry, metrics);
    if (x > 0 && x + kSwatchAdvance + 2 + own > width) {
      rows.emplace_back();
      x = 0;
    }
    rows.back().push_back(entry);
    x += kSwatchAdvance + own + kEntryGap;
  }
  return rows;
}

double paint_legend(QPainter& painter, const QRectF& area, const std::vector<LegendEntry>& entries, const Theme& theme,
                    const QFont& font) {
  const QFont small = legend_font(font);
  painter.setFont(small);
  const QFontMetricsF metrics(small);
  double x = area.left();
  for (const LegendEntry& entry : entries) {
    const double width = entry_width(entry, metrics);
    if (x + kSwatchAdvance + 2 + width > area.right()) break;
    const QRectF swatch(x, area.center().y() - kSwatch / 2, kSwatch, kSwatch);
    painter.fillRect(swatch, entry.fill);
    paint_hatch(painter, swatch, entry.hatch, entry.fill);
    paint_box(painter, theme.outline, Qt::NoBrush, swatch);
    paint_text(painter, theme.text, QRectF(x + kSwatchAdvance, area.top(), width, area.height()), kAtLeft, entry.text);
    x += kSwatchAdvance + width + kEntryGap;
  }
  return x;
}

void fill_polygon(QPainter& painter, const QPolygonF& corners, const QColor& color) {
  QPainterPath path;
  path.addPolygon(corners);
  path.closeSubpath();
  painter.fillPath(path, color);
}

void paint_fold_arrow(QPainter& painter, QPointF left, bool open, const QColor& color) {
  const double x = left.x();
  const double y = left.y();
  fill_polygon(painter,
               open ? QPolygonF{{x - 1, y - 2}, {x + 7, y - 2}, {x + 3, y + 3}}
                    : QPolygonF{{x + 1, y - 4}, {x + 6, y}, {x + 1, y + 4}},
               color);
}

double badge_width(Origin origin, const QFont& font) {
  return QFontMetricsF(font).horizontalAdvance(origin_text(origin)) + 10;
}

double paint_badge(QPainter& painter, QPointF top_left, Origin origin, const Theme& theme, const QFont& font) {
  const QString text = origin_text(origin);
  const QColor color = is_modelled(origin) ? theme.simulated : theme.measured;
  painter.setFont(font);
  const QRectF box(top_left.x() + 0.5, top_left.y() + 0.5, badge_width(origin, font), 16);
  paint_box(painter, QPen(color, 1, origin == Origin::kMeasured ? Qt::SolidLine : Qt::DashLine), Qt::NoBrush, box, 3);
  paint_text(painter, color, box, Qt::AlignCenter, text);
  return box.right();
}

}  // namespace iosx
