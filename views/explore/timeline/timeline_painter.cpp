#include "views/explore/timeline/timeline_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/analysis/difference/subject.h"
#include "views/explore/timeline/span_text.h"
#include "views/figures/badge.h"
#include "views/figures/paint.h"
#include "views/style/fills.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kHeaderLine = 17;      // pixels from one line of a header to the next
constexpr qsizetype kLeastLetters = 5;  // of an elided name
constexpr double kLeastText = 22;       // pixels a span needs for its name
constexpr double kSmallestStage = 0.5;  // pixels; smaller neighbours are one tone
constexpr double kLeastNumber = 9;      // pixels of a stage for its number
constexpr int kHeatShades = 48;
constexpr double kOriginHeight = 3;   // pixels, of the colour of the stage that a kernel comes from
constexpr double kLeastBoundary = 4;  // pixels between stage boundaries that are drawn
constexpr double kRightRoom = 24;     // right of the axis, for the text at the end of a run
constexpr double kSmallestMark = 3;   // pixels of a selected span however short
constexpr double kFaintWait = 0.8;    // pixels, width of an arc
constexpr double kStrongWait = 1.6;
constexpr double kFlag = 8;        // pixels, of the flag where a run ends
constexpr double kLeastBend = 10;  // pixels by which an arc leaves a span before it turns

// A time of the drawn run. On a measuring device the latency beside the name is of many runs.
QString of_this_run(const ScheduleResult& result, Micros time) {
  const bool one_of_many = result.latency.origin == Origin::kMeasured && result.latency.samples > 1;
  return one_of_many ? Text::tr("this run %1").arg(duration_text(time)) : duration_text(time);
}

QString lane_text(std::size_t lane) { return Text::tr("lane %1").arg(lane + 1); }

// Only this many bytes of a long name are examined.
constexpr std::size_t kMostLabelBytes = 160;

// Returns the name, or else its last component ("branch3x3" of "mixed_6a.branch3x3"), or else the start of that; empty
// where too little of it would be left to read.
QString span_label(std::string_view whole, double width, const QFontMetricsF& metrics) {
  const std::size_t component = whole.size() > kMostLabelBytes ? whole.find_last_of('.') : std::string_view::npos;
  if (component != std::string_view::npos && component + 1 < whole.size()) whole.remove_prefix(component + 1);
  QString name = brief_name(whole, kMostLabelBytes);
  if (metrics.horizontalAdvance(name) <= width) return name;
  const qsizetype dot = name.lastIndexOf(QLatin1Char('.'));
  const bool single = !name.contains(QLatin1Char(' '));
  QString last = single && dot >= 0 && dot + 1 < name.size() ? name.mid(dot + 1) : name;
  if (metrics.horizontalAdvance(last) <= width) return last;
  const QString elided = metrics.elidedText(last, Qt::ElideRight, width);
  return elided.size() > kLeastLetters ? elided : QString();
}

// For "IOS-Both, H200, batch 32" the schedule's own name stays, with the end of its distinction.
QString track_label(const QString& name, double width, const QFontMetricsF& metrics) {
  const qsizetype comma = name.indexOf(QStringLiteral(", "));
  if (comma < 0 || metrics.horizontalAdvance(name) <= width) return metrics.elidedText(name, Qt::ElideRight, width);
  const QString own = name.left(comma + 2);
  const double left = width - metrics.horizontalAdvance(own);
  const QString rest = metrics.elidedText(name.mid(comma + 2), Qt::ElideLeft, left);
  return left > 0 && rest.size() > 2 ? own + rest : metrics.elidedText(name.left(comma), Qt::ElideRight, width);
}

// Returns the first stage that is not over at `begin`.
std::size_t first_stage(const std::vector<TimeRange>& stages, Micros begin) {
  const auto first = std::lower_bound(stages.begin(), stages.end(), begin,
                                      [](const TimeRange& stage, Micros time) { return stage.end < time; });
  return static_cast<std::size_t>(first - stages.begin());
}

QColor mixed(const QColor& a, const QColor& b, double share) {
  const auto part = [&](int from, int to) { return static_cast<int>(std::lround(from + (to - from) * share)); };
  return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

void outline(QPainter& painter, const QRectF& box, const QColor& color) {
  paint_box(painter, QPen(color, 1), Qt::NoBrush, box.adjusted(0, 0, -1, -1));
}

}  // namespace

TimelinePainter::TimelinePainter(const TimelineScene& scene, const Theme& theme, const TimeAxis& axis,
                                 const Selection& selection, const QFont& font)
    : scene_(scene),
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
  for (std::size_t i = 0; i < kOperatorClasses; ++i) {
    fills_[i] = theme.operatorFill(static_cast<OperatorClass>(i));
    hatches_[i] = theme.operatorHatch(static_cast<OperatorClass>(i));
    edges_[i] = theme.dark ? fills_[i].lighter(125) : fills_[i].darker(135);
  }
}

