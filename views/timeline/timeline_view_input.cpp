// What the timeline does with the mouse and the keyboard.

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "views/timeline/span_text.h"
#include "views/timeline/timeline_view.h"

namespace iosx {
namespace {

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
      setCollapsed(QString::fromStdString(scene_.result(band).schedule.name), !band.collapsed);
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
