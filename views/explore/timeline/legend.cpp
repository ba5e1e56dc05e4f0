#include "views/explore/timeline/legend.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "views/figures/paint.h"
#include "views/style/fills.h"
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

}  // namespace iosx
