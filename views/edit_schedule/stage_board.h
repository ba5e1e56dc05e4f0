#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "views/edit_schedule/board_layout.h"
#include "views/edit_schedule/drag_board.h"

namespace iosx {

// Edits a schedule by hand: stages as columns, lanes as rows, steps as chips. Operators, lanes (by their handles) and
// stages (by their headers) are dragged; places that a dependency forbids are hatched meanwhile, with the reason at the
// cursor. Arrow keys go from piece to piece, with Alt they move the selection to the next legal place.
//
// The board hands the pointer to tools as canvases do, and is no CanvasWidget: it scrolls with bars below headers that
// stay, has nothing to zoom or to search, and Space, Home, M and the like mean something else here.
class StageBoard final : public board::DragBoard<board::Piece> {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(StageBoard)

 public:
  explicit StageBoard(ScheduleController& controller, QWidget* parent = nullptr);  // outlives it

  const board::Layout& layoutShown() const { return layout_; }
  const ScheduleController& controller() const { return controller_; }
  // These rectangles are in the viewport, in pixels.
  std::vector<board::Piece> items() const override;  // stages and steps, from left to right
  QRect rectOf(const board::Piece& piece) const override;
  std::optional<board::Piece> itemAt(const QPoint& at) const override;
  QRect rectOf(UnitId unit) const;  // of its chip
  QRect gapRect(std::size_t stage) const;
  QRect handleRect(std::size_t stage, std::size_t lane) const;
  std::optional<board::Piece> pieceOf(UnitId unit) const;
  QString nameOf(UnitId unit) const;  // as its chip has it
  QString words(const board::Piece& piece) const override;
  bool isMarked(const board::Piece& piece) const override;
  void press(const board::Piece& piece) override;
  bool dragging() const override { return drag_.has_value(); }
  void selectPiece(const board::Piece& piece, bool add = false);
  std::vector<std::size_t> selectedStages() const;
  void reveal(const QRectF& box);
  std::optional<std::size_t> stripInView() const;  // of the layout's: the first part in sight

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
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  void followSelection() override;
  void dragTo(const QPoint& at) override;
  QPointF dragPoint() const override { return drag_->at; }
  bool keepsKey(const QKeyEvent& key) const override;
  bool keepsEscape() const override { return drag_ || band_; }
  QString tip(const board::Piece& piece) const override;

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
  void drop();
  QString moveName(const std::vector<UnitId>& units) const;
  void endDrag();
  std::optional<QString> refusal(const ScheduleDraft::Place& place);  // of what is dragged; kept while it is
  void selectRange(const board::Piece& to);
  void moveCursor(int key, bool add);
  void moveSelected(int key, bool new_stage);
  void moveStage(std::size_t stage, std::size_t step);  // step: 1, or -1 as an unsigned number
  void placeCursor();

  std::shared_ptr<const Graph> graph_;  // that texts_ are of
  std::vector<board::ChipText> texts_;
  board::Layout layout_;
  std::optional<Drag> drag_;
  std::optional<QRectF> band_;
  std::map<std::pair<std::size_t, std::size_t>, std::optional<QString>> refusals_;  // by place
};

}  // namespace iosx
