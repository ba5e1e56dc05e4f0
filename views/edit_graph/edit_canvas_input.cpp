#include <QDragEnterEvent>
#include <QDropEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMimeData>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/formats/wire/edit_text.h"
#include "views/edit_graph/edit_canvas.h"
#include "views/edit_graph/graph_controller.h"
#include "views/text/qstring.h"

// The canvas that is drawn on under mouse and keyboard.
namespace iosx {
namespace {

constexpr double kDragDistance = 4;   // pixels
constexpr double kZoomStep = 1.0015;  // a wheel unit, an eighth of a degree
constexpr double kKeyZoom = 1.25;
constexpr double kNudge = 8;
constexpr int kReasonWidth = 320;

CanvasPlace to_place(const canvas::Point& at) { return {at.x, at.y}; }

}  // namespace

void EditCanvas::hover(const QPointF& at) {
  const canvas::Point point = toScene(at);
  const auto slot = scene().inputAt(point, reach());
  const auto output = scene().outputAt(point, reach());
  const auto box = slot ? scene().position(slot->op) : output ? output : scene().boxAt(point);
  hovered_slot_ = slot;
  hovered_ = box ? std::optional(scene().boxes()[*box].key) : std::nullopt;
  hovered_wire_ = box ? std::nullopt : scene().wireAt(point, 5 / camera_.zoom);
  if (!space_) {
    const bool port = slot || output;
    setCursor(port ? Qt::CrossCursor : box || hovered_wire_ ? Qt::PointingHandCursor : Qt::ArrowCursor);
  }
  update();
}

void EditCanvas::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  press_ = last_ = event->position();
  leaveKeyConnect();
  nudging_ = 0;
  drag_ = Drag::kNone;
  if (event->button() == Qt::MiddleButton || space_) {
    drag_ = Drag::kPan;
    setCursor(Qt::ClosedHandCursor);
    return;
  }
  if (event->button() != Qt::LeftButton) return;
  const canvas::Point at = toScene(press_);
  const bool add = (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier)) != Qt::NoModifier;
  taken_.reset();
  if (const auto output = scene().outputAt(at, reach())) {
    drag_ = Drag::kConnect;
    from_ = scene().boxes()[*output].key;
    return;
  }
  // A connection is taken off where it ends, and put elsewhere.
  if (const auto slot = scene().inputAt(at, reach())) {
    const EditOperator& op = controller_.graph().op(slot->op);
    if (slot->slot < op.inputs.size() && !op.inputs[slot->slot].open()) {
      drag_ = Drag::kConnect;
      from_ = op.inputs[slot->slot].producer;
      taken_ = slot;
      return;
    }
  }
  if (const auto box = scene().boxAt(at)) {
    const OperatorKey key = scene().boxes()[*box].key;
    std::vector<OperatorKey> keys = controller_.selected();
    if (add) {
      controller_.isSelected(key) ? void(std::erase(keys, key)) : keys.push_back(key);
      controller_.select(std::move(keys));
    } else if (!controller_.isSelected(key)) {
      controller_.select({key});
    }
    drag_ = Drag::kMove;
    dragged_ = controller_.scene();
    return;
  }
  if (const auto wire = scene().wireAt(at, 5 / camera_.zoom)) {
    const editor::EditWire& found = scene().wires()[*wire];
    return controller_.selectWire({scene().boxes()[found.to].key, found.slot});
  }
  drag_ = Drag::kBand;
}

void EditCanvas::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (event->buttons() == Qt::NoButton) return hover(at);
  const bool far = (at - press_).manhattanLength() > kDragDistance;
  switch (drag_) {
    case Drag::kNone: return;
    case Drag::kPan:
      camera_.pan(at.x() - last_.x(), at.y() - last_.y());
      fitted_ = false;
      break;
    case Drag::kBand:
      if (far || band_) {
        const canvas::Point a = toScene(press_);
        const canvas::Point b = toScene(at);
        band_ = canvas::Rect{std::min(a.x, b.x), std::min(a.y, b.y), std::abs(a.x - b.x), std::abs(a.y - b.y)};
      }
      break;
    case Drag::kMove:
      if (far || last_ != press_) {
        dragged_.drag(controller_.selected(), (at.x() - last_.x()) / camera_.zoom, (at.y() - last_.y()) / camera_.zoom);
      } else {
        return;  // last_ stays where the button went down
      }
      break;
    case Drag::kConnect: pull(toScene(at)); break;
  }
  last_ = at;
  update();
}

