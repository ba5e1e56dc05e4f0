// What a woven frame has that others lack: rows with their numbers of kernels in flight, barriers, borders of parts,
// and units in pieces.

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "views/canvas/paint/scene_painter.h"
#include "views/canvas/weave/weave.h"
#include "views/figures/paint.h"
#include "views/style/fills.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx::canvas {
namespace {

constexpr std::size_t kMostSquares = 8;  // of a row's kernels in flight; more look like as many
constexpr double kPieceRadius = 4;
constexpr double kTieRoom = kWeaveColumn;  // between neighbours: less than a column, which another unit could take
constexpr double kLeastMerged = 1.5;       // pixels of the bar through merged units

// Returns the place of this size in the box that covers the least of what is taken: the highest, then the leftmost.
QRectF emptiest_place(const QRectF& box, const QSizeF& size, const std::vector<QRectF>& taken) {
  std::vector<double> lefts{box.left(), box.right() - size.width()};
  std::vector<double> tops{box.top(), box.bottom() - size.height()};
  std::vector<QRectF> near;
  for (const QRectF& each : taken) {
    if (!each.intersects(box)) continue;
    near.push_back(each);
    lefts.push_back(each.right() + 1);
    tops.push_back(each.bottom() + 1);
  }
  std::ranges::sort(lefts);
  std::ranges::sort(tops);
  QRectF best(box.topLeft(), size);
  double least = std::numeric_limits<double>::infinity();
  for (const double top : tops) {
    for (const double left : lefts) {
      const QRectF place(QPointF(left, top), size);
      if (place.right() > box.right() || place.bottom() > box.bottom()) continue;
      double covered = 0;
      for (const QRectF& each : near) {
        const QRectF both = each & place;
        covered += both.width() * both.height();
      }
      if (covered >= least) continue;
      least = covered;
      best = place;
      if (covered == 0) return best;
    }
  }
  return best;
}

}  // namespace

void ScenePainter::paintRows(const FrameBox& frame) {
  const QTransform to_window = toPixels();
  const QTransform transform = painter_.transform();
  painter_.setTransform(state_.page);
  painter_.setRenderHint(QPainter::Antialiasing, false);
  const QColor tint = mixed(theme_.panel, theme_.text, 0.045);
  for (std::size_t r = frame.rows.first; r < frame.rows.second; ++r) {
    const RowBox& row = layout_.rows[r];
    if (!visible(row.box)) continue;
    const QRectF box = snapped(to_window.mapRect(to_qt(row.box)));
    if (row.even) painter_.fillRect(box.adjusted(1, 0, -1, 0), tint);
    if (state_.model->schedule) paintTally(row, to_window.mapRect(to_qt(row.tally)));
    constexpr double kLeastRow = 3;  // pixels, for a line above it
    if (row.barrier && box.height() >= kLeastRow) {
      const double line = state_.zoom < 0.2 ? 1 : 2;
      const QColor color = box.height() < 2 * kLeastRow ? mixed(theme_.panel, theme_.text, 0.4) : theme_.text;
      painter_.fillRect(QRectF(box.left(), box.top() - line / 2, box.width(), line), color);
    }
  }
  painter_.setRenderHint(QPainter::Antialiasing);
  painter_.setTransform(transform);
}

// Paints the numbers of kernels in flight: own ones dark, those of other frames light or hollow. Squares where they can
// be counted, else a bar.
void ScenePainter::paintTally(const RowBox& row, const QRectF& room) {
  constexpr double kLeastSquare = 3;  // pixels
  constexpr double kMostSquare = 9;
  const std::size_t own = std::min(kMostSquares, row.own.size());
  const std::size_t guests = std::min(kMostSquares - own, row.guests.size());
  const QColor dark = mixed(theme_.panel, theme_.text, 0.72);
  const QColor light = mixed(theme_.panel, theme_.text, 0.3);
  const double left = room.left() + 3;
  const double step = std::min((room.width() - 6) / static_cast<double>(kMostSquares), kMostSquare * 1.35);
  const double side = std::min(step / 1.35, room.height() - 2);
  if (side < kLeastSquare) {
    const double height = std::max(1.0, room.height() * 0.66);
    const QRectF bar(left, room.center().y() - height / 2, step * static_cast<double>(own), height);
    painter_.fillRect(snapped(bar), dark);
    painter_.fillRect(snapped({bar.right(), bar.top(), step * static_cast<double>(guests), height}), light);
    return;
  }
  for (std::size_t i = 0; i < own + guests; ++i) {
    const QRectF square = snapped({left + step * static_cast<double>(i), room.center().y() - side / 2, side, side});
    painter_.fillRect(square, dark);
    if (i >= own) painter_.fillRect(square.adjusted(1, 1, -1, -1), theme_.panel);
  }
}

