#include "views/explore/utilization/why_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "views/figures/badge.h"
#include "views/figures/paint.h"
#include "views/style/fills.h"
#include "views/text/latency_text.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kHeadRow = 19;
constexpr double kHeadGap = 2;
constexpr double kNarrowTicks = 36;
constexpr double kNarrow = 420;  // pixels of the axis
constexpr double kTextRow = 14;
constexpr double kBar = 14;
constexpr double kBarPitch = 18;
constexpr double kBarsTitle = 16;
constexpr double kScaleRow = 18;
constexpr double kPlotGap = 7;  // above a plot's box
constexpr double kSwatchSide = 9;
constexpr double kNumbersRoom = 50;  // of a scale's numbers, left of the axis
constexpr double kBesideBar = 6;
constexpr double kHatchStep = 5;
constexpr double kBesideAxis = 24;  // pixels right of the axis for texts
constexpr double kTimeTicks = 80;   // pixels between them, at least
constexpr double kLeastGrid = 20;   // pixels between level lines
constexpr int kWrap = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

// Returns the distance of level lines of a scale: 1, 2, 5 … kernels, halves of a share.
double grid_step(const WhyPlot& plot, double height) {
  if (plot.kind != WhyPlot::Kind::kInFlight) return plot.top / 2;
  for (const double step : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0}) {
    if (height * step / plot.top >= kLeastGrid) return step;
  }
  return plot.top;
}

}  // namespace

WhyPainter::WhyPainter(const WhyPanel& panel, const WhyPicture& picture, const Theme& theme, const QFont& font)
    : panel_(panel),
      picture_(picture),
      theme_(theme),
      small_(sized(font, 11)),
      small_bold_(sized(font, 11, true)),
      bold_(sized(font, 13, true)) {}

double WhyPainter::wrapped(const QString& text, const QFont& font) const {
  return QFontMetricsF(font).boundingRect(QRectF(0, 0, head_width(), 1000), kWrap, text).height();
}

bool WhyPainter::narrow() const { return picture_.axis.width < kNarrow; }

double WhyPainter::head_width() const {
  const TimeAxis& axis = picture_.axis;
  return narrow() ? axis.right() - picture_.left - left() : axis.width - kBesideBar;
}

double WhyPainter::head_height(bool ratios) const {
  double height = wrapped(panel_.identity, small_) + (narrow() ? kHeadRow : 0);
  if (ratios && !panel_.ratios.isEmpty()) height += wrapped(panel_.ratios, small_bold_) + 1;
  return std::max(height + 2, kHeadRow) + kHeadGap;
}

double WhyPainter::bars_height() const { return kBarPitch * static_cast<double>(panel_.runs.size()) + 2; }

QColor WhyPainter::ink(std::size_t run) const {
  return panel_.in_focus(run) ? theme_.accent : theme_.dark ? theme_.mutedText : theme_.mutedText.darker(110);
}

QColor WhyPainter::fill(std::size_t run) const {
  return panel_.in_focus(run) ? with_alpha(theme_.accent, 0.65F)
                              : with_alpha(theme_.mutedText, theme_.dark ? 0.5F : 0.4F);
}

Micros WhyPainter::end_of(const WhyRun& run) const { return run.warp.shown(run.in_flight.run()); }

double WhyPainter::least() const { return head_height(false) + bars_height(); }

double WhyPainter::height(double plot) const {
  return head_height(true) + kBarsTitle + bars_height() + plot * static_cast<double>(panel_.plots.size()) + kScaleRow;
}

WhyLayout WhyPainter::layout(const QRectF& area) const {
  WhyLayout places;
  places.head = {area.left(), area.top(), area.width(), std::min(kLine, area.height())};
  if (!picture_.open) return places;
  const double bars = bars_height();
  const double scale = picture_.whole ? kScaleRow : 0;
  const std::size_t left_over = panel_.plots.size() - std::min(panel_.plots.size(), picture_.first);
  const std::size_t most = std::min({left_over, picture_.most, picture_.whole ? left_over : 1});
  const double least = picture_.whole ? kLeastPlot : kLeastFirst;
  // The sentence goes first, then the bars' title, then the plots.
  bool ratios = picture_.whole;
  bool title = picture_.whole;
  const auto room = [&] { return area.height() - head_height(ratios) - (title ? kBarsTitle : 0) - bars - scale; };
  if (room() < least) ratios = false;
  if (room() < least) title = false;
  const auto count = std::min(most, static_cast<std::size_t>(std::max(0.0, room() / least)));
  double y = area.top();
  const auto row = [&](double height) {
    y += height;
    return QRectF(area.left(), y - height, area.width(), height);
  };
  places.head = row(head_height(ratios));
  if (title) places.bars_title = row(kBarsTitle);
  for (std::size_t i = 0; i < panel_.runs.size(); ++i) places.bars.push_back(row(kBarPitch));
  y += 2;
  const double each = count > 0 ? std::min(kMostPlot, std::floor((area.bottom() - scale - y) / count)) : 0;
  for (std::size_t i = 0; i < count; ++i) places.plots.push_back(row(each));
  if (picture_.whole && count > 0) places.scale = row(kScaleRow);
  return places;
}

