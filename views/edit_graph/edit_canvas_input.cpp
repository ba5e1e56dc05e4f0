#include <QDragEnterEvent>
#include <QDropEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/formats/wire/edit_text.h"
#include "views/edit_graph/edit_canvas.h"
#include "views/edit_graph/graph_controller.h"
#include "views/text/qstring.h"

// Keys, menus and drops on the edit canvas.
namespace iosx {
namespace {

constexpr double kNudge = 8;

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
  if (!spaceHeld()) {
    const bool port = slot || output;
    setCursor(port ? Qt::CrossCursor : box || hovered_wire_ ? Qt::PointingHandCursor : Qt::ArrowCursor);
  }
  update();
}

void EditCanvas::unhover() {
  hovered_.reset();
  hovered_slot_.reset();
  hovered_wire_.reset();
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

bool EditCanvas::keyPressed(QKeyEvent& event) {
  const bool control = event.modifiers().testFlag(Qt::ControlModifier);
  const int key = event.key();
  const bool arrow = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
  if (arrow && !control) {
    target_ ? chooseTarget(key) : event.modifiers().testFlag(Qt::AltModifier) ? nudge(key) : go(key);
    return true;
  }
  if (key == Qt::Key_Alt || key == Qt::Key_Shift || key == Qt::Key_Control) return false;
  nudging_ = 0;
  if (control) return false;
  switch (key) {
    case Qt::Key_A: emit paletteAsked(); return true;
    case Qt::Key_C: connectByKeys(); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: {
      if (!target_) {
        if (controller_.selected().size() != 1) return false;
        emit attributesAsked();
        return true;
      }
      const editor::Slot slot = controller_.slotFor(from_, *target_);
      leaveKeyConnect();
      controller_.connectSlot(from_, slot);
      return true;
    }
    case Qt::Key_Escape:
      if (!target_ && controller_.selected().empty() && !controller_.wire()) return false;
      target_ ? leaveKeyConnect() : controller_.select({});
      return true;
    default: return false;
  }
}

// Returns the nearest box in a direction; what lies aside counts thrice.
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
  const QString reason = controller_.connectDisabledReason(from_, slot);
  const canvas::Point end = editor::EditScene::input(*to, slot.slot);
  pulled_ = editor::PulledWire{scene().output(*from), end, !reason.isEmpty()};
  say(reason, toView(end));
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
  say({}, {});
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
