#include "views/edit_schedule/stage_board.h"

#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <algorithm>
#include <set>

#include "core/model/graph/work.h"
#include "views/canvas/layout/node_text.h"
#include "views/canvas/paint/scene.h"
#include "views/figures/paint.h"
#include "views/style/fills.h"
#include "views/style/theme.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr double kHeaderLine = 18;  // from one line of a header to the next
constexpr double kStripe = 15;      // of a chip, with the letter of what it does
constexpr double kChipPadding = 6;
constexpr double kWidestName = 190;  // pixels
constexpr int kTextSize = 12;
constexpr int kSmallSize = 11;

}  // namespace

StageBoard::StageBoard(ScheduleController& controller, QWidget* parent) : DragBoard(controller, parent) {
  install_painted_items<StageBoard, board::BoardItems<StageBoard>>();  // before the name: Qt asks
  setObjectName(QStringLiteral("stage-board"));
  setAccessibleName(tr("Stage board"));
  connect(&controller_, &ScheduleController::changed, this, &StageBoard::showDraft);
  connect(&controller_, &ScheduleController::costsChanged, viewport(), qOverload<>(&QWidget::update));
  showDraft();
}

void StageBoard::followSelection() {
  placeCursor();
  if (hand_.tool() == nullptr) revealSelection();
  viewport()->update();
  emit selectionShown();
}

// A drag belongs to the earlier draft.
void StageBoard::showDraft() {
  hand_.cancel();
  rearrange();
  // A stage that is another one now: its units stay selected.
  if (selection_ && selection_->current().stage && selection_->current().schedule == ScheduleController::draftId()) {
    const std::size_t stage = *selection_->current().stage;
    const std::vector<UnitId> units = selection_->current().units;
    if (stage >= layout_.columns.size() || board::units_of(layout_, {stage}) != units)
      selection_->select({units, {}, {}, {}});
  }
  placeCursor();
}

void StageBoard::showTexts() {
  texts_.clear();
  if (!graph_) return;
  const canvas::TextStyle style = canvas::text_style();
  const std::vector<std::string> titles = canvas::unit_titles(*graph_);
  const std::vector<double> room(titles.size(), kWidestName);
  const std::vector<std::string> names = canvas::fit_names(titles, room, style.body);
  const QFontMetricsF metrics(sized(font(), kTextSize));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const QString name = qstring(names[i]);
    const Operator& op = graph_->op(dominant_operator(*graph_, UnitId(i)));
    texts_.push_back({name, metrics.horizontalAdvance(name) + kStripe + 2 * kChipPadding, operator_class(op.attributes),
                      is_merged(op.attributes)});
  }
}

// Others may hear of another draft first, and lay the board out.
void StageBoard::rearrange() {
  const ScheduleDraft* draft = controller_.draft();
  std::shared_ptr<const Graph> graph = draft == nullptr ? nullptr : draft->shared_graph();
  if (graph_ != graph) {
    graph_ = std::move(graph);
    showTexts();
  }
  layout_ = draft == nullptr ? board::Layout() : board::arrange(*draft, texts_, viewport()->height());
  setExtent(layout_.size, board::kLaneHeight);
}

void StageBoard::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  rearrange();
}

// ---- Where things are ----

std::vector<board::Piece> StageBoard::items() const {
  std::vector<board::Piece> all;
  for (std::size_t s = 0; s < layout_.columns.size(); ++s) {
    all.push_back({s});
    const std::vector<board::Lane>& lanes = layout_.columns[s].lanes;
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      for (std::size_t c = 0; c < lanes[l].chips.size(); ++c) all.push_back({s, l, c});
    }
  }
  return all;
}

std::optional<board::Piece> StageBoard::itemAt(const QPoint& at) const { return board::piece_at(layout_, toBoard(at)); }

