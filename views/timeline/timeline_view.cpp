#include "views/timeline/timeline_view.h"

#include <QAccessible>
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QToolButton>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/text/core_words.h"
#include "views/text/counter_text.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/stage_text.h"
#include "views/timeline/legend.h"
#include "views/timeline/overview_strip.h"
#include "views/timeline/playhead_player.h"
#include "views/timeline/range_panel.h"
#include "views/timeline/span_text.h"
#include "views/timeline/timeline_accessible.h"
#include "views/timeline/timeline_figure.h"

namespace iosx {
namespace {

constexpr double kRightPadding = 26;  // room for a scroll bar of the plots below, and for the text at a run's end
constexpr int kFooterHeight = 19;
constexpr double kSnapPixels = 8;
constexpr double kWheelZoom = 0.8;  // a notch
constexpr int kPanelMargin = 8;

bool own_key(const QKeyEvent& event) {
  constexpr int kKeys[] = {Qt::Key_W,      Qt::Key_A,       Qt::Key_S,     Qt::Key_D,     Qt::Key_F,
                           Qt::Key_Z,      Qt::Key_Period,  Qt::Key_Comma, Qt::Key_Plus,  Qt::Key_Minus,
                           Qt::Key_Up,     Qt::Key_Down,    Qt::Key_Left,  Qt::Key_Right, Qt::Key_Home,
                           Qt::Key_Return, Qt::Key_Escape,  Qt::Key_Space, Qt::Key_U,     Qt::Key_P,
                           Qt::Key_PageUp, Qt::Key_PageDown};
  const auto modifiers = event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier);
  return modifiers == Qt::NoModifier && std::find(std::begin(kKeys), std::end(kKeys), event.key()) != std::end(kKeys);
}

QToolButton* button(const QString& text, const QString& what, QWidget* parent) {
  auto* made = new QToolButton(parent);
  made->setText(text);
  made->setToolTip(what);
  made->setAutoRaise(true);
  made->setFocusPolicy(Qt::TabFocus);
  made->setCursor(Qt::ArrowCursor);
  return made;
}

// In a menu an ampersand would mark a letter.
QString menu_text(QString text) { return text.replace(QLatin1Char('&'), QStringLiteral("&&")); }

}  // namespace

TimelineView::TimelineView(SelectionModel* selection, TimeAxisModel* axis, QWidget* parent)
    : QAbstractScrollArea(parent),
      selection_(selection),
      time_(axis),
      tracks_menu_(new QMenu(this)),
      tracks_button_(button(tr("Schedules"), tr("Choose the schedules that are shown"), viewport())),
      overview_(new OverviewStrip(axis, this)),
      player_(new PlayheadPlayer(axis, this)),
      panel_(new RangePanel(viewport())) {
  install_timeline_accessibility();
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Timeline of the schedules"));
  setViewportMargins(0, OverviewStrip::kHeight, 0, 0);
  viewport()->setMouseTracking(true);
  tracks_button_->setMenu(tracks_menu_);
  tracks_button_->setPopupMode(QToolButton::InstantPopup);
  play_button_ = button(QString::fromUtf8("\u25B6"), tr("Play in slow motion (space)"), overview_);
  play_button_->setAccessibleName(tr("Play"));
  align_button_ = button(tr("Align parts"),
                         tr("Let every part of the network begin at the same place in all schedules"), overview_);
  align_button_->setCheckable(true);
  connect(play_button_, &QToolButton::clicked, player_, &PlayheadPlayer::toggle);
  connect(align_button_, &QToolButton::toggled, this, &TimelineView::setAligned);
  connect(panel_, &RangePanel::closed, this, [this] { time_->setMeasure(std::nullopt); });
  connect(panel_, &RangePanel::exportWanted, this, &TimelineView::statisticsExportWanted);
  connectModels();
  rebuildMenu();
}

TimelineView::~TimelineView() = default;

void TimelineView::connectModels() {
  connect(time_, &TimeAxisModel::visibleChanged, this, &TimelineView::redraw);
  connect(time_, &TimeAxisModel::cursorChanged, viewport(), qOverload<>(&QWidget::update));
  connect(time_, &TimeAxisModel::measureChanged, this, [this] {
    if (gesture_ != Gesture::kMeasure) showStatistics();
    viewport()->update();
  });
  connect(time_, &TimeAxisModel::playheadChanged, this, &TimelineView::followPlayhead);
  connect(selection_, &SelectionModel::changed, this, &TimelineView::follow);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &TimelineView::redraw);
  connect(player_, &PlayheadPlayer::playingChanged, this, [this](bool playing) {
    play_button_->setText(playing ? QString::fromUtf8("\u23F8") : QString::fromUtf8("\u25B6"));
    play_button_->setAccessibleName(playing ? tr("Pause") : tr("Play"));
  });
}