QRectF TimelinePainter::between(TimeRange range, double top, double height) const {
  const double left = std::clamp(axis_.x(range.begin), axis_.left, axis_.right());
  const double right = std::clamp(axis_.x(range.end), axis_.left, axis_.right());
  return {left, top, right - left, height};
}

double TimelinePainter::lanes_bottom(const TimelineBand& band) const {
  return band.lane_top(band.lanes.size(), scene_.lane_height());
}

void TimelinePainter::ruler(QPainter& painter, const QRectF& area) const {
  painter.fillRect(area, theme_.panel);
  painter.setFont(small_font_);
  painter.setPen(theme_.mutedText);
  const QString unit = Text::tr("time (%1)").arg(unit_text(axis_.unit(kTickSpacing)));
  painter.drawText(QRectF(area.left(), area.top(), axis_.left - area.left() - 10, area.height() - 2), kAtRight, unit);
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

void TimelinePainter::grid(QPainter& painter, double top, double bottom) const {
  painter.setPen(theme_.gridLine);
  for (const TimeTick& tick : axis_.ticks(kTickSpacing)) {
    const double x = axis_.x(tick.time);
    painter.drawLine(QPointF(x, top), QPointF(x, std::min(bottom, scene_.height())));
  }
}

void TimelinePainter::bands(QPainter& painter, double top, double bottom, std::optional<bool> pinned) const {
  grid(painter, top, bottom);
  for (const TimelineBand& band : scene_.bands()) {
    const bool stays = band.bottom() <= scene_.pinned_height();
    if (pinned.value_or(stays) == stays && band.bottom() >= top && band.top <= bottom) this->band(painter, band);
  }
  if (!pinned.value_or(false)) more(painter);
}

void TimelinePainter::more(QPainter& painter) const {
  if (!scene_.has_more()) return;
  const QRectF row(0, scene_.more_top(), axis_.left - 1, TimelineScene::kMoreHeight);
  painter.fillRect(row, theme_.panel);
  double x = 12;
  if (controls) {
    paint_fold_arrow(painter, {x, row.center().y()}, scene_.more_opened(), theme_.mutedText);
    x += 14;
  }
  const auto hidden = static_cast<int>(scene_.hidden());
  const QString text = scene_.more_opened() ? Text::tr("fewer schedules")
                       : hidden == 1        ? Text::tr("1 more schedule")
                                            : Text::tr("%1 more schedules").arg(hidden);
  paint_text(painter, font_, theme_.mutedText, row.adjusted(x, 0, 0, 0), kAtLeft, text);
}

void TimelinePainter::band(QPainter& painter, const TimelineBand& band) const {
  header(painter, band);
  painter.setRenderHint(QPainter::Antialiasing, false);  // all of these are level or upright
  if (band.collapsed) {
    folded(painter, band);
  } else {
    lanes(painter, band);
    strip(painter, band);
    for (std::size_t lane = 0; lane < band.lanes.size(); ++lane) spans(painter, band, lane);
    if (band.heat) heat(painter, band);
  }
  painter.setRenderHint(QPainter::Antialiasing);
  gaps(painter, band);
  if (!band.collapsed) waits(painter, band);
  selection_marks(painter, band);
  gain(painter, band);
  network_ends(painter, band);
  end_marker(painter, band);
  painter.setPen(theme_.outline);
  painter.drawLine(QPointF(0, band.bottom() - 0.5), QPointF(axis_.right(), band.bottom() - 0.5));
}

QColor TimelinePainter::color_of(const TimelineBand& band) const {
  return theme_.schedule(scene_.result(band).schedule_kind, scene_.in_focus(band));
}

void TimelinePainter::header(QPainter& painter, const TimelineBand& band) const {
  const bool chosen = active == band.track;
  painter.fillRect(QRectF(0, band.top, axis_.left - 1, band.height), chosen ? theme_.selectionFill : theme_.panel);
  painter.fillRect(QRectF(0, band.top, chosen ? 6 : 4, band.height - 1), color_of(band));
  double x = 12;
  if (controls) {
    controls_of(painter, band);
    x += band.collapsed && band.pinned ? 24 : 14;
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
    const QString full = lane_text(lane);
    const QString number = QString::number(lane + 1);
    if (metrics.horizontalAdvance(number) > room) continue;
    painter.drawText(row, kAtRight, metrics.horizontalAdvance(full) <= room ? full : number);
  }
}

void TimelinePainter::controls_of(QPainter& painter, const TimelineBand& band) const {
  constexpr double kLeft = 12;
  const double y = band.strip_top() + kHeaderLine / 2;
  paint_fold_arrow(painter, {kLeft, y}, !band.collapsed, theme_.mutedText);
  if (band.collapsed && !band.pinned) return;
  // A pin: its head, and the needle below.
  const QRectF head = band.collapsed ? QRectF(kLeft + 14, y - 5, 6, 6) : QRectF(kLeft, y + kHeaderLine - 4, 6, 6);
  painter.setPen(QPen(band.pinned ? theme_.selection : theme_.mutedText, 1.25));
  painter.setBrush(band.pinned ? QBrush(theme_.selection) : QBrush(Qt::NoBrush));
  painter.drawEllipse(head);
  painter.drawLine(QPointF(head.center().x(), head.bottom()), QPointF(head.center().x(), head.bottom() + 5));
}

QString TimelinePainter::speed_up_label(const TimelineBand& band) const {
  const TimelineTrack& own = scene_.tracks()[band.track];
  const auto baseline = scene_.baseline();
  if (own.schedule().latency.value <= Millis(0) || !own.comparison->knows_latencies()) return {};
  const TimelineTrack* const other = baseline ? &scene_.tracks()[*baseline] : nullptr;
  if (other != nullptr && !other->comparison->knows_latencies()) return {};
  if (other == nullptr || other->comparison == own.comparison) {
    const ScheduleResult* const held =
        other != nullptr ? &other->schedule() : own.comparison->find(ScheduleKind::kSequential);
    return held == nullptr || held == &own.schedule() ? QString() : speed_text(own.schedule(), *held);
  }
  // For another run, possibly with another batch.
  const std::array subjects{Subject{other->comparison, other->result}, Subject{own.comparison, own.result}};
  return speed_text(whole_difference(subjects[0], subjects[1], per_of(subjects)).speedup);
}

double TimelinePainter::header_texts(QPainter& painter, const TimelineBand& band, double x, double right) const {
  const ScheduleResult& result = scene_.result(band);
  const QString latency = latency_text(*scene_.tracks()[band.track].comparison, result);
  const QString title = scene_.tracks()[band.track].name();
  const QString speed = speed_up_label(band);
  const QFontMetricsF bold(bold_font_);
  const QFontMetricsF plain(font_);
  const QRectF first(x, band.strip_top(), right - x, kHeaderLine);
  painter.setPen(theme_.text);
  if (band.collapsed) {
    painter.setFont(font_);
    painter.drawText(first, kAtRight, latency);
    painter.setFont(bold_font_);
    double room = first.width() - plain.horizontalAdvance(latency) - 5;
    const QString name = track_label(title, room, bold);
    painter.drawText(first, kAtLeft, name);
    // Its relation to the others, where there is room.
    const QString what = scene_.baseline() == band.track ? Text::tr("baseline") : speed;
    const double beside = bold.horizontalAdvance(name) + 5;
    room -= beside;
    painter.setFont(small_font_);
    painter.setPen(theme_.mutedText);
    if (QFontMetricsF(small_font_).horizontalAdvance(what) <= room) {
      painter.drawText(first.adjusted(beside, 0, 0, 0), kAtLeft, what);
    }
    return right;
  }
  painter.setFont(bold_font_);
  // The second line is also the first lane's, which keeps its label.
  const double beside = speed.isEmpty() ? 0 : bold.horizontalAdvance(speed) + 8;
  painter.drawText(first, kAtLeft, track_label(title, first.width() - beside, bold));
  painter.drawText(first, kAtRight, speed);
  const QRectF second = first.translated(0, kHeaderLine + 1);
  painter.setFont(font_);
  // Without the spread where it does not fit beside the badge: the table has it too.
  constexpr double kGap = 7;
  const double lane = QFontMetricsF(small_font_).horizontalAdvance(lane_text(0)) + 6;
  const double room = second.width() - badge_width(result.latency.origin, small_font_) - kGap - lane;
  const bool fits = plain.horizontalAdvance(latency) <= room;
  const QString shown = fits ? latency : latency_text(Latency{.value = result.latency.value, .spread = Millis{0}});
  painter.drawText(second, kAtLeft, shown);
  return paint_badge(painter, {x + plain.horizontalAdvance(shown) + kGap, second.top() + 0.5}, result.latency.origin,
                     theme_, small_font_);
}

bool TimelinePainter::stage_selected(const TimelineBand& band, std::size_t stage) const {
  return selection_.stage == stage && scene_.is_made_in(selection_, band);
}

// Says why lanes are faster, above them or behind their end: in full, or else without the reason.
void TimelinePainter::lanes_line(QPainter& painter, const TimelineBand& band) const {
  const Comparison& comparison = *scene_.tracks()[band.track].comparison;
  const auto gain = comparison.lane_gain(scene_.result(band));
  const QRectF label = end_label(band).box;
  const bool ends = axis_.range.contains(band.index->end());
  const double end =
      std::min(std::clamp(axis_.x(band.index->end()), axis_.left, axis_.right()), ends ? label.left() : axis_.right());
  const double behind = ends ? label.right() : axis_.right();
  const double height = TimelineScene::kStripHeight;
  const std::array rooms{QRectF(axis_.left + 4, band.strip_top(), end - axis_.left - 8, height),
                         QRectF(behind + 12, band.strip_top(), axis_.right() - behind - 12, height)};
  const QStringList texts =
      gain ? QStringList{lane_gain_text(comparison, *gain), lane_gain_claim(comparison, *gain)}
           : QStringList{Text::tr("no stages: a kernel starts as soon as its dependencies have ended"),
                         Text::tr("no stages")};
  const QFontMetricsF metrics(small_font_);
  for (const QString& text : texts) {
    for (const QRectF& room : rooms) {
      if (metrics.horizontalAdvance(text) > room.width()) continue;
      return paint_text(painter, small_font_, theme_.mutedText, room, kAtLeft, text);
    }
  }
}

void TimelinePainter::strip(QPainter& painter, const TimelineBand& band) const {
  const std::vector<TimeRange>& stages = band.index->stages();
  if (scene_.result(band).lanes) lanes_line(painter, band);
  std::size_t i = first_stage(stages, axis_.range.begin);
  while (i < stages.size() && stages[i].begin <= axis_.range.end) {
    const QRectF segment = between(stages[i], band.strip_top(), TimelineScene::kStripHeight);
    const std::size_t end = segment.width() < kSmallestStage ? end_of_run(stages, i) : i + 1;
    if (end > i + 1) {
      const QRectF run = between({stages[i].begin, stages[end - 1].end}, segment.top(), segment.height());
      painter.fillRect(run, mixed(band_tone(i), band_tone(i + 1), 0.5));
    } else if (!stage_selected(band, i)) {
      stage(painter, band, i, segment);
    }
    i = end;
  }
  if (selection_.stage && *selection_.stage < stages.size() && stage_selected(band, *selection_.stage)) {
    const TimeRange chosen = stages[*selection_.stage];  // over its neighbours
    if (chosen.end < axis_.range.begin || chosen.begin > axis_.range.end) return;
    stage(painter, band, *selection_.stage, between(chosen, band.strip_top(), TimelineScene::kStripHeight));
  }
}

void TimelinePainter::folded(QPainter& painter, const TimelineBand& band) const {
  const std::vector<TimeRange>& stages = band.index->stages();
  std::size_t i = first_stage(stages, axis_.range.begin);
  while (i < stages.size() && stages[i].begin <= axis_.range.end && !scene_.result(band).lanes) {
    const QRectF one = between(stages[i], band.strip_top(), TimelineScene::kFoldedStrip);
    const std::size_t end = one.width() < kSmallestStage ? end_of_run(stages, i) : i + 1;
    const QRectF all = between({stages[i].begin, stages[end - 1].end}, one.top(), one.height());
    painter.fillRect(all, end > i + 1 ? mixed(band_tone(i), band_tone(i + 1), 0.5) : band_tone(i));
    i = end;
  }
  for (std::size_t lane = 0; lane < band.lanes.size(); ++lane) {
    for (const DrawnSpan& drawn : scene_.visible_spans(band, band.lanes[lane], axis_)) {
      const QRectF box(drawn.left, band.folded_top(lane), std::max(drawn.right - drawn.left, 1.0),
                       std::max(1.0, band.folded_height() - (band.lanes.size() > 1 ? 0.5 : 0)));
      fill(painter, drawn, box);
      const bool framed = band.lanes.size() == 1 && box.width() >= 3 && drawn.count == 1;
      if (framed) outline(painter, box, edges_[static_cast<std::size_t>(drawn.what)]);
    }
  }
  if (!selection_.stage || *selection_.stage >= stages.size() || !stage_selected(band, *selection_.stage)) return;
  const QRectF chosen =
      between(stages[*selection_.stage], band.strip_top(), TimelineScene::kFoldedStrip + TimelineScene::kFoldedLanes);
  fill_translucent(painter, chosen, with_alpha(theme_.selection, 0.16F));
  outline(painter, chosen, theme_.selection);
}

// Returns the end of the stages below a pixel from this one on, as far as there is no gap of a pixel.
std::size_t TimelinePainter::end_of_run(const std::vector<TimeRange>& stages, std::size_t first) const {
  const Micros pixel = axis_.duration(1);
  std::size_t end = first + 1;
  while (end < stages.size() && stages[end].begin <= axis_.range.end && stages[end].length() < pixel * kSmallestStage &&
         stages[end].begin - stages[end - 1].end < pixel) {
    ++end;
  }
  return end;
}

// Returns a stage's colour in the strip, over the canvas.
QColor TimelinePainter::band_tone(std::size_t stage) const {
  const QColor band = theme_.stageBand(stage);
  return mixed(theme_.canvas, QColor(band.red(), band.green(), band.blue()), std::min(1.0F, band.alphaF() * 2));
}

void TimelinePainter::stage(QPainter& painter, const TimelineBand& band, std::size_t index,
                            const QRectF& segment) const {
  const bool selected = stage_selected(band, index);
  painter.fillRect(segment, selected ? theme_.selectionFill : band_tone(index));
  if (segment.width() >= kLeastBoundary && axis_.range.contains(band.index->stages()[index].begin)) {
    painter.setPen(theme_.outline);
    const double end = band.collapsed ? segment.bottom() : lanes_bottom(band);
    painter.drawLine(segment.topLeft(), QPointF(segment.left(), end));
  }
  const QString number = segment.width() > kLeastNumber ? QString::number(index + 1) : QString();
  if (!number.isEmpty() && segment.width() > QFontMetricsF(small_font_).horizontalAdvance(number) + 4) {
    paint_text(painter, small_font_, theme_.text, segment, Qt::AlignCenter, number);
  }
  if (!selected) return;
  paint_box(painter, QPen(theme_.selection, 2), Qt::NoBrush, segment.adjusted(0, 1, 0, -1));
}

void TimelinePainter::lanes(QPainter& painter, const TimelineBand& band) const {
  const std::vector<TimeRange>& stages = band.index->stages();
  const double top = band.lane_top(0, scene_.lane_height());
  const double height = lanes_bottom(band) - top;
  std::size_t i = first_stage(stages, axis_.range.begin);
  while (i < stages.size() && stages[i].begin <= axis_.range.end) {
    const QRectF area = between(stages[i], top - 2, height + 2);
    const bool chosen = stage_selected(band, i);
    if (chosen || area.width() >= 1) {
      fill_translucent(painter, area, chosen ? with_alpha(theme_.selection, 0.16F) : theme_.stageBand(i));
    }
    const bool small = area.width() < 1 && !selection_.stage;
    i = small ? std::max(i + 1, first_stage(stages, axis_.time(area.right() + kSmallestStage))) : i + 1;
  }
  painter.setPen(theme_.gridLine);
  for (std::size_t lane = 1; lane < band.lanes.size(); ++lane) {
    const double y = band.lane_top(lane, scene_.lane_height()) - TimelineScene::kLaneGap / 2;
    painter.drawLine(QPointF(axis_.left, y), QPointF(axis_.right(), y));
  }
}

void TimelinePainter::heat(QPainter& painter, const TimelineBand& band) const {
  const double top = band.heat_top(scene_.lane_height());
  const QColor color = scene_.in_focus(band) ? theme_.accent : theme_.mutedText;
  const double end = std::min(axis_.right(), axis_.x(band.index->end()));
  double begin = std::max(axis_.left, axis_.x(Micros(0)));
  if (begin >= end) return;
  std::vector<double> edges{begin};  // of the columns
  while (edges.back() < end) edges.push_back(std::min(end, std::floor(edges.back()) + 1));
  std::vector<Micros> times;
  times.reserve(edges.size());
  for (const double x : edges) times.push_back(band.index->warp().own(axis_.time(x)));
  const std::vector<double> means = band.heat->series.means(times);
  const auto shade = [&](std::size_t column) {
    return static_cast<int>(std::lround(band.heat->share(means[column]) * kHeatShades));
  };
  // Columns of one shade are one rectangle.
  int last = shade(0);
  for (std::size_t column = 1; column <= means.size(); ++column) {
    const int own = column < means.size() ? shade(column) : -1;
    if (own == last) continue;
    const QRectF box(begin, top, edges[column] - begin, TimelineScene::kHeatHeight);
    painter.fillRect(box, mixed(theme_.canvas, color, static_cast<double>(last) / kHeatShades));
    begin = edges[column];
    last = own;
  }
  painter.setPen(theme_.gridLine);
  painter.drawLine(QPointF(axis_.left, top - 0.5), QPointF(axis_.right(), top - 0.5));
}

void TimelinePainter::gaps(QPainter& painter, const TimelineBand& band) const {
  const double top = band.strip_top();
  for (const TimeRange& gap : band.index->warp().gaps()) {
    if (gap.end < axis_.range.begin || gap.begin > axis_.range.end) continue;
    const QRectF area = between(gap, top, band.bottom() - 2 - top);
    if (area.width() < 1) continue;
    painter.fillRect(area, theme_.window);
    painter.setPen(QPen(theme_.outline, 1));
    constexpr double kStep = 9;  // from one stroke to the next
    const int strokes = static_cast<int>(std::ceil((area.width() + area.height()) / kStep));
    for (int i = 0; i < strokes; ++i) {
      const double x = area.left() - area.height() + i * kStep;
      const double from = std::max(x, area.left());
      const double to = std::min(x + area.height(), area.right());
      if (to > from) painter.drawLine(QPointF(from, area.bottom() - (from - x)), QPointF(to, area.bottom() - (to - x)));
    }
    painter.setFont(small_font_);
    const QString text = Text::tr("waits %1").arg(duration_text(gap.length()));
    const double width = QFontMetricsF(small_font_).horizontalAdvance(text) + 6;
    if (width + 4 > area.width()) continue;
    const QRectF label(area.center().x() - width / 2, area.center().y() - 8, width, 16);
    painter.fillRect(label, theme_.window);
    paint_text(painter, theme_.text, label, Qt::AlignCenter, text);
  }
}

void TimelinePainter::spans(QPainter& painter, const TimelineBand& band, std::size_t lane) const {
  const std::vector<KernelSpan>& kernels = scene_.result(band).trace.kernels;
  const LaneIndex& row = band.lanes[lane];
  const double top = band.lane_top(lane, scene_.lane_height());
  const QFontMetricsF metrics(small_font_);
  painter.setFont(small_font_);
  for (const DrawnSpan& drawn : scene_.visible_spans(band, row, axis_)) {
    const QRectF box(drawn.left, top, std::max(drawn.right - drawn.left, 1.0), scene_.lane_height());
    const KernelSpan& first = kernels[row.spans[drawn.first]];
    // The stage that it comes from.
    const double origin = scene_.result(band).lanes && drawn.count == 1 ? kOriginHeight : 0;
    span(painter, first, drawn, box, metrics, origin);
    if (origin > 0) {
      painter.fillRect(QRectF(box.left(), box.bottom() - origin, box.width(), origin), band_tone(first.stage));
    }
  }
}

void TimelinePainter::fill(QPainter& painter, const DrawnSpan& drawn, const QRectF& box) const {
  const auto what = static_cast<std::size_t>(drawn.what);
  painter.fillRect(box, fills_[what]);
  paint_hatch(painter, box, hatches_[what], fills_[what]);
  if (drawn.merged) paint_hatch(painter, box, theme_.mergedHatch(), fills_[what]);
}

void TimelinePainter::span(QPainter& painter, const KernelSpan& span, const DrawnSpan& drawn, const QRectF& box,
                           const QFontMetricsF& metrics, double below) const {
  fill(painter, drawn, box);
  if (box.width() < 3 || drawn.count > 1) return;
  outline(painter, box, edges_[static_cast<std::size_t>(drawn.what)]);
  if (box.width() < kLeastText) return;
  const QRectF text = box.adjusted(4, 0, -3, -below);
  const QString label = span_label(span.name, text.width(), metrics);
  if (label.isEmpty()) return;
  const auto baseline = text_baseline(label, text.top(), text.bottom(), metrics);
  if (!baseline) return;
  painter.setPen(Theme::readableOn(fills_[static_cast<std::size_t>(drawn.what)]));
  painter.drawText(QPointF(text.left(), *baseline), label);
}

// Marks where a selected span lies, in the strip too: so it is seen in a collapsed band and however small it is.
void TimelinePainter::selection_marks(QPainter& painter, const TimelineBand& band) const {
  const std::vector<KernelSpan>& kernels = scene_.result(band).trace.kernels;
  std::vector<double> drawn_to(band.lanes.size() + 1, 0);  // of every lane, and of the strip
  painter.setBrush(Qt::NoBrush);
  for (const std::size_t index : scene_.selected_spans(band, selection_)) {
    const TimeRange range = band.index->range(index);
    if (range.end < axis_.range.begin || range.begin > axis_.range.end) continue;
    const double strip =
        band.collapsed ? TimelineScene::kFoldedStrip + TimelineScene::kFoldedLanes : TimelineScene::kStripHeight;
    QRectF mark = between(range, band.strip_top() + strip - 3, 3);
    const bool focused = current == SpanRef{band.track, index};
    const auto seen = [&](std::size_t row) {  // not hidden behind another mark
      if (mark.right() < drawn_to[row] + 1 && !focused) return false;
      drawn_to[row] = std::max(drawn_to[row], mark.left() + std::max(mark.width(), kSmallestMark));
      return true;
    };
    if (seen(band.lanes.size())) {
      painter.fillRect(QRectF(mark.topLeft(), QSizeF(std::max(mark.width(), kSmallestMark), 3)), theme_.selection);
    }
    const std::size_t lane = kernels[index].lane;
    if (band.collapsed || !seen(lane)) continue;
    QRectF box = between(range, band.lane_top(lane, scene_.lane_height()), scene_.lane_height());
    if (box.width() < kSmallestMark)
      box = QRectF(box.center().x() - kSmallestMark / 2, box.top(), kSmallestMark, box.height());
    painter.setPen(QPen(theme_.selection, focused ? 3 : 2));
    painter.drawRect(box.adjusted(1, 1, -1, -1));
  }
}

void TimelinePainter::waits(QPainter& painter, const TimelineBand& band) const {
  const TimelineScene::Waits shown = scene_.shown_waits(band, selection_, axis_);
  const QPen pen = shown.emphasised ? QPen(theme_.selection, kStrongWait) : QPen(theme_.text, kFaintWait);
  for (const SpanWait& each : shown.waits) wait(painter, band, each, pen);
}

void TimelinePainter::waits_of(QPainter& painter, SpanRef span) const {
  const TimelineBand* band = scene_.band_of(span.track);
  if (band == nullptr || band->collapsed) return;
  for (const SpanWait& each : band->index->waits_of(span.span)) {
    wait(painter, *band, each,
         QPen(theme_.selection, kStrongWait, each.waiting == span.span ? Qt::SolidLine : Qt::DotLine));
  }
}

void TimelinePainter::pointed(QPainter& painter, std::size_t track, std::span<const UnitId> units) const {
  const TimelineBand* band = scene_.band_of(track);
  if (band == nullptr || band->collapsed) return;
  const std::vector<KernelSpan>& kernels = scene_.result(*band).trace.kernels;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme_.text, kStrongWait, Qt::DashLine));
  for (const UnitId unit : units) {
    for (const std::size_t span : band->index->spans_of(unit)) {
      const QRectF box = between(band->index->range(span), band->lane_top(kernels[span].lane, scene_.lane_height()),
                                 scene_.lane_height());
      if (!box.isEmpty()) painter.drawRect(box.adjusted(-1, -1, 1, 1));
    }
  }
}

