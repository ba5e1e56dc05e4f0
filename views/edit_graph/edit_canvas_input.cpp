#include <QDragEnterEvent>
#include <QDropEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/formats/wire/graph_wire.h"
#include "views/edit_graph/edit_canvas.h"
#include "views/edit_graph/graph_controller.h"
#include "views/text/qstring.h"

// Keys, menus and drops on the edit canvas.
namespace iosx {
namespace {

constexpr double kNudge = 8;

CanvasPlace to_place(const canvas::Point& at) { return {at.x, at.y}; }

bool adds(const canvas::Pointer& pointer) {
  return (pointer.held & (Qt::ControlModifier | Qt::ShiftModifier)) != Qt::NoModifier;
}

}  // namespace

void EditCanvas::hover(const QPointF& at) {
  const canvas::Point point = toScene(at);
  const auto slot = scene().inputAt(point, reach());
  const auto output = scene().outputAt(point, reach());
  const auto box = slot ? scene().position(slot->op) : output ? output : scene().boxAt(point);
  state_.hovered_slot = slot;
  state_.hovered = box ? std::optional(scene().boxes()[*box].key) : std::nullopt;
  state_.hovered_wire = box ? std::nullopt : scene().wireAt(point, 5 / camera_.zoom);
  if (!spaceHeld()) {
    const bool port = slot || output;
    setCursor(port ? Qt::CrossCursor : box || state_.hovered_wire ? Qt::PointingHandCursor : Qt::ArrowCursor);
  }
  update();
}

void EditCanvas::unhover() {
  state_.hovered.reset();
  state_.hovered_slot.reset();
  state_.hovered_wire.reset();
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
    state_.target ? chooseTarget(key) : event.modifiers().testFlag(Qt::AltModifier) ? nudge(key) : go(key);
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
      if (!state_.target) {
        if (controller_.selected().size() != 1) return false;
        emit attributesAsked();
        return true;
      }
      const editor::Slot slot = controller_.slotFor(from_, *state_.target);
      leaveKeyConnect();
      controller_.connectSlot(from_, slot);
      return true;
    }
    case Qt::Key_Escape:
      if (!state_.target && controller_.selected().empty() && !controller_.wire()) return false;
      state_.target ? leaveKeyConnect() : controller_.select({});
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
  state_.target = first ? first : any != scene().boxes().end() ? std::optional(any->key) : std::nullopt;
  if (state_.target) chooseTarget(0);
}

void EditCanvas::chooseTarget(int key) {
  if (key != 0) {
    if (const auto next = neighbour(*state_.target, key)) state_.target = next;
  }
  const editor::EditBox* const from = scene().find(from_);
  const editor::EditBox* const to = scene().find(*state_.target);
  if (from == nullptr || to == nullptr) return leaveKeyConnect();
  reveal(*state_.target);
  setProperty("target", shown_name(controller_.graph().op(*state_.target).name));
  const editor::Slot slot = controller_.slotFor(from_, *state_.target);
  const QString reason = controller_.connectDisabledReason(from_, slot);
  const canvas::Point end = editor::EditScene::input(*to, slot.slot);
  state_.pulled = editor::PulledWire{scene().output(*from), end, !reason.isEmpty()};
  say(reason, toView(end));
  update();
}

bool EditCanvas::focusNextPrevChild(bool next) {
  if (!state_.target) return QWidget::focusNextPrevChild(next);
  const auto& boxes = scene().boxes();
  std::size_t at = scene().position(*state_.target).value_or(0);
  for (std::size_t step = 0; step < boxes.size(); ++step) {
    at = (at + (next ? 1 : boxes.size() - 1)) % boxes.size();
    if (boxes[at].key == from_ ||
        !controller_.connectDisabledReason(from_, controller_.slotFor(from_, boxes[at].key)).isEmpty())
      continue;
    state_.target = boxes[at].key;
    chooseTarget(0);
    break;
  }
  return true;
}

