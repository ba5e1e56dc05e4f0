#pragma once

#include <QPointF>
#include <Qt>
#include <memory>

class QMouseEvent;

namespace iosx::canvas {

// Tells of the pointer while a button is down. Places are in the widget.
struct Pointer {
  QPointF press;  // where the button went down
  QPointF last;   // where it was when it was last told of; at first the same
  QPointF at;
  Qt::MouseButton button = Qt::LeftButton;  // that went down
  Qt::KeyboardModifiers held;               // keys, now
  bool dragged = false;                     // it was further from `press` than a hand trembles
};

// A tool is what a press on a canvas begins: selecting, connecting, dragging something. It hears of the pointer until
// the button is released. It is used on the GUI thread.
class CanvasTool {
 public:
  CanvasTool() = default;
  virtual ~CanvasTool() = default;
  CanvasTool(const CanvasTool&) = delete;
  CanvasTool& operator=(const CanvasTool&) = delete;

  virtual void drag(const Pointer& pointer) = 0;
  virtual void release(const Pointer& /*pointer*/) {}
  virtual void cancel() {}  // nothing comes of it
  // Most tools hear of the pointer only once it is dragged; until then `last` stays at `press`.
  virtual bool atOnce() const { return false; }
  // It works on what is drawn, so a change of that ends it, as Escape does.
  virtual bool holdsScene() const { return false; }
};

// Tells the tool that a press began of the pointer of a widget. A tool may be cancelled by what it does itself.
class ToolHand {
 public:
  explicit ToolHand(double trembles) : trembles_(trembles) {}  // pixels, at most, without being a drag

  CanvasTool* tool() const { return tool_.get(); }
  static Pointer pressed(const QMouseEvent& event);
  void take(const Pointer& pressed, std::shared_ptr<CanvasTool> tool);  // null: none hears
  // Each returns false where there is no tool. A tool that is released is not in the hand any more when it hears of
  // that.
  bool move(const QMouseEvent& event);
  bool release(const QMouseEvent& event);
  bool cancel();

 private:
  double trembles_;
  std::shared_ptr<CanvasTool> tool_;
  Pointer pointer_;
};

}  // namespace iosx::canvas