// Draws an arc from the end of the one that is waited for to the begin of the other, as far as the axis goes.
void TimelinePainter::wait(QPainter& painter, const TimelineBand& band, const SpanWait& wait, const QPen& pen) const {
  const TimeRange on = band.index->range(wait.on);
  const TimeRange waiting = band.index->range(wait.waiting);
  if (on.end > axis_.range.end || waiting.begin < axis_.range.begin) return;
  if (waiting.begin > axis_.range.end && on.end < axis_.range.begin) return;
  const std::vector<KernelSpan>& kernels = scene_.result(band).trace.kernels;
  const auto middle = [&](std::uint32_t span) {
    return band.lane_top(kernels[span].lane, scene_.lane_height()) + scene_.lane_height() / 2;
  };
  const auto within = [&](double x) { return std::clamp(x, axis_.left, axis_.right()); };
  const QPointF from(within(axis_.x(on.end)), middle(wait.on));
  const QPointF to(within(axis_.x(waiting.begin)), middle(wait.waiting));
  const double bend = std::max(kLeastBend, (to.x() - from.x()) / 2);
  QPainterPath arc(from);
  arc.cubicTo(QPointF(within(from.x() + bend), from.y()), QPointF(within(to.x() - bend), to.y()), to);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(with_alpha(theme_.canvas, 0.75F), pen.widthF() + 2));  // so that it is seen over any kernel
  painter.drawPath(arc);
  painter.setPen(pen);
  painter.drawPath(arc);
  if (waiting.begin > axis_.range.end) return;
  const double size = 2 + 2 * pen.widthF();
  paint_shape(painter, Qt::NoPen, pen.color(),
              QPolygonF({to, to + QPointF(-size, -size / 1.6), to + QPointF(-size, size / 1.6)}));
  painter.setBrush(Qt::NoBrush);
}