void WhyPainter::paint(QPainter& painter, const QRectF& area) const {
  const WhyLayout places = layout(area);
  painter.fillRect(area, theme_.canvas);
  painter.fillRect(QRectF(area.left(), area.top(), picture_.axis.left - 1 - area.left(), area.height()), theme_.panel);
  painter.setPen(QPen(theme_.outline, 1));
  painter.drawLine(QPointF(area.left(), area.top() + 0.5), QPointF(picture_.axis.right(), area.top() + 0.5));
  head(painter, places.head);
  if (!picture_.open) return;
  for (std::size_t i = 0; i < places.bars.size(); ++i) bar(painter, places.bars[i], i);
  bars_note(painter, places);
  for (std::size_t i = 0; i < places.plots.size(); ++i)
    plot(painter, places.plots[i], panel_.plots[picture_.first + i]);
  if (!places.scale.isEmpty()) scale(painter, places.scale);
}

void WhyPainter::head(QPainter& painter, const QRectF& area) const {
  const TimeAxis& axis = picture_.axis;
  const QRectF title(area.left(), area.top() + 1, axis.left - 9 - area.left(), kHeadRow);
  if (picture_.controls) paint_fold_arrow(painter, {12, title.center().y()}, picture_.open, theme_.mutedText);
  paint_text(painter, bold_, theme_.text, title.adjusted(left(), 0, 0, 0), kAtLeft, panel_.title);
  // Narrow figures have it only beside the schedule.
  const double badge = title.right() - badge_width(panel_.origin, small_);
  if (left() + QFontMetricsF(bold_).horizontalAdvance(panel_.title) < badge) {
    paint_badge(painter, {badge, title.top() + 1}, panel_.origin, theme_, small_);
  }
  QRectF text(axis.left + kBesideBar, area.top() + 3, axis.width - kBesideBar, area.height() - 3);
  if (narrow() && picture_.open) {
    text = {area.left() + left(), title.bottom() + 1, head_width(), area.bottom() - title.bottom() - 1};
  }
  if (!picture_.open) {
    const QString line = QFontMetricsF(small_).elidedText(panel_.identity, Qt::ElideRight, text.width());
    return paint_text(painter, small_, theme_.text, text, kAtLeft, line);
  }
  const bool ratios = picture_.whole && !panel_.ratios.isEmpty() && area.height() >= head_height(true) - 0.5;
  if (ratios) {
    paint_text(painter, small_bold_, theme_.text, text, kWrap, panel_.ratios);
    text.setTop(text.top() + wrapped(panel_.ratios, small_bold_) + 1);
  }
  paint_text(painter, small_, ratios ? theme_.mutedText : theme_.text, text, kWrap, panel_.identity);
}

