#include <QActionGroup>
#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/explore/timeline/legend.h"
#include "views/explore/timeline/playhead_player.h"
#include "views/explore/timeline/range_statistics.h"
#include "views/explore/timeline/span_text.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/figures/paint.h"
#include "views/text/counter_text.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/stage_text.h"

// Mouse and keyboard input of the timeline, with its menus.
namespace iosx {
namespace {

constexpr double kSnapPixels = 8;
constexpr double kWheelZoom = 0.8;  // a notch

bool own_key(const QKeyEvent& event) {
  constexpr int kKeys[] = {Qt::Key_W,      Qt::Key_A,     Qt::Key_S,    Qt::Key_D,      Qt::Key_F,       Qt::Key_Z,
                           Qt::Key_Period, Qt::Key_Comma, Qt::Key_Plus, Qt::Key_Minus,  Qt::Key_Up,      Qt::Key_Down,
                           Qt::Key_Left,   Qt::Key_Right, Qt::Key_Home, Qt::Key_Return, Qt::Key_Escape,  Qt::Key_Space,
                           Qt::Key_U,      Qt::Key_P,     Qt::Key_I,    Qt::Key_PageUp, Qt::Key_PageDown};
  const auto modifiers = event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier);
  return modifiers == Qt::NoModifier && std::find(std::begin(kKeys), std::end(kKeys), event.key()) != std::end(kKeys);
}

}  // namespace

bool TimelineView::event(QEvent* event) {
  switch (event->type()) {
    case QEvent::ShortcutOverride: {
      // Our single keys come before shortcuts of the window while the timeline has the focus.
      const auto* key = static_cast<QKeyEvent*>(event);
      if (!own_key(*key) && !(key->matches(QKeySequence::Copy) && time_->measure())) break;
      event->accept();
      return true;
    }
    case QEvent::FocusIn:
    case QEvent::FocusOut:
    case QEvent::FontChange:
    case QEvent::LanguageChange: redraw(); break;
    default: break;
  }
  return QAbstractScrollArea::event(event);
}

bool TimelineView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const QString text = toolTipAt(help->pos());
    text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), text, viewport());
    return true;
  }
  if (event->type() == QEvent::Leave) {
    time_->setCursor(std::nullopt);
    hover(std::nullopt);
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::wheelEvent(QWheelEvent* event) {
  const QPoint delta = event->angleDelta();
  const bool over_header = event->position().x() < TimelineScene::kHeaderWidth;
  if (over_header || event->modifiers().testFlag(Qt::ShiftModifier)) return QAbstractScrollArea::wheelEvent(event);
  if (std::abs(delta.x()) > std::abs(delta.y())) {
    time_->pan(axis().duration(-delta.x() / 2.0));
  } else {
    time_->zoomAt(axis().time(event->position().x()), std::pow(kWheelZoom, delta.y() / 120.0));
  }
  event->accept();
}

Micros TimelineView::snapped(double x) const {
  const TimeAxis axis = this->axis();
  const Micros time = axis.time(std::clamp(x, axis.left, axis.right()));
  return scene_.snap(time, axis.duration(kSnapPixels)).value_or(time);
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
  press_ = last_ = event->position();
  const bool on_axis = press_.x() >= TimelineScene::kHeaderWidth;
  const bool pan = event->button() == Qt::MiddleButton ||
                   (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ControlModifier));
  if (pan) {
    gesture_ = Gesture::kPan;
    viewport()->setCursor(Qt::ClosedHandCursor);
  } else if (event->button() == Qt::LeftButton) {
    const bool in_ruler = on_axis && press_.y() < TimelinePainter::kRulerHeight;
    gesture_ = in_ruler && !scene_.bands().empty() ? Gesture::kPlayhead : Gesture::kPress;
    if (gesture_ == Gesture::kPlayhead) time_->setPlayhead(snapped(press_.x()));
  }
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF position = event->position();
  const TimeAxis axis = this->axis();
  const bool inside = position.x() >= axis.left && position.x() <= axis.right();
  time_->setCursor(inside ? std::optional(axis.time(position.x())) : std::nullopt);
  hover(position);
  const bool dragged = (position - press_).manhattanLength() >= QApplication::startDragDistance();
  if (gesture_ == Gesture::kPress && dragged && press_.x() >= axis.left && !scene_.bands().empty()) {
    gesture_ = Gesture::kMeasure;
    panel_->hide();
    time_->setMeasure(TimeMeasure{snapped(press_.x()), snapped(press_.x())});
  }
  switch (gesture_) {
    case Gesture::kPan:
      time_->pan(axis.duration(last_.x() - position.x()));
      verticalScrollBar()->setValue(verticalScrollBar()->value() + static_cast<int>(last_.y() - position.y()));
      break;
    case Gesture::kMeasure: time_->setMeasure(TimeMeasure{time_->measure()->from, snapped(position.x())}); break;
    case Gesture::kPlayhead: time_->setPlayhead(snapped(position.x())); break;
    case Gesture::kPress:
    case Gesture::kNone: break;
  }
  last_ = position;
}

