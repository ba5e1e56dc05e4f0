#pragma once

#include <QAbstractScrollArea>
#include <QPointer>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "views/app_model/selection.h"
#include "views/canvas/canvas_tool.h"
#include "views/edit_schedule/board_layout.h"
#include "views/edit_schedule/schedule_controller.h"
#include "views/style/theme.h"

class QTimer;

namespace iosx {

// Edits a schedule by hand: stages as columns, lanes as rows, steps as chips. Operators, lanes (by their handles) and
// stages (by their headers) are dragged; places that a dependency forbids are hatched meanwhile, with the reason at the
// cursor. Arrow keys go from piece to piece, with Alt they move the selection to the next legal place.
//
// The board passes the pointer to tools like canvases, but is no CanvasWidget: it scrolls with bars below fixed
// headers, has no zoom or search, and Space, Home, M and others have another meaning here.
class StageBoard final : public QAbstractScrollArea {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(StageBoard)

 public:
  explicit StageBoard(ScheduleController& controller, QWidget* parent = nullptr);  // the controller must outlive it

  void setSelectionModel(SelectionModel* selection);  // may be null
  void setTheme(const Theme& theme);

  const board::Layout& layoutShown() const { return layout_; }
  const ScheduleController& controller() const { return controller_; }
  const SelectionModel* selectionModel() const { return selection_; }
  // Rectangles in the viewport, in pixels.
  QRect rectOf(const board::Piece& piece) const;
  QRect rectOf(UnitId unit) const;  // of its chip
  QRect gapRect(std::size_t stage) const;
  QRect handleRect(std::size_t stage, std::size_t lane) const;
  std::optional<board::Piece> pieceOf(UnitId unit) const;
  const std::optional<board::Piece>& cursor() const { return cursor_; }
  QString nameOf(UnitId unit) const;               // as on its chip
  QString words(const board::Piece& piece) const;  // for screen readers
  bool dragging() const { return drag_.has_value(); }
  const QString& reason() const { return reason_; }  // why the dragged thing cannot be dropped here; empty: it can
  void selectPiece(const board::Piece& piece, bool add = false);
  std::vector<std::size_t> selectedStages() const;
  void reveal(const QRectF& box);
  std::optional<std::size_t> stripInView() const;  // index in the layout: the first visible part
  QSize sizeHint() const override { return {960, 320}; }

 public slots:
  void split();
  void join();
  void newStage();
  void merge();
  void takeApart();
  void toggleLock();
  void revealSelection();
  void goToPart(std::size_t strip);  // index in the layout

 signals:
  void selectionShown();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool event(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Drag {
    std::vector<UnitId> units;
    std::optional<std::size_t> stage;  // a whole one
    QPointF at;                        // on the board
    std::optional<ScheduleDraft::Place> place;
    std::optional<std::size_t> stage_to;  // the new place of the whole one
  };
  // A press begins one of these; they are in stage_board_input.cpp.
  class BandTool;
  class PieceTool;

  // stage_board.cpp
  void showDraft();
  void rearrange();
  void showTexts();
  QPointF offset() const;
  std::optional<std::size_t> currentStage() const;
  std::vector<UnitId> selected() const;
  bool isSelected(const std::vector<UnitId>& units) const;
  void paintTop(QPainter& painter, const QRectF& view);
  void paintColumn(QPainter& painter, std::size_t stage);
  void paintHeader(QPainter& painter, std::size_t stage);
  void paintChip(QPainter& painter, const board::Chip& chip);
  void paintLock(QPainter& painter, const QPointF& at);
  void paintDrag(QPainter& painter);
  void paintForbidden(QPainter& painter, std::size_t stage);

  // stage_board_input.cpp
  QPointF toBoard(const QPoint& at) const;
  void startDrag(const board::Piece& piece, bool add);
  void dragTo(const QPoint& at);
  void drop();
  void endDrag();
  void scrollAtEdge();
  std::optional<QString> refusal(const ScheduleDraft::Place& place);  // of the dragged thing; kept during the drag
  std::optional<QString> stageRefusal(std::size_t to) const;
  void selectRange(const board::Piece& to);
  QString tip(const board::Piece& piece) const;

  // stage_board_keys.cpp
  void moveCursor(int key, bool add);
  void moveSelected(int key, bool new_stage);
  bool moveStage(std::size_t stage, int by);
  void placeCursor();
  void announce();

  ScheduleController& controller_;
  QPointer<SelectionModel> selection_;
  Theme theme_ = Theme::light();
  std::shared_ptr<const Graph> graph_;  // of texts_
  std::vector<board::ChipText> texts_;
  board::Layout layout_;
  std::optional<board::Piece> cursor_;
  std::optional<board::Piece> hovered_;
  canvas::ToolHand hand_;
  std::optional<Drag> drag_;
  std::optional<QRectF> band_;
  QString reason_;
  std::map<std::pair<std::size_t, std::size_t>, std::optional<QString>> refusals_;  // by stage and lane
  QTimer* scroll_;
  bool focus_ring_ = false;
};

}  // namespace iosx
