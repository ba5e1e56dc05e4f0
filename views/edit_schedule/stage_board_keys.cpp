// Key input of the stage board, and its texts for assistive technology.
#include <QKeyEvent>
#include <algorithm>
#include <array>

#include "views/edit_schedule/stage_board.h"
#include "views/text/messages.h"
#include "views/widgets/painted_items.h"

namespace iosx {

void StageBoard::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && (drag_ || band_)) {
    hand_.cancel();
    return;
  }
  if (controller_.draft() == nullptr) return QAbstractScrollArea::keyPressEvent(event);
  const Qt::KeyboardModifiers held = event->modifiers() & ~Qt::KeypadModifier;
  const bool arrow = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right || event->key() == Qt::Key_Up ||
                     event->key() == Qt::Key_Down;
  focus_ring_ = true;
  if (arrow && held & Qt::AltModifier) return moveSelected(event->key(), held & Qt::ShiftModifier);
  if (arrow) return moveCursor(event->key(), held & Qt::ShiftModifier);
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
    case Qt::Key_Escape:
      if (selection_) selection_->clear();
      return;
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
  switch (key) {
    case Qt::Key_Up:
      if (!at.lane) break;
      if (*at.lane == 0) {
        at = {at.stage};
      } else {
        at.lane = *at.lane - 1;
        if (at.step) at.step = std::min(*at.step, lanes(at.stage)[*at.lane].chips.size() - 1);
      }
      break;
    case Qt::Key_Down:
      if (!at.lane) {
        at = {at.stage, 0, 0};
      } else if (*at.lane + 1 < lanes(at.stage).size()) {
        at.lane = *at.lane + 1;
        if (at.step) at.step = std::min(*at.step, lanes(at.stage)[*at.lane].chips.size() - 1);
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

bool StageBoard::moveStage(std::size_t stage, int by) {
  const std::size_t count = layout_.columns.size();
  QString why;
  for (std::size_t to = stage + static_cast<std::size_t>(by); to < count; to += static_cast<std::size_t>(by)) {
    auto moved = controller_.draft()->stage_moved(stage, to);
    if (!moved) {
      if (why.isEmpty()) why = message_text(moved.error().what);
      continue;
    }
    const std::vector<UnitId> units = selected();
    controller_.take(tr("Move stage %1").arg(stage + 1), std::move(moved));
    if (selection_) selection_->select({units, ScheduleController::draftId(), to, {}});
    return true;
  }
  if (!why.isEmpty()) emit controller_.refused(why);
  return false;
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
  if (chosen.stage && chosen.schedule == ScheduleController::draftId() &&
      (key == Qt::Key_Left || key == Qt::Key_Right) && !new_stage) {
    moveStage(*chosen.stage, forward ? 1 : -1);
    return;
  }
  std::vector<ScheduleDraft::Place> places;
  const std::size_t count = draft.schedule().stages.size();
  const auto lanes_of = [&](std::size_t stage) { return draft.schedule().stages[stage].groups.size(); };
  if (key == Qt::Key_Left || key == Qt::Key_Right) {
    if (new_stage) {
      for (std::size_t gap = forward ? stages.back() + 1 : stages.front(); gap <= count;
           gap += forward ? 1 : static_cast<std::size_t>(-1)) {
        places.push_back({.stage = gap, .new_stage = true});
      }
    } else {
      const std::size_t from = forward ? stages.back() + 1 : stages.front() - 1;
      for (std::size_t s = from; s < count; s += forward ? 1 : static_cast<std::size_t>(-1)) {
        places.push_back({.stage = s, .group = lanes_of(s)});
        for (std::size_t l = 0; l < lanes_of(s); ++l) places.push_back({.stage = s, .group = l});
      }
    }
  } else {
    const std::size_t stage = stages.front();
    const std::size_t lane = draft.group_of(units.front());
    for (std::size_t l = forward ? lane + 1 : lane - 1; l <= lanes_of(stage);
         l += forward ? 1 : static_cast<std::size_t>(-1)) {
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
    const QString name =
        units.size() == 1 ? tr("Move %1").arg(nameOf(units.front())) : tr("Move %1 operators").arg(units.size());
    controller_.take(name, std::move(moved));
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