void TimelineView::setTracks(std::vector<TimelineTrack> tracks, std::optional<std::size_t> active) {
  scene_ = TimelineScene();
  overview_->setScene(nullptr);
  current_.reset();
  selected_in_.reset();
  tracks_.set_tracks(std::move(tracks), active);
  time_->setMeasure(std::nullopt);
  time_->setPlayhead(std::nullopt);
  rebuild();
  follow(selection_->current());
}

void TimelineView::setActiveTrack(std::optional<std::size_t> track) {
  if (track == tracks_.active()) return;
  tracks_.set_active(track);
  rebuild();
  followPlayhead();
}

void TimelineView::setComparison(const std::shared_ptr<const Comparison>& comparison) {
  setTracks(tracks_of(comparison), std::nullopt);
}

void TimelineView::setTheme(const Theme& theme) {
  theme_ = theme;
  for (QToolButton* each : {tracks_button_, align_button_, play_button_}) {
    QPalette colors = each->palette();
    colors.setColor(QPalette::ButtonText, theme.text);
    colors.setColor(QPalette::WindowText, theme.text);
    colors.setColor(QPalette::Button, theme.panel);
    each->setPalette(colors);
  }
  overview_->setTheme(theme);
  panel_->setTheme(theme);
  redraw();
}

std::vector<ScheduleId> TimelineView::shownSchedules() const {
  std::vector<ScheduleId> ids;
  for (const std::size_t track : tracks_.shown_tracks()) ids.push_back(tracks_.tracks()[track].schedule().id);
  return ids;
}

void TimelineView::setShown(std::size_t track, bool shown) {
  if (shown == tracks_.shown(track)) return;
  tracks_.set_shown(track, shown);
  rebuild();
}

void TimelineView::setPinned(std::size_t track, bool pinned) {
  tracks_.set_pinned(track, pinned);
  rebuild();
}

void TimelineView::setCollapsed(std::size_t track, bool collapsed) {
  if (collapsed == tracks_.collapsed(track)) return;
  tracks_.set_collapsed(track, collapsed);
  rebuild();
}

void TimelineView::setAligned(bool aligned) {
  align_button_->setChecked(aligned);
  if (aligned == tracks_.aligned()) return;
  tracks_.set_aligned(aligned);
  // A time on one axis is another time on the other.
  time_->setMeasure(std::nullopt);
  time_->setPlayhead(std::nullopt);
  rebuild();
}

void TimelineView::setCounter(const std::string& name) {
  if (name == tracks_.counter()) return;
  tracks_.set_counter(name);
  rebuild();
  emit counterChanged(name);
}

std::unique_ptr<Figure> TimelineView::figure() const {
  const TimeRange range = time_->visible() == time_->extent() ? TimeRange{} : time_->visible();
  return make_timeline_figure(tracks_.on_axis().tracks, range, time_->measure());
}

std::unique_ptr<Figure> TimelineView::statisticsFigure() const {
  const auto measure = time_->measure();
  return measure ? make_statistics_figure(StatisticsTable(scene_, measure->range())) : nullptr;
}

TimeAxis TimelineView::axis() const {
  const double width = viewport()->width() - TimelineScene::kHeaderWidth - kRightPadding;
  return {time_->visible(), TimelineScene::kHeaderWidth, std::max(width, 16.0)};
}

QPointF TimelineView::contentAt(QPointF viewport) const {
  const double y = viewport.y() - TimelinePainter::kRulerHeight;
  return {viewport.x(), y < scene_.pinned_height() ? y : y + verticalScrollBar()->value()};
}

QPointF TimelineView::viewportAt(QPointF content) const {
  const int scroll = content.y() < scene_.pinned_height() ? 0 : verticalScrollBar()->value();
  return {content.x(), content.y() + TimelinePainter::kRulerHeight - scroll};
}

