#include "views/edit_schedule/lane_board.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "core/model/graph/operator.h"
#include "views/canvas/layout/node_text.h"
#include "views/figures/paint.h"
#include "views/style/fills.h"
#include "views/style/theme.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/time/time_axis.h"
#include "views/widgets/painted_view.h"

namespace iosx {
namespace {

constexpr int kBarText = 12;
constexpr int kSmallText = 11;
constexpr double kLeastLabel = 26;   // pixels of a bar that has its name in it
constexpr double kTickSpacing = 90;  // pixels between figures of the axis
constexpr double kMostScale = 60;    // pixels of a microsecond
constexpr double kZoomStep = 1.4;
constexpr double kMargin = 24;       // around what is brought into sight
constexpr double kPlaceHeight = 11;  // of the mark of the place with the largest change
constexpr double kLeastPlace = 4;
constexpr double kSpareText = 150;  // of what a lane of its own is called

// Returns the name, or what of its end after a dot fits, or the beginning of that; empty where nothing would be left to
// read.
QString bar_label(const QString& name, double room, const QFontMetricsF& metrics) {
  constexpr qsizetype kLeastLetters = 3;
  QString label = name;
  while (metrics.horizontalAdvance(label) > room) {
    const QString rest = label.mid(label.indexOf(QLatin1Char('.')) + 1);
    if (rest.size() == label.size() || rest.size() < kLeastLetters) break;
    label = rest;
  }
  if (metrics.horizontalAdvance(label) <= room) return label;
  label = metrics.elidedText(label, Qt::ElideRight, room);
  return label.size() >= kLeastLetters ? label : QString();
}

// Returns the kernel's name without what all units have in front, in any of the names that it is made of ("a + b").
QString short_kernel_name(const std::string& name, const std::string& shared) {
  QStringList words;
  for (const QString& word : qstring(canvas::short_name(name)).split(QLatin1Char(' '))) {
    const QString prefix = qstring(shared);
    words << (word.size() > prefix.size() && word.startsWith(prefix) ? word.mid(prefix.size()) : word);
  }
  return words.join(QLatin1Char(' '));
}

double middle(const std::pair<double, double>& gap) { return (gap.first + gap.second) / 2; }

}  // namespace

LaneBoard::LaneBoard(ScheduleController& controller, QWidget* parent) : DragBoard(controller, parent) {
  install_painted_items<LaneBoard, board::BoardItems<LaneBoard>>();  // before the name: Qt asks
  setObjectName(QStringLiteral("lane-board"));
  setAccessibleName(tr("Lane board"));
  connect(&controller_, &ScheduleController::changed, this, &LaneBoard::showDraft);
  connect(&controller_, &ScheduleController::costsChanged, this, [this] {
    rearrange();
    // Known places were for the earlier draft.
    LaneCosts& costs = controller_.laneCosts();
    if (costs.findsPlaces() || costs.best()) return;
    if (drag_) costs.findPlaces(drag_->kernel);
    if (seeks_best_ && draft() != nullptr) costs.findPlaces(*seeks_best_);
  });
  connect(&controller_.laneCosts(), &LaneCosts::placesChanged, this, [this] {
    finishBest();
    viewport()->update();
  });
  showDraft();
}

LaneBoard::~LaneBoard() { hand_.cancel(); }

// The dragged item belongs to the previous draft.
void LaneBoard::showDraft() {
  hand_.cancel();
  seeks_best_.reset();
  const std::shared_ptr<const LaneKernels> kernels = draft() == nullptr ? nullptr : draft()->shared_kernels();
  if (kernels != kernels_) {
    kernels_ = kernels;
    rescale_ = true;
    cursor_.reset();
    hovered_.reset();
    names_.clear();
    if (kernels_) {
      const std::string shared = canvas::shared_prefix(*kernels_->graph);
      for (const Kernel& kernel : kernels_->staged.kernels) names_ << short_kernel_name(kernel.name, shared);
    }
  }
  rearrange();
  if (!cursor_) followSelection();
}

void LaneBoard::rearrange() {
  const LaneCosts& costs = controller_.laneCosts();
  if (draft() == nullptr || costs.times().size() != draft()->kernels().needs.size()) {
    layout_ = {};
  } else {
    const bool order = costs.timesAre() == LaneCosts::Times::kOrder;
    if (rescale_ || scale_ <= 0 || (order_ && !order)) scale_ = lanes::first_scale(costs.times(), viewport()->width());
    rescale_ = false;
    order_ = order;
    layout_ = lanes::arrange(*draft(), costs.times(), scale_, viewport()->width());
  }
  setExtent(layout_.size, lanes::kRowHeight);
}

void LaneBoard::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  if (!zoomed_) rescale_ = true;
  rearrange();
}