QRect StageBoard::rectOf(const board::Piece& piece) const {
  const QPointF scrolled = piece.lane ? offset() : QPointF(offset().x(), 0);
  return board::box_of(layout_, piece).translated(-scrolled).toAlignedRect();
}

// By the layout alone: while another network is being opened the draft may be of that one already.
std::optional<board::Piece> StageBoard::pieceOf(UnitId unit) const {
  for (std::size_t stage = 0; stage < layout_.columns.size(); ++stage) {
    const std::vector<board::Lane>& lanes = layout_.columns[stage].lanes;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const std::vector<board::Chip>& chips = lanes[lane].chips;
      const auto chip = std::ranges::find_if(
          chips, [&](const board::Chip& each) { return std::ranges::find(each.units, unit) != each.units.end(); });
      if (chip != chips.end()) return board::Piece{stage, lane, static_cast<std::size_t>(chip - chips.begin())};
    }
  }
  return {};
}

QRect StageBoard::rectOf(UnitId unit) const {
  const auto piece = pieceOf(unit);
  return piece ? rectOf(*piece) : QRect();
}

QRect StageBoard::gapRect(std::size_t stage) const {
  const QRectF box = stage < layout_.columns.size() ? layout_.columns[stage].gap : layout_.plus;
  return box.translated(-offset()).toAlignedRect();
}

QRect StageBoard::handleRect(std::size_t stage, std::size_t lane) const {
  return layout_.columns[stage].lanes[lane].handle.translated(-offset()).toAlignedRect();
}

QString StageBoard::nameOf(UnitId unit) const {
  return unit.index() < texts_.size() ? texts_[unit.index()].name : QString();
}

QString StageBoard::words(const board::Piece& piece) const {
  const ScheduleDraft* draft = controller_.draft();
  if (draft == nullptr || piece.stage >= layout_.columns.size()) return {};
  QStringList names;
  if (piece.step) {
    for (const UnitId unit : layout_.columns[piece.stage].lanes[*piece.lane].chips[*piece.step].units) {
      names << shown_name(draft->graph().unit(unit).name);
    }
  }
  if (piece.step)
    return tr("%1, stage %2, lane %3").arg(names.join(QStringLiteral(" + "))).arg(piece.stage + 1).arg(*piece.lane + 1);
  if (piece.lane) return tr("Lane %1 of stage %2").arg(*piece.lane + 1).arg(piece.stage + 1);
  QString text = tr("Stage %1").arg(piece.stage + 1);
  if (draft->locked(piece.stage)) text = tr("%1, locked").arg(text);
  const auto& latencies = controller_.costs().stages;
  if (piece.stage < latencies.size() && latencies[piece.stage])
    text += QStringLiteral(", ") + latency_text(*latencies[piece.stage]);
  return text;
}

void StageBoard::reveal(const QRectF& box) {
  // `first`: of the page, where what is scrolled comes into sight.
  const auto bring = [](QScrollBar* bar, double from, double to, double first, double page) {
    constexpr double kMargin = 24;
    if (from - kMargin < bar->value() + first) {
      bar->setValue(static_cast<int>(from - kMargin - first));
    } else if (to + kMargin > bar->value() + page) {
      bar->setValue(static_cast<int>(std::min(from - kMargin - first, to + kMargin - page)));
    }
  };
  bring(horizontalScrollBar(), box.left(), box.right(), 0, viewport()->width());
  if (box.bottom() > board::kTop)
    bring(verticalScrollBar(), box.top(), box.bottom(), board::kTop, viewport()->height());
}

void StageBoard::revealSelection() {
  const std::vector<UnitId> units = selected();
  if (units.empty()) return;
  if (const auto piece = pieceOf(units.front())) reveal(board::box_of(layout_, *piece));
}

std::optional<std::size_t> StageBoard::stripInView() const {
  const double left = offset().x() + board::kGap + 1;
  for (std::size_t i = 0; i < layout_.parts.size(); ++i) {
    if (layout_.parts[i].box.right() > left) return i;
  }
  return {};
}