// Paints the border of each part, and its name where there is room.
void ScenePainter::paintParts(const FrameBox& frame) {
  if (frame.parts.first == frame.parts.second) return;
  const QTransform to_window = toPixels();
  const QTransform transform = painter_.transform();
  painter_.setTransform(state_.page);
  const QColor line = mixed(theme_.panel, theme_.text, 0.55);
  for (std::size_t p = frame.parts.first; p < frame.parts.second; ++p) {
    const PartBox& part = layout_.parts[p];
    if (!visible(part.box)) continue;
    const QRectF box = snapped(to_window.mapRect(to_qt(part.box)));
    painter_.setPen(QPen(line, 1));
    painter_.setBrush(Qt::NoBrush);
    painter_.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  }
  painter_.setTransform(transform);
}

// Paints the names of parts where they cover the least of the units, on a ground of their own.
void ScenePainter::paintPartNames(const FrameBox& frame) {
  if (frame.parts.first == frame.parts.second) return;
  const QTransform to_window = toPixels();
  const QTransform transform = painter_.transform();
  painter_.setTransform(state_.page);
  const QFontMetricsF metrics(small_bold_font_);
  std::vector<QRectF> taken;  // by units, and by names
  for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
    const NodeBox& node = layout_.nodes[n];
    for (const Rect& piece : node.shape.pieces) taken.push_back(to_window.mapRect(to_qt(piece)));
  }
  for (std::size_t p = frame.parts.first; p < frame.parts.second; ++p) {
    const PartBox& part = layout_.parts[p];
    if (!visible(part.box) || part.goes_on) continue;
    const QRectF box = to_window.mapRect(to_qt(part.box));
    const QString whole = qstring(without_family(part.title, state_.model->family));
    const QString name = metrics.elidedText(whole, Qt::ElideRight, box.width() - 4);
    if (name.size() < std::min<qsizetype>(2, whole.size()) || box.height() < metrics.height()) continue;
    const QSizeF size(metrics.horizontalAdvance(name) + 4, metrics.height() - 1);
    const QRectF ground = emptiest_place(box.adjusted(1, 1, -1, -1), size, taken);
    painter_.fillRect(ground, with_alpha(theme_.panel, 0.86F));
    paint_text(painter_, small_bold_font_, theme_.text, ground, Qt::AlignCenter, name);
    taken.push_back(ground);
  }
  painter_.setTransform(transform);
}

void ScenePainter::paintStageNumber(const BandBox& band) {
  if (!visible(band.box)) return;
  const QTransform to_window = toPixels();
  const QRectF room = to_window.mapRect(to_qt(band.label));
  const QString number = QString::number(band.stage + 1);
  const QFontMetricsF metrics(small_bold_font_);
  // All numbers or none: the widest decides.
  const QString widest = QString::number(state_.model->schedule->stages.size());
  if (room.height() < metrics.ascent() || room.width() + 8 < metrics.horizontalAdvance(widest)) return;
  const QTransform transform = painter_.transform();
  painter_.setTransform(state_.page);
  const double line = std::min(room.height(), std::max(metrics.height(), state_.zoom * 46));
  paint_text(painter_, small_bold_font_, theme_.text, QRectF(room.left(), room.top(), room.width() + 8, line),
             Qt::AlignLeft | Qt::AlignVCenter, number);
  painter_.setTransform(transform);
}

// A bar joins units that are one kernel; their boxes lie over it.
void ScenePainter::paintMergedBar(const MergedBox& merged) {
  if (!visible(merged.box)) return;
  const Rect* first = layout_.box_of(merged.units.front());
  if (first == nullptr) return;
  const double width = std::max(5.0, pixels(kLeastMerged));
  painter_.fillRect(QRectF(merged.box.x + 8, first->center().y - width / 2, merged.box.width - 16, width), theme_.text);
}