void TimelineView::rebuild() {
  overview_->setScene(nullptr);
  scene_ = tracks_.scene();
  if (current_ && scene_.band_of(current_->track) == nullptr) current_.reset();
  if (scene_.duration() > Micros(0)) time_->setDuration(scene_.duration());
  layOut();
  overview_->setScene(&scene_);
  rebuildMenu();
  followPlayhead();
  if (panel_->isVisible()) showStatistics();
  emit shownTracksChanged(tracks_.on_axis());
}

void TimelineView::layOut() {
  const int room = viewport()->height() - static_cast<int>(TimelinePainter::kRulerHeight) - kFooterHeight;
  scene_.fill_height(room);
  verticalScrollBar()->setPageStep(std::max(room - static_cast<int>(scene_.pinned_height()), 1));
  verticalScrollBar()->setSingleStep(24);
  verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(scene_.height())) - room));
  overview_->setGeometry(viewport()->x(), viewport()->y() - OverviewStrip::kHeight, viewport()->width(),
                         OverviewStrip::kHeight);
  const auto place = [](QToolButton* each, int left, int height) {
    each->resize(each->sizeHint());
    each->move(left, (height - each->height()) / 2);
    return left + each->width() + 2;
  };
  place(tracks_button_, 6, static_cast<int>(TimelinePainter::kRulerHeight));
  place(align_button_, place(play_button_, 6, OverviewStrip::kHeight), OverviewStrip::kHeight);
  time_->setMargins(TimelineScene::kHeaderWidth, width() - axis().right());
  redraw();
}

void TimelineView::redraw() {
  still_.invalidate();
  viewport()->update();
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
        menu_text(QStringLiteral("%1  (%2)").arg(track.name(), latency_text(track.schedule().latency))));
    action->setCheckable(true);
    action->setChecked(tracks_.shown(i));
    action->setEnabled(i != tracks_.active());
    if (i == tracks_.active()) action->setToolTip(tr("The selected schedule is always shown"));
    connect(
        action, &QAction::toggled, this, [this, i](bool shown) { setShown(i, shown); }, Qt::QueuedConnection);
  }
  tracks_menu_->setToolTipsVisible(true);
  tracks_button_->setVisible(!tracks.empty());
}

void TimelineView::follow(const Selection& selection) {
  if (!selecting_) selected_in_.reset();
  const bool kept =
      current_ && std::ranges::any_of(scene_.units(*current_), [&](UnitId unit) { return selection.contains(unit); });
  if (!kept) {
    std::optional<SpanRef> found;
    for (const TimelineBand& band : scene_.bands()) {
      const bool own = scene_.result(band).id == selection.schedule || band.track == tracks_.active();
      if (found && !own) continue;
      const std::vector<std::size_t> spans = scene_.selected_spans(band, selection);
      if (!spans.empty()) found = SpanRef{band.track, spans.front()};
    }
    setCurrent(found, false);
  }
  redraw();
}

void TimelineView::followPlayhead() {
  std::vector<UnitId> running;
  const auto track = tracks_.leading();
  const TimelineBand* band = track ? scene_.band_of(*track) : nullptr;
  if (time_->playhead() && band != nullptr) {
    for (const std::size_t span : band->index->running(*time_->playhead())) {
      const std::vector<UnitId> units = band->index->units_of(span);
      running.insert(running.end(), units.begin(), units.end());
    }
    std::sort(running.begin(), running.end());
    running.erase(std::unique(running.begin(), running.end()), running.end());
  }
  viewport()->update();
  if (running == running_) return;
  running_ = std::move(running);
  emit runningChanged(running_);
}

void TimelineView::showStatistics() {
  const auto measure = time_->measure();
  if (!measure || scene_.bands().empty()) return panel_->hide();
  panel_->show(StatisticsTable(scene_, measure->range()));
  // Where it covers less of what was measured.
  const TimeAxis axis = this->axis();
  const double middle = axis.x((measure->from + measure->to) / 2);
  const bool right = middle < (axis.left + axis.right()) / 2;
  panel_->move(static_cast<int>(right ? axis.right() - panel_->width() : axis.left + kPanelMargin),
               static_cast<int>(TimelinePainter::kRulerHeight) + kPanelMargin);
}

void TimelineView::setCurrent(std::optional<SpanRef> span, bool show) {
  current_ = span;
  setAccessibleDescription(span ? span_description(tracks_.tracks()[span->track], span->span) : QString());
  QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&changed);
  announce_current_span(*this);
  if (span && show) reveal(*span);
  redraw();
}

void TimelineView::fitAll() { time_->fitAll(); }