void StageBoard::goToPart(std::size_t strip) {
  if (strip >= layout_.parts.size()) return;
  horizontalScrollBar()->setValue(static_cast<int>(layout_.parts[strip].box.left() - board::kGap));
}

std::vector<UnitId> StageBoard::selected() const {
  if (!selection_ || controller_.draft() == nullptr) return {};
  const std::vector<UnitId>& units = selection_->current().units;
  return !units.empty() && units.back().index() >= texts_.size() ? std::vector<UnitId>() : units;
}

bool StageBoard::isSelected(const std::vector<UnitId>& units) const {
  const std::vector<UnitId> chosen = selected();
  return !units.empty() &&
         std::ranges::all_of(units, [&](UnitId unit) { return std::ranges::binary_search(chosen, unit); });
}

std::vector<std::size_t> StageBoard::selectedStages() const {
  std::set<std::size_t> stages;
  for (const UnitId unit : selected()) {
    if (const auto piece = pieceOf(unit)) stages.insert(piece->stage);
  }
  return {stages.begin(), stages.end()};
}

std::optional<std::size_t> StageBoard::currentStage() const {
  const std::vector<std::size_t> stages = selectedStages();
  if (!stages.empty()) return stages.front();
  if (cursor_ && cursor_->stage < layout_.columns.size()) return cursor_->stage;
  return {};
}

bool StageBoard::isMarked(const board::Piece& piece) const {
  return selection_ && std::ranges::all_of(board::units_of(layout_, piece),
                                           [&](UnitId unit) { return selection_->current().contains(unit); });
}

void StageBoard::press(const board::Piece& piece) {
  selectPiece(piece);
  reveal(board::box_of(layout_, piece));
}

void StageBoard::selectPiece(const board::Piece& piece, bool add) {
  if (!selection_) return;
  Selection chosen{board::units_of(layout_, piece), {}, {}, {}};
  if (!piece.lane) {
    chosen.schedule = ScheduleController::draftId();
    chosen.stage = piece.stage;
  }
  if (add) {
    std::vector<UnitId> both = selected();
    if (isSelected(chosen.units)) {
      std::erase_if(both, [&](UnitId unit) { return chosen.contains(unit); });
    } else {
      both.insert(both.end(), chosen.units.begin(), chosen.units.end());
    }
    selectUnits(std::move(both));
  } else {
    selection_->select(std::move(chosen));
  }
  cursor_ = piece;  // afterwards: the selection places it too
  viewport()->update();
  announce_focused_item(*this);
}

// ---- Edits ----

void StageBoard::split() {
  const auto stage = currentStage();
  if (!stage) return;
  std::vector<UnitId> own;
  for (const UnitId unit : selected()) {
    if (controller_.draft()->stage_of(unit) == *stage) own.push_back(unit);
  }
  const bool some = !own.empty() && own.size() < controller_.draft()->schedule().stages[*stage].units().size();
  controller_.take(tr("Split stage %1").arg(*stage + 1),
                   some ? controller_.draft()->split(*stage, own) : controller_.draft()->split(*stage));
}

void StageBoard::join() {
  const auto stage = currentStage();
  if (!stage) return;
  if (controller_.take(tr("Join stages %1 and %2").arg(*stage + 1).arg(*stage + 2),
                       controller_.draft()->joined(*stage)))
    selectPiece({*stage});
}

void StageBoard::newStage() {
  const std::vector<UnitId> units = selected();
  if (units.empty()) return;
  const std::vector<std::size_t> stages = selectedStages();
  auto after = controller_.draft()->moved(units, {.stage = stages.back() + 1, .new_stage = true});
  if (!after) {
    if (auto before = controller_.draft()->moved(units, {.stage = stages.front(), .new_stage = true})) after = before;
  }
  controller_.take(tr("New stage"), std::move(after));
}