void ScenePainter::paintPieces(std::size_t n) {
  const NodeBox& node = layout_.nodes[n];
  const auto seen = [this](const std::vector<Rect>& list) {
    return std::ranges::any_of(list, [this](const Rect& rect) { return visible(rect); });
  };
  if (!seen(node.shape.pieces) && !seen(node.shape.stems) && !seen(node.shape.chips)) return;
  const QColor back = fill(node.unit);
  const QColor edge = state_.overlay->active() ? theme_.boxLine : accent(node.unit);
  const UnitLabel& label = state_.model->labels[node.unit.index()];
  const QTransform to_window = toPixels();
  const QTransform transform = painter_.transform();
  if (detail_ == Detail::kFull) {
    for (const Rect& stem : node.shape.stems) painter_.fillRect(to_qt(stem), edge);
    for (const Rect& chip : node.shape.chips) paint_box(painter_, pen(theme_.panel, 1, 1), edge, to_qt(chip), 2);
    for (const Rect& piece : node.shape.pieces) {
      const QColor ground = node.shape.pill ? theme_.canvas : back;
      const double radius = node.shape.pill ? piece.height / 2 : kPieceRadius;
      paint_box(painter_, pen(edge, 1.2, 1), ground, to_qt(piece), radius);
      if (label.what == OperatorClass::kOpaque) paintHatch(to_qt(piece), edge);
      if (state_.overlay->lacks(node.unit)) paintHatch(to_qt(piece), theme_.outline);
    }
    if (label.merged) paintMergedFrame(node);
    paintWovenText(node, back);
    return;
  }
  painter_.setTransform(state_.page);
  const auto place = [&](const Rect& rect) { return snapped(to_window.mapRect(to_qt(rect))); };
  const auto at_least = [](QRectF box, double width, double height) {
    if (box.width() < width) box.setWidth(width);
    if (box.height() < height) box.setHeight(height);
    return box;
  };
  for (const Rect& stem : node.shape.stems) painter_.fillRect(at_least(place(stem), 1, 1), edge);
  for (const Rect& chip : node.shape.chips) painter_.fillRect(at_least(place(chip), 2, 2), edge);
  for (const Rect& piece : node.shape.pieces) {
    const QRectF box = at_least(place(piece), 2, node.shape.pill ? 1 : 2);
    fillCut(box, edge);
    const bool framed = node.shape.pill || back != edge;
    if (framed && box.width() > 3 && box.height() > 3) {
      painter_.fillRect(box.adjusted(1, 1, -1, -1), node.shape.pill ? theme_.canvas : back);
    }
    if (node.shape.pill) continue;
    if (state_.overlay->lacks(node.unit)) {
      paint_hatch(painter_, box, Hatch::kRising, back);
    } else if (theme_.paper && !state_.overlay->active()) {
      paint_hatch(painter_, box, theme_.operatorHatch(label.what), back);
    }
  }
  paintShortText(n, to_window.mapRect(to_qt(node.shape.pieces.front())));
  painter_.setTransform(transform);
}

// Paints a bar between neighbours in a row.
void ScenePainter::paintTies() {
  if (state_.ties == nullptr) return;
  const double height = std::max(7.0, pixels(3));
  const double over = std::max(5.0, pixels(2));  // into the boxes at both ends
  for (const auto& [a, b] : *state_.ties) {
    if (!layout_.node_of[a.index()] || !layout_.node_of[b.index()]) continue;
    for (const Rect& one : layout_.nodes[*layout_.node_of[a.index()]].shape.pieces) {
      for (const Rect& other : layout_.nodes[*layout_.node_of[b.index()]].shape.pieces) {
        const auto& [left, right] = one.x < other.x ? std::tie(one, other) : std::tie(other, one);
        const double top = std::max(left.y, right.y);
        const double bottom = std::min(left.bottom(), right.bottom());
        const bool neighbours = right.x - left.right() > 0 && right.x - left.right() < kTieRoom;
        if (bottom - top < height || !neighbours) continue;
        const Rect bar{left.right() - over, (top + bottom - height) / 2, right.x - left.right() + 2 * over, height};
        if (visible(bar)) painter_.fillRect(to_qt(bar), theme_.accent);
      }
    }
  }
}