void EditCanvas::pull(const canvas::Point& at) {
  const editor::EditBox* const from = scene().find(from_);
  if (from == nullptr) return;
  aim_ = scene().inputAt(at, reach());
  if (!aim_) {
    if (const auto box = scene().boxAt(at); box && (scene().boxes()[*box].key != from_ || taken_)) {
      aim_ = controller_.slotFor(from_, scene().boxes()[*box].key);
    }
  }
  const QString before =
      std::exchange(reason_, aim_ && aim_ != taken_ ? controller_.connectDisabledReason(from_, *aim_) : QString());
  const editor::EditBox* const to = aim_ ? scene().find(aim_->op) : nullptr;
  const canvas::Point end = to != nullptr ? editor::EditScene::input(*to, aim_->slot) : at;
  pulled_ = editor::PulledWire{scene().output(*from), end, !reason_.isEmpty()};
  hovered_ = to != nullptr ? std::optional(to->key) : std::nullopt;
  setCursor(reason_.isEmpty() ? Qt::CrossCursor : Qt::ForbiddenCursor);
  if (reason_ != before || !reason_.isEmpty()) say(reason_, toView(at));
}

void EditCanvas::say(const QString& reason, const QPointF& at) {
  said_->setVisible(!reason.isEmpty());
  if (reason.isEmpty()) return;
  said_->setText(reason);
  QPalette colours = said_->palette();
  colours.setColor(QPalette::Window, theme_.errorFill);
  colours.setColor(QPalette::WindowText, theme_.text);
  said_->setPalette(colours);
  const int needed = said_->fontMetrics().horizontalAdvance(reason) + 20;
  said_->setFixedWidth(std::min({kReasonWidth, needed, width() - 20}));
  said_->resize(said_->width(), said_->heightForWidth(said_->width()));
  const int x = std::clamp(static_cast<int>(at.x()) + 16, 4, std::max(4, width() - said_->width() - 4));
  const int y = std::clamp(static_cast<int>(at.y()) + 16, 4, std::max(4, height() - said_->height() - 4));
  said_->move(x, y);
  said_->raise();
}

void EditCanvas::mouseReleaseEvent(QMouseEvent* event) {
  const Drag drag = std::exchange(drag_, Drag::kNone);
  const bool add = (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier)) != Qt::NoModifier;
  const QPointF at = event->position();
  unsetCursor();
  switch (drag) {
    case Drag::kNone:
    case Drag::kPan: break;
    case Drag::kBand: finishBand(add); break;
    case Drag::kMove:
      if ((last_ - press_).manhattanLength() > 0) {
        fitted_ = false;
        controller_.move(controller_.selected(), (last_.x() - press_.x()) / camera_.zoom,
                         (last_.y() - press_.y()) / camera_.zoom);
      } else if (!add && controller_.selected().size() > 1) {
        const auto box = scene().boxAt(toScene(at));
        if (box) controller_.select({scene().boxes()[*box].key});
      }
      break;
    case Drag::kConnect: finishConnect(); break;
  }
  band_.reset();
  hover(at);
}

void EditCanvas::finishBand(bool add) {
  std::vector<OperatorKey> keys = band_ ? controller_.scene().inside(*band_) : std::vector<OperatorKey>();
  if (add) keys.insert(keys.end(), controller_.selected().begin(), controller_.selected().end());
  controller_.select(std::move(keys));
}

void EditCanvas::endDrag() {
  if (drag_ != Drag::kMove && drag_ != Drag::kConnect) return;
  drag_ = Drag::kNone;
  pulled_.reset();
  aim_.reset();
  taken_.reset();
  reason_.clear();
  said_->hide();
  unsetCursor();
  update();
}

void EditCanvas::finishConnect() {
  const auto aim = std::exchange(aim_, std::nullopt);
  const bool moved = pulled_.has_value();
  pulled_.reset();
  said_->hide();
  const auto taken = std::exchange(taken_, std::nullopt);
  const QString reason = std::exchange(reason_, QString());
  if (!moved) {
    if (taken) controller_.selectWire(*taken);
    return;
  }
  if (!aim) {
    if (taken) controller_.disconnectSlot(*taken);
    return;
  }
  if (taken && *aim == *taken) return;
  if (!reason.isEmpty()) return;
  const std::uint64_t gesture = controller_.newGesture();
  if (controller_.connectSlot(from_, *aim, gesture) && taken) controller_.disconnectSlot(*taken, gesture);
}

void EditCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const auto box = scene().boxAt(toScene(event->position()));
  drag_ = Drag::kNone;
  box ? rename() : emit paletteAsked();
}