void TimelineView::fitSelection() {
  const auto made_in = selected_in_ ? selected_in_ : tracks_.leading();
  if (const auto range = scene_.selected_range(selection_->current(), made_in)) time_->fit(*range);
}

void TimelineView::drawStill(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(viewport()->rect(), theme_.canvas);
  const double width = viewport()->width();
  const double bottom = viewport()->height() - kFooterHeight;
  if (scene_.tracks().empty()) {
    painter.setPen(theme_.mutedText);
    painter.drawText(viewport()->rect(), Qt::AlignCenter,
                     tr("No timeline yet: it appears when schedules have run on the device (Optimize)"));
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
  if (time_->cursor()) parts.cursor(painter, *time_->cursor(), top, bottom);
  if (time_->measure()) parts.measure(painter, *time_->measure(), top, bottom);
  if (time_->playhead()) parts.playhead(painter, *time_->playhead(), top, bottom);
}

void TimelineView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  layOut();
  if (panel_->isVisible()) showStatistics();
}

void TimelineView::hideEvent(QHideEvent* event) {
  player_->pause();
  QAbstractScrollArea::hideEvent(event);
}

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
    if (text.isEmpty()) {
      QToolTip::hideText();
    } else {
      QToolTip::showText(help->globalPos(), text, viewport());
    }
    return true;
  }
  if (event->type() == QEvent::Leave) time_->setCursor(std::nullopt);
  return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::wheelEvent(QWheelEvent* event) {
  const QPoint delta = event->angleDelta();
  const bool over_header = event->position().x() < TimelineScene::kHeaderWidth;
  if (over_header || event->modifiers().testFlag(Qt::ShiftModifier)) {
    QAbstractScrollArea::wheelEvent(event);
    return;
  }
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
  const TimelineHit hit = scene_.hit(contentAt(event->position()), axis());
  if (hit.kind == TimelineHit::Kind::kSpan) time_->fit(scene_.range(hit.span));
  if (hit.kind == TimelineHit::Kind::kStage) time_->fit(scene_.bands()[hit.band].index->stages()[hit.stage]);
}

