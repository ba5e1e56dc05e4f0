#include <QGuiApplication>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <utility>

#include "views/explore/utilization/utilization_view.h"
#include "views/figures/csv.h"
#include "views/figures/plot_figure.h"
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

class UtilizationFigure final : public Figure {
 public:
  UtilizationFigure(const std::vector<WarpedTrack>& tracks, TimeRange range, const std::string& counter)
      : range_(range) {
    std::vector<UtilizationRow> rows = utilization_rows(tracks, counter);
    if (rows.empty()) rows = utilization_rows(tracks);
    for (const WarpedTrack& placed : tracks) {
      contexts_ << context_text(*placed.track.comparison);
      recorded_ << shown_name(placed.track.comparison->recorded.text());
    }
    contexts_.removeDuplicates();
    recorded_.removeAll(QString());
    recorded_.removeDuplicates();
    Micros longest{0};
    for (const UtilizationRow& row : rows) longest = std::max(longest, row.duration);
    if (range_.length() <= Micros(0)) range_ = {Micros(0), longest > Micros(0) ? longest * 1.06 : Micros(1)};
    for (const UtilizationRow& row : rows) rows_.push_back(cropped(row, range_));
  }

  QString title() const override {
    return Text::tr("%1 over time: %2").arg(what(), contexts_.join(QStringLiteral("; ")));
  }
  QString fileStem() const override { return QStringLiteral("utilization"); }
  QSizeF size() const override {
    return {kWidth, kRowHeight * static_cast<double>(rows_.size()) + UtilizationPlot::kAxisHeight};
  }

  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    if (rows_.empty()) {
      painter.setPen(theme.mutedText);
      painter.drawText(area, Qt::AlignCenter, Text::tr("the device reports no utilization"));
      return;
    }
    paint_plot(painter, area, [&](QCustomPlot& plot) {
      UtilizationPlot drawing(plot);
      drawing.build(rows_, common_top(rows_), theme, QGuiApplication::font());
      drawing.set_range(range_);
      const PlotMargins usual;
      const double left = std::clamp(kHeaderShare * area.width(), kLeastHeader, usual.left);
      drawing.set_margins({left, usual.right}, area.height());
    });
  }

  QString recorded() const override { return recorded_.join(QStringLiteral("; ")); }
  QString csv() const override {
    if (rows_.empty()) return {};
    const UtilizationRow& first = rows_.front();
    QString text = csv_record({QStringLiteral("schedule"), QStringLiteral("origin"), QStringLiteral("begin_us"),
                               QStringLiteral("end_us"), counter_column(first.quantity),
                               QStringLiteral("peak_%1").arg(first.unit), QStringLiteral("source")});
    for (const UtilizationRow& row : rows_) {
      const ScheduleResult& result = row.track.schedule();
      for (qsizetype i = 0; i + 1 < row.times.size(); ++i) {
        text += csv_record({shown_name(result.id.text()), origin_id(result.latency.origin), csv_number(row.times[i]),
                            csv_number(row.times[i + 1]), csv_number(row.values[i]), csv_number(row.peak), row.source});
      }
    }
    return text;
  }

 private:
  QString what() const {
    return rows_.empty() ? Text::tr("Utilization") : counter_title(core_words(rows_.front().quantity));
  }

  QStringList contexts_;  // of every comparison shown, each once
  QStringList recorded_;
  TimeRange range_;
  std::vector<UtilizationRow> rows_;
};

}  // namespace

std::unique_ptr<Figure> make_utilization_figure(const std::vector<WarpedTrack>& tracks, TimeRange range,
                                                const std::string& counter) {
  return std::make_unique<UtilizationFigure>(tracks, range, counter);
}

std::unique_ptr<Figure> make_utilization_figure(const std::shared_ptr<const Comparison>& comparison,
                                                const std::vector<std::size_t>& shown, TimeRange range,
                                                const std::string& counter) {
  return make_utilization_figure(unaligned(tracks_of(comparison, shown)).tracks, range, counter);
}

}  // namespace iosx
