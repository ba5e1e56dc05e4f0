#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>

#include "views/explore/utilization/why_painter.h"
#include "views/figures/badge.h"
#include "views/figures/paint.h"
#include "views/style/fills.h"
#include "views/text/latency_text.h"
#include "views/text/translate.h"

// What the panel plots, and what it says of a point. The rest is in why_painter.cpp.
namespace iosx {
namespace {

constexpr double kCutMark = 5;  // pixels, of what is cut off
constexpr double kLeastArrow = 30;
constexpr double kLabelRow = 14;

double between(double from, double to, double share) { return from + (to - from) * share; }

}  // namespace

std::vector<WhySegment> why_segments(const WhyRun& run) {
  std::vector<WhySegment> segments;
  Micros at{0};
  const std::vector<Micros> times = run.in_flight.up_to(kMostInFlight);
  for (std::size_t n = 0; n < times.size(); ++n) {
    if (times[n] <= Micros(0)) continue;
    segments.push_back({n, at, times[n]});
    at += times[n];
  }
  return segments;
}

QColor in_flight_color(std::size_t in_flight, const Theme& theme) {
  const double share = (static_cast<double>(std::min(in_flight, kMostInFlight)) - 1) / (kMostInFlight - 1);
  const std::array<double, 3> near = theme.dark ? std::array{50.0, 56.0, 66.0} : std::array{222.0, 226.0, 231.0};
  const std::array<double, 3> far = theme.dark ? std::array{216.0, 221.0, 228.0} : std::array{44.0, 51.0, 61.0};
  const auto channel = [&](std::size_t i) { return static_cast<int>(std::lround(between(near[i], far[i], share))); };
  return {channel(0), channel(1), channel(2)};
}

std::vector<WhyColumn> why_columns(const WhyPanel& panel, const WhyPlot& plot, const TimeAxis& axis) {
  Micros end{0};
  for (const WhyRun& run : panel.runs) end = std::max(end, run.warp.shown(run.in_flight.run()));
  std::vector<double> edges{std::max(axis.left, axis.x(Micros(0)))};
  const double right = std::min(axis.right(), axis.x(end));
  while (edges.back() < right) edges.push_back(std::min(right, std::floor(edges.back()) + 1));
  std::vector<WhyColumn> columns;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    columns.push_back({edges[i], edges[i + 1], std::vector<double>(panel.runs.size(), 0)});
  }
  std::vector<Micros> times(edges.size());
  for (std::size_t run = 0; run < plot.curves.size(); ++run) {
    if (!plot.curves[run]) continue;
    for (std::size_t i = 0; i < edges.size(); ++i) times[i] = panel.runs[run].warp.own(axis.time(edges[i]));
    const std::vector<double> means = plot.curves[run]->steps.means(times);
    for (std::size_t i = 0; i < columns.size() && i < means.size(); ++i) columns[i].values[run] = means[i];
  }
  return columns;
}

QString WhyPainter::tip(const QRectF& area, QPointF at) const {
  const WhyLayout places = layout(area);
  for (std::size_t i = 0; i < places.bars.size(); ++i) {
    if (places.bars[i].contains(at)) return bar_tip(panel_.runs[i], at.x());
  }
  for (std::size_t i = 0; i < places.plots.size(); ++i) {
    if (places.plots[i].contains(at)) return plot_tip(panel_.plots[picture_.first + i], at.x());
  }
  return panel_.ratios.isEmpty() ? panel_.identity : panel_.ratios + QLatin1Char('\n') + panel_.identity;
}

QString WhyPainter::bar_tip(const WhyRun& run, double x) const {
  const TimeAxis axis{picture_.extent, picture_.axis.left, picture_.axis.width};
  const Micros time = axis.time(x);
  QStringList lines;
  for (const WhySegment& segment : why_segments(run)) {
    if (x >= axis.left && (time < segment.begin || time >= segment.begin + segment.length)) continue;
    const QString count = segment.in_flight < kMostInFlight ? QString::number(segment.in_flight)
                                                            : QStringLiteral("%1+").arg(kMostInFlight);
    lines << Text::tr("%1: %2 kernels in flight for %3, %4 of the traced run")
                 .arg(run.track.name(), count, duration_text(segment.length),
                      percent_text(segment.length / run.in_flight.run()));
  }
  return lines.join(QLatin1Char('\n'));
}

QString WhyPainter::plot_tip(const WhyPlot& plot, double x) const {
  QStringList lines{plot.title};
  const Micros time = picture_.axis.time(x);
  for (std::size_t i = 0; i < panel_.runs.size() && x >= picture_.axis.left; ++i) {
    const WhyRun& run = panel_.runs[i];
    const Micros own = run.warp.own(time);
    if (time < Micros(0) || time > end_of(run)) continue;
    const bool work = plot.kind == WhyPlot::Kind::kWorkDone;
    if (work ? !run.work : !plot.curves[i]) continue;
    lines << Text::tr("%1: %2 at %3")
                 .arg(run.track.name(),
                      work ? percent_text(run.work->at(own)) : plot.text_of(plot.curves[i]->steps.at(own)),
                      duration_text(own));
  }
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    if (!plot.curves[i] || plot.curves[i]->error <= 0) continue;
    lines << Text::tr("%1: mean %2, standard error %3")
                 .arg(panel_.runs[i].track.name(), plot.curves[i]->mean_text, plot.text_of(plot.curves[i]->error));
  }
  if (!plot.note.isEmpty()) lines << plot.note;
  if (plot.most() > plot.top) {
    lines << Text::tr("\u25B2 above %1, at most %2").arg(plot.top_text, plot.text_of(plot.most()));
  }
  if (!plot.source.isEmpty()) lines << Text::tr("from %1").arg(plot.source);
  return lines.join(QLatin1Char('\n'));
}

