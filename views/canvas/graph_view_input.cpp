#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/canvas/graph_view.h"
#include "views/canvas/tool_tip.h"

// The canvas under mouse and keyboard.
namespace iosx {
namespace {

constexpr double kDragDistance = 4;   // pixels
constexpr double kZoomStep = 1.0015;  // a wheel unit, an eighth of a degree
constexpr double kKeyZoom = 1.25;

}  // namespace

canvas::Hit GraphView::hitAt(const QPointF& at) const {
  if (!upToDate() || !drawingArea().contains(canvas::Point{at.x(), at.y()})) return {};
  return canvas::hit(shown_.drawing->layout, camera_.to_scene({at.x(), at.y()}), camera_.zoom);
}

void GraphView::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  press_ = last_ = event->position();
  double_clicked_ = false;
  dragging_ = event->button() == Qt::MiddleButton || space_;
  event->accept();
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (event->buttons() == Qt::NoButton) {
    hover(at);
    return;
  }
  if (!dragging_ && (at - press_).manhattanLength() > kDragDistance) dragging_ = true;
  if (!dragging_) return;
  setCursor(Qt::ClosedHandCursor);
  camera_.pan(at.x() - last_.x(), at.y() - last_.y());
  last_ = at;
  fitted_ = false;
  viewChanged();
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
  const bool dragged = dragging_;
  dragging_ = false;
  unsetCursor();
  // The second click of a double click may have moved what is under the pointer.
  if (dragged || std::exchange(double_clicked_, false) || event->button() != Qt::LeftButton) return;
  selectAt(event->position(), event->modifiers().testFlag(Qt::ControlModifier));
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
  double_clicked_ = true;
  const canvas::Hit found = hitAt(event->position());
  if (found.kind == canvas::Hit::Kind::kHeader) showFrame(found.index);
}

void GraphView::selectFrame(std::size_t index) {
  const canvas::FrameBox& frame = shown_.drawing->layout.frames[index];
  std::vector<UnitId> units;
  for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
    if (shown_.drawing->layout.nodes[n].unit.valid()) units.push_back(shown_.drawing->layout.nodes[n].unit);
  }
  if (frame.collapsed && frame.part.index() < shown_.model->graph->parts().size()) {
    units = shown_.model->graph->part(frame.part).units;
  }
  std::sort(units.begin(), units.end());
  if (!units.empty()) selectUnits(std::move(units), std::nullopt, false);
}

void GraphView::selectAt(const QPointF& at, bool add) {
  const canvas::Hit found = hitAt(at);
  if (!selection_ || !upToDate()) return;
  const canvas::Layout& layout = shown_.drawing->layout;
  switch (found.kind) {
    case canvas::Hit::Kind::kNode: {
      const canvas::NodeBox& node = layout.nodes[found.index];
      const UnitId unit = node.unit.valid() ? node.unit : shown_.model->graph->op(node.source).unit;
      if (!unit.valid()) return;  // an input of the network
      std::vector<UnitId> units{unit};
      if (add) {
        units = selection().units;
        const auto place = std::lower_bound(units.begin(), units.end(), unit);
        place != units.end() && *place == unit ? void(units.erase(place)) : void(units.insert(place, unit));
      }
      selectUnits(std::move(units), std::nullopt, false);
      return;
    }
    case canvas::Hit::Kind::kGroup: {
      const canvas::GroupBox& box = layout.groups[found.index];
      std::vector<UnitId> units;
      for (const Step& step : shown_.model->schedule->stages[box.stage].groups[box.group].steps) {
        units.insert(units.end(), step.units.begin(), step.units.end());
      }
      selectUnits(std::move(units), std::nullopt, true);
      return;
    }
    case canvas::Hit::Kind::kBand: {
      const std::size_t stage = layout.bands[found.index].stage;
      selectUnits(shown_.model->schedule->stages[stage].units(), stage, true);
      return;
    }
    case canvas::Hit::Kind::kHeader: selectFrame(found.index); return;
    case canvas::Hit::Kind::kDisclosure: {
      const PartId part = layout.frames[found.index].part;
      setExpandedPart(expanded_ == part ? std::nullopt : std::optional(part));
      return;
    }
    case canvas::Hit::Kind::kNothing: selection_->clear();
  }
}

void GraphView::selectUnits(std::vector<UnitId> units, std::optional<std::size_t> stage, bool named) {
  Selection chosen;
  chosen.units = std::move(units);
  if (named && shown_.model->schedule) chosen.schedule = shown_.model->label.id;
  chosen.stage = stage;
  selection_->select(std::move(chosen));
}