// ---- Zoom ----

void LaneBoard::setScale(double pixels_per_us, double around) {
  if (draft() == nullptr || scale_ <= 0) return;
  const double least = lanes::fitting_scale(controller_.laneCosts().times(), viewport()->width());
  const double time = (around + offset().x() - lanes::kHeaderWidth) / scale_;
  scale_ = std::clamp(pixels_per_us, least, std::max(least, kMostScale));
  zoomed_ = true;
  rearrange();
  horizontalScrollBar()->setValue(static_cast<int>(std::lround(lanes::kHeaderWidth + time * scale_ - around)));
}

void LaneBoard::zoomTo(double pixels_per_us) {
  const QRect at = cursor_ ? rectOf(*cursor_) : QRect();
  setScale(pixels_per_us, viewport()->rect().intersects(at) ? at.center().x() : viewport()->width() / 2.0);
}

void LaneBoard::zoomIn() { zoomTo(scale_ * kZoomStep); }

void LaneBoard::zoomOut() { zoomTo(scale_ / kZoomStep); }

void LaneBoard::zoomToFit() { setScale(0, 0); }

// ---- Where things are ----

std::vector<KernelId> LaneBoard::items() const {
  std::vector<KernelId> all;
  for (const lanes::Row& row : layout_.rows) {
    for (const lanes::Bar& bar : row.bars) all.push_back(bar.kernel);
  }
  return all;
}

std::optional<KernelId> LaneBoard::itemAt(const QPoint& at) const {
  return draft() == nullptr ? std::nullopt : lanes::bar_at(layout_, QPointF(at) + offset());
}

QRect LaneBoard::rectOf(const KernelId& kernel) const {
  if (draft() == nullptr || layout_.rows.empty()) return {};
  const LaneDraft::Place place = draft()->place_of(kernel);
  return layout_.rows[place.lane].bars[place.position].box.translated(-offset()).toAlignedRect();
}

QPoint LaneBoard::pointOf(KernelId dragged, const LaneDraft::Place& place) const {
  const bool own = place.lane >= layout_.rows.size();
  const QRectF row = own ? layout_.spare : layout_.rows[place.lane].box;
  if (own) return (QPointF(lanes::kHeaderWidth + 40, row.center().y()) - offset()).toPoint();
  const auto [left, right] = lanes::gap_of(layout_, dragged, place);
  const double x = place.position == 0 ? left - 1 : (left + std::max(left, right)) / 2;
  return (QPointF(x, row.top() + lanes::kBarTop + lanes::kBarHeight / 2) - offset()).toPoint();
}

QString LaneBoard::nameOf(KernelId kernel) const { return names_.value(static_cast<qsizetype>(kernel.index())); }

QString LaneBoard::words(const KernelId& kernel) const {
  if (draft() == nullptr) return {};
  const LaneDraft::Place place = draft()->place_of(kernel);
  QString text = tr("%1, lane %2, %3 of %4")
                     .arg(shown_name(draft()->kernel(kernel).name))
                     .arg(place.lane + 1)
                     .arg(place.position + 1)
                     .arg(draft()->rows()[place.lane].size());
  const LaneCosts& costs = controller_.laneCosts();
  if (costs.timesAre() == LaneCosts::Times::kRun) {
    const KernelTime& time = costs.times()[kernel.index()];
    text += QStringLiteral(", ") + duration_text(time.end - time.begin);
  }
  return text;
}