void EditCanvas::wheelEvent(QWheelEvent* event) {
  const QPoint pixels = event->pixelDelta();
  const QPoint angle = event->angleDelta();
  if (!event->modifiers().testFlag(Qt::ControlModifier) && !pixels.isNull()) {  // a touch pad scrolls
    camera_.pan(pixels.x(), pixels.y());
  } else if (event->modifiers().testFlag(Qt::ShiftModifier)) {
    camera_.pan(angle.x() + angle.y(), 0);
  } else {
    const QPointF at = event->position();
    camera_.zoom_at({at.x(), at.y()}, std::pow(kZoomStep, angle.y()), camera_.zoom);
  }
  fitted_ = false;
  event->accept();
  update();
}

void EditCanvas::leaveEvent(QEvent* /*event*/) {
  hovered_.reset();
  hovered_slot_.reset();
  hovered_wire_.reset();
  update();
}

void EditCanvas::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Mouse) {
    const auto box = scene().boxAt(toScene(event->pos()));
    const auto wire = box ? std::nullopt : scene().wireAt(toScene(event->pos()), 5 / camera_.zoom);
    if (box && !controller_.isSelected(scene().boxes()[*box].key)) controller_.select({scene().boxes()[*box].key});
    if (wire) controller_.selectWire({scene().boxes()[scene().wires()[*wire].to].key, scene().wires()[*wire].slot});
  }
  emit menuAsked(event->globalPos());
}

void EditCanvas::keyPressEvent(QKeyEvent* event) {
  const bool control = event->modifiers().testFlag(Qt::ControlModifier);
  const bool alt = event->modifiers().testFlag(Qt::AltModifier);
  const int key = event->key();
  const bool arrow = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
  if (arrow && !control) return target_ ? chooseTarget(key) : alt ? nudge(key) : go(key);
  if (key == Qt::Key_Alt || key == Qt::Key_Shift || key == Qt::Key_Control) return QWidget::keyPressEvent(event);
  nudging_ = 0;
  if (event->matches(QKeySequence::Find)) return find();
  if (control) return QWidget::keyPressEvent(event);  // the window's
  switch (key) {
    case Qt::Key_Slash: return find();
    case Qt::Key_F3: return goToFound(event->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
    case Qt::Key_A: emit paletteAsked(); return;
    case Qt::Key_C: return connectByKeys();
    case Qt::Key_F:
    case Qt::Key_Home: return zoomToFit();
    case Qt::Key_Z: return zoomToSelection();
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoomBy(kKeyZoom);
    case Qt::Key_Minus: return zoomBy(1 / kKeyZoom);
    case Qt::Key_Space: space_ = true; return setCursor(Qt::OpenHandCursor);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (target_) {
        const editor::Slot slot = controller_.slotFor(from_, *target_);
        leaveKeyConnect();
        controller_.connectSlot(from_, slot);
        return;
      }
      break;
    case Qt::Key_Escape:
      if (target_) return leaveKeyConnect();
      if (drag_ == Drag::kConnect) return endDrag();
      if (!controller_.selected().empty() || controller_.wire()) return controller_.select({});
      break;
    default: break;
  }
  QWidget::keyPressEvent(event);
}

void EditCanvas::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space || event->isAutoRepeat()) return QWidget::keyReleaseEvent(event);
  space_ = false;
  unsetCursor();
}

// The nearest box in a direction; what lies aside counts thrice.
std::optional<OperatorKey> EditCanvas::neighbour(OperatorKey from, int key) const {
  const editor::EditBox* const own = scene().find(from);
  if (own == nullptr) return std::nullopt;
  const canvas::Point at = own->box.center();
  std::optional<OperatorKey> best;
  double least = std::numeric_limits<double>::max();
  for (const editor::EditBox& box : scene().boxes()) {
    const double dx = box.box.center().x - at.x;
    const double dy = box.box.center().y - at.y;
    const bool across = key == Qt::Key_Left || key == Qt::Key_Right;
    const double ahead = across ? (key == Qt::Key_Right ? dx : -dx) : (key == Qt::Key_Down ? dy : -dy);
    if (box.key == from || ahead <= 1) continue;
    const double distance = ahead + 3 * std::abs(across ? dy : dx);
    if (distance >= least) continue;
    least = distance;
    best = box.key;
  }
  return best;
}

void EditCanvas::go(int key) {
  if (controller_.selected().empty()) {
    if (!scene().boxes().empty()) controller_.reveal(scene().boxes().front().key);
    return;
  }
  if (const auto next = neighbour(controller_.selected().front(), key)) controller_.reveal(*next);
}

