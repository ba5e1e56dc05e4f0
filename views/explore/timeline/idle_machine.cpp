#include "views/explore/timeline/idle_machine.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/compare/why.h"
#include "views/explore/timeline/legend.h"
#include "views/figures/paint.h"
#include "views/style/fills.h"
#include "views/text/counter_text.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kMostBeyond = 0.1;  // of a run's time that the scale leaves out
constexpr double kAboveMean = 1.25;  // times a mean

IdleArea area_of(const TimelineTrack& track, std::size_t index, const Counter& counter) {
  const Trace& trace = track.schedule().trace;
  std::vector<double> shares;
  shares.reserve(counter.values.size());
  for (const double value : counter.values) shares.push_back(std::clamp(value / counter.peak, 0.0, 1.0));
  IdleArea area{index, StepSeries(counter.times, std::move(shares), trace.duration), 0};
  area.mean = area.share.area(Micros(0), trace.duration) / trace.duration.count();
  return area;
}

// Returns the least share that the run is not above for more than so much of its time.
double usual_most(const StepSeries& share) {
  std::vector<std::pair<double, double>> lasting;  // share, µs
  for (std::size_t i = 0; i < share.size(); ++i) {
    const Micros end = i + 1 < share.size() ? share.times()[i + 1] : share.end();
    lasting.emplace_back(share.values()[i], (end - share.times()[i]).count());
  }
  std::ranges::sort(lasting, std::greater<>());
  double beyond = kMostBeyond * share.end().count();
  for (const auto& [value, time] : lasting) {
    beyond -= time;
    if (beyond < 0) return value;
  }
  return 0;
}

// Returns the quantity of the scale; on a device without warps also that fact.
QString counted_text(const Counter& counter) {
  const QString quantity = core_words(counter.name);
  const QString of = counter.unit == "%"
                         ? Text::tr("%1, %").arg(quantity)
                         : Text::tr("%1, % of %2").arg(quantity, quantity_text(counter.peak, counter.peak));
  return counter.unit == "cores" ? Text::tr("no warps here: %1").arg(of) : of;
}

}  // namespace

double useful_top(const std::vector<const StepSeries*>& shares) {
  double least = 0;
  for (const StepSeries* share : shares) {
    const double mean = share->mean(Micros(0), share->end());
    least = std::max({least, usual_most(*share), mean * kAboveMean});
  }
  for (const double step : {0.01, 0.02, 0.05, 0.1, 0.2, 0.5}) {
    if (least <= step) return step;
  }
  return 1;
}

std::optional<IdleMachine> idle_machine(const std::vector<TimelineTrack>& tracks, std::optional<std::size_t> baseline,
                                        std::optional<std::size_t> schedule) {
  if (!schedule) return std::nullopt;
  const TimelineTrack& own = tracks[*schedule];
  const Counter* counter = occupancy(own.schedule().trace);
  if (counter == nullptr || own.schedule().trace.duration <= Micros(0)) return std::nullopt;
  IdleMachine machine;
  machine.schedule = area_of(own, *schedule, *counter);
  std::vector<const StepSeries*> shares{&machine.schedule.share};
  const QString unit = text_of(counter->unit);
  machine.title = Text::tr("Use of the device");
  machine.sentence =
      unit == QLatin1String("%")
          ? Text::tr("%1 leaves %2 of the device idle").arg(own.name(), percent_text(1 - machine.schedule.mean))
          : Text::tr("%1 leaves %2 of the %3 idle")
                .arg(own.name(), percent_text(1 - machine.schedule.mean), core_words(unit));
  if (baseline && baseline != schedule) {
    const TimelineTrack& other = tracks[*baseline];
    const Counter* counted = occupancy(other.schedule().trace);
    if (counted != nullptr && counted->name == counter->name && other.schedule().trace.duration > Micros(0)) {
      machine.baseline = area_of(other, *baseline, *counted);
      shares.push_back(&machine.baseline->share);
    }
    const bool known = own.comparison->knows_latencies() && other.comparison->knows_latencies();
    if (const auto because = known ? why(other.schedule().trace, own.schedule().trace) : std::nullopt) {
      machine.title = because->speedup() < 1 ? Text::tr("Why it is slower") : Text::tr("Why it is faster");
      machine.sentence = message_text(why_text(*because));
    }
  }
  machine.top = useful_top(shares);
  for (const StepSeries* share : shares) machine.most = std::max(machine.most, share->most());
  machine.quantity = core_words(counter->name);
  machine.caption = counted_text(*counter);
  machine.source = text_of(counter->source);
  machine.origin = own.schedule().latency.origin;
  return machine;
}

