#pragma once

#include <QPointer>
#include <memory>
#include <optional>
#include <vector>

#include "views/canvas/canvas_widget.h"
#include "views/edit_graph/edit_painter.h"
#include "views/edit_graph/edit_scene.h"
#include "views/edit_graph/latency_words.h"

class QLabel;
class QLineEdit;

namespace iosx {

class EditLatencies;
class Figure;
class GraphController;

// A kind of operator is dragged to the canvas as its number, a fragment as its text.
inline constexpr const char* kKindMimeType = "application/x-ios-explorer-operator";
inline constexpr const char* kFragmentMimeType = "application/x-ios-explorer-fragment";

// This is the canvas on which a graph is drawn. A drag from an operator's output to an input connects; one on an
// operator moves what is selected; one beside selects with a rubber band. Operators of the palette are dropped here,
// also on connections. Keys: arrows go to neighbours, with Alt they move, C connects (arrows choose, Tab goes to the
// next that takes it, Return connects, Escape leaves it), F2 renames.
//
// GraphView draws units of a graph that can be computed, laid out in the background. Here operators are drawn one by
// one, with what is wrong with them, and must follow the hand within a frame.
class EditCanvas final : public CanvasWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(EditCanvas)

 public:
  explicit EditCanvas(GraphController& controller, QWidget* parent = nullptr);
  ~EditCanvas() override;

  void setLatencies(const EditLatencies& latencies);  // which must outlive it: shown where something is edited
  QString reasonShown() const;                        // at the pointer; empty without one
  QRectF labelShown() const { return label_; }        // that says what the last edit changed; empty without one
  GraphController& controller() const { return controller_; }
  QRect rectOf(const editor::EditBox& box) const;  // in the widget
  std::unique_ptr<Figure> figure() const;          // of the whole drawing; null where nothing is drawn

 public slots:
  void reveal(iosx::OperatorKey key);
  void rename();
  void connectByKeys();  // from the selected operator

 signals:
  void paletteAsked();     // somebody wants to add an operator by the keyboard
  void attributesAsked();  // … or to change what the selected operator computes with
  void menuAsked(const QPoint& global);

 protected:
  std::optional<canvas::Rect> sceneBounds() const override;
  canvas::Rect selectionBounds() const override;
  canvas::Rect fitArea(const canvas::Rect& scene) const override;
  void paintCanvas(QPainter& painter) override;
  QString tipAt(const QPointF& at) const override;
  void pressed() override;
  std::shared_ptr<canvas::CanvasTool> toolAt(const canvas::Pointer& pointer) override;
  std::shared_ptr<canvas::CanvasTool> doubleClicked(const canvas::Pointer& pointer) override;
  void hover(const QPointF& at) override;
  void unhover() override;
  bool keyPressed(QKeyEvent& event) override;
  void search(const QString& text) override;
  std::size_t foundCount() override;
  void goToFound(std::size_t index) override;
  bool focusNextPrevChild(bool next) override;  // while a connection is made: to what may read it
  void contextMenuEvent(QContextMenuEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  // A press begins one of these; edit_canvas_tools.cpp has them.
  class BandTool;
  class ConnectTool;
  class MoveTool;

  // edit_canvas.cpp
  const editor::EditScene& scene() const;
  void refresh();
  void takeLatencies();
  void paintLatencies(QPainter& painter) const;
  QRectF freeBeside(const QRectF& what, const QSizeF& size) const;
  double reach() const;  // in the scene, that counts as on a port
  void say(const QString& reason, const QPointF& at);

  // edit_canvas_input.cpp
  void go(int key);
  void nudge(int key);
  void leaveKeyConnect();
  void chooseTarget(int key);
  std::optional<OperatorKey> neighbour(OperatorKey from, int key) const;

  GraphController& controller_;
  const EditLatencies* latencies_ = nullptr;
  std::vector<editor::LatencyRow> rows_;  // what the last edit changed; stays until that is known of the next one
  mutable QRectF label_;
  QString origin_;                            // of these latencies
  std::optional<editor::EditScene> dragged_;  // what is drawn while operators are moved
  std::optional<editor::PulledWire> pulled_;
  std::optional<canvas::Rect> band_;
  std::optional<OperatorKey> hovered_;
  std::optional<editor::Slot> hovered_slot_;
  std::optional<std::size_t> hovered_wire_;
  OperatorKey from_;                   // of a connection by keys
  std::optional<OperatorKey> target_;  // the same
  std::uint64_t nudging_ = 0;          // gesture of the arrow keys
  std::vector<OperatorKey> found_;     // by key
  QLabel* said_;
  QLineEdit* name_ = nullptr;
};

}  // namespace iosx