void LaneBoard::reveal(KernelId kernel) {
  const QRectF box = QRectF(rectOf(kernel)).translated(offset());
  if (box.isEmpty()) return;
  // Into the middle, where what it needs and what needs it are in sight, too.
  const auto bring = [](QScrollBar* bar, double from, double to, double first, double page) {
    if (from - kMargin >= bar->value() + first && to + kMargin <= bar->value() + page) return;
    bar->setValue(static_cast<int>(std::min(from - kMargin - first, (from + to - first - page) / 2)));
  };
  bring(horizontalScrollBar(), box.left(), box.right(), lanes::kHeaderWidth, viewport()->width());
  bring(verticalScrollBar(), box.top(), box.bottom(), lanes::kAxisHeight, viewport()->height());
}

void LaneBoard::press(const KernelId& kernel) {
  selectKernel(kernel);
  reveal(kernel);
}

void LaneBoard::revealSelection() {
  if (cursor_) reveal(*cursor_);
}

bool LaneBoard::isSelected(KernelId kernel) const {
  if (!selection_ || draft() == nullptr) return cursor_ == kernel;
  const std::vector<UnitId>& units = draft()->kernel(kernel).units;
  return !units.empty() &&
         std::ranges::all_of(units, [&](UnitId unit) { return selection_->current().contains(unit); });
}

void LaneBoard::selectKernel(KernelId kernel) {
  cursor_ = kernel;
  selectUnits(draft()->kernel(kernel).units);
  viewport()->update();
  announce_focused_item(*this);
}

// Puts the cursor where the selection is, if it was made elsewhere.
void LaneBoard::followSelection() {
  if (draft() != nullptr && selection_ && (!cursor_ || !isSelected(*cursor_))) {
    cursor_.reset();
    for (const LaneSchedule::Launch& launch : draft()->lanes().launches) {
      if (!cursor_ && isSelected(launch.kernel)) cursor_ = launch.kernel;
    }
    if (hand_.tool() == nullptr) revealSelection();
  }
  viewport()->update();
  emit selectionShown();
}

// ---- What is forbidden, and what places cost ----

std::vector<LaneBoard::Forbidden> LaneBoard::forbiddenShown() const {
  std::vector<Forbidden> all;
  if (!drag_) return all;
  for (const lanes::Zone& zone : lanes::forbidden(layout_, drag_->kernel, drag_->reaches)) {
    all.push_back({zone.box, (zone.before ? tr("needs %1") : tr("needed by %1")).arg(nameOf(zone.need))});
  }
  return all;
}

QList<board::DragLine> LaneBoard::dragLines() const {
  if (!reason_.isEmpty()) return {{reason_}};
  QList<board::DragLine> lines{{nameOf(drag_->kernel)}};
  const LaneCosts& costs = controller_.laneCosts();
  if (drag_->place == draft()->place_of(drag_->kernel))
    return lines << board::DragLine{tr("where it is"), theme_.mutedText};
  if (!costs.simulates()) {
    const bool measures = costs.draft() != nullptr;
    return lines << board::DragLine{measures ? tr("Run gives the latency") : costs.problem(), theme_.mutedText};
  }
  const auto latency = costs.at(drag_->place);
  if (!latency) return lines << board::DragLine{tr("computing the latency…"), theme_.mutedText};
  lines << board::DragLine{duration_text(*latency) + QLatin1Char(' ') + origin_text(Origin::kSimulated)};
  if (!costs.latency()) return lines;
  const Millis change = *latency - costs.latency()->value;
  const QString words = board::change_text(change);
  return lines << board::DragLine{words.isEmpty() ? tr("no change") : words, board::change_color(theme_, change)};
}