// A row of them is one step.
void EditCanvas::nudge(int key) {
  if (controller_.selected().empty()) return;
  if (nudging_ == 0) nudging_ = controller_.newGesture();
  const double dx = key == Qt::Key_Left ? -kNudge : key == Qt::Key_Right ? kNudge : 0;
  const double dy = key == Qt::Key_Up ? -kNudge : key == Qt::Key_Down ? kNudge : 0;
  fitted_ = false;
  controller_.move(controller_.selected(), dx, dy, nudging_);
}

void EditCanvas::connectByKeys() {
  if (controller_.selected().size() != 1) return;
  from_ = controller_.selected().front();
  const auto first = neighbour(from_, Qt::Key_Down);
  const auto any = std::ranges::find_if(scene().boxes(), [this](const auto& box) { return box.key != from_; });
  target_ = first ? first : any != scene().boxes().end() ? std::optional(any->key) : std::nullopt;
  if (target_) chooseTarget(0);
}

void EditCanvas::chooseTarget(int key) {
  if (key != 0) {
    if (const auto next = neighbour(*target_, key)) target_ = next;
  }
  const editor::EditBox* const from = scene().find(from_);
  const editor::EditBox* const to = scene().find(*target_);
  if (from == nullptr || to == nullptr) return leaveKeyConnect();
  reveal(*target_);
  setProperty("target", shown_name(controller_.graph().op(*target_).name));
  const editor::Slot slot = controller_.slotFor(from_, *target_);
  reason_ = controller_.connectDisabledReason(from_, slot);
  const canvas::Point end = editor::EditScene::input(*to, slot.slot);
  pulled_ = editor::PulledWire{scene().output(*from), end, !reason_.isEmpty()};
  say(reason_, toView(end));
  update();
}

bool EditCanvas::focusNextPrevChild(bool next) {
  if (!target_) return QWidget::focusNextPrevChild(next);
  const auto& boxes = scene().boxes();
  std::size_t at = scene().position(*target_).value_or(0);
  for (std::size_t step = 0; step < boxes.size(); ++step) {
    at = (at + (next ? 1 : boxes.size() - 1)) % boxes.size();
    if (boxes[at].key == from_ ||
        !controller_.connectDisabledReason(from_, controller_.slotFor(from_, boxes[at].key)).isEmpty())
      continue;
    target_ = boxes[at].key;
    chooseTarget(0);
    break;
  }
  return true;
}

void EditCanvas::leaveKeyConnect() {
  if (!target_) return;
  target_.reset();
  pulled_.reset();
  reason_.clear();
  said_->hide();
  update();
}

void EditCanvas::dragEnterEvent(QDragEnterEvent* event) {
  const QMimeData* const data = event->mimeData();
  if (data->hasFormat(QLatin1String(kKindMimeType)) || data->hasFormat(QLatin1String(kFragmentMimeType)))
    event->acceptProposedAction();
}

void EditCanvas::dragMoveEvent(QDragMoveEvent* event) {
  const canvas::Point at = toScene(event->position());
  const bool kind = event->mimeData()->hasFormat(QLatin1String(kKindMimeType));
  hovered_wire_ = kind && !scene().boxAt(at) ? scene().wireAt(at, 12 / camera_.zoom) : std::nullopt;
  event->acceptProposedAction();
  update();
}

void EditCanvas::dragLeaveEvent(QDragLeaveEvent* /*event*/) {
  hovered_wire_.reset();
  update();
}

void EditCanvas::dropEvent(QDropEvent* event) {
  const QMimeData* const data = event->mimeData();
  const canvas::Point at = toScene(event->position());
  event->acceptProposedAction();
  setFocus();
  fitted_ = false;  // what is drawn by hand stays under the hand
  if (data->hasFormat(QLatin1String(kFragmentMimeType))) {
    auto fragment = fragment_from_text(data->data(QLatin1String(kFragmentMimeType)).toStdString(), "palette");
    if (fragment) controller_.insertFragment(*fragment, to_place(at));
    return;
  }
  bool number = false;
  const std::size_t kind = data->data(QLatin1String(kKindMimeType)).toULongLong(&number);
  if (!number || kind >= std::variant_size_v<Attributes>) return;
  const auto wire = scene().boxAt(at) ? std::nullopt : scene().wireAt(at, 12 / camera_.zoom);
  hovered_wire_.reset();
  if (!wire) {
    controller_.add(kind, to_place(at));
    return;
  }
  const editor::EditWire& on = scene().wires()[*wire];
  controller_.insert(kind, {scene().boxes()[on.to].key, on.slot});  // the layout makes room for it
}

}  // namespace iosx
