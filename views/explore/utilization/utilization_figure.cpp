#include "views/explore/utilization/utilization_figure.h"

#include <QGuiApplication>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "views/figures/paint.h"
#include "views/figures/plot.h"
#include "views/text/counter_text.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kWidth = 1400;
constexpr double kRowHeight = 120;
constexpr double kLeastHeader = 196;   // of a narrow figure
constexpr double kHeaderShare = 0.36;  // of its width

QString utilization_csv(const std::vector<UtilizationRow>& rows) {
  if (rows.empty()) return {};
  const UtilizationRow& first = rows.front();
  QString text = csv_record({"schedule", "origin", "begin_us", "end_us", counter_column(first.quantity),
                             QStringLiteral("peak_%1").arg(first.unit), "source"});
  for (const UtilizationRow& row : rows) {
    const ScheduleResult& result = row.track.schedule();
    for (qsizetype i = 0; i + 1 < row.times.size(); ++i) {
      text += csv_record({shown_name(result.id.text()), origin_id(result.latency.origin), csv_number(row.times[i]),
                          csv_number(row.times[i + 1]), csv_number(row.values[i]), csv_number(row.peak), row.source});
    }
  }
  return text;
}

void paint_utilization(QPainter& painter, const QRectF& area, const std::vector<UtilizationRow>& rows, TimeRange range,
                       const Theme& theme) {
  if (rows.empty()) {
    return paint_text(painter, theme.mutedText, area, Qt::AlignCenter, Text::tr("the device reports no utilization"));
  }
  paint_plot(painter, area, [&](QCustomPlot& plot) {
    UtilizationPlot drawing(plot);
    drawing.build(rows, common_top(rows), theme, QGuiApplication::font());
    drawing.set_range(range);
    const PlotMargins usual;
    const double left = std::clamp(kHeaderShare * area.width(), kLeastHeader, usual.left);
    drawing.set_margins({left, usual.right}, area.height());
  });
}

}  // namespace

std::unique_ptr<Figure> make_utilization_figure(const std::shared_ptr<const Comparison>& comparison,
                                                const std::vector<std::size_t>& shown, TimeRange range,
                                                const std::string& counter) {
  const std::vector<WarpedTrack> tracks = unaligned(tracks_of(comparison, shown)).tracks;
  std::vector<UtilizationRow> found = utilization_rows(tracks, counter);
  if (found.empty()) found = utilization_rows(tracks);
  Micros longest{0};
  for (const UtilizationRow& row : found) longest = std::max(longest, row.duration);
  if (range.length() <= Micros(0)) range = {Micros(0), longest > Micros(0) ? longest * 1.06 : Micros(1)};
  std::vector<UtilizationRow> rows;
  for (const UtilizationRow& row : found) rows.push_back(cropped(row, range));
  const QString what = rows.empty() ? Text::tr("Utilization") : counter_title(core_words(rows.front().quantity));
  const auto paint = [rows, range](QPainter& painter, const QRectF& area, const Theme& theme) {
    paint_utilization(painter, area, rows, range, theme);
  };
  return figure_of({.title = Text::tr("%1 over time: %2").arg(what, comparison ? context_text(*comparison) : QString()),
                    .file_stem = QStringLiteral("utilization"),
                    .size = {kWidth, kRowHeight * static_cast<double>(rows.size()) + UtilizationPlot::kAxisHeight},
                    .paint = paint,
                    .csv = [rows] { return utilization_csv(rows); },
                    .recorded = comparison ? shown_name(comparison->recorded.text()) : QString()});
}

}  // namespace iosx