void WhyPainter::bar(QPainter& painter, const QRectF& row, std::size_t index) const {
  const WhyRun& run = panel_.runs[index];
  const TimeAxis axis{picture_.extent, picture_.axis.left, picture_.axis.width};
  const double top = row.top() + (kBarPitch - kBar) / 2;
  const QFontMetricsF metrics(small_);
  const QString mean = Text::tr("mean %1").arg(panel_.plots.front().curves[index]->mean_text);
  const QRectF texts(row.left() + left(), row.top(), axis.left - 9 - left() - row.left(), row.height());
  const QRectF name = texts.adjusted(kSwatchSide + 6, 0, 0, 0);
  const QFontMetricsF bold(small_bold_);
  // A narrow figure has the mean in its sentence only.
  const bool both = bold.horizontalAdvance(run.track.name()) + metrics.horizontalAdvance(mean) + 6 <= name.width();
  painter.fillRect(QRectF(texts.left(), row.center().y() - kSwatchSide / 2, kSwatchSide, kSwatchSide), fill(index));
  paint_text(painter, small_bold_, theme_.text, name, kAtLeft,
             bold.elidedText(run.track.name(), Qt::ElideRight, std::max(name.width(), 0.0)));
  if (both) paint_text(painter, small_, theme_.mutedText, texts, kAtRight, mean);
  const bool smooth = painter.renderHints().testFlag(QPainter::Antialiasing);
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (const WhySegment& segment : why_segments(run)) {
    const QRectF box(QPointF(axis.x(segment.begin), top), QPointF(axis.x(segment.begin + segment.length), top + kBar));
    const QColor color = segment.in_flight == 0 ? theme_.canvas : in_flight_color(segment.in_flight, theme_);
    painter.fillRect(box, color);
    if (segment.in_flight == 0) {
      const std::vector<QLineF> lines = hatch_lines(box, Hatch::kRising, kHatchStep);
      painter.setRenderHint(QPainter::Antialiasing);
      painter.setPen(QPen(theme_.mutedText, 1));
      painter.drawLines(lines.data(), static_cast<int>(lines.size()));
      painter.setRenderHint(QPainter::Antialiasing, false);
    }
    const QString count = segment.in_flight < kMostInFlight ? QString::number(segment.in_flight)
                                                            : QStringLiteral("%1+").arg(kMostInFlight);
    const QRectF ink = metrics.tightBoundingRect(count);
    if (metrics.horizontalAdvance(count) + 6 > box.width()) continue;
    if (segment.in_flight == 0) {  // the number has no lines behind it
      QRectF behind(0, 0, metrics.horizontalAdvance(count) + 6, ink.height() + 4);
      behind.moveCenter(box.center());
      painter.fillRect(behind, color);
    }
    paint_text(painter, small_, Theme::readableOn(color), box, Qt::AlignCenter, count);
  }
  const double end = axis.x(run.in_flight.run());
  painter.setPen(QPen(theme_.boxLine, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(QRectF(axis.left, top, end - axis.left, kBar));
  painter.setRenderHint(QPainter::Antialiasing, smooth);
  const QString length = duration_text(run.in_flight.run());
  QRectF text(end + kBesideBar, row.top(), metrics.horizontalAdvance(length) + 2, row.height());
  if (text.right() > axis.right() + kBesideAxis) {  // inside the bar, on a ground of its own
    text = QRectF(end - text.width() - 6, top + 1, text.width() + 5, kBar - 1);
    painter.fillRect(text, theme_.canvas);
    text.adjust(3, 0, 0, 0);
  }
  paint_text(painter, small_, theme_.text, text, kAtLeft, length);
}

// What the numbers in the bars are: above them, or else beside the shorter one.
void WhyPainter::bars_note(QPainter& painter, const WhyLayout& places) const {
  const QString note = Text::tr("time with 0, 1, 2 \u2026 kernels in flight");
  if (!places.bars_title.isEmpty()) {
    const QRectF row = places.bars_title.adjusted(left(), 0, 0, 0);
    paint_text(painter, small_bold_, theme_.text, row, kAtLeft, Text::tr("Time by kernels in flight"));
    const auto counter = [](const WhyPlot& plot) { return plot.kind == WhyPlot::Kind::kCounter; };
    if (std::ranges::none_of(panel_.plots, counter)) {
      const QRectF right(picture_.axis.left, row.top(), picture_.axis.width, row.height());
      const QString none = Text::tr("no hardware counters in this run");
      if (QFontMetricsF(small_).horizontalAdvance(none) < right.width()) {
        paint_text(painter, small_, theme_.mutedText, right, kAtRight, none);
      }
    }
    return;
  }
  const TimeAxis axis{picture_.extent, picture_.axis.left, picture_.axis.width};
  const QFontMetricsF metrics(small_);
  const auto shortest =
      std::ranges::min_element(panel_.runs, {}, [](const WhyRun& run) { return run.in_flight.run(); });
  const Micros time = shortest->in_flight.run();
  const double from = axis.x(time) + kBesideBar + metrics.horizontalAdvance(duration_text(time)) + 16;
  if (from + metrics.horizontalAdvance(note) > axis.right()) return;
  const QRectF& row = places.bars[static_cast<std::size_t>(shortest - panel_.runs.begin())];
  paint_text(painter, small_, theme_.mutedText, QRectF(from, row.top(), axis.right() - from, row.height()), kAtLeft,
             note);
}

void WhyPainter::plot(QPainter& painter, const QRectF& row, const WhyPlot& plot) const {
  plot_texts(painter, row, plot);
  const TimeAxis& axis = picture_.axis;
  const QRectF box(axis.left, row.top() + kPlotGap, axis.width, row.height() - kPlotGap - 2);
  const auto level = [&](double value) { return box.bottom() - box.height() * value / plot.top; };
  const bool smooth = painter.renderHints().testFlag(QPainter::Antialiasing);
  painter.setRenderHint(QPainter::Antialiasing, false);  // most lines are level or upright
  painter.setPen(theme_.gridLine);
  if (picture_.whole) {
    for (const TimeTick& tick : axis.ticks(narrow() ? kNarrowTicks : kTimeTicks)) {
      const double x = axis.x(tick.time);
      painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()));
    }
  }
  const double step = grid_step(plot, box.height());
  for (double value = step; value <= plot.top * 1.0001; value += step) {
    painter.drawLine(QPointF(box.left(), level(value)), QPointF(box.right(), level(value)));
  }
  curves(painter, box, plot);
  painter.setPen(theme_.outline);
  painter.drawLine(box.bottomLeft(), box.bottomRight());
  ends(painter, box);
  painter.setRenderHint(QPainter::Antialiasing);
  if (plot.kind == WhyPlot::Kind::kWorkDone) work(painter, box);
  painter.setRenderHint(QPainter::Antialiasing, smooth);
  const QRectF numbers(axis.left - kNumbersRoom, 0, kNumbersRoom - 6, kTextRow);
  const auto number = [&](double y, const QString& text) {
    paint_text(painter, small_, theme_.mutedText, numbers.translated(0, y - kTextRow / 2), kAtRight, text);
  };
  number(box.top(), plot.top_text);
  number(box.bottom() - 4, QStringLiteral("0"));
}