std::vector<IdleColumn> idle_columns(const IdleMachine& machine, const TimelineScene& scene, const TimeAxis& axis) {
  std::vector<IdleColumn> columns;
  const auto end_of = [&](const IdleArea& area) { return scene.band_of(area.track)->index->end(); };
  Micros end = end_of(machine.schedule);
  if (machine.baseline) end = std::max(end, end_of(*machine.baseline));
  const double right = std::min(axis.right(), axis.x(end));
  std::vector<double> edges{std::max(axis.left, axis.x(Micros(0)))};
  while (edges.back() < right) edges.push_back(std::min(right, std::floor(edges.back()) + 1));
  const auto means = [&](const IdleArea& area) {
    const TimeWarp& warp = scene.band_of(area.track)->index->warp();
    std::vector<Micros> times;
    times.reserve(edges.size());
    for (const double x : edges) times.push_back(warp.own(axis.time(x)));
    return area.share.means(times);
  };
  const std::vector<double> schedule = means(machine.schedule);
  const std::vector<double> baseline = machine.baseline ? means(*machine.baseline) : std::vector<double>();
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    columns.push_back({edges[i], edges[i + 1], schedule[i], i < baseline.size() ? baseline[i] : 0});
  }
  return columns;
}

namespace {

constexpr double kSentenceRow = 19;
constexpr double kTextRow = 16;
constexpr double kIdleSwatch = 10;
constexpr double kScaleRoom = 54;  // of the scale's numbers, left of the axis
constexpr double kMark = 5;        // pixels, of what is cut off

class IdlePanel {
 public:
  IdlePanel(QPainter& painter, const QRectF& area, const IdleMachine& machine, const TimelineScene& scene,
            const TimeAxis& axis, const Theme& theme, const QFont& font)
      : painter_(painter),
        area_(area),
        machine_(machine),
        scene_(scene),
        axis_(axis),
        theme_(theme),
        small_(font),
        bold_(font),
        plot_(axis.left, area.top() + kSentenceRow, axis.width, area.height() - kSentenceRow - 3) {
    small_.setPixelSize(11);
    bold_.setPixelSize(13);
    bold_.setBold(true);
    color_ = theme.accent;
  }

  void head(bool open, bool controls) {
    painter_.fillRect(QRectF(0, area_.top(), axis_.left - 1, area_.height()), theme_.panel);
    painter_.setPen(QPen(theme_.outline, 1));
    painter_.drawLine(QPointF(0, area_.top() + 0.5), QPointF(axis_.right(), area_.top() + 0.5));
    const QRectF row(0, area_.top() + 1, axis_.left - 9, kSentenceRow);
    if (controls) paint_fold_arrow(painter_, {12, row.center().y()}, open, theme_.mutedText);
    const double x = controls ? 26 : 12;
    painter_.setFont(bold_);
    painter_.setPen(theme_.text);
    painter_.drawText(row.adjusted(x, 0, 0, 0), kAtLeft, machine_.title);
    // Narrow figures have it only beside the schedule.
    const double badge = row.right() - badge_width(machine_.origin, small_);
    if (x + QFontMetricsF(bold_).horizontalAdvance(machine_.title) < badge) {
      paint_badge(painter_, {badge, row.top() + 1}, machine_.origin, theme_, small_);
    }
    sentence();
  }

  // The cut value is at the right, where there is room for it.
  void sentence() {
    const QRectF row(axis_.left + 6, area_.top() + 1, axis_.width - 6, kSentenceRow);
    painter_.setFont(small_);
    const QFontMetricsF metrics(small_);
    double room = row.width();
    const QString cut =
        machine_.most > machine_.top
            ? Text::tr("\u25B2 above %1, at most %2").arg(percent_text(machine_.top), percent_text(machine_.most))
            : QString();
    const double own = metrics.horizontalAdvance(machine_.sentence);
    if (!cut.isEmpty() && own + 24 + metrics.horizontalAdvance(cut) < room) {
      paint_text(painter_, theme_.mutedText, row, kAtRight, cut);
    }
    paint_text(painter_, theme_.text, row, kAtLeft, metrics.elidedText(machine_.sentence, Qt::ElideRight, room));
  }

  void legend(double left) {
    painter_.setFont(small_);
    const QFontMetricsF metrics(small_);
    const double width = axis_.left - kScaleRoom - left;
    double y = plot_.top() + 2;
    const auto fits = [&] { return y + kTextRow <= area_.bottom(); };
    const auto next_row = [&](double from) {
      const QRectF row(left + from, y, width - from, kTextRow);
      y += kTextRow;
      return row;
    };
    const auto run = [&](const IdleArea& area, const QColor& color) {
      if (!fits()) return;
      painter_.fillRect(QRectF(left, y + 3, kIdleSwatch, kIdleSwatch), color);
      painter_.setPen(theme_.text);
      constexpr double kIndent = kIdleSwatch + 6;
      QRectF row = next_row(kIndent);
      const QString name = scene_.tracks()[area.track].name();
      painter_.drawText(row, kAtLeft, metrics.elidedText(name, Qt::ElideRight, std::max(row.width(), 0.0)));
      const QString mean = Text::tr("mean %1").arg(percent_text(area.mean));
      const double both = metrics.horizontalAdvance(name) + 6 + metrics.horizontalAdvance(mean);
      if (both <= row.width()) {
        painter_.drawText(row, kAtRight, mean);
      } else if (fits()) {
        painter_.drawText(next_row(kIndent), kAtLeft, mean);  // narrow figures
      }
    };
    run(machine_.schedule, color_);
    if (machine_.baseline) run(*machine_.baseline, with_alpha(theme_.mutedText, 0.45F));
    if (!fits()) return;
    painter_.setPen(theme_.mutedText);
    constexpr int kWrapped = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;
    const QRectF rest(left, y, width, area_.bottom() - y);
    if (metrics.boundingRect(rest, kWrapped, machine_.caption).height() <= rest.height()) {
      painter_.drawText(rest, kWrapped, machine_.caption);
    } else {
      painter_.drawText(next_row(0), kAtLeft,
                        metrics.elidedText(machine_.caption, Qt::ElideRight, std::max(width, 0.0)));
    }
  }

