#include "views/explore/timeline/timeline_view.h"

#include <QAccessible>
#include <QIcon>
#include <QMenu>
#include <QPainter>
#include <QPixmap>
#include <QScrollBar>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/explore/timeline/overview_strip.h"
#include "views/explore/timeline/playhead_player.h"
#include "views/explore/timeline/span_text.h"
#include "views/explore/timeline/timeline_figure.h"
#include "views/widgets/dialog_parts.h"

// The timeline's content and models; timeline_view_events.cpp has mouse, keyboard and
// the picture.
namespace iosx {
namespace {

constexpr double kRightPadding = 26;  // room for a scroll bar of the plots below, and for the text at a run's end
constexpr int kPanelMargin = 8;
constexpr double kMostWhy = 0.4;  // of the room, for the panel: tracks have the rest

QToolButton* button(const QString& text, const QString& what, QWidget* parent) {
  QToolButton* made = bar_button(text, what, parent);
  made->setCursor(Qt::ArrowCursor);
  return made;
}

// Draws what the button does. Not every font has these signs.
QIcon play_icon(bool pause, const QColor& color) {
  constexpr int kSide = 16;
  constexpr int kScale = 3;  // of screens with more pixels
  QPixmap picture(kScale * kSide, kScale * kSide);
  picture.setDevicePixelRatio(kScale);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  if (pause) {
    painter.drawRect(QRectF(4, 3, 3, 10));
    painter.drawRect(QRectF(9, 3, 3, 10));
  } else {
    painter.drawPolygon(QPolygonF({{4, 3}, {13, 8}, {4, 13}}));
  }
  return picture;
}

}  // namespace

TimelineView::TimelineView(SelectionModel* selection, TimeAxisModel* axis, QWidget* parent)
    : QAbstractScrollArea(parent),
      selection_(selection),
      time_(axis),
      tracks_menu_(new QMenu(this)),
      tracks_button_(button(tr("Schedules"), tr("Choose the shown schedules"), viewport())),
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
  play_button_ = button(QString(), tr("Play in slow motion (space)"), overview_);
  play_button_->setIcon(play_icon(false, theme_.text));
  play_button_->setAccessibleName(tr("Play"));
  align_button_ =
      button(tr("Align parts"), tr("Start every part of the network at the same place in all schedules"), overview_);
  align_button_->setCheckable(true);
  connect(play_button_, &QToolButton::clicked, player_, &PlayheadPlayer::toggle);
  connect(align_button_, &QToolButton::toggled, this, &TimelineView::setAligned);
  connect(panel_, &RangePanel::closed, this, [this] { time_->setMeasure(std::nullopt); });
  connect(panel_, &RangePanel::exportWanted, this, &TimelineView::statisticsExportWanted);
  connectModels();
  rebuildMenu();
  follow_theme(this, [this](const Theme& theme) { setTheme(theme); });
}

void TimelineView::connectModels() {
  connect(time_, &TimeAxisModel::visibleChanged, this, &TimelineView::redraw);
  connect(time_, &TimeAxisModel::cursorChanged, viewport(), qOverload<>(&QWidget::update));
  connect(time_, &TimeAxisModel::measureChanged, this, [this] {
    if (gesture_ != Gesture::kMeasure) showStatistics();
    viewport()->update();
    emit measuredChanged(measuredUnits());
  });
  connect(time_, &TimeAxisModel::playheadChanged, this, &TimelineView::followPlayhead);
  connect(selection_, &SelectionModel::changed, this, &TimelineView::follow);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &TimelineView::redraw);
  connect(player_, &PlayheadPlayer::playingChanged, this, [this](bool playing) {
    play_button_->setIcon(play_icon(playing, theme_.text));
    play_button_->setAccessibleName(playing ? tr("Pause") : tr("Play"));
  });
}

void TimelineView::setTracks(std::vector<TimelineTrack> tracks, std::optional<std::size_t> active) {
  scene_ = TimelineScene();
  overview_->setScene(nullptr);
  current_.reset();
  selected_in_.reset();
  const auto key = [this] {
    return tracks_.active() ? std::optional(tracks_.tracks()[*tracks_.active()].key()) : std::nullopt;
  };
  const auto before = key();
  tracks_.set_tracks(std::move(tracks), active);
  time_->setMeasure(std::nullopt);
  time_->setPlayhead(std::nullopt);
  rebuild();
  follow(selection_->current());
  if (key() != before) revealActive();
}

