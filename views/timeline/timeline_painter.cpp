#include "views/timeline/timeline_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "views/style/hatch.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"
#include "views/timeline/legend.h"

namespace iosx {
namespace {

constexpr double kHeaderLine = 17;      // pixels from one line of a header to the next
constexpr qsizetype kLeastLetters = 5;  // of an elided name
constexpr double kLeastText = 22;       // pixels a span needs for its name
constexpr double kSmallestStage = 0.5;  // pixels
constexpr double kLeastBoundary = 4;    // pixels between stage boundaries that are drawn
constexpr double kRightRoom = 24;       // right of the axis, for the text at the end of a run
constexpr double kSmallestMark = 3;     // pixels of a selected span however short

QColor with_alpha(QColor color, float alpha) {
  color.setAlphaF(alpha);
  return color;
}

// The name, or else its last component ("branch3x3" of "mixed_6a.branch3x3"), or else the start of that; empty where
// too little of it would be left to read.
QString span_label(const QString& name, double width, const QFontMetricsF& metrics) {
  if (metrics.horizontalAdvance(name) <= width) return name;
  const qsizetype dot = name.lastIndexOf(QLatin1Char('.'));
  const bool single = !name.contains(QLatin1Char(' '));
  const QString last = single && dot >= 0 && dot + 1 < name.size() ? name.mid(dot + 1) : name;
  if (metrics.horizontalAdvance(last) <= width) return last;
  const QString elided = metrics.elidedText(last, Qt::ElideRight, width);
  return elided.size() > kLeastLetters ? elided : QString();
}

}  // namespace

TimelinePainter::TimelinePainter(const TimelineScene& scene, const Comparison& comparison, const Theme& theme,
                                 const TimeAxis& axis, const Selection& selection, const QFont& font)
    : scene_(scene),
      comparison_(comparison),
      theme_(theme),
      axis_(axis),
      selection_(selection),
      font_(font),
      small_font_(font),
      bold_font_(font) {
  font_.setPixelSize(12);
  small_font_.setPixelSize(11);
  bold_font_.setPixelSize(13);
  bold_font_.setBold(true);
}

QRectF TimelinePainter::between(Micros begin, Micros end, double top, double height) const {
  const double left = std::clamp(axis_.x(begin), axis_.left, axis_.right());
  const double right = std::clamp(axis_.x(end), axis_.left, axis_.right());
  return {left, top, right - left, height};
}

void TimelinePainter::ruler(QPainter& painter, const QRectF& area) const {
  painter.fillRect(area, theme_.panel);
  painter.setFont(small_font_);
  painter.setPen(theme_.mutedText);
  const QString unit = Text::tr("time (%1)").arg(unit_text(axis_.unit(kTickSpacing)));
  painter.drawText(QRectF(area.left(), area.top(), axis_.left - area.left() - 10, area.height() - 2),
                   Qt::AlignRight | Qt::AlignVCenter, unit);
  for (const TimeTick& tick : axis_.ticks(kTickSpacing)) {
    const double x = axis_.x(tick.time);
    painter.setPen(theme_.outline);
    painter.drawLine(QPointF(x, area.bottom() - 6), QPointF(x, area.bottom()));
    painter.setPen(theme_.text);
    const double width = QFontMetricsF(small_font_).horizontalAdvance(tick.label) + 2;
    const double left = std::clamp(x - width / 2, axis_.left - 4, std::max(axis_.left, area.right() - width));
    painter.drawText(QRectF(left, area.top(), width, area.height() - 6), Qt::AlignCenter, tick.label);
  }
  painter.setPen(theme_.outline);
  painter.drawLine(QPointF(area.left(), area.bottom() - 0.5), QPointF(area.right(), area.bottom() - 0.5));
}

void TimelinePainter::bands(QPainter& painter, double top, double bottom) const {
  painter.setPen(theme_.gridLine);
  for (const TimeTick& tick : axis_.ticks(kTickSpacing)) {
    const double x = axis_.x(tick.time);
    painter.drawLine(QPointF(x, top), QPointF(x, std::min(bottom, scene_.height())));
  }
  for (const TimelineBand& band : scene_.bands()) {
    if (band.bottom() < top || band.top > bottom) continue;
    header(painter, band);
    const std::vector<std::size_t> selected = scene_.selected_spans(band, selection_);
    if (!band.collapsed) lanes(painter, band);
    strip(painter, band);
    if (!band.collapsed) {
      for (std::size_t lane = 0; lane < band.lanes.size(); ++lane) spans(painter, band, lane, selected);
    }
    selection_marks(painter, band, selected);
    end_marker(painter, band);
    painter.setPen(theme_.outline);
    painter.drawLine(QPointF(0, band.bottom() - 0.5), QPointF(axis_.right(), band.bottom() - 0.5));
  }
}

void TimelinePainter::header(QPainter& painter, const TimelineBand& band) const {
  painter.fillRect(QRectF(0, band.top, axis_.left - 1, band.height), theme_.panel);
  painter.fillRect(QRectF(0, band.top, 4, band.height - 1), theme_.schedule(scene_.result(band).recipe));
  double x = 12;
  if (arrows) {
    const double y = band.strip_top() + kHeaderLine / 2;
    QPainterPath arrow;
    arrow.addPolygon(band.collapsed ? QPolygonF{{x + 1, y - 4}, {x + 6, y}, {x + 1, y + 4}}
                                    : QPolygonF{{x - 1, y - 2}, {x + 7, y - 2}, {x + 3, y + 3}});
    arrow.closeSubpath();
    painter.fillPath(arrow, theme_.mutedText);
    x += 14;
  }
  const double second_line = header_texts(painter, band, x, axis_.left - 9);
  if (band.collapsed) return;
  painter.setFont(small_font_);
  painter.setPen(theme_.mutedText);
  const QFontMetricsF metrics(small_font_);
  for (std::size_t lane = 0; lane < band.lanes.size(); ++lane) {
    const QRectF row(x, band.lane_top(lane, scene_.lane_height()), axis_.left - 9 - x, scene_.lane_height());
    const bool beside = row.top() < band.strip_top() + 2 * kHeaderLine;
    const double room = row.right() - (beside ? second_line + 6 : x);
    const QString full = Text::tr("lane %1").arg(lane + 1);
    const QString number = QString::number(lane + 1);
    if (metrics.horizontalAdvance(number) > room) continue;
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, metrics.horizontalAdvance(full) <= room ? full : number);
  }
}

