#include "views/share/picture.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>
#include <algorithm>

#include "core/analysis/difference/part_matrix.h"
#include "views/canvas/layout/layout.h"
#include "views/canvas/paint/marks.h"
#include "views/canvas/weave/weave.h"
#include "views/explore/timeline/timeline_figure.h"
#include "views/figures/badge.h"
#include "views/figures/paint.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {

QString Rivals::sentence() const {
  const QString latencies =
      Text::tr("%1 instead of %2").arg(latency_text(one().latency), latency_text(other().latency));
  const QString a = schedule_title(one());
  const QString b = schedule_title(other());
  switch (difference(one(), other())) {
    case Difference::kFaster:
    case Difference::kSlower:
      return Text::tr("%1 is %2 as fast as %3: %4").arg(a, speed_text(one(), other()), b, latencies);
    case Difference::kSame: return Text::tr("%1 is as fast as %2 within the noise: %3").arg(a, b, latencies);
    case Difference::kUnknown: break;
  }
  return Text::tr("%1 against %2, too few runs to tell: %3").arg(a, b, latencies);
}

std::optional<Rivals> rivals_of(const std::shared_ptr<const Comparison>& comparison, std::size_t shown,
                                std::optional<std::size_t> baseline) {
  if (!comparison || !comparison->graph || !comparison->knows_latencies() || shown >= comparison->results.size())
    return std::nullopt;
  if (!baseline) {
    const ScheduleResult* sequential = comparison->find(ScheduleKind::kSequential);
    if (sequential == nullptr) return std::nullopt;
    baseline = comparison->index_of(sequential->id);
  }
  if (!baseline || *baseline >= comparison->results.size()) return std::nullopt;
  Rivals rivals{comparison, shown, *baseline};
  if (rivals.shown == rivals.against) rivals.shown = comparison->best();
  const bool timed = !rivals.one().trace.kernels.empty() && !rivals.other().trace.kernels.empty();
  if (rivals.shown == rivals.against || !timed) return std::nullopt;
  return rivals;
}

namespace card {
namespace {

constexpr int kLarge = 44;  // pixels
constexpr int kMiddle = 20;
constexpr int kSmall = 15;
constexpr double kLeastWidth = 80;  // of a figure
constexpr double kBetweenLines = 6;

// The texts at the top of a card and their fonts.
struct Head {
  explicit Head(const Rivals& rivals)
      : speed(speed_text(rivals.one(), rivals.other())),
        sentence(rivals.sentence()),
        context(context_text(*rivals.comparison)) {}

  double beside() const { return QFontMetricsF(large).horizontalAdvance(speed) + kMargin; }
  bool fitsBeside(double width) const { return beside() + QFontMetricsF(middle).horizontalAdvance(sentence) <= width; }
  double sentenceHeight(double width) const { return height(below, sentence, width); }
  double contextHeight(double width) const { return height(small, context, width); }

  static double height(const QFont& font, const QString& text, double width) {
    return QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 1e4), Qt::TextWordWrap, text).height();
  }

  QString speed;
  QString sentence;
  QString context;
  QFont large = sized(QGuiApplication::font(), kLarge, true);
  QFont middle = sized(QGuiApplication::font(), kMiddle, true);
  QFont below = sized(QGuiApplication::font(), kSmall, true);  // of the sentence below the speed-up
  QFont small = sized(QGuiApplication::font(), kSmall, false);
  double speed_height = QFontMetricsF(large).height();
  double badge_height = QFontMetricsF(small).height() + 4;
};

}  // namespace

Laid laid_out(const Rivals& rivals, std::size_t result, const QSizeF& room) {
  const ScheduleResult& of = rivals.comparison->results[result];
  canvas::LayoutRequest request;
  Laid laid;
  laid.model =
      canvas::with_schedule(*canvas::make_model(rivals.comparison->graph, canvas::text_style()), &of.schedule,
                            of.stage_latencies, canvas::schedule_label(*rivals.comparison, of, schedule_title(of)));
  request.graph = laid.model->graph;
  request.schedule = laid.model->schedule;
  request.room = {room.width(), room.height()};
  request.weave = canvas::weave_of(laid.model->label);
  laid.drawing = canvas::make_drawing(canvas::weave_graph(request));
  return laid;
}

std::unique_ptr<Figure> timelines(const Rivals& rivals, TimeRange range, std::optional<Micros> at) {
  TimelinePicture picture{.tracks = unaligned(tracks_of(rivals.comparison, {rivals.against, rivals.shown})).tracks};
  picture.playhead = at;
  picture.focus = 1;  // the one that is shown
  if (!at) {
    picture.baseline = 0;
    picture.why_of = 1;
  }
  return make_timeline_figure(picture, range);
}