void TimelinePainter::gain(QPainter& painter, const TimelineBand& band) const {
  const TimelineBand* staged = scene_.staged_band(band);
  if (staged == nullptr) return;
  const Micros from = band.index->end();
  const Micros to = staged->index->end();
  if (to <= from || to < axis_.range.begin || from > axis_.range.end) return;
  const double top = band.collapsed ? band.strip_top() : band.lane_top(0, scene_.lane_height());
  const double bottom = band.collapsed ? band.strip_top() + TimelineScene::kStripHeight : lanes_bottom(band);
  const QRectF area = between({from, to}, top, bottom - top);
  if (area.width() < 1) return;
  const QColor color = theme_.scheduleLine(scene_.in_focus(band));
  fill_translucent(painter, area, with_alpha(color, 0.14F));
  painter.setPen(QPen(color, 1.5, Qt::DashLine));
  if (axis_.range.contains(to)) painter.drawLine(area.topRight(), area.bottomRight());
  if (band.collapsed) return;
  painter.setFont(small_font_);
  const QString text = of_this_run(scene_.result(band), to - from);
  const QFontMetricsF metrics(small_font_);
  const double y = area.center().y();
  if (metrics.horizontalAdvance(text) + 8 > area.width()) return;
  // An arrow to the left, the way the end has gone, with the time below.
  painter.setPen(QPen(color, 1.5));
  painter.drawLine(QPointF(area.left() + 3, y), QPointF(area.right() - 1, y));
  painter.drawPolyline(QPolygonF({{area.left() + 8, y - 4}, {area.left() + 3, y}, {area.left() + 8, y + 4}}));
  paint_text(painter, theme_.text, QRectF(area.left(), y + 2, area.width(), metrics.height()),
             Qt::AlignHCenter | Qt::AlignTop, text);
}

