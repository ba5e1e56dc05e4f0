// This file has what the pointer does on the stage board.
#include <QMouseEvent>
#include <algorithm>

#include "views/edit_schedule/stage_board.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/plain_tip.h"
#include "views/text/qstring.h"

namespace iosx {

// A drag moves the piece, a click selects it.
class StageBoard::PieceTool final : public canvas::CanvasTool {
 public:
  PieceTool(StageBoard& board, const board::Piece& piece, Qt::KeyboardModifiers held)
      : board_(board), piece_(piece), held_(held) {}

  void drag(const canvas::Pointer& pointer) override {
    if (!board_.drag_) board_.startDrag(piece_, held_ & Qt::ControlModifier);
    board_.dragTo(pointer.at.toPoint());
  }
  void release(const canvas::Pointer& /*pointer*/) override {
    if (board_.drag_) return board_.drop();
    if (!(held_ & Qt::ShiftModifier)) board_.selectPiece(piece_, held_ & Qt::ControlModifier);
  }
  void cancel() override { board_.endDrag(); }

 private:
  StageBoard& board_;
  board::Piece piece_;
  Qt::KeyboardModifiers held_;  // when the button went down
};

// Selects the chips in a rubber band, adding to the selection with a modifier key; a click selects nothing.
class StageBoard::BandTool final : public canvas::CanvasTool {
 public:
  BandTool(StageBoard& board, bool add) : board_(board), add_(add) {
    if (add && board_.selection_) before_ = board_.selection_->current().units;
  }

  void drag(const canvas::Pointer& pointer) override;
  void release(const canvas::Pointer& /*pointer*/) override {
    if (board_.band_) {
      cancel();
      board_.placeCursor();
    } else if (!add_ && board_.selection_) {
      board_.selection_->clear();
    }
  }
  void cancel() override {
    board_.band_.reset();
    board_.viewport()->update();
  }

 private:
  StageBoard& board_;
  bool add_;
  std::vector<UnitId> before_;
};

void StageBoard::BandTool::drag(const canvas::Pointer& pointer) {
  const QRectF band =
      QRectF(board_.toBoard(pointer.press.toPoint()), board_.toBoard(pointer.at.toPoint())).normalized();
  board_.band_ = band;
  std::vector<UnitId> units = before_;
  for (const board::Column& column : board_.layout_.columns) {
    if (!column.box.intersects(band)) continue;
    for (const board::Lane& lane : column.lanes) {
      for (const board::Chip& chip : lane.chips) {
        if (chip.box.intersects(band)) units.insert(units.end(), chip.units.begin(), chip.units.end());
      }
    }
  }
  std::ranges::sort(units);
  units.erase(std::unique(units.begin(), units.end()), units.end());
  if (board_.selection_) board_.selection_->select({std::move(units), {}, {}, {}});
  board_.viewport()->update();
}

QPointF StageBoard::toBoard(const QPoint& at) const {
  return {at.x() + offset().x(), at.y() < board::kTop ? at.y() : at.y() + offset().y()};
}

void StageBoard::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || controller_.draft() == nullptr) return;
  focus_ring_ = false;
  hand_.cancel();
  const Qt::KeyboardModifiers held = event->modifiers();
  const canvas::Pointer pointer = canvas::ToolHand::pressed(*event);
  const auto piece = itemAt(event->pos());
  if (!piece) {
    const bool add = static_cast<bool>(held & (Qt::ControlModifier | Qt::ShiftModifier));
    return hand_.take(pointer, std::make_shared<BandTool>(*this, add));
  }
  hand_.take(pointer, std::make_shared<PieceTool>(*this, *piece, held));  // first: what is pressed is not scrolled away
  if (held & Qt::ShiftModifier) return selectRange(*piece);
  if (held & Qt::ControlModifier) return;  // on release: a drag takes all that is selected
  if (!piece->lane || !isSelected(board::units_of(layout_, *piece))) selectPiece(*piece);
}

// A lock is turned where it stands.
void StageBoard::mouseDoubleClickEvent(QMouseEvent* event) {
  const auto piece = itemAt(event->pos());
  if (event->button() != Qt::LeftButton || !piece || piece->lane) return mousePressEvent(event);
  selectPiece(*piece);
  toggleLock();
}

