#include "views/timeline/timeline_view.h"

#include <QAccessible>
#include <QAction>
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

#include "views/text/latency_text.h"
#include "views/text/stage_text.h"
#include "views/timeline/legend.h"
#include "views/timeline/span_text.h"
#include "views/timeline/timeline_figure.h"

namespace iosx {
namespace {

constexpr double kRightPadding = 26;  // room for a scroll bar of the plots below, and for the text at a run's end
constexpr int kFooterHeight = 19;
constexpr double kSnapPixels = 8;
constexpr double kWheelZoom = 0.8;  // a notch

bool own_key(const QKeyEvent& event) {
  constexpr int kKeys[] = {Qt::Key_W,      Qt::Key_A,     Qt::Key_S,    Qt::Key_D,      Qt::Key_F,     Qt::Key_Z,
                           Qt::Key_Period, Qt::Key_Comma, Qt::Key_Plus, Qt::Key_Minus,  Qt::Key_Up,    Qt::Key_Down,
                           Qt::Key_Left,   Qt::Key_Right, Qt::Key_Home, Qt::Key_Return, Qt::Key_Escape};
  const auto modifiers = event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier);
  return modifiers == Qt::NoModifier && std::find(std::begin(kKeys), std::end(kKeys), event.key()) != std::end(kKeys);
}

}  // namespace

TimelineView::TimelineView(SelectionModel* selection, TimeAxisModel* axis, QWidget* parent)
    : QAbstractScrollArea(parent),
      selection_(selection),
      time_(axis),
      schedules_menu_(new QMenu(this)),
      schedules_button_(new QToolButton(viewport())) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Timeline of the schedules"));
  viewport()->setMouseTracking(true);
  schedules_button_->setText(tr("Schedules"));
  schedules_button_->setToolTip(tr("Choose the schedules that are shown"));
  schedules_button_->setMenu(schedules_menu_);
  schedules_button_->setPopupMode(QToolButton::InstantPopup);
  schedules_button_->setAutoRaise(true);
  schedules_button_->setFocusPolicy(Qt::TabFocus);
  schedules_button_->setCursor(Qt::ArrowCursor);
  connect(time_, &TimeAxisModel::visibleChanged, viewport(), qOverload<>(&QWidget::update));
  connect(time_, &TimeAxisModel::cursorChanged, viewport(), qOverload<>(&QWidget::update));
  connect(selection_, &SelectionModel::changed, this, &TimelineView::follow);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
  rebuildMenu();
}

TimelineView::~TimelineView() = default;

void TimelineView::setComparison(std::shared_ptr<const Comparison> comparison) {
  const std::vector<ScheduleId> before = shownSchedules();
  const std::vector<std::size_t> defaults = comparison_ ? default_results(*comparison_) : std::vector<std::size_t>{};
  const bool chosen = comparison_ && shown_ != defaults;
  scene_ = TimelineScene();  // it refers to the old comparison
  current_.reset();
  measure_.reset();
  comparison_ = std::move(comparison);
  shown_.clear();
  if (comparison_) {
    for (std::size_t i = 0; chosen && i < comparison_->results.size(); ++i) {
      if (std::ranges::count(before, comparison_->results[i].id) > 0) shown_.push_back(i);
    }
    if (shown_.empty()) shown_ = default_results(*comparison_);
  }
  rebuild();
  follow(selection_->current());
}

void TimelineView::setTheme(const Theme& theme) {
  theme_ = theme;
  QPalette colors = schedules_button_->palette();
  colors.setColor(QPalette::ButtonText, theme.text);
  colors.setColor(QPalette::WindowText, theme.text);
  colors.setColor(QPalette::Button, theme.panel);
  schedules_button_->setPalette(colors);
  viewport()->update();
}

std::vector<ScheduleId> TimelineView::shownSchedules() const {
  std::vector<ScheduleId> ids;
  for (const std::size_t index : shown_) ids.push_back(comparison_->results[index].id);
  return ids;
}

void TimelineView::setShownSchedules(const std::vector<ScheduleId>& ids) {
  if (!comparison_) return;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < comparison_->results.size(); ++i) {
    if (std::ranges::count(ids, comparison_->results[i].id) > 0) shown.push_back(i);
  }
  if (shown == shown_) return;
  shown_ = std::move(shown);
  rebuild();
}

void TimelineView::showSchedule(std::size_t result, bool shown) {
  std::vector<ScheduleId> ids = shownSchedules();
  const ScheduleId& id = comparison_->results[result].id;
  std::erase(ids, id);
  if (shown) ids.push_back(id);
  setShownSchedules(ids);
}

