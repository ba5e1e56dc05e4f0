// This file has what pointer and keys do on the lane board.
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cmath>

#include "views/edit_schedule/lane_board.h"
#include "views/text/messages.h"
#include "views/widgets/painted_view.h"

namespace iosx {

// A drag moves the kernel, a click selects it.
class LaneBoard::KernelTool final : public canvas::CanvasTool {
 public:
  KernelTool(LaneBoard& board, KernelId kernel) : board_(board), kernel_(kernel) {}

  void drag(const canvas::Pointer& pointer) override {
    if (!board_.drag_) board_.startDrag(kernel_);
    board_.dragTo(pointer.at.toPoint());
  }
  void release(const canvas::Pointer& /*pointer*/) override {
    if (board_.drag_) board_.drop();
  }
  void cancel() override { board_.endDrag(); }

 private:
  LaneBoard& board_;
  KernelId kernel_;
};

// ---- The pointer ----

void LaneBoard::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || draft() == nullptr) return;
  focus_ring_ = false;
  hand_.cancel();
  const auto kernel = itemAt(event->pos());
  if (!kernel) {
    cursor_.reset();
    clearSelection();
    return viewport()->update();
  }
  hand_.take(canvas::ToolHand::pressed(*event), std::make_shared<KernelTool>(*this, *kernel));
  selectKernel(*kernel);
}

void LaneBoard::startDrag(KernelId kernel) {
  seeks_best_.reset();
  drag_ = Drag{.kernel = kernel, .at = {}, .reaches = draft()->where_may(kernel), .place = draft()->place_of(kernel)};
  controller_.laneCosts().findPlaces(kernel);
  grip();
}

void LaneBoard::dragTo(const QPoint& at) {
  drag_->at = QPointF(at) + offset();
  drag_->place = lanes::place_at(layout_, drag_->kernel, drag_->at);
  const auto why = draft()->refusal(drag_->kernel, drag_->place);
  reason_ = why ? message_text(*why) : QString();
  controller_.laneCosts().lookNear(drag_->place);
  viewport()->update();
}

void LaneBoard::drop() {
  const Drag drag = *drag_;
  const bool allowed = reason_.isEmpty();
  endDrag();
  if (allowed) take(drag.kernel, drag.place);  // else it was said at the cursor
}

void LaneBoard::endDrag() {
  if (drag_) controller_.laneCosts().forgetPlaces();
  letGo();
  drag_.reset();
}

void LaneBoard::wheelEvent(QWheelEvent* event) {
  if (event->modifiers() & Qt::ControlModifier) {
    constexpr double kStepsToDouble = 400;  // eighths of a degree
    setScale(scale_ * std::pow(2.0, event->angleDelta().y() / kStepsToDouble), event->position().x());
    return event->accept();
  }
  DragBoard::wheelEvent(event);
}

// ---- Moves ----

bool LaneBoard::take(KernelId kernel, const LaneDraft::Place& to) {
  if (!controller_.take(tr("Move %1").arg(nameOf(kernel)), draft()->moved(kernel, to))) return false;
  press(kernel);
  return true;
}

void LaneBoard::ownLane() {
  if (cursor_ && draft() != nullptr) take(*cursor_, {draft()->rows().size(), 0});
}

void LaneBoard::bestPlace() {
  if (!cursor_ || draft() == nullptr) return;
  LaneCosts& costs = controller_.laneCosts();
  if (!costs.simulates()) {
    emit controller_.refused(tr("Only simulated devices know the cost of a place before a run"));
    return;
  }
  hand_.cancel();
  seeks_best_ = cursor_;
  costs.findPlaces(*cursor_);
}

// Once all of its places are known.
void LaneBoard::finishBest() {
  constexpr double kRounding = 1 - 1e-9;
  LaneCosts& costs = controller_.laneCosts();
  if (!seeks_best_ || draft() == nullptr || costs.findsPlaces()) return;
  const KernelId kernel = *std::exchange(seeks_best_, {});
  const auto best = costs.best();
  const auto now = costs.at(draft()->place_of(kernel));
  const bool faster = best && now && *costs.at(*best) < *now * kRounding;
  costs.forgetPlaces();
  if (faster) {
    take(kernel, *best);
  } else {
    emit controller_.told(tr("%1 has no faster place").arg(nameOf(kernel)));
  }
}