void StageBoard::merge() {
  if (const std::vector<UnitId> units = selected(); !units.empty())
    controller_.take(tr("Merge"), controller_.draft()->merged(units));
}

void StageBoard::takeApart() {
  const std::vector<UnitId> units = selected();
  if (units.empty()) return;
  const auto merged = std::ranges::find_if(units, [&](UnitId unit) {
    const auto piece = pieceOf(unit);
    return piece && layout_.columns[piece->stage].lanes[*piece->lane].chips[*piece->step].units.size() > 1;
  });
  controller_.take(tr("Unmerge"), controller_.draft()->unmerged(merged == units.end() ? units.front() : *merged));
}

void StageBoard::toggleLock() {
  std::vector<std::size_t> stages = selectedStages();
  if (stages.empty() && cursor_) stages.push_back(cursor_->stage);
  if (stages.empty() || controller_.draft() == nullptr) return;
  const bool lock = !controller_.draft()->locked(stages.front());
  ScheduleDraft next = *controller_.draft();
  for (const std::size_t stage : stages) next = next.with_lock(stage, lock);
  const int count = static_cast<int>(stages.size());
  controller_.take(count == 1 ? (lock ? tr("Lock stage %1") : tr("Unlock stage %1")).arg(stages.front() + 1)
                              : (lock ? tr("Lock %1 stages") : tr("Unlock %1 stages")).arg(count),
                   next);
}

// ---- Painting ----

void StageBoard::paintEvent(QPaintEvent* event) {
  QPainter painter(viewport());
  painter.fillRect(event->rect(), theme_.canvas);
  painter.setRenderHint(QPainter::Antialiasing);
  const ScheduleDraft* draft = controller_.draft();
  if (draft == nullptr) {
    paint_text(painter, theme_.mutedText, viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap,
               tr("No schedule is being edited. “Edit a copy” starts from the shown one."));
    return;
  }
  painter.translate(-offset());
  const QRectF view(offset(), QSizeF(viewport()->size()));
  for (std::size_t s = 0; s < layout_.columns.size(); ++s) {
    if (layout_.columns[s].box.adjusted(-board::kGap, 0, board::kGap, 0).intersects(view)) paintColumn(painter, s);
  }
  if (layout_.plus.intersects(view)) {
    paint_box(painter, QPen(theme_.outline, 1, Qt::DashLine), Qt::NoBrush, layout_.plus.adjusted(0.5, 0.5, -0.5, -0.5),
              6);
    paint_text(painter, sized(font(), 18), theme_.mutedText, layout_.plus, Qt::AlignCenter, QStringLiteral("+"));
  }
  paintTop(painter, view);
  if (drag_) paintDrag(painter);
  if (band_) {
    const QColor fill = with_alpha(theme_.selection, 0.15F);
    paint_box(painter, QPen(theme_.selection, 1), fill, *band_);
  }
  if (focus_ring_ && cursor_ && hasFocus() && cursor_->stage < layout_.columns.size()) {
    paintFocusRing(painter, 5);
  }
}

// Paints parts and headers, wherever the lanes are scrolled to.
void StageBoard::paintTop(QPainter& painter, const QRectF& view) {
  painter.save();
  painter.translate(0, view.top());
  if (view.top() > 0) painter.fillRect(QRectF(view.left(), 0, view.width(), board::kTop), theme_.canvas);
  const ScheduleDraft* draft = controller_.draft();
  painter.setFont(sized(font(), kSmallSize));
  for (const board::PartStrip& strip : layout_.parts) {
    if (strip.box.right() < view.left() || strip.box.left() > view.right()) continue;
    QRectF room = strip.box.adjusted(4, 0, -4, -3);  // its name stays in sight while it is scrolled
    room.setLeft(std::max(room.left(), view.left() + 4));
    const QString name = shown_name(draft->graph().part(strip.part).name);
    painter.setPen(QPen(theme_.outline, 1));
    painter.drawLine(QPointF(strip.box.left(), strip.box.bottom() - 3),
                     QPointF(strip.box.right(), strip.box.bottom() - 3));
    paint_text(painter, theme_.mutedText, room, kAtLeft,
               painter.fontMetrics().elidedText(name, Qt::ElideMiddle, static_cast<int>(room.width())));
  }
  for (std::size_t s = 0; s < layout_.columns.size(); ++s) {
    const QRectF& header = layout_.columns[s].header;
    if (header.right() >= view.left() && header.left() <= view.right()) paintHeader(painter, s);
  }
  painter.restore();
}