void TimelineView::setActiveTrack(std::optional<std::size_t> track) {
  if (track == tracks_.active()) return;
  tracks_.set_active(track);
  if (track && tracks_.collapsed(*track)) tracks_.set_collapsed(*track, false);  // who turns to it wants to see it
  rebuild();
  followPlayhead();
  revealActive();
}

void TimelineView::setBaseline(std::optional<std::size_t> track) {
  const auto before = tracks_.baseline();
  tracks_.set_baseline(track);
  if (tracks_.baseline() != before) rebuild();
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
  play_button_->setIcon(play_icon(player_->playing(), theme.text));
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

void TimelineView::setWhyOpen(bool open) {
  why_open_ = open;
  const bool kept = activeInView();
  layOut();
  if (kept) revealActive();
}

void TimelineView::showMore(bool more) {
  tracks_.show_more(more);
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
  TimelinePicture picture{.tracks = tracks_.on_axis().tracks, .hidden = scene_.hidden()};
  const std::vector<std::size_t> shown = tracks_.shown_tracks();
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (tracks_.collapsed(shown[i])) picture.collapsed.insert(i);
    if (shown[i] == tracks_.baseline()) picture.baseline = i;
    if (shown[i] == tracks_.active()) picture.focus = i;
    if (why_open_ && shown[i] == tracks_.active()) picture.why_of = i;
  }
  return make_timeline_figure(picture, range, time_->measure());
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

int TimelineView::tracksBottom() const {
  return viewport()->height() - kFooterHeight - static_cast<int>(std::ceil(why_height_));
}

QRectF TimelineView::whyArea() const {
  return why_height_ > 0 ? QRectF(0, tracksBottom(), viewport()->width(), why_height_) : QRectF();
}

TimelineHit TimelineView::hitAt(QPointF at) const {
  if (at.y() < TimelinePainter::kRulerHeight || at.y() >= tracksBottom()) return {};
  return scene_.hit(contentAt(at), axis());
}

void TimelineView::rebuild() {
  overview_->setScene(nullptr);
  scene_ = tracks_.scene();
  scene_.set_focus(tracks_.active());
  explain();
  const QString name = tr("Timeline of the schedules");
  setAccessibleName(why_ ? tr("%1. %2").arg(name, why_->ratios.isEmpty() ? why_->identity : why_->ratios) : name);
  if (current_ && scene_.band_of(current_->track) == nullptr) current_.reset();
  hovered_.reset();
  if (scene_.duration() > Micros(0)) time_->setDuration(scene_.duration());
  layOut();
  overview_->setScene(&scene_);
  rebuildMenu();
  followPlayhead();
  if (panel_->isVisible()) showStatistics();
  emit shownTracksChanged(tracks_.on_axis());
}

void TimelineView::explain() {
  const auto placed = [this](std::optional<std::size_t> track) -> std::optional<WarpedTrack> {
    if (!track) return std::nullopt;
    const TimelineBand* band = scene_.band_of(*track);
    return WarpedTrack{tracks_.tracks()[*track], band != nullptr ? band->index->warp() : TimeWarp()};
  };
  auto baseline = placed(tracks_.baseline());
  auto active = placed(tracks_.active());
  if (baseline == why_baseline_ && active == why_of_) return;
  why_baseline_ = std::move(baseline);
  why_of_ = std::move(active);
  why_ = why_of_ ? why_panel(why_baseline_, *why_of_) : nullptr;
  emit whyChanged(why_);
}

int TimelineView::fillHeight() {
  const double most = kMostWhy * (viewport()->height() - TimelinePainter::kRulerHeight - kFooterHeight);
  const double least = why_ ? WhyPainter(*why_, whyPicture(), theme_, font()).least() : 0;
  const auto fill = [this](double why) {
    why_height_ = why;
    const int room = std::max(tracksBottom() - static_cast<int>(TimelinePainter::kRulerHeight), 1);
    scene_.fill_height(room);
    return room;
  };
  if (!why_ || !why_open_ || most < least) return fill(why_ ? WhyPainter::kLine : 0);
  // Without room for the plot the tracks have what it would leave empty.
  if (most < least + WhyPainter::kLeastFirst) return fill(least);
  const int room = fill(std::min(least + WhyPainter::kPlot, most));
  const double spare = std::floor(room - scene_.height());
  if (spare <= 0) return room;
  return fill(std::min({why_height_ + spare, most, least + WhyPainter::kMostPlot}));
}

void TimelineView::layOut() {
  const int room = fillHeight();
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

void TimelineView::follow(const Selection& selection) {
  if (!selecting_) selected_in_.reset();
  const bool kept =
      current_ && std::ranges::any_of(scene_.units(*current_), [&](UnitId unit) { return selection.contains(unit); });
  if (!kept) {
    std::optional<SpanRef> found;
    for (const TimelineBand& band : scene_.bands()) {
      const bool own = scene_.is_made_in(selection, band) || band.track == tracks_.active();
      if (found && !own) continue;
      const std::vector<std::size_t> spans = scene_.selected_spans(band, selection);
      if (!spans.empty()) found = SpanRef{band.track, spans.front()};
    }
    setCurrent(found, false);
  }
  redraw();
}

void TimelineView::setPointed(const std::vector<UnitId>& units) {
  if (units == pointed_) return;
  pointed_ = units;
  viewport()->update();
}

TimelineView::Front TimelineView::frontOf(std::size_t track) const {
  const TimelineBand* band = scene_.band_of(track);
  if (!time_->playhead() || band == nullptr) return {};
  const Micros now = *time_->playhead();
  return {band->index->running_units(now), band->index->ahead(now), now >= band->index->end()};
}

std::vector<UnitId> TimelineView::measuredUnits(std::optional<std::size_t> track) const {
  if (!track) track = tracks_.leading();
  const TimelineBand* band = track ? scene_.band_of(*track) : nullptr;
  if (!time_->measure() || band == nullptr) return {};
  return band->index->units_between(time_->measure()->range());
}

void TimelineView::followPlayhead() {
  const auto track = tracks_.leading();
  Front front = track ? frontOf(*track) : Front();
  viewport()->update();
  if (front.running == running_ && front.ahead == ahead_) return;
  running_ = std::move(front.running);
  ahead_ = std::move(front.ahead);
  emit runningChanged(running_, ahead_);
}

void TimelineView::showStatistics() {
  const auto measure = time_->measure();
  if (!measure || scene_.bands().empty()) return panel_->hide();
  panel_->show(StatisticsTable(scene_, measure->range()));
  // The panel goes where it covers less of the measured range.
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

void TimelineView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  const bool kept = activeInView();
  layOut();
  if (kept) revealActive();
  if (panel_->isVisible()) showStatistics();
}

void TimelineView::hideEvent(QHideEvent* event) {
  player_->pause();
  QAbstractScrollArea::hideEvent(event);
}

std::optional<std::size_t> TimelineView::turnTo(std::size_t track) {
  const TimelineTrack wanted = tracks_.tracks()[track];
  const auto leading = tracks_.leading();
  const bool own = !leading || tracks_.tracks()[*leading].comparison == wanted.comparison;
  if (!own) emit trackActivated(track);
  // Receivers may set other tracks, or the same ones in another order.
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

void TimelineView::reveal(SpanRef ref) {
  const TimelineBand* band = scene_.band_of(ref.track);
  if (band == nullptr) return;
  const TimeRange span = scene_.range(ref);
  const TimeRange visible = time_->visible();
  if (span.begin < visible.begin || span.end > visible.end) {
    const Micros middle = (span.begin + span.end) / 2;
    time_->setVisible({middle - visible.length() / 2, middle + visible.length() / 2});
  }
  if (band->collapsed) return scrollTo(band->top, band->bottom());
  const double lane = band->lane_top(scene_.span(ref).lane, scene_.lane_height());
  scrollTo(lane, lane + scene_.lane_height());
}

bool TimelineView::activeInView() const {
  const TimelineBand* band = tracks_.active() ? scene_.band_of(*tracks_.active()) : nullptr;
  if (band == nullptr) return false;
  const double above = scene_.pinned_height() + verticalScrollBar()->value();
  return band->bottom() <= scene_.pinned_height() ||
         (band->bottom() > above && band->top < above + verticalScrollBar()->pageStep());
}

// Scrolls as little as needed; of what is higher than the view its top is shown.
void TimelineView::scrollTo(double top, double bottom) {
  if (bottom <= scene_.pinned_height()) return;
  QScrollBar* bar = verticalScrollBar();
  const int first = static_cast<int>(std::floor(top - scene_.pinned_height()));
  const int last = static_cast<int>(std::ceil(bottom - scene_.pinned_height()));
  if (last > bar->value() + bar->pageStep()) bar->setValue(last - bar->pageStep());
  if (first < bar->value()) bar->setValue(first);
}

void TimelineView::revealActive() {
  const TimelineBand* band = tracks_.active() ? scene_.band_of(*tracks_.active()) : nullptr;
  if (band != nullptr) scrollTo(band->top, band->bottom());
}

}  // namespace iosx

#include "moc_timeline_view.cpp"