// To the next place in that direction: along the lane, or on the next lane where it runs about when it did.
void LaneBoard::moveKernel(int key) {
  if (!cursor_) return;
  const KernelId kernel = *cursor_;
  const LaneDraft::Place from = draft()->place_of(kernel);
  LaneDraft::Place to = from;
  if (key == Qt::Key_Left || key == Qt::Key_Right) {
    const bool end = key == Qt::Key_Left ? from.position == 0 : from.position + 1 == draft()->rows()[from.lane].size();
    if (end) return;
    to.position = key == Qt::Key_Left ? from.position - 1 : from.position + 1;
  } else {
    if (key == Qt::Key_Up && from.lane == 0) return;
    to.lane = key == Qt::Key_Up ? from.lane - 1 : from.lane + 1;
    const std::vector<LaneDraft::Reach> reaches = draft()->where_may(kernel);
    if (to.lane < reaches.size()) {
      const QPointF at(QRectF(rectOf(kernel)).translated(offset()).left(),
                       lanes::kAxisHeight + lanes::kRowHeight * (static_cast<double>(to.lane) + 0.5));
      to.position =
          std::clamp(lanes::place_at(layout_, kernel, at).position, reaches[to.lane].first, reaches[to.lane].last);
    }
  }
  take(kernel, to);
}

// ---- Keys ----

void LaneBoard::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && drag_) return void(hand_.cancel());
  if (draft() == nullptr || layout_.rows.empty()) return QAbstractScrollArea::keyPressEvent(event);
  const Qt::KeyboardModifiers held = event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier);
  focus_ring_ = true;
  if (isArrow(*event) && held == Qt::AltModifier) return moveKernel(event->key());
  if (held != Qt::NoModifier) return QAbstractScrollArea::keyPressEvent(event);
  if (isArrow(*event)) return moveCursor(event->key());
  switch (event->key()) {
    case Qt::Key_N: return ownLane();
    case Qt::Key_B: return bestPlace();
    case Qt::Key_F: return zoomToFit();
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoomIn();
    case Qt::Key_Minus: return zoomOut();
    case Qt::Key_Home:
    case Qt::Key_End: {
      const std::size_t lane = cursor_ ? draft()->place_of(*cursor_).lane : 0;
      const std::vector<KernelId>& row = draft()->rows()[lane];
      return press(event->key() == Qt::Key_Home ? row.front() : row.back());
    }
    case Qt::Key_Escape:
      if (std::exchange(seeks_best_, {})) controller_.laneCosts().forgetPlaces();
      cursor_.reset();
      clearSelection();
      return viewport()->update();
    default: QAbstractScrollArea::keyPressEvent(event);
  }
}

void LaneBoard::moveCursor(int key) {
  if (!cursor_) return press(draft()->rows().front().front());
  const LaneDraft::Place at = draft()->place_of(*cursor_);
  const std::vector<KernelId>& row = draft()->rows()[at.lane];
  std::optional<KernelId> next;
  if (key == Qt::Key_Left && at.position > 0) next = row[at.position - 1];
  if (key == Qt::Key_Right && at.position + 1 < row.size()) next = row[at.position + 1];
  if ((key == Qt::Key_Up && at.lane > 0) || (key == Qt::Key_Down && at.lane + 1 < draft()->rows().size())) {
    const double x = rectOf(*cursor_).center().x();
    double nearest = 0;
    for (const KernelId kernel : draft()->rows()[key == Qt::Key_Up ? at.lane - 1 : at.lane + 1]) {
      const double away = std::abs(rectOf(kernel).center().x() - x);
      if (next && away >= nearest) continue;
      next = kernel;
      nearest = away;
    }
  }
  if (next) press(*next);
}

bool LaneBoard::keepsKey(const QKeyEvent& key) const {
  constexpr std::array kOwn{Qt::Key_N, Qt::Key_B, Qt::Key_F, Qt::Key_Plus, Qt::Key_Equal, Qt::Key_Minus};
  return (key.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == Qt::NoModifier &&
         std::ranges::find(kOwn, key.key()) != kOwn.end();
}

}  // namespace iosx