void TimelineView::setCollapsed(const ScheduleId& id, bool collapsed) {
  if (collapsed == collapsed_.contains(id)) return;
  if (collapsed) {
    collapsed_.insert(id);
  } else {
    collapsed_.erase(id);
  }
  rebuild();
}

std::unique_ptr<Figure> TimelineView::figure() const {
  const TimeRange range = time_->visible() == time_->extent() ? TimeRange{} : time_->visible();
  return make_timeline_figure(comparison_, shown_, range);
}

TimeAxis TimelineView::axis() const {
  const double width = viewport()->width() - TimelineScene::kHeaderWidth - kRightPadding;
  return {time_->visible(), TimelineScene::kHeaderWidth, std::max(width, 16.0)};
}

QPointF TimelineView::contentAt(QPointF viewport) const {
  return {viewport.x(), viewport.y() - TimelinePainter::kRulerHeight + verticalScrollBar()->value()};
}

void TimelineView::rebuild() {
  scene_ = comparison_ ? TimelineScene(*comparison_, shown_, collapsed_) : TimelineScene();
  const bool shown = current_ && std::find(shown_.begin(), shown_.end(), current_->result) != shown_.end();
  if (!shown) current_.reset();
  if (scene_.duration() > Micros(0)) time_->setDuration(scene_.duration());
  layOut();
  rebuildMenu();
  emit shownSchedulesChanged(shownSchedules());
}

void TimelineView::layOut() {
  const int room = viewport()->height() - static_cast<int>(TimelinePainter::kRulerHeight) - kFooterHeight;
  scene_.fill_height(room);
  verticalScrollBar()->setPageStep(std::max(room, 1));
  verticalScrollBar()->setSingleStep(24);
  verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(scene_.height()) - room));
  schedules_button_->move(
      6, (static_cast<int>(TimelinePainter::kRulerHeight) - schedules_button_->sizeHint().height()) / 2);
  schedules_button_->resize(schedules_button_->sizeHint());
  time_->setMargins(TimelineScene::kHeaderWidth, width() - axis().right());
  viewport()->update();
}

void TimelineView::rebuildMenu() {
  schedules_menu_->clear();
  for (std::size_t i = 0; comparison_ && i < comparison_->results.size(); ++i) {
    const ScheduleResult& result = comparison_->results[i];
    QAction* action = schedules_menu_->addAction(
        QStringLiteral("%1  (%2)").arg(schedule_title(result), latency_text(result.latency)));
    action->setCheckable(true);
    action->setChecked(std::find(shown_.begin(), shown_.end(), i) != shown_.end());
    connect(
        action, &QAction::toggled, this, [this, i](bool shown) { showSchedule(i, shown); }, Qt::QueuedConnection);
  }
  schedules_button_->setVisible(comparison_ && !comparison_->results.empty());
}

void TimelineView::follow(const Selection& selection) {
  const bool kept = current_ && [&] {
    const std::vector<UnitId> units = scene_.units(*current_);
    return std::any_of(units.begin(), units.end(), [&](UnitId unit) { return selection.contains(unit); });
  }();
  if (!kept) {
    std::optional<SpanRef> found;
    for (const TimelineBand& band : scene_.bands()) {
      const bool own = scene_.result(band).id == selection.schedule;
      const std::vector<std::size_t> spans = scene_.selected_spans(band, selection);
      if (!spans.empty() && (!found || own)) found = SpanRef{band.result, spans.front()};
    }
    setCurrent(found, false);
  }
  viewport()->update();
}

void TimelineView::setCurrent(std::optional<SpanRef> span, bool show) {
  current_ = span;
  setAccessibleDescription(span ? span_description(*comparison_, *span) : QString());
  QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&changed);
  if (span && show) reveal(*span);
  viewport()->update();
}

void TimelineView::fitAll() { time_->fitAll(); }

void TimelineView::fitSelection() {
  if (const auto range = scene_.selected_range(selection_->current())) time_->fit(*range);
}