// Paints a word in the largest piece of a small unit, else the sign of its operation.
void ScenePainter::paintShortText(std::size_t n, const QRectF& box) {
  const NodeBox& node = layout_.nodes[n];
  const QFontMetricsF metrics(small_font_);
  constexpr double kLeastWidth = 9;
  if (metrics.ascent() > box.height() - 1 || box.width() < kLeastWidth) return;
  painter_.setPen(Theme::readableOn(node.shape.pill ? theme_.canvas : fill(node.unit)));
  painter_.setFont(small_font_);
  const double baseline = box.center().y() + (metrics.ascent() - metrics.descent()) / 2;
  texts().nodes.draw(
      painter_, n,
      [&] {
        QStringList words = brief_words(node);
        words.append(class_sign(state_.model->labels[node.unit.index()].what));
        return words;
      },
      small_font_, box.width() - 3, [&](double width) { return QPointF(box.center().x() - width / 2, baseline); });
}

// Paints name, time and lane, and as many lines of what it computes as fit.
void ScenePainter::paintWovenText(const NodeBox& node, const QColor& fill) {
  const UnitLabel& label = state_.model->labels[node.unit.index()];
  const QRectF box = to_qt(node.shape.pieces.front());
  if (node.shape.pill) {
    const QString name = QFontMetricsF(body_font_).elidedText(label.name, Qt::ElideMiddle, box.width() - 10);
    return paint_text(painter_, body_font_, theme_.mutedText, box, Qt::AlignCenter, name);
  }
  const QColor strong = accent(node.unit);
  // Other pieces have the name alone, fainter: it is the same unit.
  for (std::size_t p = 1; p < node.shape.pieces.size(); ++p) {
    const QRectF piece = to_qt(node.shape.pieces[p]);
    paint_text(painter_, body_font_, mixed(Theme::readableOn(fill), fill, 0.28), piece, Qt::AlignCenter,
               QFontMetricsF(body_font_).elidedText(label.name, Qt::ElideMiddle, piece.width() - 2 * kWeaveText));
  }
  const QRectF stripe(box.left(), box.top(), kBoxStripe, box.height());
  paint_box(painter_, Qt::NoPen, strong, stripe, kPieceRadius);
  paint_text(painter_, letter_font_, Theme::readableOn(strong), stripe, Qt::AlignCenter, class_sign(label.what));
  const QColor text = Theme::readableOn(fill);
  const QColor muted = mixed(text, fill, 0.28);
  QStringList lines;
  if (state_.overlay->active()) lines << state_.overlay->text(node.unit);
  lines << woven_times(node.unit) << label.lines << label.shape;
  lines.removeAll(QString());
  const double whole = name_height_ + body_height_;
  const double above = std::max(1.0, box.height() < 60 ? (box.height() - whole) / 2 : 6.0);
  const QPointF begin = onPixel({stripe.right() + kWeaveText, box.top() + above});
  const double left = begin.x();
  const double room = box.right() - kWeaveText - left;
  double y = begin.y();
  painter_.setFont(name_font_);
  painter_.setPen(text);
  painter_.drawText(QPointF(left, y + name_ascent_), label.name);  // it fits (kWeaveRoom)
  y += name_height_;
  const QFont small = font(false, 11);
  const QFontMetricsF metrics(small);
  painter_.setFont(small);
  painter_.setPen(muted);
  for (const QString& line : lines) {
    if (y + body_height_ > box.bottom() + 1) break;
    painter_.drawText(QPointF(left, y + body_ascent_), metrics.elidedText(line, Qt::ElideRight, room));
    y += body_height_;
  }
}

// Returns "35.0 µs · lane 6": the time that its kernels took, and where; empty where no run was traced. Of merged units
// the first one tells it.
QString ScenePainter::woven_times(UnitId unit) const {
  const UnitSpans* spans = state_.model->label.spans.get();
  if (spans == nullptr || !spans->traced || unit.index() >= spans->size()) return {};
  const auto& list = spans->of_unit[unit.index()];
  if (list.empty()) return {};
  const std::vector<UnitId> mates = merged_with(*spans, unit);
  if (!mates.empty() && mates.front() < unit) {
    return Text::tr("kernel of %1").arg(state_.model->labels[mates.front().index()].name);
  }
  Micros time{0};
  std::vector<std::size_t> lanes;
  for (const UnitSpan& span : list) {
    time += span.time();
    lanes.push_back(span.lane + 1);
  }
  std::ranges::sort(lanes);
  lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
  QStringList numbers;
  for (const std::size_t lane : lanes) numbers << QString::number(lane);
  return Text::tr("%1 · lane %2", "kernel time of a unit").arg(duration_text(time), numbers.join(QStringLiteral(", ")));
}

}  // namespace iosx::canvas
