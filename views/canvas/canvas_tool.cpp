#include "views/canvas/canvas_tool.h"

#include <QMouseEvent>
#include <utility>

namespace iosx::canvas {

Pointer ToolHand::pressed(const QMouseEvent& event) {
  const QPointF at = event.position();
  return {at, at, at, event.button(), event.modifiers(), false};
}

void ToolHand::take(const Pointer& pressed, std::shared_ptr<CanvasTool> tool) {
  pointer_ = pressed;
  tool_ = std::move(tool);
}

bool ToolHand::move(const QMouseEvent& event) {
  const std::shared_ptr<CanvasTool> tool = tool_;
  if (tool == nullptr) return false;
  pointer_.at = event.position();
  pointer_.held = event.modifiers();
  pointer_.dragged = pointer_.dragged || (pointer_.at - pointer_.press).manhattanLength() > trembles_;
  if (!pointer_.dragged && !tool->atOnce()) return true;
  tool->drag(pointer_);
  pointer_.last = pointer_.at;
  return true;
}

bool ToolHand::release(const QMouseEvent& event) {
  const auto tool = std::exchange(tool_, nullptr);
  if (tool == nullptr) return false;
  pointer_.at = event.position();
  pointer_.held = event.modifiers();
  tool->release(pointer_);
  return true;
}

bool ToolHand::cancel() {
  const auto tool = std::exchange(tool_, nullptr);
  if (tool != nullptr) tool->cancel();
  return tool != nullptr;
}

}  // namespace iosx::canvas
