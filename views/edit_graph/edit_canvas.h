#pragma once

#include <QPointer>
#include <memory>
#include <optional>
#include <vector>

#include "views/canvas/canvas_widget.h"
#include "views/edit_graph/edit_latencies.h"
#include "views/edit_graph/edit_scene.h"
#include "views/style/theme.h"

class QLabel;
class QLineEdit;
class QPainter;

namespace iosx::editor {

// A connection in progress: from an operator to the pointer or the slot under it.
struct PulledWire {
  canvas::Point from;
  canvas::Point to;
  bool refused = false;
};

// Says what is drawn over the boxes, and the zoom.
struct EditState {
  const EditScene* scene = nullptr;
  const Theme* theme = nullptr;
  std::vector<OperatorKey> selected = {};  // sorted by key
  std::optional<Slot> wire = {};           // the selected one
  std::optional<OperatorKey> hovered = {};
  std::optional<Slot> hovered_slot = {};
  std::optional<std::size_t> hovered_wire = {};
  std::optional<PulledWire> pulled = {};
  std::optional<canvas::Rect> band = {};   // rubber band
  std::optional<OperatorKey> target = {};  // of a connection by keyboard
  double zoom = 1;
  canvas::Rect visible = {};
};

// Paints an edit scene in its own coordinates; the caller has set the transform.
void paint_edit_scene(QPainter& painter, const EditState& state);

}  // namespace iosx::editor

namespace iosx {

class Figure;
class GraphController;

// A kind of operator is dragged to the canvas as its number, a fragment as its text.
inline constexpr const char* kKindMimeType = "application/x-ios-explorer-operator";
inline constexpr const char* kFragmentMimeType = "application/x-ios-explorer-fragment";

// The canvas for drawing a graph. A drag from an operator's output to an input connects; one on an operator moves
// the selection; one beside selects with a rubber band. Operators of the palette are dropped here, also on
// connections. Keys: arrows go to neighbours, with Alt they move, C connects (arrows choose, Tab goes to the next
// valid reader, Return connects, Escape cancels), F2 renames.
//
// GraphView draws units of a computable graph, laid out in the background. This canvas draws single operators with
// their problems, and must follow the hand within a frame.
class EditCanvas final : public CanvasWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(EditCanvas)

 public:
  explicit EditCanvas(GraphController& controller, QWidget* parent = nullptr);
  ~EditCanvas() override;

  void setLatencies(const EditLatencies& latencies);  // must outlive it; shown at the place of an edit
  QString reasonShown() const;                        // at the pointer; empty without one
  QRectF labelShown() const { return label_; }        // the label with the last edit's effect; empty without one
  GraphController& controller() const { return controller_; }
  QRect rectOf(const editor::EditBox& box) const;  // in the widget
  // Returns a figure of the whole drawing, which must stay as it is; null for an empty one.
  std::unique_ptr<Figure> figure() const;

 public slots:
  void reveal(iosx::OperatorKey key);
  void rename();
  void connectByKeys();  // from the selected operator

 signals:
  void paletteAsked();     // requests the palette, to add an operator by keyboard
  void attributesAsked();  // requests the attribute form of the selected operator
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
  bool focusNextPrevChild(bool next) override;  // during a connection: to the next valid reader
  void contextMenuEvent(QContextMenuEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  // A press begins one of these; they are in edit_canvas_input.cpp.
  class BandTool;
  class ConnectTool;
  class MoveTool;

  // edit_canvas.cpp
  const editor::EditScene& scene() const;
  void refresh();
  void takeLatencies();
  void paintLatencies(QPainter& painter) const;
  QRectF freeBeside(const QRectF& what, const QSizeF& size) const;
  double reach() const;  // in the scene: the distance that counts as on a port
  void say(const QString& reason, const QPointF& at);

  // edit_canvas_input.cpp
  void go(int key);
  void nudge(int key);
  void leaveKeyConnect();
  void chooseTarget(int key);
  std::optional<OperatorKey> neighbour(OperatorKey from, int key) const;

  GraphController& controller_;
  const EditLatencies* latencies_ = nullptr;
  std::vector<editor::LatencyRow> rows_;  // the last edit's changes; they stay until those of the next one are known
  mutable QRectF label_;
  QString origin_;                            // of these latencies
  std::optional<editor::EditScene> dragged_;  // the drawing while operators are moved
  editor::EditState state_;         // what is painted, as last painted: scene, theme, selection, zoom, visible
  OperatorKey from_;                // of a connection by keys; state_.target is the other end
  std::uint64_t nudging_ = 0;       // gesture of the arrow keys
  std::vector<OperatorKey> found_;  // sorted by key
  QLabel* said_;
  QLineEdit* name_ = nullptr;
};

}  // namespace iosx
