#include <QKeyEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/edit_graph/edit_canvas.h"
#include "views/edit_graph/graph_controller.h"

// Actions of a press of the pointer on the edit canvas.
namespace iosx {
namespace {

bool adds(const canvas::Pointer& pointer) {
  return (pointer.held & (Qt::ControlModifier | Qt::ShiftModifier)) != Qt::NoModifier;
}

}  // namespace

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
    canvas_.pulled_.reset();
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
  canvas_.pulled_ = editor::PulledWire{scene.output(*from), end, !reason_.isEmpty()};
  canvas_.hovered_ = to != nullptr ? std::optional(to->key) : std::nullopt;
  canvas_.hovered_slot_ = aim_;
  canvas_.setCursor(reason_.isEmpty() ? Qt::CrossCursor : Qt::ForbiddenCursor);
  if (reason_ != before || !reason_.isEmpty()) canvas_.say(reason_, pointer.at);
}

void EditCanvas::ConnectTool::release(const canvas::Pointer& /*pointer*/) {
  GraphController& controller = canvas_.controller_;
  const bool moved = canvas_.pulled_.has_value();
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
    canvas_.band_ = canvas::Rect{std::min(a.x, b.x), std::min(a.y, b.y), std::abs(a.x - b.x), std::abs(a.y - b.y)};
  }
  void release(const canvas::Pointer& pointer) override {
    GraphController& controller = canvas_.controller_;
    const auto band = std::exchange(canvas_.band_, std::nullopt);
    std::vector<OperatorKey> keys = band ? controller.scene().inside(*band) : std::vector<OperatorKey>();
    if (adds(pointer)) keys.insert(keys.end(), controller.selected().begin(), controller.selected().end());
    controller.select(std::move(keys));
  }
  void cancel() override { canvas_.band_.reset(); }

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