QString TimelinePainter::speed_up_label(const TimelineBand& band) const {
  const ScheduleResult& result = scene_.result(band);
  const ScheduleResult* baseline = comparison_.find(Recipe::kSequential);
  if (baseline == nullptr || baseline == &result || result.latency.value <= Millis(0)) return {};
  return speed_text(result, *baseline);
}

double TimelinePainter::header_texts(QPainter& painter, const TimelineBand& band, double x, double right) const {
  const ScheduleResult& result = scene_.result(band);
  const QString latency = latency_text(result.latency);
  const QString title = schedule_title(result);
  const QString speed = speed_up_label(band);
  const QFontMetricsF bold(bold_font_);
  const QFontMetricsF plain(font_);
  const QRectF first(x, band.strip_top(), right - x, kHeaderLine);
  painter.setPen(theme_.text);
  if (band.collapsed) {
    painter.setFont(font_);
    painter.drawText(first, Qt::AlignRight | Qt::AlignVCenter, latency);
    painter.setFont(bold_font_);
    const double room = first.width() - plain.horizontalAdvance(latency) - 8;
    painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter, bold.elidedText(title, Qt::ElideRight, room));
    return right;
  }
  painter.setFont(bold_font_);
  const double beside = speed.isEmpty() ? 0 : bold.horizontalAdvance(speed) + 8;
  const bool speed_fits = bold.horizontalAdvance(title) + beside <= first.width();
  painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter, bold.elidedText(title, Qt::ElideRight, first.width()));
  if (speed_fits) painter.drawText(first, Qt::AlignRight | Qt::AlignVCenter, speed);
  const QRectF second = first.translated(0, kHeaderLine + 1);
  painter.setFont(font_);
  // Without the spread where it does not fit beside the badge: the table has it too.
  constexpr double kGap = 7;
  const double room = second.width() - badge_width(result.latency.origin, small_font_) - kGap;
  const bool fits = plain.horizontalAdvance(latency) <= room;
  const QString shown = fits ? latency : latency_text(Latency{.value = result.latency.value, .spread = Millis{0}});
  painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter, shown);
  double end = paint_badge(painter, {x + plain.horizontalAdvance(shown) + kGap, second.top() + 0.5},
                           result.latency.origin, theme_, small_font_);
  if (speed_fits) return end;
  painter.setFont(bold_font_);  // below a long name
  painter.setPen(theme_.text);
  painter.drawText(QRectF(end + 6, second.top(), right - end, second.height()), Qt::AlignLeft | Qt::AlignVCenter,
                   speed);
  return end + beside;
}