QString LaneBoard::dropText() const {
  if (!drag_) return {};
  QStringList texts;
  for (const board::DragLine& line : dragLines()) texts << line.text;
  return texts.join(QLatin1Char('\n'));
}

// ---- Painting ----

void LaneBoard::paintEvent(QPaintEvent* event) {
  QPainter painter(viewport());
  painter.fillRect(event->rect(), theme_.canvas);
  painter.setRenderHint(QPainter::Antialiasing);
  if (layout_.rows.empty()) return;
  painter.translate(-offset());
  const QRectF view(offset(), QSizeF(viewport()->size()));
  for (std::size_t lane = 0; lane < layout_.rows.size(); ++lane) {
    const lanes::Row& row = layout_.rows[lane];
    if (!row.box.intersects(view)) continue;
    painter.fillRect(row.box.intersected(view), lane % 2 == 0 ? theme_.panel : theme_.canvas);
    for (const lanes::Bar& bar : row.bars) {
      if (bar.box.right() >= view.left() && bar.box.left() <= view.right()) paintBar(painter, bar, view);
    }
  }
  painter.setPen(QPen(theme_.outline, 1, Qt::DashLine));
  painter.setBrush(Qt::NoBrush);
  const QRectF spare = layout_.spare.intersected(view).adjusted(6, 5, -6, -5);
  painter.drawRoundedRect(spare, 6, 6);
  painter.setFont(sized(font(), kSmallText));
  painter.setPen(theme_.mutedText);
  const double left = std::max(spare.left(), view.left() + lanes::kHeaderWidth) + 10;
  painter.drawText(QRectF(QPointF(left, spare.top()), spare.bottomRight()), kAtLeft, tr("+ a lane of its own"));
  const auto shown = drag_ ? std::optional(drag_->kernel) : cursor_ ? cursor_ : hovered_;
  if (shown) paintNeeds(painter, *shown);
  if (drag_) {
    paintForbidden(painter, view);
    paintPlaces(painter, view);
  }
  paintAxis(painter, view);
  paintHeaders(painter, view);
  if (focus_ring_ && cursor_ && hasFocus()) paintFocusRing(painter, 4);
  if (drag_) paintDrag(painter, view);
}

void LaneBoard::paintBar(QPainter& painter, const lanes::Bar& bar, const QRectF& view) {
  const Kernel& kernel = draft()->kernel(bar.kernel);
  const QColor fill = theme_.operatorFill(operator_class(kernel.attributes));
  painter.save();
  if (drag_ && drag_->kernel == bar.kernel) painter.setOpacity(0.35);
  const QRectF box = bar.box.adjusted(0.5, 0.5, bar.box.width() > 4 ? -0.5 : 0, -0.5);
  paint_box(painter, QPen(theme_.dark ? fill.lighter(125) : fill.darker(135), 1), fill, box);
  if (kernel.merged()) paint_hatch(painter, box, theme_.mergedHatch(), fill);
  if (bar.box.width() >= kLeastLabel) {
    // Its name stays in sight while it is scrolled.
    QRectF room = bar.box.adjusted(4, 0, -3, 0);
    room.setLeft(std::min(std::max(room.left(), view.left() + lanes::kHeaderWidth + 4), room.right()));
    painter.setFont(sized(font(), kBarText));
    paint_text(painter, Theme::readableOn(fill), room, kAtLeft | Qt::TextSingleLine,
               bar_label(nameOf(bar.kernel), room.width(), painter.fontMetrics()));
  }
  painter.setBrush(Qt::NoBrush);
  const bool over = !drag_ && hovered_ == bar.kernel;
  if (isSelected(bar.kernel) || over) {
    painter.setPen(QPen(theme_.selection, over && !isSelected(bar.kernel) ? 1.5 : 2.5));
    painter.drawRect(bar.box.adjusted(0, -0.5, 0, 0.5));
  }
  painter.restore();
}

