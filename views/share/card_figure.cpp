#include "views/share/card_figure.h"

#include <QPainter>
#include <vector>

#include "core/analysis/difference/part_matrix.h"
#include "views/canvas/paint/marks.h"
#include "views/share/picture.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kWidth = 1400;
constexpr double kGraph = 460;  // height of the network

class CardFigure final : public Figure {
 public:
  explicit CardFigure(const Rivals& rivals) : rivals_(rivals), timeline_(card::timelines(rivals, {})) {
    canvas::FigureExtras extras;
    extras.legend = false;  // the timeline's says the same
    if (const auto steps = saving_steps({rivals.comparison, rivals.against}, {rivals.comparison, rivals.shown})) {
      extras.deltas = canvas::stage_deltas(steps->stages, schedule_title(rivals.other()));
      extras.band_gains = true;
    }
    const double figure = canvas::small_width(canvas::BandGains(extras.deltas).widestFigure());
    const card::Laid laid = card::laid_out(rivals, rivals.shown, {kWidth, kGraph}, figure);
    graph_ = canvas::make_figure(laid.model, laid.drawing, std::move(extras), {});
  }

  QString title() const override {
    return Text::tr("%1 next to %2: %3")
        .arg(schedule_title(rivals_.one()), schedule_title(rivals_.other()), context_text(*rivals_.comparison));
  }
  QString fileStem() const override { return QStringLiteral("card"); }
  QSizeF size() const override { return sizeWithin(kWidth); }
  QSizeF sizeWithin(double width) const override {
    return {width, card::kHead + kGraph + timeline_->sizeWithin(room(width)).height() + 3 * card::kMargin};
  }

  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    painter.save();
    painter.fillRect(area, theme.canvas);
    const double width = room(area.width());
    QRectF row(area.left() + card::kMargin, area.top(), width, card::kHead);
    card::paint_head(painter, row, rivals_, theme);
    row = QRectF(row.left(), row.bottom(), width, kGraph);
    card::paint_within(painter, row, *graph_, theme);
    row = QRectF(QPointF(row.left(), row.bottom() + card::kMargin), timeline_->sizeWithin(width));
    timeline_->paint(painter, row, theme);
    painter.restore();
  }

  QString csv() const override {
    QString text = csv_record({QStringLiteral("schedule"), QStringLiteral("latency_ms"), QStringLiteral("spread_ms"),
                               QStringLiteral("samples"), QStringLiteral("origin"), QStringLiteral("speed_up")});
    for (const ScheduleResult* result : {&rivals_.other(), &rivals_.one()}) {
      text += csv_record({shown_name(result->id.text()), csv_number(result->latency.value.count()),
                          csv_number(result->latency.spread.count()), QString::number(result->latency.samples),
                          origin_id(result->latency.origin),
                          csv_number(rivals_.other().latency.value / result->latency.value)});
    }
    return text;
  }
  QString recorded() const override { return shown_name(rivals_.comparison->recorded.text()); }

 private:
  static double room(double width) { return width - 2 * card::kMargin; }

  Rivals rivals_;
  std::unique_ptr<Figure> timeline_;
  std::unique_ptr<Figure> graph_;
};

}  // namespace

std::unique_ptr<Figure> make_card_figure(const Rivals& rivals) { return std::make_unique<CardFigure>(rivals); }

}  // namespace iosx
