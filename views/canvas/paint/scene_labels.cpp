#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "views/canvas/paint/scene_painter.h"
#include "views/figures/paint.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

// The texts and signs of a scene: headers of parts, numbers and savings of stages, words of small boxes, marks.
namespace iosx::canvas {
namespace {

constexpr std::size_t kBandTexts = 3;  // of a stage: its name, its number, what it saves

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
    paintFullHeader(to_qt(room), triangle + name, c > 0 || frame.collapsed ? 0 : frame.units);
  }
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

void ScenePainter::paintBandLabel(const FrameBox& frame, const BandBox& band) {
  if (detail_ != Detail::kFull) return paintSmallBandLabel(frame, band);
  const QStringList lines = band_lines(*state_.model, band.stage);
  const QRectF area = to_qt(band.label);
  double y = area.top();
  for (qsizetype i = 0; i < lines.size() && y + kBandLine < area.bottom() + 1; ++i) {
    paint_text(painter_, i == 0 ? name_font_ : body_font_, i == 1 ? theme_.mutedText : theme_.text,
               QRectF(area.left(), y, area.width(), kBandLine), kAtLeft, lines[i]);
    y += kBandLine;
  }
  const QString gain = gains() ? state_.gains->figure(band.stage) : QString();
  if (gain.isEmpty()) return;
  const QString figure = Text::tr("%1 ms").arg(gain);
  painter_.setFont(name_font_);
  const QFontMetricsF metrics(name_font_);
  constexpr double kApart = 8;
  const double used = metrics.horizontalAdvance(lines.front()) + kApart;
  const double wide = metrics.horizontalAdvance(figure);
  const bool beside = used + wide <= area.width();
  if (!beside && (wide > area.width() || y + kBandLine >= area.bottom() + 1)) return;
  paint_text(painter_, theme_.text,
             beside ? QRectF(area.left() + used, area.top(), area.width() - used, kBandLine)
                    : QRectF(area.left(), y, area.width(), kBandLine),
             kAtLeft, figure);
}

// Paints a stage's saving in the window's pixels, which the painter uses; `pixels` converts to them. Returns
// whether it is beside the number.
bool ScenePainter::paintSmallGain(const GainRooms& rooms, std::size_t stage, const QTransform& pixels) {
  const auto draw = [&](const Rect& room) {
    if (room.empty()) return false;
    const QRectF line = pixels.mapRect(to_qt(room));
    const auto words = [&] { return QStringList(state_.gains->figure(stage)); };
    const auto place = [&](double /*width*/) { return line.bottomLeft(); };
    return texts().bands.draw(painter_, kBandTexts * stage + 2, words, small_font_, line.width(), place);
  };
  if (draw(rooms.beside)) return true;
  draw(rooms.below);
  return false;
}

// Paints the stage, or where that does not fit its number only, and what it saves, in the window's pixels.
void ScenePainter::paintSmallBandLabel(const FrameBox& frame, const BandBox& band) {
  const Rect room = stage_room(band, state_.zoom, small_text_);
  if (room.empty()) return;
  const QTransform pixels = toPixels();
  const QTransform transform = painter_.transform();
  painter_.setTransform(state_.page);
  painter_.setPen(theme_.text);
  QRectF line = pixels.mapRect(to_qt(room));
  bool beside = false;
  if (gains()) {
    const GainRooms rooms = gain_rooms(layout_, frame, band, state_.zoom, small_text_);
    beside = paintSmallGain(rooms, band.stage, pixels);
    if (beside) line.setRight(pixels.map(QPointF(rooms.beside.x, rooms.beside.y)).x());
  }
  const auto place = [&](double /*width*/) { return line.bottomLeft(); };
  const auto draw = [&](std::size_t thing, const std::function<QStringList()>& words, double width) {
    return texts().bands.draw(painter_, thing, words, small_bold_font_, width, place);
  };
  // Words keep a distance to neighbouring boxes, as wide as a Chinese character. With figures all bands have numbers.
  const bool said = !gains() && draw(
                                    kBandTexts * band.stage,
                                    [&] { return QStringList(band_lines(*state_.model, band.stage).front()); },
                                    line.width() - small_text_.ascent);
  // A number has all the room before the units, or before what the stage saves.
  QRectF column = line;
  if (!said && !beside) {
    const double units = pixels.map(QPointF(units_left(layout_, frame, band), band.box.y)).x();
    column.setRight(std::max(line.right(), units - 2));
  }
  const bool numbered = said || draw(
                                    kBandTexts * band.stage + 1,
                                    [&] { return QStringList(QString::number(band.stage + 1)); }, column.width());
  if (const auto number = numbered ? std::nullopt : stage_number(band.stage, column, small_bold_font_)) {
    painter_.setFont(number->font);
    painter_.drawText(number->box.topLeft() + QPointF(0, QFontMetricsF(number->font).ascent()), number->text);
  }
  painter_.setTransform(transform);
}

// Labels are painted after the edges, on a background of their own: an edge that comes in behind a label does not
// strike it through.
void ScenePainter::paintBoxLabels(const FrameBox& frame) {
  for (std::size_t g = frame.groups.first; g < frame.groups.second; ++g) {
    const GroupBox& group = layout_.groups[g];
    if (!group.outlined || !visible(group.box) || state_.model->schedule->stages[group.stage].groups.size() < 2)
      continue;
    paintLabel({group.box.x + kGroupPadding, group.box.y + 3}, group.box.width - 2 * kGroupPadding,
               Text::tr("group %1").arg(group.group + 1), body_font_, theme_.mutedText);
  }
  const QFont bold = font(true, 12);
  for (std::size_t m = frame.merged.first; m < frame.merged.second; ++m) {
    const MergedBox& merged = layout_.merged[m];
    if (!visible(merged.box)) continue;
    paintLabel({merged.box.x + 10, merged.box.y + 6}, merged.box.width - 20,
               Text::tr("merged: %1 layers run as one").arg(merged.units.size()), bold, theme_.text);
  }
}

void ScenePainter::paintLabel(const QPointF& at, double room, const QString& text, const QFont& font,
                              const QColor& color) {
  const QFontMetricsF metrics(font);
  const QString shown = metrics.elidedText(text, Qt::ElideRight, room);
  const QColor back = with_alpha(theme_.canvas, 0.85F);
  painter_.fillRect(QRectF(at.x() - 1, at.y() + 1, metrics.horizontalAdvance(shown) + 2, metrics.height() - 1), back);
  painter_.setFont(font);
  painter_.setPen(color);
  painter_.drawText(QPointF(at.x(), at.y() + metrics.ascent()), shown);
}

// Paints lane and launch of every unit over the lower right corner of its box, in the window's pixels: as small as text
// may be, and only where it leaves most of the box free.
void ScenePainter::paintLaunches(const FrameBox& frame) {
  const QTransform to_window = toPixels();
  const double scale = state_.export_quality ? 1 / pixels(1) : 1;
  QFont small = small_bold_font_;
  if (state_.export_quality) small.setPixelSize(std::max(1, static_cast<int>(std::lround(10 * scale))));
  const QFontMetricsF metrics(small);
  painter_.save();
  painter_.setTransform(state_.page);
  painter_.setFont(small);
  for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
    const NodeBox& node = layout_.nodes[n];
    if (!node.unit.valid() || !visible(node.box)) continue;
    const std::vector<UnitLaunch>& launches = state_.model->label.launches[node.unit.index()];
    if (launches.empty()) continue;
    const QRectF box = to_window.mapRect(to_qt(node.box));
    QString text = launch_badge(launches);
    constexpr double kAround = 5;   // left and right of the text
    constexpr double kShare = 0.6;  // of the box, at most
    const auto width = [&] { return metrics.horizontalAdvance(text) + 2 * kAround; };
    if (width() > kShare * box.width()) text = QString::number(launches.front().lane + 1);
    if (width() > kShare * box.width() || metrics.ascent() > box.height()) continue;
    const double height = metrics.ascent() + 3;
    const QRectF pill = snapped(QRectF(box.right() - width() + 2, box.bottom() - height / 2, width(), height));
    paint_box(painter_, QPen(theme_.boxLine, 1), theme_.panel, pill.adjusted(0.5, 0.5, -0.5, -0.5), height / 2 - 1);
    paint_text(painter_, theme_.text, pill, Qt::AlignCenter, text);
  }
  painter_.restore();
}

