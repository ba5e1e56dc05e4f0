#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "views/canvas/paint/scene_painter.h"
#include "views/figures/paint.h"
#include "views/style/fills.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

// The texts and signs of a scene: headers of frames with what they save, words of small boxes, marks.
namespace iosx::canvas {
namespace {

constexpr double kGainHatch = 9;  // pixels
constexpr double kGainGap = 10;   // pixels beside a figure

}  // namespace
bool ShapedWords::draw(QPainter& painter, std::size_t thing, const std::function<QStringList()>& words,
                       const QFont& font, double room, const std::function<QPointF(double width)>& place) {
  if (thing >= things_.size()) things_.resize(thing + 1);
  auto& known = things_[thing];
  if (!known) {
    known.emplace();
    const QFontMetricsF metrics(font);
    for (const QString& each : words()) known->push_back({each, metrics.horizontalAdvance(each), std::nullopt});
  }
  const auto word = std::ranges::find_if(*known, [room](const Word& each) { return each.width <= room; });
  if (word == known->end() || word->words.isEmpty()) return false;
  if (!word->shaped) {
    word->shaped.emplace(word->words);
    word->shaped->setTextFormat(Qt::PlainText);
  }
  painter.setFont(font);
  const QPointF baseline = place(word->width);
  painter.drawStaticText(baseline - QPointF(0, QFontMetricsF(font).ascent()), *word->shaped);
  return true;
}

const std::vector<std::vector<QString>>& ScenePainter::headers() {
  SceneTexts& kept = texts();
  if (kept.headers.size() == layout_.frames.size() && kept.header_zoom == state_.zoom) return kept.headers;
  const FontWidths widths = font_widths(header_is_small(state_.zoom) ? small_bold_font_ : name_font_);
  kept.headers.clear();
  for (const auto& names : header_names(layout_, state_.zoom, small_text(), widths)) {
    auto& shown = kept.headers.emplace_back();
    for (const std::string& name : names) shown.push_back(qstring(name));
  }
  kept.header_zoom = state_.zoom;
  return kept.headers;
}

SmallText ScenePainter::small_text() const {
  const QFontMetricsF metrics(small_bold_font_);
  return {metrics.ascent(), metrics.descent(), metrics.tightBoundingRect(QStringLiteral("0")).height(),
          metrics.horizontalAdvance(QLatin1Char('0'))};
}

// Zoomed out, names keep their size like a map's.
void ScenePainter::paintHeader(std::size_t f) {
  const FrameBox& frame = layout_.frames[f];
  const bool small = header_is_small(state_.zoom);
  paintGain(frame, headers()[f][0]);
  for (std::size_t c = 0; c < frame.columns.size(); ++c) {
    const QString& name = headers()[f][c];
    const Rect room = header_room(frame, c, state_.zoom, small_text_);
    if (name.isEmpty() || !visible(room)) continue;
    if (small) {
      paintSmallHeader(to_qt(room), name);
      continue;
    }
    const QString triangle =
        c > 0 ? QString() : (frame.collapsed ? QString(QChar(0x25B8)) : QString(QChar(0x25BE))) + QLatin1Char(' ');
    paintFullHeader(to_qt(room), triangle + name, c > 0 ? 0 : frame.units.size());
  }
}

// Paints what the units of a frame save: a tint of its header, and where there is room beside the name the figure.
void ScenePainter::paintGain(const FrameBox& frame, const QString& name) {
  if (!gains()) return;
  const double lost = state_.gains->lost(frame.units);
  if (lost == 0) return;
  const QTransform to_window = toPixels();
  const QRectF row = snapped(to_window.mapRect(to_qt(header_row(frame, 0, state_.zoom)))).adjusted(1, 1, -1, 0);
  const QTransform transform = painter_.transform();
  painter_.setTransform(state_.page);
  painter_.fillRect(row, gain_band(lost, 0, theme_));
  if (lost > 0) {
    painter_.setPen(QPen(with_alpha(gain_color(false, theme_), 0.35F), 1));
    for (const QLineF& line : hatch_lines(row, Hatch::kRising, kGainHatch)) painter_.drawLine(line);
  }
  const QString figure = state_.gains->figure(frame.units);
  const QFontMetricsF names(header_is_small(state_.zoom) ? small_bold_font_ : font(true, kHeaderFont * state_.zoom));
  const double used = names.horizontalAdvance(name) + 2 * kGainGap;
  if (row.width() - used > QFontMetricsF(small_font_).horizontalAdvance(figure)) {
    paint_text(painter_, small_font_, theme_.text, row.adjusted(0, 0, -kGainGap / 2, 0),
               Qt::AlignRight | Qt::AlignVCenter, figure);
  }
  painter_.setTransform(transform);
}

void ScenePainter::paintFullHeader(const QRectF& line, const QString& title, std::size_t count) {
  const QFontMetricsF metrics(name_font_);
  const double baseline = line.center().y() + (metrics.ascent() - metrics.descent()) / 2;
  painter_.setFont(name_font_);
  painter_.setPen(theme_.text);
  painter_.drawText(QPointF(line.left(), baseline), title);
  if (count == 0) return;
  const QString units = count == 1 ? Text::tr("1 unit") : Text::tr("%1 units").arg(count);
  const double used = metrics.horizontalAdvance(title) + 10;
  if (used + QFontMetricsF(body_font_).horizontalAdvance(units) > line.width()) return;
  painter_.setFont(body_font_);
  painter_.setPen(theme_.mutedText);
  painter_.drawText(QPointF(line.left() + used, baseline), units);
}

void ScenePainter::paintSmallHeader(const QRectF& room, const QString& name) {
  const QRectF line = toPixels().mapRect(room);
  painter_.save();
  painter_.setTransform(state_.page);
  painter_.setFont(small_bold_font_);
  painter_.setPen(theme_.text);
  const double baseline = line.center().y() + (small_text_.ascent - small_text_.descent) / 2;
  painter_.drawText(QPointF(line.left(), baseline), name);
  painter_.restore();
}

void ScenePainter::paintMarks(const FrameBox& frame) {
  if (state_.marks == nullptr || state_.marks->empty()) return;
  for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
    const NodeBox& node = layout_.nodes[n];
    if (!visible(node.box.grown(20))) continue;
    const UnitMark& mark = (*state_.marks)[node.unit.index()];
    if (mark.change != UnitChange::kSame && !mark.quiet) paintMark(node, mark);
  }
}

