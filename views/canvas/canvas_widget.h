#pragma once

#include <QPointF>
#include <QWidget>
#include <memory>
#include <optional>

#include "views/canvas/layout/camera.h"
#include "views/canvas/canvas_tool.h"
#include "views/style/theme.h"

class QPainter;

namespace iosx {
namespace canvas {
class FindBar;
}  // namespace canvas

// Shows a scene under a camera, with a line to search it, which is what canvases have in common. Wheel and touch pad
// zoom and scroll, the middle button or Space pans, F or Home fits everything, Z what is selected, + and - zoom, Ctrl+F
// or / finds, F3 goes on. What a canvas draws, selects, finds and lets the pointer do is its own: it overrides the
// functions below and answers a press with a tool. All places are in the widget unless they are canvas::Point or
// canvas::Rect of the scene.
class CanvasWidget : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(CanvasWidget)

 public:
  ~CanvasWidget() override;

  virtual void setTheme(const Theme& theme);
  const canvas::Camera& camera() const { return camera_; }
  // These convert between places in the widget and in the scene.
  QPointF toView(const canvas::Point& at) const;
  canvas::Point toScene(const QPointF& at) const;
  QRectF rectInView(const canvas::Rect& rect) const;
  QSize sizeHint() const override { return {960, 640}; }

 public slots:
  void zoomToFit();
  void zoomToSelection();  // fits everything where nothing is selected
  void zoomBy(double factor);
  void find();  // opens the line to search with
  void setQuery(const QString& query);
  void findNext();
  void findPrevious();
  void closeSearch();

 protected:
  enum class FocusRing { kByKeyboard, kAlways };  // which focus has a ring: what Tab gave, or any

  CanvasWidget(FocusRing ring, QWidget* parent);

  // ---- What a canvas is ----
  virtual std::optional<canvas::Rect> sceneBounds() const = 0;        // none: nothing is there to be fitted yet
  virtual canvas::Rect selectionBounds() const = 0;                   // with room around it; empty: nothing is selected
  virtual canvas::Rect viewArea() const;                              // what no bar lies over, in the widget
  virtual canvas::Rect fitArea(const canvas::Rect& scene) const = 0;  // what the scene fills when it is fitted
  virtual void paintCanvas(QPainter& painter) = 0;                    // in pixels of the widget
  virtual QString tipAt(const QPointF& at) const = 0;                 // rich text
  virtual void viewMoved() {}                                         // the camera has moved
  virtual void placeOverlays();  // the size has changed; the base class places the line to search with

  // ---- What the pointer and keys do on it ----
  virtual void pressed() {}  // any button, before a tool is asked for
  // Returns what a press begins, null for nothing. Panning never comes here.
  virtual std::shared_ptr<canvas::CanvasTool> toolAt(const canvas::Pointer& pointer) = 0;
  virtual std::shared_ptr<canvas::CanvasTool> doubleClicked(const canvas::Pointer& pointer) = 0;  // the same
  virtual void hover(const QPointF& at) = 0;
  virtual void unhover() = 0;
  virtual bool keyPressed(QKeyEvent& event) = 0;  // of its own keys, which come first; false: not one of them

  // ---- What it finds ----
  virtual void search(const QString& text) = 0;  // and says in the line what came of it
  virtual std::size_t foundCount() = 0;          // of the last search, what is left of it
  virtual void goToFound(std::size_t index) = 0;

  // ---- What a canvas does with it ----
  canvas::Rect whole() const { return {0, 0, static_cast<double>(width()), static_cast<double>(height())}; }
  void fit(const canvas::Rect& scene);  // an empty one: 100 %, its corner in the middle
  // Moves as little as is needed to have `scene` in `area` of the widget, `margin` pixels from its border if it moves.
  void revealRect(const canvas::Rect& scene, const canvas::Rect& area, double margin);
  void moved(bool fitted = false);  // the camera was moved; unless `fitted`, a resize leaves it where it is
  canvas::Rect visible() const { return camera_.scene_rect(whole()); }
  void applyCamera(QPainter& painter) const;  // what is painted from now on is in the scene's lengths
  void pan(const canvas::Pointer& pointer);   // by what it moved
  void cancelTool();
  void sceneReplaced();  // cancels a tool that holds what was drawn
  canvas::CanvasTool* tool() const { return hand_.tool(); }
  bool spaceHeld() const { return space_; }
  canvas::FindBar& makeFindBar();  // once, in the constructor, where it belongs among the other children
  canvas::FindBar& findBar() { return *find_; }
  std::optional<std::size_t> currentFound() const { return at_found_; }  // the one that was gone to last
  void searchAgain();                                                    // something else is there to be found

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
  bool fitted_ = true;  // everything is in sight, and stays so when the size changes

 private:
  class PanTool;

  void zoomAt(const canvas::Point& at, double factor);
  void runSearch(const QString& text);
  void goOn(int step);

  FocusRing ring_;
  bool focus_ring_ = false;  // focus came by the keyboard
  bool space_ = false;
  canvas::ToolHand hand_;
  canvas::FindBar* find_ = nullptr;
  QString query_;
  std::optional<std::size_t> at_found_;  // the one that was gone to
};

}  // namespace iosx