void StageBoard::paintColumn(QPainter& painter, std::size_t stage) {
  const board::Column& column = layout_.columns[stage];
  const ScheduleDraft& draft = *controller_.draft();
  const bool whole = isSelected(board::units_of(layout_, {stage}));
  paint_box(painter, QPen(whole ? theme_.selection : theme_.gridLine, whole ? 2 : 1), theme_.panel,
            column.box.adjusted(0.5, 0.5, -0.5, -0.5), 6);
  for (std::size_t l = 0; l < column.lanes.size(); ++l) {
    const board::Lane& lane = column.lanes[l];
    const bool over = hovered_ && hovered_->stage == stage && hovered_->lane == l && !hovered_->step;
    // Its handle: two rows of dots.
    painter.setPen(Qt::NoPen);
    painter.setBrush(over ? theme_.selection : theme_.outline);
    for (const double dx : {-2.5, 2.5}) {
      for (const double dy : {-6.0, 0.0, 6.0}) painter.drawEllipse(lane.handle.center() + QPointF(dx, dy), 1.5, 1.5);
    }
    for (std::size_t c = 0; c < lane.chips.size(); ++c) {
      const board::Chip& chip = lane.chips[c];
      if (c > 0) {  // what runs next
        const double y = chip.box.center().y();
        painter.setPen(QPen(theme_.boxLine, 1));
        painter.drawLine(QPointF(lane.chips[c - 1].box.right(), y), QPointF(chip.box.left(), y));
      }
      paintChip(painter, chip);
    }
  }
  if (draft.locked(stage)) {
    const QColor veil = with_alpha(theme_.panel, 0.35F);
    fill_translucent(painter, column.box.adjusted(1, board::kHeaderHeight, -1, -1), veil);
  }
}

void StageBoard::paintHeader(QPainter& painter, std::size_t stage) {
  const board::Column& column = layout_.columns[stage];
  const bool over = hovered_ && *hovered_ == board::Piece{stage};
  const bool whole = isSelected(board::units_of(layout_, {stage}));
  QPainterPath top;
  top.addRoundedRect(column.header.adjusted(1, 1, -1, 0), 6, 6);
  QPainterPath lower;
  lower.addRect(column.header.adjusted(1, 8, -1, 0));
  painter.fillPath(top.united(lower), whole || over ? theme_.selectionFill : theme_.stageBand(stage));
  // In sight as long as the stage is.
  QRectF text = column.header.adjusted(8, 3, -8, -3);
  text.setLeft(std::min(std::max(offset().x() + 8, text.left()), text.right() - board::kLeastStage + 16));
  const QFont large = sized(font(), kTextSize, true);
  const QFont small = sized(font(), kSmallSize);
  const QFont bold = sized(font(), kSmallSize, true);
  const auto& latencies = controller_.costs().stages;
  const bool known = stage < latencies.size() && latencies[stage];
  const QString cost = known ? latency_text(*latencies[stage]) : tr("not measured");
  const auto& changes = controller_.changes();
  const double change = stage < changes.size() && changes[stage] ? changes[stage]->count() : 0;
  const QString delta = board::change_text(Millis(change));
  const QString title = tr("Stage %1").arg(stage + 1);
  paint_text(painter, large, theme_.text, text, Qt::AlignLeft | Qt::AlignTop, title);
  if (controller_.draft()->locked(stage)) {
    const double after = QFontMetricsF(large).horizontalAdvance(title);
    paintLock(painter, QPointF(text.left() + after + 14, text.top() + 9));
  }
  const QRectF second = text.adjusted(0, kHeaderLine, 0, 0);
  paint_text(painter, small, theme_.mutedText, second, Qt::AlignLeft | Qt::AlignTop, cost);
  if (delta.isEmpty()) return;
  painter.setPen(board::change_color(theme_, Millis(change)));
  painter.setFont(bold);
  // Beside the cost, or where a narrow stage has no room for both below it.
  const double beside = QFontMetricsF(small).horizontalAdvance(cost) + 8;
  const bool fits = beside + QFontMetricsF(bold).horizontalAdvance(delta) <= text.width();
  painter.drawText(fits ? second.adjusted(beside, 0, 0, 0) : second.adjusted(0, kHeaderLine - 1, 0, 0),
                   Qt::AlignLeft | Qt::AlignTop, delta);
}