bool TimelinePainter::stage_selected(const TimelineBand& band, std::size_t stage) const {
  return selection_.stage == stage && selection_.schedule == scene_.result(band).id;
}

void TimelinePainter::strip(QPainter& painter, const TimelineBand& band) const {
  const std::vector<StageSpan>& stages = scene_.result(band).trace.stages;
  const auto first = std::lower_bound(stages.begin(), stages.end(), axis_.range.begin,
                                      [](const StageSpan& stage, Micros time) { return stage.end < time; });
  double drawn_to = 0;
  for (auto i = static_cast<std::size_t>(first - stages.begin()); i < stages.size(); ++i) {
    if (stages[i].begin > axis_.range.end) break;
    const QRectF segment = between(stages[i].begin, stages[i].end, band.strip_top(), TimelineScene::kStripHeight);
    // Of stages far below a pixel only as many are drawn as there are pixels.
    if (stage_selected(band, i) || segment.right() - drawn_to < kSmallestStage) continue;
    drawn_to = segment.right();
    stage(painter, band, i, segment);
  }
  for (std::size_t i = 0; i < stages.size(); ++i) {  // over its neighbours
    if (!stage_selected(band, i)) continue;
    stage(painter, band, i, between(stages[i].begin, stages[i].end, band.strip_top(), TimelineScene::kStripHeight));
  }
}