  void plot() {
    painter_.setFont(small_);
    painter_.setPen(theme_.mutedText);
    const QRectF scale(axis_.left - kScaleRoom, plot_.top(), kScaleRoom - 9, kTextRow);
    painter_.drawText(scale, Qt::AlignRight | Qt::AlignTop, percent_text(machine_.top));
    painter_.drawText(scale.translated(0, plot_.height() - kTextRow), Qt::AlignRight | Qt::AlignBottom,
                      QStringLiteral("0"));
    const bool smooth = painter_.renderHints().testFlag(QPainter::Antialiasing);
    painter_.setRenderHint(QPainter::Antialiasing, false);  // all of these are level or upright
    painter_.setPen(theme_.gridLine);
    painter_.drawLine(plot_.topLeft(), plot_.topRight());
    const std::vector<IdleColumn> columns = idle_columns(machine_, scene_, axis_);
    for (const IdleColumn& column : columns) this->column(column);
    mean_line(machine_.schedule, color_);
    if (machine_.baseline) mean_line(*machine_.baseline, theme_.text);
    painter_.setPen(theme_.outline);
    painter_.drawLine(plot_.bottomLeft(), plot_.bottomRight());
    painter_.setRenderHint(QPainter::Antialiasing, smooth);
    marks(columns);
  }

 private:
  double y(double share) const { return plot_.bottom() - plot_.height() * std::clamp(share / machine_.top, 0.0, 1.0); }

  void column(const IdleColumn& column) {
    const auto fill = [&](double from, double to, const QColor& color) {
      if (to > from) {
        fill_translucent(painter_, QRectF(QPointF(column.left, y(to)), QPointF(column.right, y(from))), color);
      }
    };
    // The use of both is dark grey, the baseline's alone pale, the schedule's gain in its colour.
    fill(0, column.baseline, with_alpha(theme_.mutedText, 0.45F));
    fill(0, std::min(column.schedule, column.baseline), with_alpha(theme_.mutedText, 0.35F));
    fill(column.baseline, column.schedule, with_alpha(color_, 0.75F));
  }

  void mean_line(const IdleArea& area, const QColor& color) {
    const Micros end = scene_.band_of(area.track)->index->end();
    const double right = std::min(axis_.right(), axis_.x(end));
    const double left = std::max(axis_.left, axis_.x(Micros(0)));
    if (right <= left) return;
    painter_.setPen(QPen(color, 1, Qt::DashLine));
    painter_.drawLine(QPointF(left, y(area.mean)), QPointF(right, y(area.mean)));
  }

  // Marks what is beyond the scale: one mark for neighbours.
  void marks(const std::vector<IdleColumn>& columns) {
    double last = axis_.left - 2 * kMark;
    for (const IdleColumn& column : columns) {
      if (std::max(column.schedule, column.baseline) <= machine_.top || column.left < last + 2 * kMark) continue;
      last = column.left;
      fill_polygon(painter_,
                   {{last - kMark / 2, plot_.top()}, {last, plot_.top() - kMark}, {last + kMark / 2, plot_.top()}},
                   theme_.text);
    }
  }

  QPainter& painter_;
  QRectF area_;
  const IdleMachine& machine_;
  const TimelineScene& scene_;
  const TimeAxis& axis_;
  const Theme& theme_;
  QFont small_;
  QFont bold_;
  QRectF plot_;
  QColor color_;
};

}  // namespace

void paint_idle_machine(QPainter& painter, const QRectF& area, const IdleMachine& machine, const TimelineScene& scene,
                        const TimeAxis& axis, const Theme& theme, const QFont& font, bool open, bool controls) {
  painter.fillRect(area, theme.canvas);
  IdlePanel panel(painter, area, machine, scene, axis, theme, font);
  panel.head(open, controls);
  if (!open) return;
  panel.legend(controls ? 26 : 12);
  panel.plot();
}

}  // namespace iosx
