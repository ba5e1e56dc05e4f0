#include "views/timeline/timeline_figure.h"

#include <QGuiApplication>
#include <QPainter>
#include <QStringList>
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
constexpr double kLegendHeight = 28;

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
  QSizeF size() const override { return {kWidth, TimelinePainter::kRulerHeight + scene_.height() + kLegendHeight}; }

  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    painter.save();
    painter.translate(area.topLeft());
    const TimeAxis axis{range_, TimelineScene::kHeaderWidth, area.width() - TimelineScene::kHeaderWidth - 26};
    const Selection nothing;
    const QFont font = QGuiApplication::font();
    const TimelinePainter parts(scene_, *comparison_, theme, axis, nothing, font);
    parts.ruler(painter, QRectF(0, 0, area.width(), TimelinePainter::kRulerHeight));
    painter.translate(0, TimelinePainter::kRulerHeight);
    parts.bands(painter, 0, scene_.height());
    const QRectF row(axis.left, scene_.height() + 6, axis.width, kLegendHeight - 6);
    paint_legend(painter, row, legend(*comparison_, scene_.bands(), theme), theme, font);
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
