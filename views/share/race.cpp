#include "views/share/race.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>
#include <algorithm>

#include "views/text/latency_text.h"
#include "views/text/translate.h"
#include "views/time/timeline_track.h"

namespace iosx {
namespace {

constexpr double kTitle = 26;       // height of the line over a network
constexpr int kTitleText = 17;      // pixels
constexpr double kTimelines = 250;  // height of both timelines at most

}  // namespace

Race::Race(const Rivals& rivals) : rivals_(rivals), other_(runner(rivals.against)), one_(runner(rivals.shown)) {}

Race::Runner Race::runner(std::size_t result) const {
  const double width = kFrame.width() / 2.0 - 2 * card::kMargin;
  const double height = kFrame.height() - card::kHead - kTitle - kTimelines - card::kMargin;
  return {result, card::laid_out(rivals_, result, {width, height}),
          TrackIndex(tracks_of(rivals_.comparison, {result}).front(), nullptr, {})};
}

Micros Race::end() const { return std::max(one_.index.end(), other_.index.end()); }

QImage Race::frame(Micros at) const {
  const Theme theme = Theme::light();
  QImage image(kFrame, QImage::Format_RGB32);
  image.fill(theme.canvas);
  QPainter painter(&image);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  const QRectF all{0, 0, static_cast<double>(kFrame.width()), static_cast<double>(kFrame.height())};
  const QRectF inner = all.adjusted(card::kMargin, 0, -card::kMargin, 0);
  card::paint_head(painter, QRectF(inner.topLeft(), QSizeF(inner.width(), card::kHead)), rivals_, theme);

  const auto timelines = card::timelines(rivals_, {Micros(0), end() * 1.1}, std::min(at, end()));
  const double height = std::min(timelines->sizeWithin(inner.width()).height(), kTimelines);
  const QRectF below(inner.left(), inner.bottom() - height - card::kMargin / 2, inner.width(), height);
  card::paint_within(painter, below, *timelines, theme);

  QRectF half(inner.left(), card::kHead, inner.width() / 2 - card::kMargin / 2,
              below.top() - card::kHead - card::kMargin / 2);
  paintRunner(painter, half, other_, at);
  half.moveRight(inner.right());
  paintRunner(painter, half, one_, at);
  return image;
}

void Race::paintRunner(QPainter& painter, const QRectF& area, const Runner& runner, Micros at) const {
  const Theme theme = Theme::light();
  const bool ended = at >= runner.index.end();
  QFont font = QGuiApplication::font();
  font.setPixelSize(kTitleText);
  font.setBold(true);
  painter.setFont(font);
  const QRectF title(area.left(), area.top(), area.width(), kTitle);
  painter.setPen(theme.text);
  painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter, schedule_title(rivals_.comparison->results[runner.result]));
  const QString time = duration_text(std::min(at, runner.index.end()));
  const QString clock = ended ? Text::tr("finished: %1").arg(time) : time;
  if (ended) {
    QRectF flag(0, 0, QFontMetricsF(font).horizontalAdvance(clock) + 16, kTitle - 2);
    flag.moveTopRight(title.topRight());
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.running);
    painter.drawRoundedRect(flag, 4, 4);
    painter.setPen(Theme::readableOn(theme.running));
    painter.drawText(flag, Qt::AlignCenter, clock);
  } else {
    painter.drawText(title, Qt::AlignRight | Qt::AlignVCenter, clock);
  }
  canvas::FigureExtras extras;
  extras.legend = false;
  if (!ended) {
    extras.running = runner.index.running_units(at);
    extras.ahead = runner.index.ahead(at);
  }
  const auto figure = canvas::make_figure(runner.laid.model, runner.laid.drawing, std::move(extras), {});
  card::paint_within(painter, area.adjusted(0, kTitle, 0, 0), *figure, theme);
}

}  // namespace iosx