// A figure is narrower and less high at once, so the widest that fits is found by halving.
void paint_within(QPainter& painter, const QRectF& area, const Figure& figure, const Theme& theme) {
  double fits = kLeastWidth;
  double too_wide = std::min(area.width(), figure.size().width());
  if (figure.sizeWithin(too_wide).height() <= area.height()) fits = too_wide;
  while (too_wide - fits > 1) {
    const double middle = (fits + too_wide) / 2;
    (figure.sizeWithin(middle).height() <= area.height() ? fits : too_wide) = middle;
  }
  QRectF box(QPointF(), figure.sizeWithin(fits));
  box.moveCenter(area.center());
  figure.paint(painter, box, theme);
}

double head_height(const Rivals& rivals, double width) {
  const Head head(rivals);
  if (head.fitsBeside(width)) return kHead;
  return head.speed_height + head.sentenceHeight(width) + kBetweenLines + head.badge_height +
         head.contextHeight(width) + 2 * kBetweenLines;
}

void paint_head(QPainter& painter, const QRectF& area, const Rivals& rivals, const Theme& theme) {
  const Head head(rivals);
  const int wraps = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;
  if (area.height() > kHead) {
    QRectF line(area.left(), area.top(), area.width(), head.speed_height);
    paint_text(painter, head.large, theme.text, line, kAtLeft, head.speed);
    line = QRectF(line.left(), line.bottom(), line.width(), head.sentenceHeight(area.width()));
    paint_text(painter, head.below, theme.text, line, wraps, head.sentence);
    const QPointF badge(line.left(), line.bottom() + kBetweenLines);
    (void)paint_badge(painter, badge, rivals.one().latency.origin, theme, head.small);
    line = QRectF(line.left(), badge.y() + head.badge_height + kBetweenLines, line.width(),
                  head.contextHeight(area.width()));
    paint_text(painter, head.small, theme.mutedText, line, wraps, head.context);
    return;
  }
  const double left = area.left() + head.beside();
  paint_text(painter, head.large, theme.text, area, kAtLeft, head.speed);
  const QRectF beside(left, area.top(), area.right() - left, area.height() / 2);
  paint_text(painter, head.middle, theme.text, beside, Qt::AlignLeft | Qt::AlignBottom,
             QFontMetricsF(head.middle).elidedText(head.sentence, Qt::ElideMiddle, beside.width()));
  const QPointF below(left, beside.bottom() + kBetweenLines);
  const double badge = paint_badge(painter, below, rivals.one().latency.origin, theme, head.small) + 10;
  const QRectF place(badge, below.y(), area.right() - badge, head.badge_height);
  paint_text(painter, head.small, theme.mutedText, place, kAtLeft,
             QFontMetricsF(head.small).elidedText(head.context, Qt::ElideMiddle, place.width()));
}

}  // namespace card

namespace {

constexpr double kWidth = 1400;
constexpr double kGraph = 460;  // height of the network

class CardFigure final : public Figure {
 public:
  explicit CardFigure(const Rivals& rivals) : rivals_(rivals), timeline_(card::timelines(rivals, {})) {
    canvas::FigureExtras extras;
    extras.legend = false;  // the timeline's says the same
    if (const auto steps = saving_steps({rivals.comparison, rivals.against}, {rivals.comparison, rivals.shown})) {
      extras.deltas = canvas::saving_deltas(*steps, schedule_title(rivals.other()));
      extras.gains = true;
    }
    const card::Laid laid = card::laid_out(rivals, rivals.shown, {kWidth, kGraph});
    graph_ = canvas::make_figure(laid.model, laid.drawing, std::move(extras), {});
  }

  QString title() const override {
    return Text::tr("%1 next to %2: %3")
        .arg(schedule_title(rivals_.one()), schedule_title(rivals_.other()), context_text(*rivals_.comparison));
  }
  QString fileStem() const override { return QStringLiteral("card"); }
  QSizeF size() const override { return sizeWithin(kWidth); }
  QSizeF sizeWithin(double width) const override {
    const double inner = room(width);
    return {width, card::head_height(rivals_, inner) + graphHeight(inner) + timeline_->sizeWithin(inner).height() +
                       3 * card::kMargin};
  }

  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    painter.save();
    painter.fillRect(area, theme.canvas);
    const double width = room(area.width());
    QRectF row(area.left() + card::kMargin, area.top(), width, card::head_height(rivals_, width));
    card::paint_head(painter, row, rivals_, theme);
    row = QRectF(row.left(), row.bottom(), width, graphHeight(width));
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
  double graphHeight(double width) const { return std::min(kGraph, graph_->sizeWithin(width).height()); }

  Rivals rivals_;
  std::unique_ptr<Figure> timeline_;
  std::unique_ptr<Figure> graph_;
};

}  // namespace

std::unique_ptr<Figure> make_card_figure(const Rivals& rivals) { return std::make_unique<CardFigure>(rivals); }

}  // namespace iosx