// Paints the mark on the box's upper right corner, with its word where there is room for text.
void ScenePainter::paintMark(const NodeBox& node, const UnitMark& mark) {
  const QColor color = change_color(mark.change, theme_);
  const bool broken = mark.change == UnitChange::kMissing;
  painter_.setBrush(Qt::NoBrush);
  outline(node.unit, 0, QPen(color, std::max(2.0, pixels(1.5)), broken ? Qt::DashLine : Qt::SolidLine));
  const double size = std::max(16.0, pixels(9));
  if (size > 1.5 * node.box.height) return;  // the line alone
  const QPointF corner(node.box.right(), node.box.y);
  if (detail_ == Detail::kFull) {
    const QString word = change_word(mark.change);
    const QFontMetricsF metrics(letter_font_);
    const double width = metrics.horizontalAdvance(word) + size / 2 + 8;
    const QRectF pill(corner.x() - width, corner.y() - 8, width, 16);
    paint_box(painter_, QPen(theme_.canvas, 1), color, pill, 8);
    painter_.setFont(letter_font_);
    painter_.setPen(Theme::readableOn(color));
    painter_.drawText(QPointF(pill.left() + 6, pill.center().y() + (metrics.ascent() - metrics.descent()) / 2), word);
  }
  paint_change(painter_, QRectF(corner - QPointF(size / 2, size / 2), QSizeF(size, size)), mark.change, theme_);
}

QStringList ScenePainter::brief_words(const NodeBox& node) const {
  const UnitLabel& label = state_.model->labels[node.unit.index()];
  return {label.name, label.name.section(QLatin1Char(' '), 0, 0), label.brief};
}

}  // namespace iosx::canvas