void TimelineView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(viewport()->rect(), theme_.canvas);
  const double width = viewport()->width();
  const double bottom = viewport()->height() - kFooterHeight;
  if (!comparison_ || comparison_->results.empty()) {
    painter.setPen(theme_.mutedText);
    painter.drawText(viewport()->rect(), Qt::AlignCenter,
                     tr("No timeline yet: it appears when schedules have run on the device (Optimize)"));
    return;
  }
  const TimeAxis axis = this->axis();
  TimelinePainter parts(scene_, *comparison_, theme_, axis, selection_->current(), font());
  if (hasFocus()) parts.current = current_;
  parts.arrows = true;
  const int scroll = verticalScrollBar()->value();
  painter.save();
  painter.setClipRect(QRectF(0, TimelinePainter::kRulerHeight, width, bottom - TimelinePainter::kRulerHeight));
  painter.translate(0, TimelinePainter::kRulerHeight - scroll);
  parts.bands(painter, scroll, scroll + bottom);
  painter.restore();
  parts.ruler(painter, QRectF(0, 0, width, TimelinePainter::kRulerHeight));
  if (time_->cursor()) parts.cursor(painter, *time_->cursor(), TimelinePainter::kRulerHeight, bottom);
  if (measure_) parts.measure(painter, *measure_, TimelinePainter::kRulerHeight, bottom);
  const QRectF footer(0, bottom, width, kFooterHeight);
  painter.fillRect(footer, theme_.panel);
  painter.setPen(theme_.outline);
  painter.drawLine(footer.topLeft(), footer.topRight());
  const double end = paint_legend(painter, footer.adjusted(12, 0, -12, 0), legend(*comparison_, scene_.bands(), theme_),
                                  theme_, font());
  const QString hint = tr("Wheel zooms \u00B7 drag pans \u00B7 Shift+drag measures \u00B7 F shows all");
  painter.setPen(theme_.mutedText);
  if (end + painter.fontMetrics().horizontalAdvance(hint) + 24 < width) {
    painter.drawText(footer.adjusted(0, 0, -12, 0), Qt::AlignRight | Qt::AlignVCenter, hint);
  }
}

void TimelineView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  layOut();
}