void TimelineView::click(QPointF position) {
  const bool on_bands = position.y() >= TimelinePainter::kRulerHeight;
  const TimelineHit hit = on_bands ? scene_.hit(contentAt(position), axis()) : TimelineHit{};
  const std::size_t track = hit.kind == TimelineHit::Kind::kNothing ? 0 : scene_.bands()[hit.band].track;
  switch (hit.kind) {
    case TimelineHit::Kind::kSpan:
      setCurrent(hit.span, false);
      selectSpan(hit.span);
      break;
    case TimelineHit::Kind::kStage: selectStage(track, hit.stage); break;
    case TimelineHit::Kind::kHeader: setCollapsed(track, !tracks_.collapsed(track)); break;
    case TimelineHit::Kind::kPin: setPinned(track, !tracks_.pinned(track)); break;
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

std::optional<std::size_t> TimelineView::turnTo(std::size_t track) {
  const TimelineTrack wanted = tracks_.tracks()[track];
  const auto leading = tracks_.leading();
  const bool own = !leading || tracks_.tracks()[*leading].comparison == wanted.comparison;
  if (!own) emit trackActivated(track);
  // Whoever follows may bring other tracks, or the same ones in another order.
  const std::vector<TimelineTrack>& tracks = tracks_.tracks();
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const bool same = tracks[i].comparison == wanted.comparison && tracks[i].result == wanted.result;
    if (same && scene_.band_of(i) != nullptr) return i;
  }
  return std::nullopt;
}

void TimelineView::selectSpan(SpanRef span) {
  const auto track = turnTo(span.track);
  if (!track) return;
  selecting_ = true;
  selected_in_ = *track;
  setCurrent(SpanRef{*track, span.span}, false);
  selection_->select({scene_.units({*track, span.span}), {}, std::nullopt});
  selecting_ = false;
}

void TimelineView::selectStage(std::size_t from, std::size_t stage) {
  const auto there = turnTo(from);
  if (!there) return;
  const std::size_t track = *there;
  const TimelineTrack& own = tracks_.tracks()[track];
  const TimelineTrack& leading = tracks_.tracks()[*tracks_.leading()];
  Selection selection = stage_selection(own.schedule(), stage);
  if (own.comparison != leading.comparison) {
    // Another run's stage: here only what it computes can be selected.
    const auto& graph = leading.comparison->graph;
    const bool known = own.comparison->graph && graph;
    selection = {known ? matching_units(selection.units, *own.comparison->graph, *graph) : std::vector<UnitId>{},
                 {},
                 std::nullopt};
  }
  const std::vector<KernelSpan>& spans = own.schedule().trace.kernels;
  const auto first = std::ranges::find(spans, stage, &KernelSpan::stage);
  if (first != spans.end()) setCurrent(SpanRef{track, static_cast<std::size_t>(first - spans.begin())}, false);
  selecting_ = true;
  selected_in_ = track;
  selection_->select(selection);
  selecting_ = false;
}

void TimelineView::goTo(SpanRef span) {
  setCurrent(span, true);
  selectSpan(span);
}

void TimelineView::nextSpan() {
  if (scene_.bands().empty()) return;
  const SpanRef first{scene_.bands().front().track, 0};
  if (scene_.result(scene_.bands().front()).trace.kernels.empty()) return;
  goTo(current_ ? scene_.next(*current_) : first);
}

void TimelineView::previousSpan() {
  if (!current_) return nextSpan();
  goTo(scene_.previous(*current_));
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

void TimelineView::reveal(SpanRef ref) {
  const TimelineBand* band = scene_.band_of(ref.track);
  if (band == nullptr) return;
  const TimeRange span = scene_.range(ref);
  const TimeRange visible = time_->visible();
  if (span.begin < visible.begin || span.end > visible.end) {
    const Micros middle = (span.begin + span.end) / 2;
    time_->setVisible({middle - visible.length() / 2, middle + visible.length() / 2});
  }
  if (band->bottom() <= scene_.pinned_height()) return;
  const double lane = band->lane_top(scene_.span(ref).lane, scene_.lane_height());
  const double top = (band->collapsed ? band->top : lane) - scene_.pinned_height();
  const double bottom = band->collapsed ? top + band->height : top + scene_.lane_height();
  QScrollBar* bar = verticalScrollBar();
  if (top < bar->value()) bar->setValue(static_cast<int>(top));
  if (bottom > bar->value() + bar->pageStep()) bar->setValue(static_cast<int>(std::ceil(bottom)) - bar->pageStep());
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

void TimelineView::addCounters(QMenu& menu) {
  auto* group = new QActionGroup(&menu);
  std::vector<std::string> names;
  for (const std::size_t track : tracks_.shown_tracks()) {
    for (const Counter& counter : tracks_.tracks()[track].schedule().trace.counters) {
      if (counter.values.empty() || std::ranges::count(names, counter.name) > 0) continue;
      names.push_back(counter.name);
      QAction* action = menu.addAction(menu_text(core_words(counter.name)));
      action->setToolTip(plain_tooltip(text_of(counter.source)));
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
  const TimelineHit hit = scene_.hit(contentAt(viewport()->mapFromGlobal(event->globalPos())), axis());
  if (hit.kind != TimelineHit::Kind::kNothing) {
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
  menu.addAction(tr("Utilization plots (U)"), this, &TimelineView::plotsToggled);
  menu.addSeparator();
  tracks_menu_->setTitle(tr("Schedules"));
  menu.addMenu(tracks_menu_);
  addCounters(*menu.addMenu(tr("Counter below the lanes")));
  menu.exec(event->globalPos());
}

QString TimelineView::toolTipAt(QPointF position) const {
  if (position.y() < TimelinePainter::kRulerHeight) return {};
  const TimelineHit hit = scene_.hit(contentAt(position), axis());
  if (hit.kind == TimelineHit::Kind::kNothing) return {};
  const TimelineBand& band = scene_.bands()[hit.band];
  const TimelineTrack& track = scene_.tracks()[band.track];
  switch (hit.kind) {
    case TimelineHit::Kind::kSpan: return span_tooltip(track, hit.span.span);
    case TimelineHit::Kind::kStage: return stage_tooltip(*track.comparison, track.result, hit.stage);
    case TimelineHit::Kind::kHeader: return schedule_tooltip(*track.comparison, track.result);
    case TimelineHit::Kind::kPin: return tr("Keep this schedule at the top while the others scroll (P)");
    case TimelineHit::Kind::kHeat: return heat_tooltip(track, band, axis().time(position.x()));
    case TimelineHit::Kind::kGap:
      return tr("This part of the network ends %1 earlier here than in the slowest of the schedules shown.")
          .arg(duration_text(hit.gap.length()));
    case TimelineHit::Kind::kNothing: break;
  }
  return {};
}

}  // namespace iosx