void StageBoard::paintLock(QPainter& painter, const QPointF& at) {
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme_.text, 1.6));
  painter.drawArc(QRectF(at.x() - 3.5, at.y() - 7, 7, 8), 0, 180 * 16);
  paint_box(painter, Qt::NoPen, theme_.text, QRectF(at.x() - 5.5, at.y() - 2.5, 11, 8), 1.5);
}

void StageBoard::paintChip(QPainter& painter, const board::Chip& chip) {
  const bool merged = chip.units.size() > 1 || texts_[chip.units.front().index()].merged;
  const bool chosen = isSelected(chip.units);
  const bool dragged = drag_ && !drag_->stage && std::ranges::binary_search(drag_->units, chip.units.front());
  painter.save();
  if (dragged) painter.setOpacity(0.35);
  double x = chip.box.left();
  for (std::size_t i = 0; i < chip.units.size(); ++i) {
    const board::ChipText& text = texts_[chip.units[i].index()];
    if (i > 0) {
      paint_text(painter, sized(font(), 13, true), theme_.boxLine, QRectF(x, chip.box.top(), 22, chip.box.height()),
                 Qt::AlignCenter, QStringLiteral("+"));
      x += 22;
    }
    const QRectF box(x, chip.box.top(), text.width, chip.box.height());
    const QColor strong = theme_.operatorFill(text.what);
    QPainterPath whole;
    whole.addRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.fillPath(whole, theme_.canvas);
    painter.save();
    painter.setClipPath(whole);
    painter.fillRect(QRectF(box.left(), box.top(), kStripe, box.height()), strong);
    painter.restore();
    paint_shape(painter, QPen(strong, 1), Qt::NoBrush, whole);
    paint_text(painter, sized(font(), kSmallSize, true), Theme::readableOn(strong),
               QRectF(box.left(), box.top(), kStripe, box.height()), Qt::AlignCenter, class_sign(text.what));
    paint_text(painter, sized(font(), kTextSize), theme_.text,
               QRectF(box.left() + kStripe + kChipPadding, box.top(), text.width, box.height()), kAtLeft, text.name);
    x += text.width;
  }
  painter.setBrush(Qt::NoBrush);
  if (merged) {
    painter.setPen(QPen(theme_.boxLine, 1.1));
    for (const double grown : {1.0, 2.8}) {
      painter.drawRoundedRect(chip.box.adjusted(-grown, -grown, grown, grown), 5, 5);
    }
  }
  if (chosen) {
    painter.setPen(QPen(theme_.selection, 2.5));
    painter.drawRoundedRect(chip.box.adjusted(-0.5, -0.5, 0.5, 0.5), 4, 4);
  }
  painter.restore();
}

