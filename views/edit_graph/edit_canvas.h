#pragma once

#include <QPointer>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "views/canvas/camera.h"
#include "views/canvas/geometry.h"
#include "views/edit_graph/edit_painter.h"
#include "views/edit_graph/edit_scene.h"
#include "views/edit_graph/latency_words.h"
#include "views/style/theme.h"

class QLabel;
class QLineEdit;

namespace iosx {
namespace canvas {
class FindBar;
}

class EditLatencies;
class Figure;
class GraphController;

// The kinds of operators that are dragged to the canvas, as the number of one; fragments as their text.
inline constexpr const char* kKindMimeType = "application/x-ios-explorer-operator";
inline constexpr const char* kFragmentMimeType = "application/x-ios-explorer-fragment";

// The canvas on which a graph is drawn. A drag from an operator's output to an input connects; one on an operator moves
// what is selected; one beside selects with a rubber band. The middle button or Space pans, the wheel zooms at the
// pointer. Operators of the palette are dropped here, also on connections. Keys: arrows go to neighbours, with Alt they
// move, C connects (arrows choose, Tab goes
// to the next that takes it, Return connects, Escape leaves it), F2 renames, F fits everything, Z the selection.
//
// GraphView draws units of a graph that can be computed, laid out in the background. Here operators are drawn one by
// one, with what is wrong with them, and must follow the hand within a frame.
class EditCanvas final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(EditCanvas)

 public:
  explicit EditCanvas(GraphController& controller, QWidget* parent = nullptr);
  ~EditCanvas() override;

  void setTheme(const Theme& theme);
  void setLatencies(const EditLatencies& latencies);  // which must outlive it: shown where something is edited
  const canvas::Camera& camera() const { return camera_; }
  // Where things are in the widget, for tests and helpers.
  QPointF toView(const canvas::Point& at) const;
  canvas::Point toScene(const QPointF& at) const;
  QSize sizeHint() const override { return {960, 640}; }
  QString reasonShown() const;                  // at the pointer; empty without one
  QRectF labelShown() const { return label_; }  // that says what the last edit changed; empty without one
  GraphController& controller() const { return controller_; }
  QRect rectOf(const editor::EditBox& box) const;  // in the widget
  std::unique_ptr<Figure> figure() const;          // of the whole drawing; null where nothing is drawn

 public slots:
  void zoomToFit();
  void zoomToSelection();
  void zoomBy(double factor);
  void reveal(iosx::OperatorKey key);
  void rename();
  void connectByKeys();  // from the selected operator
  void find();           // opens the line to search with

 signals:
  void paletteAsked();  // somebody wants to add an operator by the keyboard
  void menuAsked(const QPoint& global);

 protected:
  bool event(QEvent* event) override;
  bool focusNextPrevChild(bool next) override;  // while a connection is made: to what may read it
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
  void contextMenuEvent(QContextMenuEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  enum class Drag { kNone, kPan, kBand, kMove, kConnect };

  // edit_canvas.cpp
  const editor::EditScene& scene() const;
  canvas::Rect area() const;
  void refresh();
  void fit(const canvas::Rect& scene);
  void search(const QString& text);
  void goToFound(int by);
  void placeFindBar();
  void takeLatencies();
  void paintLatencies(QPainter& painter) const;
  QRectF freeBeside(const QRectF& what, const QSizeF& size) const;
  double reach() const;  // in the scene, that counts as on a port

  // edit_canvas_input.cpp
  void hover(const QPointF& at);
  void pull(const canvas::Point& at);
  void say(const QString& reason, const QPointF& at);
  void finishConnect();
  void endDrag();  // of operators or a connection, and nothing comes of it
  void finishBand(bool add);
  void go(int key);
  void nudge(int key);
  void leaveKeyConnect();
  void chooseTarget(int key);
  std::optional<OperatorKey> neighbour(OperatorKey from, int key) const;

  GraphController& controller_;
  const EditLatencies* latencies_ = nullptr;
  std::vector<editor::LatencyRow> rows_;  // what the last edit changed; stays until that is known of the next one
  mutable QRectF label_;
  QString origin_;  // of these latencies
  Theme theme_ = Theme::light();
  canvas::Camera camera_;
  bool fitted_ = true;
  editor::EditScene dragged_;  // while operators are moved
  Drag drag_ = Drag::kNone;
  QPointF press_;
  QPointF last_;
  bool space_ = false;
  OperatorKey from_;                   // of the connection that is pulled
  std::optional<editor::Slot> taken_;  // the slot that it was taken from
  std::optional<editor::Slot> aim_;    // under the pointer, and allowed or not
  QString reason_;
  std::optional<editor::PulledWire> pulled_;
  std::optional<canvas::Rect> band_;
  std::optional<OperatorKey> hovered_;
  std::optional<editor::Slot> hovered_slot_;
  std::optional<std::size_t> hovered_wire_;
  std::optional<OperatorKey> target_;  // of a connection by keys
  std::uint64_t nudging_ = 0;          // gesture of the arrow keys
  canvas::FindBar* find_;
  std::vector<OperatorKey> found_;  // by key
  std::optional<std::size_t> at_found_;
  QLabel* said_;
  QLineEdit* name_ = nullptr;
};

}  // namespace iosx