void EditCanvas::leaveKeyConnect() {
  if (!state_.target) return;
  state_.target.reset();
  state_.pulled.reset();
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
  state_.hovered_wire = kind && !scene().boxAt(at) ? scene().wireAt(at, 12 / camera_.zoom) : std::nullopt;
  event->acceptProposedAction();
  update();
}

void EditCanvas::dragLeaveEvent(QDragLeaveEvent* /*event*/) {
  state_.hovered_wire.reset();
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
  state_.hovered_wire.reset();
  if (!wire) {
    controller_.add(kind, to_place(at));
    return;
  }
  const editor::EditWire& on = scene().wires()[*wire];
  controller_.insert(kind, {scene().boxes()[on.to].key, on.slot});  // the layout makes room for it
}

// Pulls a connection from an operator's output, or off its slot, and connects it where it is dropped.
class EditCanvas::ConnectTool final : public canvas::CanvasTool {
 public:
  ConnectTool(EditCanvas& canvas, OperatorKey from, std::optional<editor::Slot> taken)
      : canvas_(canvas), from_(from), taken_(taken) {}

  bool atOnce() const override { return true; }
  bool holdsScene() const override { return true; }
  void drag(const canvas::Pointer& pointer) override;
  void release(const canvas::Pointer& pointer) override;
  void cancel() override {
    canvas_.state_.pulled.reset();
    canvas_.say({}, {});
  }

 private:
  EditCanvas& canvas_;
  OperatorKey from_;
  std::optional<editor::Slot> taken_;
  std::optional<editor::Slot> aim_;  // under the pointer, and allowed or not
  QString reason_;                   // why not
};

void EditCanvas::ConnectTool::drag(const canvas::Pointer& pointer) {
  const GraphController& controller = canvas_.controller_;
  const editor::EditScene& scene = canvas_.scene();
  const canvas::Point at = canvas_.toScene(pointer.at);
  const editor::EditBox* const from = scene.find(from_);
  if (from == nullptr) return;
  aim_ = scene.inputAt(at, canvas_.reach());
  if (!aim_) {
    if (const auto box = scene.boxAt(at); box && (scene.boxes()[*box].key != from_ || taken_)) {
      aim_ = controller.slotFor(from_, scene.boxes()[*box].key);
    }
  }
  const QString before =
      std::exchange(reason_, aim_ && aim_ != taken_ ? controller.connectDisabledReason(from_, *aim_) : QString());
  const editor::EditBox* const to = aim_ ? scene.find(aim_->op) : nullptr;
  const canvas::Point end = to != nullptr ? editor::EditScene::input(*to, aim_->slot) : at;
  canvas_.state_.pulled = editor::PulledWire{scene.output(*from), end, !reason_.isEmpty()};
  canvas_.state_.hovered = to != nullptr ? std::optional(to->key) : std::nullopt;
  canvas_.state_.hovered_slot = aim_;
  canvas_.setCursor(reason_.isEmpty() ? Qt::CrossCursor : Qt::ForbiddenCursor);
  if (reason_ != before || !reason_.isEmpty()) canvas_.say(reason_, pointer.at);
}

void EditCanvas::ConnectTool::release(const canvas::Pointer& /*pointer*/) {
  GraphController& controller = canvas_.controller_;
  const bool moved = canvas_.state_.pulled.has_value();
  cancel();
  if (!moved) {
    if (taken_) controller.selectWire(*taken_);
    return;
  }
  if (!aim_) {
    if (taken_) controller.disconnectSlot(*taken_);
    return;
  }
  if (taken_ == aim_ || !reason_.isEmpty()) return;
  const std::uint64_t gesture = controller.newGesture();
  if (controller.connectSlot(from_, *aim_, gesture) && taken_) controller.disconnectSlot(*taken_, gesture);
}

// Moves the selection. Without a drag, a click on one of several selects it alone.
class EditCanvas::MoveTool final : public canvas::CanvasTool {
 public:
  explicit MoveTool(EditCanvas& canvas) : canvas_(canvas) { canvas_.dragged_ = canvas_.controller_.scene(); }