void GraphView::wheelEvent(QWheelEvent* event) {
  const QPoint pixels = event->pixelDelta();
  const QPoint angle = event->angleDelta();
  const bool zoom = event->modifiers().testFlag(Qt::ControlModifier);
  if (!zoom && !pixels.isNull()) {  // a touch pad scrolls
    camera_.pan(pixels.x(), pixels.y());
  } else if (!zoom && event->modifiers().testFlag(Qt::ShiftModifier)) {
    camera_.pan(angle.x() + angle.y(), 0);
  } else {
    const QPointF at = event->position();
    camera_.zoom_at({at.x(), at.y()}, std::pow(kZoomStep, angle.y()), camera_.zoom);
  }
  fitted_ = false;
  event->accept();
  viewChanged();
}

void GraphView::keyPressEvent(QKeyEvent* event) {
  using canvas::Direction;
  const bool control = event->modifiers().testFlag(Qt::ControlModifier);
  if (control && event->key() == Qt::Key_F) {
    find();
    return;
  }
  if (control) {  // shortcuts such as Ctrl+Z belong to the window
    QWidget::keyPressEvent(event);
    return;
  }
  bool handled = true;
  switch (event->key()) {
    case Qt::Key_F:
    case Qt::Key_Home: zoomToFit(); break;
    case Qt::Key_Z: zoomToSelection(); break;
    case Qt::Key_L: setLegendVisible(!legend_visible_); break;
    case Qt::Key_M: setMapVisible(!map_visible_); break;
    case Qt::Key_G: listParts(); break;
    case Qt::Key_PageDown: goToPart(1); break;
    case Qt::Key_PageUp: goToPart(-1); break;
    case Qt::Key_Slash: find(); break;
    case Qt::Key_F3: event->modifiers().testFlag(Qt::ShiftModifier) ? findPrevious() : findNext(); break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomBy(kKeyZoom); break;
    case Qt::Key_Minus: zoomBy(1 / kKeyZoom); break;
    case Qt::Key_Up: handled = goTo(Direction::kUp); break;
    case Qt::Key_Down: handled = goTo(Direction::kDown); break;
    case Qt::Key_Left: handled = goTo(Direction::kLeft); break;
    case Qt::Key_Right: handled = goTo(Direction::kRight); break;
    case Qt::Key_Space:
      space_ = true;
      setCursor(Qt::OpenHandCursor);
      break;
    case Qt::Key_Escape:
      handled = !selection().empty();
      if (handled) selection_->clear();
      break;
    default: handled = false;
  }
  if (!handled) QWidget::keyPressEvent(event);
}

void GraphView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space || event->isAutoRepeat()) {
    QWidget::keyReleaseEvent(event);
    return;
  }
  space_ = false;
  unsetCursor();
}

bool GraphView::goTo(canvas::Direction direction) {
  if (!selection_ || !upToDate()) return false;
  const canvas::Layout& layout = shown_.drawing->layout;
  std::optional<UnitId> next;
  if (selection().empty() || selection().units.front().index() >= layout.node_of.size()) {
    for (const canvas::NodeBox& node : layout.nodes) {
      if (node.unit.valid() && !next) next = node.unit;
    }
  } else {
    next = canvas::neighbour(*shown_.model->graph, layout, selection().units.front(), direction);
  }
  if (!next) return true;  // at the border: stay
  selectUnits({*next}, std::nullopt, false);
  revealSelection();
  return true;
}

void GraphView::hover(const QPointF& at) {
  using Kind = canvas::Hit::Kind;
  const canvas::Hit found = hitAt(at);
  const auto node = found.kind == Kind::kNode ? std::optional(found.index) : std::nullopt;
  const bool on_header = found.kind == Kind::kHeader || found.kind == Kind::kDisclosure;
  const auto header = on_header ? std::optional(found.index) : std::nullopt;
  if (!space_) found.kind != Kind::kNothing ? setCursor(Qt::PointingHandCursor) : unsetCursor();
  if (node == hovered_ && header == hovered_header_) return;
  hovered_ = node;
  hovered_header_ = header;
  update();
}

void GraphView::leaveEvent(QEvent* /*event*/) {
  hovered_.reset();
  hovered_header_.reset();
  update();
}

void GraphView::focusInEvent(QFocusEvent* event) {
  focus_ring_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  update();
}

void GraphView::focusOutEvent(QFocusEvent* /*event*/) {
  focus_ring_ = space_ = false;
  update();
}

bool GraphView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text =
        upToDate() ? canvas::tool_tip(*shown_.model, shown_.drawing->layout, hitAt(help->pos()), {&scale_, &marks_})
                   : QString();
    text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  return QWidget::event(event);
}

}  // namespace iosx
