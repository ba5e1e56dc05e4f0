// What the pointer does on the stage board.
#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>

#include "views/edit_schedule/refusal_words.h"
#include "views/edit_schedule/stage_board.h"
#include "views/text/latency_text.h"
#include "views/text/plain_tip.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr int kEdge = 28;  // pixels from a border, where what is dragged scrolls the board
constexpr int kScrollStep = 18;

}  // namespace

QPointF StageBoard::toBoard(const QPoint& at) const {
  return {at.x() + offset().x(), at.y() < board::kTop ? at.y() : at.y() + offset().y()};
}

void StageBoard::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || controller_.draft() == nullptr) return;
  focus_ring_ = false;
  const auto piece = board::piece_at(layout_, toBoard(event->pos()));
  press_ = Press{event->pos(), piece, event->modifiers(), false};
  if (!piece) {
    before_band_ = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier) && selection_ ? selection_->current()
                                                                                                : Selection();
    return;
  }
  press_->was_selected = isSelected(board::units_of(layout_, *piece));
  if (event->modifiers() & Qt::ShiftModifier) return selectRange(*piece);
  if (event->modifiers() & Qt::ControlModifier) return;  // on release: a drag takes all that is selected
  if (!press_->was_selected || !piece->lane) selectPiece(*piece);
}

void StageBoard::mouseMoveEvent(QMouseEvent* event) {
  if (!press_) {
    const auto piece = board::piece_at(layout_, toBoard(event->pos()));
    if (piece == hovered_) return;
    hovered_ = piece;
    viewport()->setCursor(piece ? Qt::OpenHandCursor : Qt::ArrowCursor);
    viewport()->update();
    return;
  }
  if (drag_) return dragTo(event->pos());
  if ((event->pos() - press_->at).manhattanLength() < QApplication::startDragDistance()) return;
  if (press_->piece) {
    startDrag();
    return dragTo(event->pos());
  }
  band_ = QRectF(toBoard(press_->at), toBoard(event->pos())).normalized();
  selectBand();
}

void StageBoard::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !press_) return;
  const Press press = *press_;
  press_.reset();
  if (drag_) return drop();
  if (band_) {
    band_.reset();
    placeCursor();
    viewport()->update();
    return;
  }
  if (!press.piece) {
    if (selection_ && !(press.modifiers & (Qt::ControlModifier | Qt::ShiftModifier))) selection_->clear();
    return;
  }
  if (press.modifiers & Qt::ShiftModifier) return;
  if (press.modifiers & Qt::ControlModifier) return selectPiece(*press.piece, true);
  selectPiece(*press.piece);
}

// A lock is turned where it stands.
void StageBoard::mouseDoubleClickEvent(QMouseEvent* event) {
  const auto piece = board::piece_at(layout_, toBoard(event->pos()));
  if (event->button() != Qt::LeftButton || !piece || piece->lane) return mousePressEvent(event);
  selectPiece(*piece);
  toggleLock();
}

void StageBoard::startDrag() {
  const board::Piece& piece = *press_->piece;
  drag_.emplace();
  if (!piece.lane) {
    drag_->stage = piece.stage;
    drag_->units = board::units_of(layout_, piece);
  } else {
    const std::vector<UnitId> own = board::units_of(layout_, piece);
    if (!isSelected(own)) selectPiece(piece, press_->modifiers & Qt::ControlModifier);
    drag_->units = piece.step ? selected() : own;
  }
  refusals_.clear();
  hovered_.reset();
  viewport()->setCursor(Qt::ClosedHandCursor);
  setFocus(Qt::MouseFocusReason);
  scroll_->start();
}

std::optional<QString> StageBoard::refusal(const ScheduleDraft::Place& place) {
  constexpr std::size_t kNewStage = static_cast<std::size_t>(-1);
  const auto key = std::pair(place.stage, place.new_stage ? kNewStage : place.group);
  if (!place.step) {
    if (const auto known = refusals_.find(key); known != refusals_.end()) return known->second;
  }
  std::optional<QString> why;
  if (const auto said = controller_.draft()->refusal(drag_->units, place))
    why = board::refusal_words(QString::fromStdString(*said));
  if (!place.step) refusals_.emplace(key, why);
  return why;
}

std::optional<QString> StageBoard::stageRefusal(std::size_t to) const {
  const auto moved = controller_.draft()->stage_moved(*drag_->stage, to);
  if (moved) return {};
  return board::refusal_words(QString::fromStdString(moved.error().what));
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
  if (drag_) {
    press_.reset();
    viewport()->setCursor(Qt::ArrowCursor);
  }
  drag_.reset();
  reason_.clear();
  refusals_.clear();
  scroll_->stop();
  viewport()->update();
}

void StageBoard::scrollAtEdge() {
  if (!drag_) return scroll_->stop();
  const QPoint at = (drag_->at - offset()).toPoint();
  const auto step = [](QScrollBar* bar, int place, int length) {
    const int by = place < kEdge ? -kScrollStep : place > length - kEdge ? kScrollStep : 0;
    const int before = bar->value();
    bar->setValue(before + by);
    return bar->value() != before;
  };
  const bool across = step(horizontalScrollBar(), at.x(), viewport()->width());
  const bool down = step(verticalScrollBar(), at.y(), viewport()->height());
  if (across || down) dragTo(at);
}

void StageBoard::selectBand() {
  std::vector<UnitId> units = before_band_.units;
  for (const board::Column& column : layout_.columns) {
    if (!column.box.intersects(*band_)) continue;
    for (const board::Lane& lane : column.lanes) {
      for (const board::Chip& chip : lane.chips) {
        if (chip.box.intersects(*band_)) units.insert(units.end(), chip.units.begin(), chip.units.end());
      }
    }
  }
  std::ranges::sort(units);
  units.erase(std::unique(units.begin(), units.end()), units.end());
  if (selection_) selection_->select({std::move(units), {}, {}, {}});
  viewport()->update();
}

// All chips from the cursor to there, in reading order.
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

void StageBoard::wheelEvent(QWheelEvent* event) {
  const QPoint turned = event->angleDelta();
  const bool across =
      turned.x() == 0 && (verticalScrollBar()->maximum() == 0 || event->modifiers() & Qt::ShiftModifier);
  if (!across) return QAbstractScrollArea::wheelEvent(event);
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() - turned.y());
  event->accept();
}

bool StageBoard::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave && hovered_) {
    hovered_.reset();
    viewport()->update();
  }
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto piece = board::piece_at(layout_, toBoard(help->pos()));
  if (piece) {
    QToolTip::showText(help->globalPos(), tip(*piece), viewport(), rectOf(*piece));
  } else {
    QToolTip::hideText();
  }
  return true;
}

QString StageBoard::tip(const board::Piece& piece) const {
  QString text = words(piece);
  if (!piece.lane) text += QLatin1Char('\n') + tr("Drag to move it; double click or L locks it");
  if (piece.lane && !piece.step) text += QLatin1Char('\n') + tr("Drag to move the whole lane");
  return plain_tip(text);
}

}  // namespace iosx
