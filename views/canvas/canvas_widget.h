#pragma once

#include <QPointF>
#include <QWidget>
#include <memory>
#include <optional>

#include "views/canvas/layout/geometry.h"
#include "views/style/theme.h"

class QMouseEvent;
class QPainter;

namespace iosx {
namespace canvas {

class FindBar;

// The pointer while a button is down. Places are in the widget.
struct Pointer {
  QPointF press;  // where the button went down
  QPointF last;   // the previously reported place; initially equal
  QPointF at;
  Qt::MouseButton button = Qt::LeftButton;  // the pressed one
  Qt::KeyboardModifiers held;               // current modifier keys
  bool dragged = false;                     // it moved further from `press` than a hand trembles
};

// The action that a press on a canvas begins: selecting, connecting, dragging. It receives the
// pointer's events until the button is released. GUI thread only.
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

}  // namespace canvas

// Shows a scene under a camera, with a search line: the common base of canvases. Wheel and touch pad zoom and scroll,
// the middle button or Space pans, F or Home fits everything, Z the selection, + and - zoom, Ctrl+F or / opens the
// search, F3 goes on. Derived canvases override the functions below for drawing, selection, search and pointer, and
// return a tool for a press. All places are in the widget unless they are canvas::Point or canvas::Rect of the scene.
class CanvasWidget : public QWidget {
  Q_OBJECT

 public:
  virtual void setTheme(const Theme& theme);
  const canvas::Camera& camera() const { return camera_; }
  // Convert between places in the widget and in the scene.
  QPointF toView(const canvas::Point& at) const;
  canvas::Point toScene(const QPointF& at) const;
  QRectF rectInView(const canvas::Rect& rect) const;
  QSize sizeHint() const override { return {960, 640}; }

 public slots:
  void zoomToFit();
  void zoomToSelection();  // fits everything without a selection
  void zoomBy(double factor);
  void find();  // opens the search line
  void setQuery(const QString& query);
  void findNext();
  void findPrevious();
  void closeSearch();

 protected:
  enum class FocusRing { kByKeyboard, kAlways };  // which focus has a ring: from Tab, or any

  CanvasWidget(FocusRing ring, QWidget* parent);

  // ---- The scene ----
  virtual std::optional<canvas::Rect> sceneBounds() const = 0;        // none: nothing to fit yet
  virtual canvas::Rect selectionBounds() const = 0;                   // with a margin; empty: no selection
  virtual canvas::Rect viewArea() const;                              // without bars, in the widget
  virtual canvas::Rect fitArea(const canvas::Rect& scene) const = 0;  // the area for a fitted scene
  virtual double mostFitZoom() const;                                 // of all fitted
  virtual void paintCanvas(QPainter& painter) = 0;                    // in pixels of the widget
  virtual QString tipAt(const QPointF& at) const = 0;                 // rich text
  virtual QPoint tipPlace(const QPoint& at) const { return at; }      // Qt shows the tip below it
  virtual void viewMoved() {}                                         // after a camera move
  virtual void placeOverlays();  // after a resize; the base class places the search line

  // ---- Pointer and keys ----
  virtual void pressed() {}  // any button, before toolAt()
  // Returns the action of a press, or null. Panning is handled before.
  virtual std::shared_ptr<canvas::CanvasTool> toolAt(const canvas::Pointer& pointer) = 0;
  virtual std::shared_ptr<canvas::CanvasTool> doubleClicked(const canvas::Pointer& pointer) = 0;  // likewise
  virtual void hover(const QPointF& at) = 0;
  virtual void unhover() = 0;
  virtual bool keyPressed(QKeyEvent& event) = 0;  // its own keys, which come first; false: not handled

  // ---- Search ----
  virtual void search(const QString& text) = 0;  // and shows the result in the line
  virtual std::size_t foundCount() = 0;          // of the last search, as far as still present
  virtual void goToFound(std::size_t index) = 0;

  // ---- For derived canvases ----
  canvas::Rect whole() const { return {0, 0, static_cast<double>(width()), static_cast<double>(height())}; }
  void fit(const canvas::Rect& scene);  // an empty one: 100 %, its corner in the middle
  // Moves as little as possible to bring `scene` into `area` of the widget, with `margin` pixels to
  // its border after a move.
  void revealRect(const canvas::Rect& scene, const canvas::Rect& area, double margin);
  void moved(bool fitted = false);  // after a camera move; without `fitted`, a resize leaves it
  canvas::Rect visible() const { return camera_.scene_rect(whole()); }
  void applyCamera(QPainter& painter) const;  // later painting is in the scene's lengths
  void pan(const canvas::Pointer& pointer);   // by its movement
  void cancelTool();
  void sceneReplaced();  // cancels a tool that holds the scene
  canvas::CanvasTool* tool() const { return hand_.tool(); }
  bool spaceHeld() const { return space_; }
  canvas::FindBar& makeFindBar();  // once, in the constructor, at its place among the children
  canvas::FindBar& findBar() { return *find_; }
  std::optional<std::size_t> currentFound() const { return at_found_; }  // the last one visited
  void searchAgain();                                                    // after the searchable things changed

  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

  Theme theme_ = Theme::light();
  canvas::Camera camera_;
  bool fitted_ = true;  // everything is visible, and stays so after a resize

 private:
  class PanTool;

  void zoomAt(const canvas::Point& at, double factor);
  void runSearch(const QString& text);
  void goOn(int step);

  FocusRing ring_;
  bool focus_ring_ = false;  // focus came by keyboard
  bool space_ = false;
  canvas::ToolHand hand_;
  canvas::FindBar* find_ = nullptr;
  QString query_;
  std::optional<std::size_t> at_found_;  // the last one visited
};

}  // namespace iosx
