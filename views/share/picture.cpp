#include "views/share/picture.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>
#include <algorithm>

#include "views/canvas/layout/layout.h"
#include "views/explore/timeline/legend.h"
#include "views/explore/timeline/timeline_figure.h"
#include "views/text/latency_text.h"

namespace iosx::card {
namespace {

constexpr int kLarge = 44;  // pixels
constexpr int kMiddle = 20;
constexpr int kSmall = 15;
constexpr double kLeastWidth = 80;  // of a figure

}  // namespace

Laid laid_out(const Rivals& rivals, std::size_t result, const QSizeF& room, double figure) {
  const ScheduleResult& of = rivals.comparison->results[result];
  canvas::LayoutRequest request;
  request.style = canvas::text_style();
  Laid laid;
  // Without lane and launch of each unit: they would cover the words of a network this small.
  laid.model = canvas::with_schedule(*canvas::make_model(rivals.comparison->graph, request.style), &of.schedule,
                                     of.stage_latencies, {of.id, schedule_title(of)});
  request.graph = laid.model->graph;
  request.schedule = laid.model->schedule;
  request.room = {room.width(), room.height()};
  request.figure = figure;
  laid.drawing = canvas::make_drawing(canvas::layout_graph(request));
  return laid;
}

std::unique_ptr<Figure> timelines(const Rivals& rivals, TimeRange range, std::optional<Micros> at) {
  TimelinePicture picture{.tracks = unaligned(tracks_of(rivals.comparison, {rivals.against, rivals.shown})).tracks};
  picture.playhead = at;
  picture.focus = 1;  // the one that is shown
  if (!at) {
    picture.baseline = 0;
    picture.idle_of = 1;
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

void paint_head(QPainter& painter, const QRectF& area, const Rivals& rivals, const Theme& theme) {
  const QString speed = speed_text(rivals.one(), rivals.other());
  const QFont large = sized(QGuiApplication::font(), kLarge, true);
  const double left = area.left() + QFontMetricsF(large).horizontalAdvance(speed) + kMargin;
  painter.setPen(theme.text);
  painter.setFont(large);
  painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter, speed);
  const QRectF beside(left, area.top(), area.right() - left, area.height() / 2);
  const QFont middle = sized(QGuiApplication::font(), kMiddle, true);
  painter.setFont(middle);
  painter.drawText(beside, Qt::AlignLeft | Qt::AlignBottom,
                   QFontMetricsF(middle).elidedText(rivals.sentence(), Qt::ElideMiddle, beside.width()));
  const QFont small = sized(QGuiApplication::font(), kSmall, false);
  const QPointF below(left, beside.bottom() + 6);
  const double badge = paint_badge(painter, below, rivals.one().latency.origin, theme, small) + 10;
  painter.setFont(small);
  painter.setPen(theme.mutedText);
  const QRectF place(badge, below.y(), area.right() - badge, QFontMetricsF(small).height() + 4);
  painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(small).elidedText(context_text(*rivals.comparison), Qt::ElideMiddle, place.width()));
}

}  // namespace iosx::card