void ScenePainter::paintMarks(const FrameBox& frame) {
  if (state_.marks == nullptr || state_.marks->empty()) return;
  for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
    const NodeBox& node = layout_.nodes[n];
    if (!node.unit.valid() || !visible(node.box.grown(20))) continue;
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

// Paints the name of each box, or else a word for what it does, in the window's own pixels: text without a scale is
// several times faster.
void ScenePainter::paintBriefs(const FrameBox& frame) {
  const QTransform to_window = toPixels();
  painter_.save();
  painter_.setTransform(state_.page);
  const QFontMetricsF metrics(small_font_);
  painter_.setFont(small_font_);
  for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
    const NodeBox& node = layout_.nodes[n];
    if (!visible(node.box)) continue;
    const QRectF box = to_window.mapRect(to_qt(node.box));
    if (metrics.ascent() > box.height() - 1) continue;
    painter_.setPen(node.unit.valid() ? Theme::readableOn(fill(node.unit)) : Theme::readableOn(theme_.outline));
    const double baseline = box.center().y() + (metrics.ascent() - metrics.descent()) / 2;
    texts().nodes.draw(
        painter_, n, [&] { return brief_words(node); }, small_font_, box.width() - 4,
        [&](double width) { return QPointF(box.center().x() - width / 2, baseline); });
  }
  painter_.setPen(theme_.text);
  for (std::size_t m = frame.merged.first; m < frame.merged.second; ++m) {
    const MergedBox& merged = layout_.merged[m];
    if (!visible(merged.box)) continue;
    const QRectF box = to_window.mapRect(to_qt(merged.box));
    const double top = box.top() + kBriefMergedLine;
    const double room = to_window.mapRect(to_qt(*layout_.box_of(merged.units.front()))).top() - top;
    if (metrics.ascent() > room) continue;
    for (const QString& word : {Text::tr("merged: %1 layers").arg(merged.units.size()), Text::tr("merged")}) {
      if (metrics.horizontalAdvance(word) > box.width() - 8) continue;
      painter_.drawText(QPointF(box.left() + 5, top + (room + metrics.ascent() - metrics.descent()) / 2), word);
      break;
    }
  }
  painter_.restore();
}

QStringList ScenePainter::brief_words(const NodeBox& node) const {
  if (!node.unit.valid()) {
    const QString words = shown_name(port_text(*state_.model->graph, node.source));
    const QString name = words.section(QString::fromUtf8(" \u00B7 "), 0, 0);
    return {words, name, name.section(QLatin1Char('.'), -1), QStringLiteral("in")};
  }
  const UnitLabel& label = state_.model->labels[node.unit.index()];
  return {label.name, label.name.section(QLatin1Char(' '), 0, 0), label.brief};
}

}  // namespace iosx::canvas
