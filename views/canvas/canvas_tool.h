#pragma once

#include <QPointF>
#include <Qt>
#include <memory>

class QMouseEvent;

namespace iosx::canvas {

// The pointer while a button is down. Places are in the widget.
struct Pointer {
  QPointF press;  // where the button went down
  QPointF last;   // the previously reported place; initially equal
  QPointF at;
  Qt::MouseButton button = Qt::LeftButton;  // the pressed one
  Qt::KeyboardModifiers held;               // current modifier keys
  bool dragged = false;                     // it moved further from `press` than a hand trembles
};

// The action that a press on a canvas begins: selecting, connecting, dragging. It receives the pointer's events until
// the button is released. GUI thread only.
class CanvasTool {
 public:
  CanvasTool() = default;
  virtual ~CanvasTool() = default;
  CanvasTool(const CanvasTool&) = delete;
  CanvasTool& operator=(const CanvasTool&) = delete;

  virtual void drag(const Pointer& pointer) = 0;
  virtual void release(const Pointer& /*pointer*/) {}
  virtual void cancel() {}  // it has no effect
  // Most tools receive the pointer only once it is dragged; until then `last` stays at `press`.
  virtual bool atOnce() const { return false; }
  // It works on the drawn scene, so a change of that ends it, as Escape does.
  virtual bool holdsScene() const { return false; }
};

// Passes a widget's pointer events to the tool that a press began. A tool's own actions may cancel it.
class ToolHand {
 public:
  explicit ToolHand(double trembles) : trembles_(trembles) {}  // pixels: the most without a drag

  CanvasTool* tool() const { return tool_.get(); }
  static Pointer pressed(const QMouseEvent& event);
  void take(const Pointer& pressed, std::shared_ptr<CanvasTool> tool);  // null: no tool
  // Return false without a tool. A released tool has already left the hand when it is notified.
  bool move(const QMouseEvent& event);
  bool release(const QMouseEvent& event);
  bool cancel();

 private:
  double trembles_;
  std::shared_ptr<CanvasTool> tool_;
  Pointer pointer_;
};

}  // namespace iosx::canvas