// Paints lines from the kernels that it needs, and dashed ones to those that need it.
void LaneBoard::paintNeeds(QPainter& painter, KernelId kernel) {
  const auto box = [this](KernelId id) { return QRectF(rectOf(id)).translated(offset()); };
  const auto line = [&](const QRectF& from, const QRectF& to, Qt::PenStyle style) {
    const QPointF begin(from.right(), from.center().y());
    const QPointF end(to.left(), to.center().y());
    const double bend = std::clamp(std::abs(end.x() - begin.x()) / 2, 14.0, 60.0);
    QPainterPath path(begin);
    path.cubicTo(begin + QPointF(bend, 0), end - QPointF(bend, 0), end);
    painter.setPen(QPen(theme_.canvas, 4, Qt::SolidLine));  // apart from the bars that it passes
    painter.drawPath(path);
    painter.setPen(QPen(theme_.selection, 1.75, style));
    painter.drawPath(path);
    paint_shape(painter, Qt::NoPen, theme_.selection, QPolygonF{end, end + QPointF(-7, -3.5), end + QPointF(-7, 3.5)});
    painter.setBrush(Qt::NoBrush);
  };
  painter.setBrush(Qt::NoBrush);
  for (const KernelId need : kernels_->needs[kernel.index()]) line(box(need), box(kernel), Qt::SolidLine);
  for (const KernelId reader : kernels_->needed_by[kernel.index()]) line(box(kernel), box(reader), Qt::DashLine);
}

void LaneBoard::paintForbidden(QPainter& painter, const QRectF& view) {
  painter.setFont(sized(font(), kSmallText));
  const QFontMetricsF metrics(painter.font());
  for (const auto& [box, label] : forbiddenShown()) {
    const QRectF seen =
        box.intersected(view.adjusted(lanes::kHeaderWidth, lanes::kAxisHeight, 0, 0)).adjusted(0, 1, 0, -1);
    if (seen.isEmpty()) continue;
    board::paint_forbidden(painter, seen, theme_);
    const double room = seen.width() - 16;
    const QString text = metrics.elidedText(label, Qt::ElideMiddle, room);
    if (room < kLeastLabel || text.size() < 4) continue;
    const double wide = metrics.horizontalAdvance(text) + 10;
    // The border of the forbidden range: its right end for kernels that must be before, its left for those after.
    const bool before = box.left() <= lanes::kHeaderWidth;
    const QRectF pill(before ? seen.right() - wide - 3 : seen.left() + 3, seen.bottom() - 16, wide, 14);
    paint_box(painter, QPen(theme_.outline, 1), theme_.canvas, pill, 4);
    paint_text(painter, theme_.text, pill, Qt::AlignCenter, text);
  }
}