void TimelineView::hover(std::optional<QPointF> position) {
  const TimelineHit hit = position ? hitAt(*position) : TimelineHit();
  const auto over = hit.kind == TimelineHit::Kind::kSpan ? std::optional(hit.span) : std::nullopt;
  if (over == hovered_) return;
  hovered_ = over;
  viewport()->update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
  if (gesture_ == Gesture::kNone) return;
  const Gesture done = std::exchange(gesture_, Gesture::kNone);
  viewport()->unsetCursor();
  if (done == Gesture::kPress) click(event->position());
  if (done != Gesture::kMeasure) return;
  if (time_->measure() && time_->measure()->from == time_->measure()->to) time_->setMeasure(std::nullopt);
  showStatistics();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
  const TimelineHit hit = hitAt(event->position());
  if (hit.kind == TimelineHit::Kind::kSpan) time_->fit(scene_.range(hit.span));
  if (hit.kind == TimelineHit::Kind::kStage) time_->fit(scene_.bands()[hit.band].index->stages()[hit.stage]);
}

void TimelineView::click(QPointF position) {
  if (whyArea().contains(position)) return clickWhy(position);
  const TimelineHit hit = hitAt(position);
  const std::size_t track = hit.on_band() ? scene_.bands()[hit.band].track : 0;
  switch (hit.kind) {
    case TimelineHit::Kind::kSpan:
      setCurrent(hit.span, false);
      selectSpan(hit.span);
      break;
    case TimelineHit::Kind::kStage: selectStage(track, hit.stage); break;
    case TimelineHit::Kind::kHeader: setCollapsed(track, !tracks_.collapsed(track)); break;
    case TimelineHit::Kind::kPin: setPinned(track, !tracks_.pinned(track)); break;
    case TimelineHit::Kind::kMore: showMore(!tracks_.more_shown()); break;
    case TimelineHit::Kind::kHeat: {
      const Micros time = axis().time(position.x());
      if (const auto stage = scene_.bands()[hit.band].index->stage_at(time)) selectStage(track, *stage);
      break;
    }
    case TimelineHit::Kind::kGap:
    case TimelineHit::Kind::kNothing:
      time_->setMeasure(std::nullopt);
      selection_->clear();
      break;
  }
}

// Left of the axis it opens and closes; on it, it selects the stage that runs in the schedule that is looked at.
void TimelineView::clickWhy(QPointF position) {
  if (position.x() < axis().left || !why_open_) return setWhyOpen(!why_open_);
  const TimelineBand* band = scene_.band_of(*tracks_.active());
  const auto stage = band != nullptr ? band->index->stage_at(axis().time(position.x())) : std::nullopt;
  if (stage) selectStage(*tracks_.active(), *stage);
}

WhyPicture TimelineView::whyPicture() const {
  return {.axis = axis(),
          .extent = time_->extent(),
          .whole = false,
          .open = why_height_ > WhyPainter::kLine,
          .controls = true};
}

void TimelineView::stepStage(int step) {
  if (!current_) return nextSpan();
  const std::size_t stages = scene_.band_of(current_->track)->index->stages().size();
  const std::size_t stage = scene_.span(*current_).stage;
  if (step < 0 ? stage == 0 : stage + 1 >= stages) return;
  selectStage(current_->track, step < 0 ? stage - 1 : stage + 1);
  if (current_) reveal(*current_);
}