  bool holdsScene() const override { return true; }
  void drag(const canvas::Pointer& pointer) override {
    const QPointF by = (pointer.at - pointer.last) / canvas_.camera_.zoom;
    canvas_.dragged_->drag(canvas_.controller_.selected(), by.x(), by.y());
  }
  void release(const canvas::Pointer& pointer) override {
    cancel();
    GraphController& controller = canvas_.controller_;
    const QPointF by = (pointer.last - pointer.press) / canvas_.camera_.zoom;
    if (by.manhattanLength() > 0) {
      canvas_.fitted_ = false;
      controller.move(controller.selected(), by.x(), by.y());
    } else if (!adds(pointer) && controller.selected().size() > 1) {
      const auto box = canvas_.scene().boxAt(canvas_.toScene(pointer.at));
      if (box) controller.select({canvas_.scene().boxes()[*box].key});
    }
  }
  void cancel() override { canvas_.dragged_.reset(); }

 private:
  EditCanvas& canvas_;
};

// Selects the operators in a rubber band; without a drag, none.
class EditCanvas::BandTool final : public canvas::CanvasTool {
 public:
  explicit BandTool(EditCanvas& canvas) : canvas_(canvas) {}

  void drag(const canvas::Pointer& pointer) override {
    const canvas::Point a = canvas_.toScene(pointer.press);
    const canvas::Point b = canvas_.toScene(pointer.at);
    canvas_.state_.band =
        canvas::Rect{std::min(a.x, b.x), std::min(a.y, b.y), std::abs(a.x - b.x), std::abs(a.y - b.y)};
  }
  void release(const canvas::Pointer& pointer) override {
    GraphController& controller = canvas_.controller_;
    const auto band = std::exchange(canvas_.state_.band, std::nullopt);
    std::vector<OperatorKey> keys = band ? controller.scene().inside(*band) : std::vector<OperatorKey>();
    if (adds(pointer)) keys.insert(keys.end(), controller.selected().begin(), controller.selected().end());
    controller.select(std::move(keys));
  }
  void cancel() override { canvas_.state_.band.reset(); }

 private:
  EditCanvas& canvas_;
};

void EditCanvas::pressed() {
  leaveKeyConnect();
  nudging_ = 0;
}

std::shared_ptr<canvas::CanvasTool> EditCanvas::toolAt(const canvas::Pointer& pointer) {
  if (pointer.button != Qt::LeftButton) return nullptr;
  const canvas::Point at = toScene(pointer.at);
  if (const auto output = scene().outputAt(at, reach())) {
    return std::make_shared<ConnectTool>(*this, scene().boxes()[*output].key, std::nullopt);
  }
  // A connection is taken off where it ends, and put elsewhere.
  if (const auto slot = scene().inputAt(at, reach())) {
    const EditOperator& op = controller_.graph().op(slot->op);
    if (slot->slot < op.inputs.size() && !op.inputs[slot->slot].open()) {
      return std::make_shared<ConnectTool>(*this, op.inputs[slot->slot].producer, slot);
    }
  }
  if (const auto box = scene().boxAt(at)) {
    const OperatorKey key = scene().boxes()[*box].key;
    if (adds(pointer)) {
      std::vector<OperatorKey> keys = controller_.selected();
      controller_.isSelected(key) ? void(std::erase(keys, key)) : keys.push_back(key);
      controller_.select(std::move(keys));
    } else if (!controller_.isSelected(key)) {
      controller_.select({key});
    }
    return std::make_shared<MoveTool>(*this);
  }
  if (const auto wire = scene().wireAt(at, 5 / camera_.zoom)) {
    const editor::EditWire& found = scene().wires()[*wire];
    controller_.selectWire({scene().boxes()[found.to].key, found.slot});
    return nullptr;
  }
  return std::make_shared<BandTool>(*this);
}

std::shared_ptr<canvas::CanvasTool> EditCanvas::doubleClicked(const canvas::Pointer& pointer) {
  if (pointer.button != Qt::LeftButton) return nullptr;
  scene().boxAt(toScene(pointer.at)) ? rename() : emit paletteAsked();
  return nullptr;
}

}  // namespace iosx