// Marks every place that is allowed, below its gap: higher where it changes more, with the figure of each lane's best.
void LaneBoard::paintPlaces(QPainter& painter, const QRectF& view) {
  const LaneCosts& costs = controller_.laneCosts();
  if (!costs.simulates() || !costs.latency()) return;
  const Millis now = costs.latency()->value;
  const LaneDraft::Place own = draft()->place_of(drag_->kernel);
  struct Mark {
    LaneDraft::Place place;
    std::optional<Millis> change;
  };
  std::vector<Mark> marks;
  double largest = 0;
  for (std::size_t lane = 0; lane < drag_->reaches.size(); ++lane) {
    for (std::size_t at = drag_->reaches[lane].first; at <= drag_->reaches[lane].last; ++at) {
      const LaneDraft::Place place{lane, at};
      if (place == own) continue;
      const auto latency = costs.at(place);
      marks.push_back({place, latency ? std::optional(*latency - now) : std::nullopt});
      if (latency) largest = std::max(largest, std::abs((*latency - now).count()));
    }
  }
  const auto best = costs.best();
  painter.setFont(sized(font(), kSmallText, true));
  const QFontMetricsF metrics(painter.font());
  std::vector<std::optional<Mark>> best_of(drag_->reaches.size());
  for (const Mark& mark : marks) {
    auto& least = best_of[mark.place.lane];
    if (mark.change && (!least || *mark.change < *least->change)) least = mark;
  }
  const auto foot = [&](const LaneDraft::Place& place) {
    const bool new_lane = place.lane >= layout_.rows.size();
    const double x = new_lane ? view.left() + lanes::kHeaderWidth + kSpareText
                              : middle(lanes::gap_of(layout_, drag_->kernel, place));
    return QPointF(x, new_lane ? layout_.spare.center().y() + 6 : layout_.rows[place.lane].box.bottom() - 2);
  };
  for (const Mark& mark : marks) {
    const QPointF at = foot(mark.place);
    if (at.x() < view.left() || at.x() > view.right()) continue;
    const double share = mark.change && largest > 0 ? std::abs(mark.change->count()) / largest : 0;
    const double high = mark.change ? kLeastPlace + share * (kPlaceHeight - kLeastPlace) : kLeastPlace;
    QColor color = mark.change ? board::change_color(theme_, *mark.change) : theme_.mutedText;
    painter.fillRect(QRectF(at.x() - 1.5, at.y() - high, 3, high), color);
  }
  for (const auto& mark : best_of) {
    if (!mark) continue;
    QString text = board::change_text(*mark->change);
    if (text.isEmpty()) text = tr("no change");
    const double wide = metrics.horizontalAdvance(text) + 8;
    const QPointF at = foot(mark->place);
    if (at.x() < view.left() + lanes::kHeaderWidth || at.x() > view.right()) continue;
    QRectF box(at.x() + 4, at.y() - 14, wide, 15);
    // Beside its mark, not over what is written where it is forbidden.
    const LaneDraft::Reach& reach = drag_->reaches[mark->place.lane];
    const bool last = reach.after && mark->place.position == reach.last;
    if (last || box.right() > view.right()) box.moveRight(at.x() - 4);
    const bool first = best && mark->place == *best;
    paint_box(painter, first ? QPen(board::change_color(theme_, *mark->change), 1.25) : Qt::NoPen, theme_.canvas, box,
              3);
    paint_text(painter, board::change_color(theme_, *mark->change), box, Qt::AlignCenter, text);
  }
}

void LaneBoard::paintAxis(QPainter& painter, const QRectF& view) {
  painter.save();
  painter.translate(0, view.top());
  const QRectF area(view.left(), 0, view.width(), lanes::kAxisHeight);
  painter.fillRect(area, theme_.panel);
  painter.setFont(sized(font(), kSmallText));
  if (!order_) {
    const double left = view.left() + lanes::kHeaderWidth;
    const auto time = [this](double x) { return Micros((x - lanes::kHeaderWidth) / scale_); };
    const TimeAxis axis{{time(left), time(view.right())}, left, view.right() - left};
    for (const TimeTick& tick : axis.ticks(kTickSpacing)) {
      const double x = axis.x(tick.time);
      painter.setPen(theme_.outline);
      painter.drawLine(QPointF(x, area.bottom() - 6), QPointF(x, area.bottom()));
      painter.setPen(theme_.text);
      const double wide = QFontMetricsF(painter.font()).horizontalAdvance(tick.label) + 2;
      painter.drawText(QRectF(std::max(left, x - wide / 2), 2, wide, area.height() - 9), Qt::AlignCenter, tick.label);
    }
    painter.fillRect(QRectF(view.left(), 0, lanes::kHeaderWidth, area.height()), theme_.panel);
    paint_text(painter, theme_.mutedText, QRectF(view.left() + 10, 0, lanes::kHeaderWidth - 14, area.height() - 5),
               kAtLeft, tr("time (%1)").arg(unit_text(axis.unit(kTickSpacing))));
  } else {
    paint_text(painter, theme_.mutedText, area.adjusted(10, 0, -10, -4), Qt::AlignLeft | Qt::AlignVCenter,
               tr("launch order; kernel times are not known here"));
  }
  painter.setPen(theme_.outline);
  painter.drawLine(area.bottomLeft() - QPointF(0, 0.5), area.bottomRight() - QPointF(0, 0.5));
  painter.restore();
}

