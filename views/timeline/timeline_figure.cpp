#include "views/timeline/timeline_figure.h"

#include <QGuiApplication>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <utility>

#include "views/export/csv.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"
#include "views/timeline/legend.h"
#include "views/timeline/timeline_painter.h"
#include "views/timeline/timeline_scene.h"

namespace iosx {
namespace {

constexpr double kWidth = 1400;
constexpr double kLegendGap = 6;  // above the legend
constexpr double kLegendRow = 22;
constexpr double kBesideAxis = 26;
constexpr double kLeastHeader = 150;   // of a narrow figure
constexpr double kHeaderShare = 0.36;  // of its width

double header_width(double width) {
  return std::clamp(kHeaderShare * width, kLeastHeader, TimelineScene::kHeaderWidth);
}

double axis_width(double width) { return std::max(width - header_width(width) - kBesideAxis, 40.0); }

class TimelineFigure final : public Figure {
 public:
  TimelineFigure(std::shared_ptr<const Comparison> comparison, const std::vector<std::size_t>& shown, TimeRange range)
      : comparison_(std::move(comparison)), scene_(*comparison_, shown, {}), range_(range) {
    scene_.fill_height(0);
    if (range_.length() > Micros(0)) return;
    const Micros longest = scene_.duration() > Micros(0) ? scene_.duration() : Micros(1);
    range_ = {Micros(0), longest * 1.06};
  }

  QString title() const override { return Text::tr("Timeline: %1").arg(context_text(*comparison_)); }
  QString fileStem() const override { return QStringLiteral("timeline"); }
  QSizeF size() const override { return sizeWithin(kWidth); }
  QSizeF sizeWithin(double width) const override {
    const auto rows = static_cast<double>(legendRows(width, Theme::light()).size());
    return {width, TimelinePainter::kRulerHeight + scene_.height() + kLegendGap + kLegendRow * rows};
  }

  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    painter.save();
    painter.translate(area.topLeft());
    const TimeAxis axis{range_, header_width(area.width()), axis_width(area.width())};
    const Selection nothing;
    const QFont font = QGuiApplication::font();
    const TimelinePainter parts(scene_, *comparison_, theme, axis, nothing, font);
    parts.ruler(painter, QRectF(0, 0, area.width(), TimelinePainter::kRulerHeight));
    painter.translate(0, TimelinePainter::kRulerHeight);
    parts.bands(painter, 0, scene_.height());
    QRectF row(legendLeft(area.width()), scene_.height() + kLegendGap, area.width(), kLegendRow);
    for (const std::vector<LegendEntry>& entries : legendRows(area.width(), theme)) {
      paint_legend(painter, row, entries, theme, font);
      row.translate(0, kLegendRow);
    }
    painter.restore();
  }

  QString recorded() const override { return QString::fromStdString(comparison_->recorded); }
  QString csv() const override {
    QString text = csv_record({QStringLiteral("schedule"), QStringLiteral("origin"), QStringLiteral("stage"),
                               QStringLiteral("stream"), QStringLiteral("kernel"), QStringLiteral("operators"),
                               QStringLiteral("kind"), QStringLiteral("begin_us"), QStringLiteral("duration_us"),
                               QStringLiteral("flops"), QStringLiteral("bytes")});
    for (const TimelineBand& band : scene_.bands()) {
      const ScheduleResult& result = scene_.result(band);
      for (const KernelSpan& span : result.trace.kernels) {
        if (span.end < range_.begin || span.begin > range_.end) continue;
        text += record(result, span);
      }
    }
    return text;
  }

 private:
  // Below the axis, or where that is narrow below everything.
  static double legendLeft(double width) {
    return header_width(width) < TimelineScene::kHeaderWidth ? 0 : TimelineScene::kHeaderWidth;
  }
  std::vector<std::vector<LegendEntry>> legendRows(double width, const Theme& theme) const {
    const std::vector<LegendEntry> entries = legend(*comparison_, scene_.bands(), theme);
    return legend_rows(entries, width - legendLeft(width), QGuiApplication::font());
  }
  QString record(const ScheduleResult& result, const KernelSpan& span) const {
    QStringList operators;
    QStringList work{{}, {}, {}};
    if (span.kernel.index() < result.plan.kernels.size()) {
      const Kernel& kernel = result.plan.kernel(span.kernel);
      for (const OperatorId id : kernel.operators) {
        if (comparison_->graph) operators << shown_name(comparison_->graph->op(id).name);
      }
      work = {kind_category(kernel.attributes), csv_number(kernel.work.flops), QString::number(kernel.work.bytes())};
    }
    return csv_record({QString::fromStdString(result.id.text()), origin_text(result.latency.origin),
                       QString::number(span.stage + 1), QString::number(span.lane + 1), shown_name(span.name),
                       operators.join(QLatin1Char(' ')), work[0], csv_number(span.begin.count()),
                       csv_number((span.end - span.begin).count()), work[1], work[2]});
  }

  std::shared_ptr<const Comparison> comparison_;
  TimelineScene scene_;
  TimeRange range_;
};

}  // namespace

std::unique_ptr<Figure> make_timeline_figure(std::shared_ptr<const Comparison> comparison,
                                             std::vector<std::size_t> shown, TimeRange range) {
  if (!comparison) comparison = std::make_shared<Comparison>();
  return std::make_unique<TimelineFigure>(std::move(comparison), shown, range);
}

}  // namespace iosx