void TimelineView::stepPlayhead(int step) {
  const auto track = tracks_.leading();
  const TimelineBand* band = track ? scene_.band_of(*track) : nullptr;
  if (band == nullptr) return;
  const Micros from = time_->playhead().value_or(time_->visible().begin);
  const auto edge = step < 0 ? band->index->edge_before(from) : band->index->edge_after(from);
  if (!edge) return;
  time_->setPlayhead(*edge);
  const TimeRange visible = time_->visible();
  if (visible.contains(*edge)) return;
  time_->setVisible({*edge - visible.length() / 2, *edge + visible.length() / 2});
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy) && panel_->isVisible()) return panel_->copy();
  if (!own_key(*event) || scene_.tracks().empty()) return QAbstractScrollArea::keyPressEvent(event);
  const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
  switch (event->key()) {
    case Qt::Key_Z: return fitSelection();
    case Qt::Key_Right:
      if (shift) return stepPlayhead(1);
      [[fallthrough]];
    case Qt::Key_Period: return nextSpan();
    case Qt::Key_Left:
      if (shift) return stepPlayhead(-1);
      [[fallthrough]];
    case Qt::Key_Comma: return previousSpan();
    case Qt::Key_Home: return fitAll();
    case Qt::Key_Up:
    case Qt::Key_Down:
      return current_ ? goTo(scene_.beside(*current_, event->key() == Qt::Key_Up ? -1 : 1)) : nextSpan();
    case Qt::Key_PageUp: return stepStage(-1);
    case Qt::Key_PageDown: return stepStage(1);
    case Qt::Key_Return:
      if (current_) selectStage(current_->track, scene_.span(*current_).stage);
      return;
    case Qt::Key_Space: return player_->toggle();
    case Qt::Key_U: emit plotsToggled(); return;
    case Qt::Key_I: return setWhyOpen(!why_open_);
    case Qt::Key_P: {
      const auto track = current_ ? std::optional(current_->track) : tracks_.leading();
      if (track) setPinned(*track, !tracks_.pinned(*track));
      return;
    }
    case Qt::Key_Escape:
      // One thing after the other.
      if (time_->measure()) return time_->setMeasure(std::nullopt);
      if (time_->playhead()) {
        player_->pause();
        return time_->setPlayhead(std::nullopt);
      }
      return selection_->clear();
    default: time_->handleKey(event->key());
  }
}

void TimelineView::rebuildMenu() {
  tracks_menu_->clear();
  const std::vector<TimelineTrack>& tracks = tracks_.tracks();
  const bool several = std::ranges::any_of(
      tracks, [&](const TimelineTrack& track) { return track.comparison != tracks.front().comparison; });
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const TimelineTrack& track = tracks[i];
    if (several && (i == 0 || track.comparison != tracks[i - 1].comparison)) {
      tracks_menu_->addSection(menu_text(context_text(*track.comparison)));
    }
    QAction* action = tracks_menu_->addAction(
        menu_text(QStringLiteral("%1  (%2)").arg(track.name(), latency_text(*track.comparison, track.schedule()))));
    action->setCheckable(true);
    action->setChecked(tracks_.shown(i));
    action->setEnabled(i != tracks_.active());
    if (i == tracks_.active()) action->setToolTip(tr("The selected schedule is always shown"));
    // Later, as it makes the menu anew; by then there may be other tracks.
    const auto show = [this, key = track.key()](bool shown) {
      const std::vector<TimelineTrack>& now = tracks_.tracks();
      const auto found = std::ranges::find(now, key, &TimelineTrack::key);
      if (found != now.end()) setShown(static_cast<std::size_t>(found - now.begin()), shown);
    };
    connect(action, &QAction::toggled, this, show, Qt::QueuedConnection);
  }
  tracks_menu_->setToolTipsVisible(true);
  tracks_button_->setVisible(!tracks.empty());
}