void WhyPainter::plot_texts(QPainter& painter, const QRectF& row, const WhyPlot& plot) const {
  const double width = picture_.axis.left - kNumbersRoom - left();
  double y = row.top() + 2;
  QString note = plot.note;
  const auto fits = [&] { return y + kTextRow <= row.bottom() + 1; };
  const auto next = [&] {
    y += kTextRow;
    return QRectF(row.left() + left(), y - kTextRow, std::max(width, 0.0), kTextRow);
  };
  const auto elided = [](const QFont& font, const QString& text, double room) {
    return QFontMetricsF(font).elidedText(text, Qt::ElideRight, std::max(room, 0.0));
  };
  paint_text(painter, small_bold_, theme_.text, next(), kAtLeft, elided(small_bold_, plot.title, width));
  for (std::size_t i = 0; i < panel_.runs.size() && picture_.whole && fits(); ++i) {
    const WhyRun& run = panel_.runs[i];
    QString value = Text::tr("not counted");
    QString brief = value;
    if (plot.kind == WhyPlot::Kind::kWorkDone) {
      brief = run.work ? duration_text(run.work->reached(0.5)) : Text::tr("other work");
      value = run.work ? Text::tr("half at %1").arg(brief) : brief;
    } else if (plot.kind == WhyPlot::Kind::kInFlight) {
      brief = duration_text(run.in_flight.kernel_time());  // the mean is beside the bar
      value = Text::tr("area %1").arg(brief);
    } else if (plot.curves[i]) {
      brief = plot.curves[i]->mean_text;
      value = Text::tr("mean %1").arg(brief);
    }
    const QRectF line = next();
    painter.fillRect(QRectF(line.left(), line.center().y() - kSwatchSide / 2, kSwatchSide, kSwatchSide), fill(i));
    const QFontMetricsF metrics(small_);
    const double both = width - kSwatchSide - 12;
    if (metrics.horizontalAdvance(run.track.name()) + metrics.horizontalAdvance(value) > both) {
      value = brief;
      if (plot.kind == WhyPlot::Kind::kWorkDone) note = Text::tr("when half is done");
    }
    const double room = both - metrics.horizontalAdvance(value);
    paint_text(painter, small_, theme_.text, line.adjusted(kSwatchSide + 6, 0, 0, 0), kAtLeft,
               elided(small_, run.track.name(), room));
    paint_text(painter, small_, theme_.text, line, kAtRight, value);
  }
  if (fits() && !note.isEmpty()) {
    paint_text(painter, small_, theme_.mutedText, next(), kAtLeft, elided(small_, note, width));
  }
}

void WhyPainter::scale(QPainter& painter, const QRectF& row) const {
  const TimeAxis& axis = picture_.axis;
  for (const TimeTick& tick : axis.ticks(narrow() ? kNarrowTicks : kTimeTicks)) {
    const QRectF label(axis.x(tick.time) - 40, row.top() + 1, 80, row.height() - 2);
    if (label.right() - 20 > row.right()) continue;
    paint_text(painter, small_, theme_.mutedText, label, Qt::AlignCenter, tick.label);
  }
  const QRectF unit(row.left() + left(), row.top() + 1, axis.left - left() - 20, row.height() - 2);
  paint_text(painter, small_, theme_.mutedText, unit, kAtLeft,
             Text::tr("time (%1)").arg(unit_text(axis.unit(narrow() ? kNarrowTicks : kTimeTicks))));
}

}  // namespace iosx
