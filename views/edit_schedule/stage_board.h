#pragma once

#include <QRectF>
#include <QString>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/model/graph/operator.h"
#include "core/model/schedule/schedule_draft.h"
#include "views/edit_schedule/drag_board.h"

namespace iosx::board {

// The places of a schedule's pieces on the stage board: stages as columns, their lanes as rows, steps as chips.

inline constexpr double kPartHeight = 20;                    // names of parts, above the stages
inline constexpr double kHeaderHeight = 58;                  // number and lock, cost, change
inline constexpr double kTop = kPartHeight + kHeaderHeight;  // stays visible while lanes scroll
inline constexpr double kLaneHeight = 30;
inline constexpr double kChipHeight = 24;
inline constexpr double kHandleWidth = 16;  // at the left of a lane
inline constexpr double kGap = 18;          // between stages: drop place for a new one
inline constexpr double kSpare = 30;        // below the lanes: drop place for a new lane
inline constexpr double kLeastStage = 116;
inline constexpr double kPlusWidth = 44;

// The texts of a chip.
struct ChipText {
  QString name;
  double width = 0;  // pixels
  OperatorClass what = OperatorClass::kConv1x1;
  bool merged = false;  // in the network's file
};

struct Chip {
  QRectF box;
  std::vector<UnitId> units;  // several for a merged step
};

struct Lane {
  QRectF box;
  QRectF handle;
  std::vector<Chip> chips;
  std::vector<UnitId> units() const;
};

struct Column {
  QRectF box;
  QRectF header;
  QRectF gap;  // before it
  std::vector<Lane> lanes;
};

// A strip above consecutive stages that begin in one part.
struct PartStrip {
  QRectF box;
  PartId part;
};

struct Layout {
  std::vector<Column> columns;
  QRectF plus;  // after the last stage
  std::vector<PartStrip> parts;
  QSizeF size;
};

// `texts` has one per unit. Columns are at least `height` high in total.
Layout arrange(const ScheduleDraft& draft, const std::vector<ChipText>& texts, double height);

// A piece of the board. Without a lane it is the stage; without a step it is the lane.
struct Piece {
  std::size_t stage = 0;
  std::optional<std::size_t> lane = {};
  std::optional<std::size_t> step = {};
  friend bool operator==(const Piece&, const Piece&) = default;
};

// Returns the piece whose header, handle or chip is under a point; none elsewhere.
std::optional<Piece> piece_at(const Layout& layout, const QPointF& at);
QRectF box_of(const Layout& layout, const Piece& piece);
std::vector<UnitId> units_of(const Layout& layout, const Piece& piece);  // by id

// Returns the drop place of a dragged thing: in a lane, in a new lane below them, or in a new stage in a gap.
ScheduleDraft::Place place_at(const Layout& layout, const QPointF& at);
// Returns the stage after the nearest gap.
std::size_t gap_at(const Layout& layout, double x);

}  // namespace iosx::board

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