// Names are left of their lines, from the lowest lane up where several networks end within a name's width.
void TimelinePainter::network_ends(QPainter& painter, const TimelineBand& band) const {
  constexpr double kMostName = 150;  // pixels
  constexpr double kNameHeight = 15;
  painter.setFont(small_font_);
  const QFontMetricsF metrics(small_font_);
  const double top = band.strip_top();
  const double bottom =
      band.collapsed ? top + TimelineScene::kFoldedStrip + TimelineScene::kFoldedLanes : lanes_bottom(band);
  double taken = axis_.left;  // by names before, in the row
  double row = bottom - 1 - kNameHeight;
  for (const TrackIndex::NetworkEnd& network : band.index->network_ends()) {
    if (!axis_.range.contains(network.end)) continue;
    const double x = axis_.x(network.end);
    painter.setPen(QPen(with_alpha(theme_.canvas, 0.75F), 3));  // so that it is seen over any kernel
    painter.drawLine(QPointF(x, top), QPointF(x, bottom));
    painter.setPen(QPen(theme_.text, 1.25, Qt::DashLine));
    painter.drawLine(QPointF(x, top), QPointF(x, bottom));
    if (band.collapsed) continue;
    const QString name = metrics.elidedText(shown_name(network.name), Qt::ElideMiddle, kMostName);
    const QRectF box(x - 2 - metrics.horizontalAdvance(name) - 8, row, metrics.horizontalAdvance(name) + 8,
                     kNameHeight);
    if (box.left() < axis_.left) continue;
    const bool covers = box.left() < taken + 2;
    const QRectF place = covers ? box.translated(0, -kNameHeight - 1) : box;
    if (place.top() < top) continue;
    row = place.top();
    taken = x;
    painter.fillRect(place, theme_.panel);
    painter.setPen(QPen(theme_.outline, 1));
    painter.drawRect(place);
    paint_text(painter, theme_.text, place, Qt::AlignCenter, name);
  }
}