void StageBoard::startDrag(const board::Piece& piece, bool add) {
  drag_.emplace();
  if (!piece.lane) {
    drag_->stage = piece.stage;
    drag_->units = board::units_of(layout_, piece);
  } else {
    const std::vector<UnitId> own = board::units_of(layout_, piece);
    if (!isSelected(own)) selectPiece(piece, add);
    drag_->units = piece.step ? selected() : own;
  }
  refusals_.clear();
  grip();
}

std::optional<QString> StageBoard::refusal(const ScheduleDraft::Place& place) {
  constexpr std::size_t kNewStage = static_cast<std::size_t>(-1);
  const auto key = std::pair(place.stage, place.new_stage ? kNewStage : place.group);
  if (!place.step) {
    if (const auto known = refusals_.find(key); known != refusals_.end()) return known->second;
  }
  std::optional<QString> why;
  if (const auto said = controller_.draft()->refusal(drag_->units, place)) why = message_text(*said);
  if (!place.step) refusals_.emplace(key, why);
  return why;
}

std::optional<QString> StageBoard::stageRefusal(std::size_t to) const {
  const auto moved = controller_.draft()->stage_moved(*drag_->stage, to);
  if (moved) return {};
  return message_text(moved.error().what);
}

void StageBoard::dragTo(const QPoint& at) {
  drag_->at = QPointF(at) + offset();
  const QPointF to = toBoard(at);
  reason_.clear();
  if (drag_->stage) {
    const std::size_t gap = board::gap_at(layout_, to.x());
    drag_->stage_to = std::min(gap > *drag_->stage ? gap - 1 : gap, layout_.columns.size() - 1);
    reason_ = stageRefusal(*drag_->stage_to).value_or(QString());
  } else {
    ScheduleDraft::Place place = board::place_at(layout_, to);
    auto why = refusal(place);
    if (why && place.step) {  // elsewhere in the lane perhaps
      place.step.reset();
      why = refusal(place);
    }
    drag_->place = place;
    reason_ = why.value_or(QString());
  }
  viewport()->update();
}

void StageBoard::drop() {
  const Drag drag = *drag_;
  const QString why = reason_;
  const QString name = drag.units.size() == 1 ? tr("Move %1").arg(nameOf(drag.units.front()))
                                              : tr("Move %1 operators").arg(drag.units.size());
  endDrag();
  if (!why.isEmpty()) return;  // it was said at the cursor
  if (drag.stage) {
    if (drag.stage_to && controller_.take(tr("Move stage %1").arg(*drag.stage + 1),
                                          controller_.draft()->stage_moved(*drag.stage, *drag.stage_to)))
      selectPiece({*drag.stage_to});
    return;
  }
  if (drag.place) controller_.take(name, controller_.draft()->moved(drag.units, *drag.place));
}

void StageBoard::endDrag() {
  letGo();
  drag_.reset();
  refusals_.clear();
}

// Selects all chips from the cursor to there, in reading order.
void StageBoard::selectRange(const board::Piece& to) {
  if (!selection_) return;
  const board::Piece from = cursor_ && cursor_->stage < layout_.columns.size() ? *cursor_ : to;
  const auto order = [](const board::Piece& piece) {
    return std::tuple(piece.stage, piece.lane.value_or(0), piece.step.value_or(0));
  };
  const auto first = std::min(order(from), order(to));
  const auto last = std::max(order(from), order(to));
  std::vector<UnitId> units = board::units_of(layout_, from);
  const std::vector<UnitId> more = board::units_of(layout_, to);
  units.insert(units.end(), more.begin(), more.end());
  for (std::size_t s = std::get<0>(first); s <= std::get<0>(last); ++s) {
    for (std::size_t l = 0; l < layout_.columns[s].lanes.size(); ++l) {
      const std::vector<board::Chip>& chips = layout_.columns[s].lanes[l].chips;
      for (std::size_t c = 0; c < chips.size(); ++c) {
        const auto here = std::tuple(s, l, c);
        if (here >= first && here <= last) units.insert(units.end(), chips[c].units.begin(), chips[c].units.end());
      }
    }
  }
  std::ranges::sort(units);
  units.erase(std::unique(units.begin(), units.end()), units.end());
  selection_->select({std::move(units), {}, {}, {}});
  cursor_ = from;
  viewport()->update();
}

QString StageBoard::tip(const board::Piece& piece) const {
  QString text = words(piece);
  if (!piece.lane) text += QLatin1Char('\n') + tr("Drag to move it; double click or L locks it");
  if (piece.lane && !piece.step) text += QLatin1Char('\n') + tr("Drag to move the whole lane");
  return plain_tip(text);
}

}  // namespace iosx