void WhyPainter::curves(QPainter& painter, const QRectF& box, const WhyPlot& plot) const {
  if (plot.curves.empty()) return;
  const TimeAxis& axis = picture_.axis;
  const auto level = [&](double value) { return box.bottom() - box.height() * std::clamp(value / plot.top, 0.0, 1.0); };
  const std::vector<WhyColumn> columns = why_columns(panel_, plot, axis);
  // The baseline is over the schedule, translucent and with a contour, so that both are seen wherever they are.
  for (std::size_t run = plot.curves.size(); run-- > 0;) {
    if (!plot.curves[run]) continue;
    QPolygonF contour;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      // Neighbours of one height are one rectangle.
      std::size_t last = i;
      while (last + 1 < columns.size() && columns[last + 1].values[run] == columns[i].values[run]) ++last;
      const double y = level(columns[i].values[run]);
      const QRectF area(QPointF(columns[i].left, y), QPointF(columns[last].right, box.bottom()));
      if (y < box.bottom()) fill_translucent(painter, area, fill(run));
      contour << area.topLeft() << area.topRight();
      i = last;
    }
    if (panel_.in_focus(run)) continue;
    painter.setPen(QPen(with_alpha(ink(run), 0.7F), 1));
    painter.drawPolyline(contour);
  }
  for (std::size_t run = 0; run < plot.curves.size(); ++run) {
    if (!plot.curves[run]) continue;
    const double left = std::max(axis.left, axis.x(Micros(0)));
    const double right = std::min(axis.right(), axis.x(end_of(panel_.runs[run])));
    const double y = level(plot.curves[run]->mean);
    painter.setPen(QPen(panel_.in_focus(run) ? theme_.accent : theme_.text, 1, Qt::DashLine));
    if (right > left) painter.drawLine(QPointF(left, y), QPointF(right, y));
  }
  // Marks what is beyond the scale: one mark for neighbours.
  double mark = axis.left - 2 * kCutMark;
  for (const WhyColumn& column : columns) {
    if (*std::ranges::max_element(column.values) <= plot.top * 1.0001 || column.left < mark + 2 * kCutMark) continue;
    mark = column.left;
    fill_polygon(painter,
                 {{mark - kCutMark / 2, box.top()}, {mark, box.top() - kCutMark}, {mark + kCutMark / 2, box.top()}},
                 theme_.text);
  }
}

void WhyPainter::ends(QPainter& painter, const QRectF& box) const {
  const TimeAxis& axis = picture_.axis;
  for (std::size_t run = 0; run < panel_.runs.size(); ++run) {
    const double x = axis.x(end_of(panel_.runs[run]));
    if (x < axis.left || x > axis.right()) continue;
    painter.setPen(QPen(panel_.in_focus(run) ? theme_.accent : theme_.text, 1));
    painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()));
  }
}

void WhyPainter::work(QPainter& painter, const QRectF& box) const {
  const TimeAxis& axis = picture_.axis;
  for (std::size_t i = 0; i < panel_.runs.size(); ++i) {
    const WhyRun& run = panel_.runs[i];
    if (!run.work) continue;
    const double left = std::max(axis.left, axis.x(Micros(0)));
    const double right = std::min(axis.right(), axis.x(end_of(run)));
    QPolygonF line;
    for (double x = left; x < right + 1; x += 1) {
      const double at = std::min(x, right);
      line << QPointF(at, box.bottom() - box.height() * run.work->at(run.warp.own(axis.time(at))));
    }
    painter.setPen(QPen(ink(i), 1.8));
    painter.drawPolyline(line);
  }
  head_start(painter, box);
}

void WhyPainter::head_start(QPainter& painter, const QRectF& box) const {
  if (panel_.runs.size() < 2 || !panel_.runs.front().work || !panel_.runs.back().work) return;
  const TimeAxis& axis = picture_.axis;
  const WhyRun& before = panel_.runs.front();
  const WhyRun& now = panel_.runs.back();
  const Micros saved = before.work->reached(0.5) - now.work->reached(0.5);
  const double from = axis.x(before.warp.shown(before.work->reached(0.5)));
  const double to = axis.x(now.warp.shown(now.work->reached(0.5)));
  if (std::abs(from - to) < kLeastArrow || std::min(from, to) < axis.left || std::max(from, to) > axis.right()) return;
  const double y = box.center().y();
  const double tip = from > to ? 5 : -5;
  painter.setPen(QPen(theme_.accent, 1.2));
  painter.drawLine(QPointF(from, y), QPointF(to, y));
  fill_polygon(painter, {{to, y}, {to + tip, y - 3}, {to + tip, y + 3}}, theme_.accent);
  const QString length = duration_text(saved > Micros(0) ? saved : -saved);
  const QString text = saved > Micros(0) ? Text::tr("half the work %1 earlier").arg(length)
                                         : Text::tr("half the work %1 later").arg(length);
  // Below the slower curve, where there is nothing but perhaps the end of the faster run.
  const double width = QFontMetricsF(small_).horizontalAdvance(text);
  const double end = axis.x(end_of(now));
  double beside = std::max(from, to) + 8;
  if (end > beside - 8 && end < beside + width) beside = end + 6;
  if (beside + width > axis.right()) return;
  paint_text(painter, small_, theme_.text, QRectF(beside, y + 2, width + 2, kLabelRow), Qt::AlignLeft | Qt::AlignTop,
             text);
}

}  // namespace iosx