void TimelinePainter::end_marker(QPainter& painter, const TimelineBand& band) const {
  const Micros end = band.index->end();
  if (end <= Micros(0) || !axis_.range.contains(end)) return;
  const double x = axis_.x(end);
  const QColor color = theme_.scheduleLine(scene_.in_focus(band));
  painter.setPen(QPen(color, 2));
  painter.drawLine(QPointF(x, band.top + 3), QPointF(x, band.bottom() - 3));
  fill_polygon(painter, {{x, band.top + 2}, {x + kFlag, band.top + 2 + kFlag / 2}, {x, band.top + 2 + kFlag}}, color);
  painter.setFont(small_font_);
  const EndLabel label = end_label(band);
  if (label.box.left() < x) painter.fillRect(label.box, theme_.panel);
  paint_text(painter, theme_.text, label.box, Qt::AlignCenter, label.text);
}

TimelinePainter::EndLabel TimelinePainter::end_label(const TimelineBand& band) const {
  const ScheduleResult& result = scene_.result(band);
  const double x = axis_.x(band.index->end());
  QString label = of_this_run(result, result.trace.duration);
  // Hidden things are mentioned, where there is room.
  const QString folded = label + Text::tr(" \u00B7 %1 lanes folded").arg(band.lanes.size());
  const QFontMetricsF metrics(small_font_);
  const double least = x + kFlag + 1 + 8;
  if (band.collapsed && band.lanes.size() > 1 && least + metrics.horizontalAdvance(folded) < axis_.right()) {
    label = folded;
  }
  const double width = metrics.horizontalAdvance(label) + 8;
  QRectF box(x + kFlag + 1, band.strip_top(), width, TimelineScene::kStripHeight);
  if (box.right() > axis_.right() + kRightRoom) box.moveRight(x - 3);
  return {label, box};
}

