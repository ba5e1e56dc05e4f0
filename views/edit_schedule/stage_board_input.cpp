// This file has what the pointer does on the stage board.
#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <array>

#include "views/edit_schedule/stage_board.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/painted_view.h"

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
    } else if (!add_) {
      board_.clearSelection();
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
  board_.selectUnits(std::move(units));
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

void StageBoard::dragTo(const QPoint& at) {
  drag_->at = QPointF(at) + offset();
  const QPointF to = toBoard(at);
  reason_.clear();
  if (drag_->stage) {
    const std::size_t gap = board::gap_at(layout_, to.x());
    drag_->stage_to = std::min(gap > *drag_->stage ? gap - 1 : gap, layout_.columns.size() - 1);
    const auto moved = controller_.draft()->stage_moved(*drag_->stage, *drag_->stage_to);
    if (!moved) reason_ = message_text(moved.error().what);
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

QString StageBoard::moveName(const std::vector<UnitId>& units) const {
  return units.size() == 1 ? tr("Move %1").arg(nameOf(units.front())) : tr("Move %1 operators").arg(units.size());
}

void StageBoard::drop() {
  const Drag drag = *drag_;
  const QString why = reason_;
  const QString name = moveName(drag.units);
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
  selectUnits(std::move(units));
  cursor_ = from;
  viewport()->update();
}

QString StageBoard::tip(const board::Piece& piece) const {
  QString text = words(piece);
  if (!piece.lane) text += QLatin1Char('\n') + tr("Drag to move it; double click or L locks it");
  if (piece.lane && !piece.step) text += QLatin1Char('\n') + tr("Drag to move the whole lane");
  return plain_tip(text);
}

// Key input of the stage board, and its texts for assistive technology.
void StageBoard::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && (drag_ || band_)) return void(hand_.cancel());
  if (controller_.draft() == nullptr) return QAbstractScrollArea::keyPressEvent(event);
  const Qt::KeyboardModifiers held = event->modifiers() & ~Qt::KeypadModifier;
  focus_ring_ = true;
  if (isArrow(*event) && held & Qt::AltModifier) return moveSelected(event->key(), held & Qt::ShiftModifier);
  if (isArrow(*event)) return moveCursor(event->key(), held & Qt::ShiftModifier);
  if (held != Qt::NoModifier) return QAbstractScrollArea::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_S: return split();
    case Qt::Key_J: return join();
    case Qt::Key_N: return newStage();
    case Qt::Key_M: return merge();
    case Qt::Key_T: return takeApart();
    case Qt::Key_L: return toggleLock();
    case Qt::Key_Home:
    case Qt::Key_End:
      if (layout_.columns.empty()) return;
      return press({event->key() == Qt::Key_Home ? 0 : layout_.columns.size() - 1});
    case Qt::Key_PageUp:
    case Qt::Key_PageDown: {
      const std::size_t now = cursor_ ? cursor_->stage : 0;
      const std::size_t to = event->key() == Qt::Key_PageUp ? now - std::min<std::size_t>(now, 1) : now + 1;
      if (to < layout_.columns.size()) selectPiece({to});
      if (cursor_) reveal(board::box_of(layout_, *cursor_));
      return;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      if (cursor_) selectPiece(*cursor_, event->key() == Qt::Key_Space);
      return;
    case Qt::Key_Escape: return clearSelection();
    default: QAbstractScrollArea::keyPressEvent(event);
  }
}

// Headers, handles and chips are a grid: a row of headers, below it the lanes, each a handle with its chips.
void StageBoard::moveCursor(int key, bool add) {
  if (layout_.columns.empty()) return;
  board::Piece at = cursor_.value_or(board::Piece{0});
  if (!cursor_) return press(at);
  const auto lanes = [&](std::size_t stage) -> const std::vector<board::Lane>& { return layout_.columns[stage].lanes; };
  const auto near_lane = [&](std::size_t stage) { return std::min(*at.lane, lanes(stage).size() - 1); };
  const auto to_lane = [&](std::size_t lane) {
    at.lane = lane;
    if (at.step) at.step = std::min(*at.step, lanes(at.stage)[lane].chips.size() - 1);
  };
  switch (key) {
    case Qt::Key_Up:
      if (at.lane == 0U) {
        at = {at.stage};
      } else if (at.lane) {
        to_lane(*at.lane - 1);
      }
      break;
    case Qt::Key_Down:
      if (!at.lane) {
        at = {at.stage, 0, 0};
      } else if (*at.lane + 1 < lanes(at.stage).size()) {
        to_lane(*at.lane + 1);
      }
      break;
    case Qt::Key_Left:
      if (!at.lane) {
        if (at.stage > 0) --at.stage;
      } else if (at.step && *at.step > 0) {
        at.step = *at.step - 1;
      } else if (at.step) {
        at.step.reset();
      } else if (at.stage > 0) {
        --at.stage;
        at.lane = near_lane(at.stage);
        at.step = lanes(at.stage)[*at.lane].chips.size() - 1;
      }
      break;
    case Qt::Key_Right:
      if (!at.lane) {
        if (at.stage + 1 < layout_.columns.size()) ++at.stage;
      } else if (!at.step) {
        at.step = 0;
      } else if (*at.step + 1 < lanes(at.stage)[*at.lane].chips.size()) {
        at.step = *at.step + 1;
      } else if (at.stage + 1 < layout_.columns.size()) {
        ++at.stage;
        at.lane = near_lane(at.stage);
        at.step.reset();
      }
      break;
    default: break;
  }
  if (at == *cursor_) return;
  selectPiece(at, add);
  reveal(board::box_of(layout_, at));
}

void StageBoard::moveStage(std::size_t stage, std::size_t step) {
  QString why;
  for (std::size_t to = stage + step; to < layout_.columns.size(); to += step) {
    auto moved = controller_.draft()->stage_moved(stage, to);
    if (!moved) {
      if (why.isEmpty()) why = message_text(moved.error().what);
      continue;
    }
    const std::vector<UnitId> units = selected();
    controller_.take(tr("Move stage %1").arg(stage + 1), std::move(moved));
    if (selection_) selection_->select({units, ScheduleController::draftId(), to, {}});
    return;
  }
  if (!why.isEmpty()) emit controller_.refused(why);
}

// Moves what is selected to the next place that is legal, in the direction of the key: another stage, another lane; a
// new stage with Shift.
void StageBoard::moveSelected(int key, bool new_stage) {
  const std::vector<UnitId> units = selected();
  if (units.empty()) return;
  const ScheduleDraft& draft = *controller_.draft();
  const std::vector<std::size_t> stages = selectedStages();
  const bool forward = key == Qt::Key_Right || key == Qt::Key_Down;
  const Selection& chosen = selection_->current();
  const bool across = key == Qt::Key_Left || key == Qt::Key_Right;
  const std::size_t step = forward ? 1 : static_cast<std::size_t>(-1);
  if (chosen.stage && chosen.schedule == ScheduleController::draftId() && across && !new_stage)
    return moveStage(*chosen.stage, step);
  std::vector<ScheduleDraft::Place> places;
  const std::size_t count = draft.schedule().stages.size();
  const auto lanes_of = [&](std::size_t stage) { return draft.schedule().stages[stage].groups.size(); };
  if (across && new_stage) {
    for (std::size_t gap = forward ? stages.back() + 1 : stages.front(); gap <= count; gap += step) {
      places.push_back({.stage = gap, .new_stage = true});
    }
  } else if (across) {
    for (std::size_t s = forward ? stages.back() + 1 : stages.front() - 1; s < count; s += step) {
      places.push_back({.stage = s, .group = lanes_of(s)});
      for (std::size_t l = 0; l < lanes_of(s); ++l) places.push_back({.stage = s, .group = l});
    }
  } else {
    const std::size_t stage = stages.front();
    for (std::size_t l = draft.group_of(units.front()) + step; l <= lanes_of(stage); l += step) {
      places.push_back({.stage = stage, .group = l});
    }
  }
  QString why;
  for (const ScheduleDraft::Place& place : places) {
    auto moved = draft.moved(units, place);
    if (moved && *moved == draft) continue;
    if (!moved) {
      if (why.isEmpty()) why = message_text(moved.error().what);
      continue;
    }
    controller_.take(moveName(units), std::move(moved));
    revealSelection();
    announce_focused_item(*this);
    return;
  }
  if (!why.isEmpty()) emit controller_.refused(why);
}

// Puts the cursor where the selection is, if it was made elsewhere.
void StageBoard::placeCursor() {
  const std::vector<UnitId> units = selected();
  if (units.empty() || layout_.columns.empty()) {
    if (cursor_ &&
        (cursor_->stage >= layout_.columns.size() ||
         (cursor_->lane && *cursor_->lane >= layout_.columns[cursor_->stage].lanes.size()) ||
         (cursor_->step && *cursor_->step >= layout_.columns[cursor_->stage].lanes[*cursor_->lane].chips.size()))) {
      cursor_.reset();
    }
    return;
  }
  const Selection& chosen = selection_->current();
  if (chosen.stage && chosen.schedule == ScheduleController::draftId() && *chosen.stage < layout_.columns.size()) {
    cursor_ = board::Piece{*chosen.stage};
    return;
  }
  cursor_ = pieceOf(units.front());
}

bool StageBoard::keepsKey(const QKeyEvent& key) const {
  constexpr std::array kLetters{Qt::Key_S, Qt::Key_J, Qt::Key_N, Qt::Key_M, Qt::Key_T, Qt::Key_L};
  return key.modifiers() == Qt::NoModifier && std::ranges::find(kLetters, key.key()) != kLetters.end();
}

void StageBoard::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() == QEvent::FontChange && graph_) {
    showTexts();
    rearrange();
  }
}

}  // namespace iosx