bool TimelineView::event(QEvent* event) {
  // Our single keys come before shortcuts of the window while the timeline has the focus.
  if (event->type() == QEvent::ShortcutOverride && own_key(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
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
  if (event->button() != Qt::LeftButton) return;
  press_ = last_ = event->position();
  gesture_ = Gesture::kPress;
  if (event->modifiers().testFlag(Qt::ShiftModifier) && press_.x() >= TimelineScene::kHeaderWidth) {
    gesture_ = Gesture::kMeasure;
    measure_ = TimeMeasure{snapped(press_.x()), snapped(press_.x())};
    viewport()->update();
  }
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF position = event->position();
  const TimeAxis axis = this->axis();
  const bool inside = position.x() >= axis.left && position.x() <= axis.right();
  time_->setCursor(inside ? std::optional(axis.time(position.x())) : std::nullopt);
  if (gesture_ == Gesture::kPress && (position - press_).manhattanLength() >= QApplication::startDragDistance()) {
    gesture_ = Gesture::kPan;
    viewport()->setCursor(Qt::ClosedHandCursor);
  }
  if (gesture_ == Gesture::kPan) {
    time_->pan(axis.duration(last_.x() - position.x()));
    verticalScrollBar()->setValue(verticalScrollBar()->value() + static_cast<int>(last_.y() - position.y()));
  } else if (gesture_ == Gesture::kMeasure) {
    measure_->to = snapped(position.x());
    viewport()->update();
  }
  last_ = position;
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (gesture_ == Gesture::kPress) click(event->position());
  if (gesture_ == Gesture::kMeasure && measure_ && measure_->from == measure_->to) measure_.reset();
  gesture_ = Gesture::kNone;
  viewport()->unsetCursor();
  viewport()->update();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
  const TimelineHit hit = scene_.hit(contentAt(event->position()), axis());
  if (hit.kind == TimelineHit::Kind::kSpan) {
    const KernelSpan& span = scene_.span(hit.span);
    time_->fit({span.begin, span.end});
  } else if (hit.kind == TimelineHit::Kind::kStage) {
    const StageSpan& stage = scene_.result(scene_.bands()[hit.band]).trace.stages[hit.stage];
    time_->fit({stage.begin, stage.end});
  }
}

void TimelineView::click(QPointF position) {
  const bool on_bands = position.y() >= TimelinePainter::kRulerHeight;
  const TimelineHit hit = on_bands ? scene_.hit(contentAt(position), axis()) : TimelineHit{};
  switch (hit.kind) {
    case TimelineHit::Kind::kSpan:
      setCurrent(hit.span, false);
      selection_->select({scene_.units(hit.span), {}, std::nullopt});
      break;
    case TimelineHit::Kind::kStage: selectStage(scene_.bands()[hit.band].result, hit.stage); break;
    case TimelineHit::Kind::kHeader: {
      const TimelineBand& band = scene_.bands()[hit.band];
      setCollapsed(scene_.result(band).id, !band.collapsed);
      break;
    }
    case TimelineHit::Kind::kNothing:
      measure_.reset();
      selection_->clear();
      break;
  }
}

void TimelineView::selectStage(std::size_t result, std::size_t stage) {
  const Selection selection = stage_selection(comparison_->results[result], stage);
  const std::vector<KernelSpan>& spans = comparison_->results[result].trace.kernels;
  const auto first = std::find_if(spans.begin(), spans.end(), [&](const KernelSpan& s) { return s.stage == stage; });
  if (first != spans.end()) setCurrent(SpanRef{result, static_cast<std::size_t>(first - spans.begin())}, false);
  selection_->select(selection);
}

void TimelineView::nextSpan() {
  if (scene_.bands().empty()) return;
  const SpanRef first{scene_.bands().front().result, 0};
  if (comparison_->results[first.result].trace.kernels.empty()) return;
  setCurrent(current_ ? scene_.next(*current_) : first, true);
  selection_->select({scene_.units(*current_), {}, std::nullopt});
}

void TimelineView::previousSpan() {
  if (!current_) return nextSpan();
  setCurrent(scene_.previous(*current_), true);
  selection_->select({scene_.units(*current_), {}, std::nullopt});
}

void TimelineView::reveal(SpanRef ref) {
  const KernelSpan& span = scene_.span(ref);
  const TimeRange visible = time_->visible();
  if (span.begin < visible.begin || span.end > visible.end) {
    const Micros middle = (span.begin + span.end) / 2;
    time_->setVisible({middle - visible.length() / 2, middle + visible.length() / 2});
  }
  for (const TimelineBand& band : scene_.bands()) {
    if (band.result != ref.result) continue;
    const double top = band.collapsed ? band.top : band.lane_top(span.lane, scene_.lane_height());
    const double bottom = band.collapsed ? band.bottom() : top + scene_.lane_height();
    QScrollBar* bar = verticalScrollBar();
    if (top < bar->value()) bar->setValue(static_cast<int>(top));
    if (bottom > bar->value() + bar->pageStep()) bar->setValue(static_cast<int>(bottom) - bar->pageStep());
  }
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
  if (!own_key(*event) || !comparison_) return QAbstractScrollArea::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Z: return fitSelection();
    case Qt::Key_Period:
    case Qt::Key_Right: return nextSpan();
    case Qt::Key_Comma:
    case Qt::Key_Left: return previousSpan();
    case Qt::Key_Home: return fitAll();
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (!current_) return nextSpan();
      setCurrent(scene_.beside(*current_, event->key() == Qt::Key_Up ? -1 : 1), true);
      return selection_->select({scene_.units(*current_), {}, std::nullopt});
    case Qt::Key_Return:
      if (current_) selectStage(current_->result, scene_.span(*current_).stage);
      return;
    case Qt::Key_Escape:
      if (measure_) {
        measure_.reset();
        viewport()->update();
      } else {
        selection_->clear();
      }
      return;
    default: time_->handleKey(event->key());
  }
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  menu.addAction(tr("Show all (F)"), this, &TimelineView::fitAll);
  QAction* selected = menu.addAction(tr("Zoom to the selection (Z)"), this, &TimelineView::fitSelection);
  selected->setEnabled(!selection_->current().empty());
  menu.addSeparator();
  schedules_menu_->setTitle(tr("Schedules"));
  menu.addMenu(schedules_menu_);
  menu.exec(event->globalPos());
}

QString TimelineView::toolTipAt(QPointF position) const {
  if (!comparison_ || position.y() < TimelinePainter::kRulerHeight) return {};
  const TimelineHit hit = scene_.hit(contentAt(position), axis());
  switch (hit.kind) {
    case TimelineHit::Kind::kSpan: return span_tooltip(*comparison_, hit.span);
    case TimelineHit::Kind::kStage: return stage_tooltip(*comparison_, scene_.bands()[hit.band].result, hit.stage);
    case TimelineHit::Kind::kHeader: return schedule_tooltip(*comparison_, scene_.bands()[hit.band].result);
    case TimelineHit::Kind::kNothing: break;
  }
  return {};
}

}  // namespace iosx