void StageBoard::paintForbidden(QPainter& painter, std::size_t stage) {
  const board::Column& column = layout_.columns[stage];
  const auto hatch = [&](const QRectF& box) { board::paint_forbidden(painter, box, theme_); };
  if (drag_->stage) return;
  if (refusal({.stage = stage, .new_stage = true})) hatch(column.gap.adjusted(2, 2, -2, -2));
  std::size_t forbidden = 0;
  for (std::size_t l = 0; l <= column.lanes.size(); ++l) forbidden += refusal({.stage = stage, .group = l}) ? 1 : 0;
  if (forbidden > column.lanes.size()) return hatch(column.box.adjusted(1, 1, -1, -1));
  for (std::size_t l = 0; l <= column.lanes.size(); ++l) {
    if (!refusal({.stage = stage, .group = l})) continue;
    const QRectF rest = column.box.adjusted(1, 1, -1, -1);
    const double below = column.lanes.back().box.bottom();
    hatch(l < column.lanes.size() ? column.lanes[l].box.adjusted(1, 0, -1, 0)
                                  : QRectF(rest.left(), below, rest.width(), rest.bottom() - below));
  }
}

void StageBoard::paintDrag(QPainter& painter) {
  const QRectF view(offset(), QSizeF(viewport()->size()));
  for (std::size_t s = 0; s < layout_.columns.size(); ++s) {
    if (layout_.columns[s].box.adjusted(-board::kGap, 0, 0, 0).intersects(view)) paintForbidden(painter, s);
  }
  const QColor mark = reason_.isEmpty() ? theme_.selection : theme_.error;
  painter.setBrush(Qt::NoBrush);
  const auto gap_box = [&](std::size_t gap) {
    return gap < layout_.columns.size() ? layout_.columns[gap].gap : layout_.plus;
  };
  if (drag_->stage && drag_->stage_to) {
    const std::size_t gap = *drag_->stage_to > *drag_->stage ? *drag_->stage_to + 1 : *drag_->stage_to;
    painter.fillRect(QRectF(gap_box(gap).left() + board::kGap / 2 - 2, gap_box(gap).top(), 4, gap_box(gap).height()),
                     mark);
  } else if (drag_->place) {
    const ScheduleDraft::Place& place = *drag_->place;
    if (place.new_stage) {
      painter.setPen(QPen(mark, 2, Qt::DashLine));
      painter.drawRoundedRect(gap_box(place.stage).adjusted(2, 2, -2, -2), 5, 5);
    } else {
      const board::Column& column = layout_.columns[place.stage];
      painter.setPen(QPen(mark, 2));
      if (place.group < column.lanes.size()) {
        const board::Lane& lane = column.lanes[place.group];
        painter.drawRoundedRect(lane.box.adjusted(2, 0, -2, 0), 4, 4);
        if (place.step) {
          const double x = *place.step < lane.chips.size() ? lane.chips[*place.step].box.left() - 3
                                                           : lane.chips.back().box.right() + 3;
          painter.fillRect(QRectF(x - 1.5, lane.box.top() + 2, 3, lane.box.height() - 4), mark);
        }
      } else {
        const double below = column.lanes.back().box.bottom();
        painter.setPen(QPen(mark, 2, Qt::DashLine));
        painter.drawRoundedRect(QRectF(column.box.left() + 3, below + 2, column.box.width() - 6, board::kSpare - 4), 4,
                                4);
      }
    }
  }
  // The dragged thing, and why it cannot be dropped here.
  const QString name = drag_->stage               ? tr("Stage %1").arg(*drag_->stage + 1)
                       : drag_->units.size() == 1 ? nameOf(drag_->units.front())
                                                  : tr("%1 operators").arg(drag_->units.size());
  const bool refused = !reason_.isEmpty();
  board::paint_drag_label(painter, view, drag_->at, {{refused ? reason_ : name}}, refused, theme_, font());
}

}  // namespace iosx

#include "moc_stage_board.cpp"