void TimelinePainter::stage(QPainter& painter, const TimelineBand& band, std::size_t index,
                            const QRectF& segment) const {
  const bool selected = stage_selected(band, index);
  QColor fill = theme_.stageBand(index);
  fill.setAlphaF(std::min(1.0F, fill.alphaF() * 2));
  painter.fillRect(segment, theme_.canvas);
  painter.fillRect(segment, selected ? theme_.selectionFill : fill);
  const StageSpan& span = scene_.result(band).trace.stages[index];
  if (segment.width() >= kLeastBoundary && axis_.range.contains(span.begin)) {
    painter.setPen(theme_.outline);
    const double end = band.collapsed ? segment.bottom() : band.lane_top(band.lanes.size(), scene_.lane_height());
    painter.drawLine(segment.topLeft(), QPointF(segment.left(), end));
  }
  const QString number = QString::number(index + 1);
  painter.setFont(small_font_);
  if (segment.width() > QFontMetricsF(small_font_).horizontalAdvance(number) + 4) {
    painter.setPen(theme_.text);
    painter.drawText(segment, Qt::AlignCenter, number);
  }
  if (!selected) return;
  painter.setPen(QPen(theme_.selection, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(segment.adjusted(0, 1, 0, -1));
}

void TimelinePainter::lanes(QPainter& painter, const TimelineBand& band) const {
  const std::vector<StageSpan>& stages = scene_.result(band).trace.stages;
  const double top = band.lane_top(0, scene_.lane_height());
  const double height = band.lane_top(band.lanes.size(), scene_.lane_height()) - top;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (stages[i].end < axis_.range.begin || stages[i].begin > axis_.range.end) continue;
    const QRectF area = between(stages[i].begin, stages[i].end, top - 2, height + 2);
    if (area.width() < 1) continue;
    painter.fillRect(area, stage_selected(band, i) ? with_alpha(theme_.selection, 0.16F) : theme_.stageBand(i));
  }
  painter.setPen(theme_.gridLine);
  for (std::size_t lane = 1; lane < band.lanes.size(); ++lane) {
    const double y = band.lane_top(lane, scene_.lane_height()) - TimelineScene::kLaneGap / 2;
    painter.drawLine(QPointF(axis_.left, y), QPointF(axis_.right(), y));
  }
}

void TimelinePainter::spans(QPainter& painter, const TimelineBand& band, std::size_t lane,
                            const std::vector<std::size_t>& selected) const {
  const ScheduleResult& result = scene_.result(band);
  const TimelineLane& row = band.lanes[lane];
  const double top = band.lane_top(lane, scene_.lane_height());
  const QFontMetricsF metrics(small_font_);
  painter.setFont(small_font_);
  for (const DrawnSpan& drawn : scene_.visible_spans(band, row, axis_)) {
    const KernelSpan& span = result.trace.kernels[row.spans[drawn.first]];
    const QRectF box(drawn.left, top, std::max(drawn.right - drawn.left, 1.0), scene_.lane_height());
    const bool known = span.kernel.index() < result.plan.kernels.size();
    const QColor fill =
        known ? theme_.operatorFill(operator_class(result.plan.kernel(span.kernel).attributes)) : theme_.outline;
    painter.fillRect(box, fill);
    if (known) {
      const Attributes& attributes = result.plan.kernel(span.kernel).attributes;
      paint_hatch(painter, box, theme_.operatorHatch(operator_class(attributes)), fill);
    }
    if (box.width() >= 3) {
      painter.setPen(QPen(theme_.dark ? fill.lighter(125) : fill.darker(135), 1));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (box.width() < kLeastText || drawn.count > 1) continue;
    painter.setPen(Theme::readableOn(fill));
    const QRectF text = box.adjusted(4, 0, -3, 0);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, span_label(shown_name(span.name), text.width(), metrics));
  }
  for (const std::size_t index : selected) {
    const KernelSpan& span = result.trace.kernels[index];
    if (span.lane != lane || span.end < axis_.range.begin || span.begin > axis_.range.end) continue;
    QRectF box = between(span.begin, span.end, top, scene_.lane_height());
    if (box.width() < kSmallestMark)
      box = QRectF(box.center().x() - kSmallestMark / 2, top, kSmallestMark, box.height());
    const bool focused = current == SpanRef{band.result, index};
    painter.setPen(QPen(theme_.selection, focused ? 3 : 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(1, 1, -1, -1));
  }
}

void TimelinePainter::selection_marks(QPainter& painter, const TimelineBand& band,
                                      const std::vector<std::size_t>& selected) const {
  for (const std::size_t index : selected) {
    const KernelSpan& span = scene_.result(band).trace.kernels[index];
    if (span.end < axis_.range.begin || span.begin > axis_.range.end) continue;
    QRectF mark = between(span.begin, span.end, band.strip_top() + TimelineScene::kStripHeight - 3, 3);
    if (mark.width() < kSmallestMark) mark.setWidth(kSmallestMark);
    painter.fillRect(mark, theme_.selection);
  }
}

void TimelinePainter::end_marker(QPainter& painter, const TimelineBand& band) const {
  const ScheduleResult& result = scene_.result(band);
  const Micros end = result.trace.duration;
  if (end <= Micros(0) || !axis_.range.contains(end)) return;
  const double x = axis_.x(end);
  const QColor color = theme_.schedule(result.recipe);
  painter.setPen(QPen(color, 2));
  painter.drawLine(QPointF(x, band.top + 3), QPointF(x, band.bottom() - 3));
  painter.setFont(small_font_);
  const QString label = duration_text(end);
  const double width = QFontMetricsF(small_font_).horizontalAdvance(label) + 8;
  QRectF box(x + 3, band.strip_top(), width, TimelineScene::kStripHeight);
  if (box.right() > axis_.right() + kRightRoom) {
    box.moveRight(x - 3);
    painter.fillRect(box, theme_.panel);
  }
  painter.setPen(theme_.text);
  painter.drawText(box, Qt::AlignCenter, label);
}

void TimelinePainter::measure(QPainter& painter, const TimeMeasure& measure, double top, double bottom) const {
  const auto [from, to] = std::minmax(measure.from, measure.to);
  const QRectF area = between(from, to, top, bottom - top);
  painter.fillRect(area, with_alpha(theme_.selection, 0.12F));
  painter.setPen(QPen(theme_.selection, 1.5));
  for (const Micros edge : {from, to}) {
    if (axis_.range.contains(edge)) painter.drawLine(QPointF(axis_.x(edge), top), QPointF(axis_.x(edge), bottom));
  }
  const QString label = QString::fromUtf8("\u0394t = %1").arg(duration_text(to - from));
  painter.setFont(bold_font_);
  const double width = QFontMetricsF(bold_font_).horizontalAdvance(label) + 16;
  QRectF box(area.center().x() - width / 2, top + 6, width, 22);
  box.moveLeft(std::clamp(box.left(), axis_.left, std::max(axis_.left, axis_.right() - width)));
  painter.setBrush(theme_.panel);
  painter.setPen(QPen(theme_.selection, 1));
  painter.drawRoundedRect(box, 4, 4);
  painter.setPen(theme_.text);
  painter.drawText(box, Qt::AlignCenter, label);
}

void TimelinePainter::cursor(QPainter& painter, Micros time, double top, double bottom) const {
  if (!axis_.range.contains(time)) return;
  painter.setPen(QPen(theme_.mutedText, 1, Qt::DotLine));
  painter.drawLine(QPointF(axis_.x(time), top), QPointF(axis_.x(time), bottom));
}

}  // namespace iosx