void TimelinePainter::measure(QPainter& painter, const TimeMeasure& measure, double top, double bottom) const {
  const auto [from, to] = measure.range();
  const QRectF area = between({from, to}, top, bottom - top);
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
  paint_box(painter, QPen(theme_.selection, 1), theme_.panel, box, 4);
  paint_text(painter, theme_.text, box, Qt::AlignCenter, label);
}

void TimelinePainter::cursor(QPainter& painter, Micros time, double top, double bottom) const {
  if (!axis_.range.contains(time)) return;
  painter.setPen(QPen(theme_.mutedText, 1, Qt::DotLine));
  painter.drawLine(QPointF(axis_.x(time), top), QPointF(axis_.x(time), bottom));
}

void TimelinePainter::playhead(QPainter& painter, Micros time, double top, double bottom) const {
  if (!axis_.range.contains(time)) return;
  const double x = axis_.x(time);
  painter.setPen(QPen(theme_.text, 1.5));
  painter.drawLine(QPointF(x, top), QPointF(x, bottom));
  fill_polygon(painter, {{x - 5, top - 7}, {x + 5, top - 7}, {x, top}}, theme_.text);
  painter.setFont(small_font_);
  const QString label = duration_text(time);
  const double width = QFontMetricsF(small_font_).horizontalAdvance(label) + 8;
  QRectF box(x + 7, top - 19, width, 15);
  if (box.right() > axis_.right()) box.moveRight(x - 7);
  painter.fillRect(box, theme_.text);
  paint_text(painter, theme_.canvas, box, Qt::AlignCenter, label);
}

}  // namespace iosx
