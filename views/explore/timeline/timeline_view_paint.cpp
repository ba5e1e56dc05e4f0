#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "views/explore/timeline/idle_painter.h"
#include "views/explore/timeline/legend.h"
#include "views/explore/timeline/timeline_view.h"

// The timeline's picture: the part that stays while the mouse moves is kept, and the rest is drawn over it.
namespace iosx {

void TimelineView::drawStill(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(viewport()->rect(), theme_.canvas);
  const double width = viewport()->width();
  const double bottom = tracksBottom();
  if (scene_.tracks().empty()) {
    painter.setPen(theme_.mutedText);
    painter.drawText(viewport()->rect(), Qt::AlignCenter,
                     tr("No timeline yet: press Optimize to run schedules on the device"));
    return;
  }
  TimelinePainter parts(scene_, theme_, axis(), selection_->current(), font());
  if (hasFocus()) parts.current = current_;
  parts.active = tracks_.active();
  parts.controls = true;
  const double ruler = TimelinePainter::kRulerHeight;
  const double pinned = scene_.pinned_height();
  const auto bands = [&](double top, double scroll, bool stay) {
    painter.save();
    painter.setClipRect(QRectF(0, ruler + top, width, bottom - ruler - top));
    painter.translate(0, ruler - scroll);
    parts.bands(painter, top + scroll, bottom - ruler + scroll, stay);
    painter.restore();
  };
  bands(pinned, verticalScrollBar()->value(), false);
  if (pinned > 0) {
    painter.save();
    painter.setClipRect(QRectF(0, ruler, width, std::min(pinned, bottom - ruler)));
    painter.translate(0, ruler);
    parts.bands(painter, 0, pinned, true);
    painter.restore();
    painter.setPen(QPen(theme_.mutedText, 2));
    painter.drawLine(QPointF(0, ruler + pinned), QPointF(width, ruler + pinned));
  }
  parts.ruler(painter, QRectF(0, 0, width, ruler));
  if (idle_) {
    const QRectF area = idleArea();
    paint_idle_machine(painter, area, *idle_, scene_, axis(), theme_, font(), area.height() > kIdleLine, true);
  }
  drawFooter(painter);
}

void TimelineView::drawFooter(QPainter& painter) const {
  const double width = viewport()->width();
  const QRectF footer(0, viewport()->height() - kFooterHeight, width, kFooterHeight);
  painter.fillRect(footer, theme_.panel);
  painter.setPen(theme_.outline);
  painter.drawLine(footer.topLeft(), footer.topRight());
  const double end =
      paint_legend(painter, footer.adjusted(12, 0, -12, 0), legend(scene_.bands(), theme_), theme_, font());
  const QString hint =
      tr("Wheel zooms \u00B7 drag measures \u00B7 Ctrl+drag pans \u00B7 space plays \u00B7 F shows all");
  painter.setPen(theme_.mutedText);
  if (end + painter.fontMetrics().horizontalAdvance(hint) + 24 < width) {
    painter.drawText(footer.adjusted(0, 0, -12, 0), Qt::AlignRight | Qt::AlignVCenter, hint);
  }
}

void TimelineView::drawOver(QPainter& painter, std::size_t track, const std::function<void()>& draw) const {
  const TimelineBand* band = scene_.band_of(track);
  if (band == nullptr) return;
  const double top = viewportAt({0, band->top}).y();  // of the content above or below what is pinned
  const double least =
      TimelinePainter::kRulerHeight + (band->bottom() <= scene_.pinned_height() ? 0 : scene_.pinned_height());
  painter.save();
  painter.setClipRect(QRectF(0, least, viewport()->width(), tracksBottom() - least));
  painter.translate(0, top - band->top);
  draw();
  painter.restore();
}

void TimelineView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.drawPixmap(0, 0, still_.picture(viewport()->size(), viewport()->devicePixelRatioF(), [this](QPainter& still) {
    drawStill(still);
  }));
  if (scene_.bands().empty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  const TimelinePainter parts(scene_, theme_, axis(), selection_->current(), font());
  const double top = TimelinePainter::kRulerHeight;
  const double bottom = viewport()->height() - kFooterHeight;
  if (hovered_) drawOver(painter, hovered_->track, [&] { parts.waits_of(painter, *hovered_); });
  if (const auto track = tracks_.active(); track && !pointed_.empty()) {
    drawOver(painter, *track, [&] { parts.pointed(painter, *track, pointed_); });
  }
  if (time_->cursor()) parts.cursor(painter, *time_->cursor(), top, bottom);
  if (time_->measure()) parts.measure(painter, *time_->measure(), top, bottom);
  if (time_->playhead()) parts.playhead(painter, *time_->playhead(), top, bottom);
}

}  // namespace iosx