void TimelineView::addCounters(QMenu& menu) {
  auto* group = new QActionGroup(&menu);
  std::vector<std::string> names;
  for (const std::size_t track : tracks_.shown_tracks()) {
    for (const Counter& counter : tracks_.tracks()[track].schedule().trace.counters) {
      if (counter.values.empty() || std::ranges::count(names, counter.name) > 0) continue;
      names.push_back(counter.name);
      QAction* action = menu.addAction(menu_text(core_words(counter.name)));
      action->setToolTip(plain_tip(text_of(counter.source)));
      action->setCheckable(true);
      const auto shown = std::ranges::find_if(scene_.bands(), [](const TimelineBand& band) { return bool(band.heat); });
      action->setChecked(shown != scene_.bands().end() && shown->heat->quantity == text_of(counter.name));
      group->addAction(action);
      connect(action, &QAction::triggered, this, [this, name = counter.name] { setCounter(name); });
    }
  }
  menu.setToolTipsVisible(true);
  menu.setEnabled(!names.empty());
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  menu.addAction(tr("Show all (F)"), this, &TimelineView::fitAll);
  QAction* selected = menu.addAction(tr("Zoom to the selection (Z)"), this, &TimelineView::fitSelection);
  selected->setEnabled(!selection_->current().empty());
  menu.addAction(player_->playing() ? tr("Pause (space)") : tr("Play in slow motion (space)"), player_,
                 &PlayheadPlayer::toggle);
  menu.addSeparator();
  const TimelineHit hit = hitAt(viewport()->mapFromGlobal(event->globalPos()));
  if (hit.on_band()) {
    const std::size_t track = scene_.bands()[hit.band].track;
    QAction* pin = menu.addAction(tr("Keep this schedule at the top (P)"));
    pin->setCheckable(true);
    pin->setChecked(tracks_.pinned(track));
    connect(pin, &QAction::toggled, this, [this, track](bool pinned) { setPinned(track, pinned); });
  }
  QAction* align = menu.addAction(tr("Align the parts of the network"));
  align->setCheckable(true);
  align->setChecked(tracks_.aligned());
  connect(align, &QAction::toggled, this, &TimelineView::setAligned);
  QAction* why = menu.addAction(tr("Why it is faster (I)"));
  why->setCheckable(true);
  why->setChecked(why_open_);
  why->setEnabled(why_ != nullptr);
  connect(why, &QAction::toggled, this, &TimelineView::setWhyOpen);
  menu.addAction(tr("Why it is faster: all plots (U)"), this, &TimelineView::plotsToggled);
  menu.addSeparator();
  tracks_menu_->setTitle(tr("Schedules"));
  menu.addMenu(tracks_menu_);
  addCounters(*menu.addMenu(tr("Counter below the lanes")));
  menu.exec(event->globalPos());
}

QString TimelineView::toolTipAt(QPointF position) const {
  if (whyArea().contains(position)) {
    return plain_tip(WhyPainter(*why_, whyPicture(), theme_, font()).tip(whyArea(), position));
  }
  const TimelineHit hit = hitAt(position);
  if (hit.kind == TimelineHit::Kind::kMore) {
    QStringList names;
    for (const std::size_t hidden : tracks_.hidden_tracks()) names << tracks_.tracks()[hidden].name();
    return plain_tip(names.join(QStringLiteral(", ")));
  }
  if (!hit.on_band()) return {};
  const TimelineBand& band = scene_.bands()[hit.band];
  const TimelineTrack& track = scene_.tracks()[band.track];
  switch (hit.kind) {
    case TimelineHit::Kind::kSpan: return span_tooltip(track, hit.span.span);
    case TimelineHit::Kind::kStage: return stage_tooltip(*track.comparison, track.result, hit.stage);
    case TimelineHit::Kind::kHeader: return schedule_tooltip(*track.comparison, track.result);
    case TimelineHit::Kind::kPin: return tr("Keep this schedule at the top while the others scroll (P)");
    case TimelineHit::Kind::kHeat: return heat_tooltip(track, band, axis().time(position.x()));
    case TimelineHit::Kind::kGap:
      return tr("This part of the network ends %1 earlier here than in the slowest shown schedule.")
          .arg(duration_text(hit.gap.length()));
    case TimelineHit::Kind::kMore:
    case TimelineHit::Kind::kNothing: break;
  }
  return {};
}

// The timeline's picture: the part that stays while the mouse moves is kept, and the rest is drawn over it.
void TimelineView::drawStill(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(viewport()->rect(), theme_.canvas);
  const double width = viewport()->width();
  const double bottom = tracksBottom();
  if (scene_.tracks().empty()) {
    paint_text(painter, theme_.mutedText, viewport()->rect(), Qt::AlignCenter,
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
  if (why_) WhyPainter(*why_, whyPicture(), theme_, font()).paint(painter, whyArea());
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
    painter.drawText(footer.adjusted(0, 0, -12, 0), kAtRight, hint);
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