void LaneBoard::paintHeaders(QPainter& painter, const QRectF& view) {
  painter.save();
  painter.setClipRect(view.adjusted(0, lanes::kAxisHeight, 0, 0));
  const LaneCosts& costs = controller_.laneCosts();
  Micros end{0};
  for (const KernelTime& time : costs.times()) end = std::max(end, time.end);
  for (std::size_t lane = 0; lane < layout_.rows.size(); ++lane) {
    const QRectF row = layout_.rows[lane].box;
    const QRectF head(view.left(), row.top(), lanes::kHeaderWidth, row.height());
    const bool target = drag_ && drag_->place.lane == lane;
    painter.fillRect(head, target ? theme_.selectionFill : lane % 2 == 0 ? theme_.panel : theme_.canvas);
    paint_text(painter, sized(font(), kBarText, true), theme_.text, head.adjusted(10, 5, -4, 0),
               Qt::AlignLeft | Qt::AlignTop, tr("Lane %1").arg(lane + 1));
    Micros busy{0};
    for (const lanes::Bar& bar : layout_.rows[lane].bars) {
      busy += costs.times()[bar.kernel.index()].end - costs.times()[bar.kernel.index()].begin;
    }
    painter.setPen(theme_.mutedText);
    painter.setFont(sized(font(), kSmallText));
    const std::size_t kernels = layout_.rows[lane].bars.size();
    const QString count = kernels == 1 ? tr("1 kernel") : tr("%1 kernels").arg(kernels);
    const bool ran = costs.timesAre() == LaneCosts::Times::kRun && end > Micros(0);
    const QString second = !ran ? count : tr("%1 busy").arg(percent_text(busy / end));
    painter.drawText(head.adjusted(10, 22, -4, 0), Qt::AlignLeft | Qt::AlignTop, second);
  }
  painter.fillRect(QRectF(view.left(), layout_.spare.top(), lanes::kHeaderWidth, view.bottom() - layout_.spare.top()),
                   theme_.canvas);
  painter.setPen(theme_.outline);
  const double x = view.left() + lanes::kHeaderWidth - 0.5;
  painter.drawLine(QPointF(x, view.top()), QPointF(x, std::max(view.bottom(), layout_.size.height())));
  painter.restore();
}

void LaneBoard::paintDrag(QPainter& painter, const QRectF& view) {
  const QColor mark = reason_.isEmpty() ? theme_.selection : theme_.error;
  if (drag_->place.lane >= layout_.rows.size()) {
    paint_box(painter, QPen(mark, 2, Qt::DashLine), Qt::NoBrush, layout_.spare.intersected(view).adjusted(6, 5, -6, -5),
              6);
  } else {
    const QRectF row = layout_.rows[drag_->place.lane].box;
    const auto [left, right] = lanes::gap_of(layout_, drag_->kernel, drag_->place);
    const double at = drag_->place.position == 0 ? left : std::max(left, std::min(right, drag_->at.x()));
    painter.fillRect(QRectF(at - 1.5, row.top() + 1, 3, lanes::kBarTop + lanes::kBarHeight + 3), mark);
    painter.setPen(QPen(mark, 1.5, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    const double wide = rectOf(drag_->kernel).width();
    painter.drawRect(QRectF(at, row.top() + lanes::kBarTop, wide, lanes::kBarHeight).adjusted(0, -0.5, 0, 0.5));
  }
  board::paint_drag_label(painter, view, drag_->at, dragLines(), !reason_.isEmpty(), theme_, font());
}

}  // namespace iosx

#include "moc_lane_board.cpp"
