#include "views/explore/sweep/sweep_figure.h"

#include <qcustomplot.h>

#include <QGuiApplication>
#include <algorithm>
#include <utility>

#include "core/analysis/sweep/report.h"
#include "core/tables/render.h"
#include "views/figures/curve_plot.h"
#include "views/figures/plot_figure.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr QSizeF kFigureSize(860, 460);
constexpr double kHeadroom = 1.12;  // above the largest value
constexpr int kLowPlot = 300;       // pixels: a short title beside the axis
constexpr double kRoom = 0.15;      // of the range of speed-ups, above and below

QString axis_title(const SweepCurves& curves) {
  const SweepParameterRow& row = row_of(curves.sweep.parameter);
  QString title = core_words(row.axis);
  if (row.of_operator && curves.sweep.op.valid()) {
    title = Text::tr("%1 of %2").arg(title, qstring(curves.base.graph->op(curves.sweep.op).name));
  }
  return title;
}

std::optional<Origin> origin_of(const SweepCurves& curves) {
  for (const SweepPoint& point : curves.points) {
    if (!point.latencies.empty()) return point.latencies.front().latency.origin;
  }
  return std::nullopt;
}

class SweepFigure final : public Figure {
 public:
  SweepFigure(SweepCurves curves, SweepMeasure measure) : curves_(std::move(curves)), measure_(measure) {}

  QString title() const override {
    const QString varied = core_words(row_of(curves_.sweep.parameter).title);
    QString title = Text::tr("What if: %1, %2").arg(varied, qstring(curves_.base.graph->name()));
    if (curves_.sweep.parameter != SweepParameter::kDevice) title += " · " + qstring(curves_.base.device);
    if (curves_.sweep.parameter != SweepParameter::kBatch) {
      title += Text::tr(" · batch %1").arg(curves_.base.options.batch);
    }
    if (const auto origin = origin_of(curves_)) title += " · " + origin_text(*origin);
    return title;
  }
  QString fileStem() const override { return "sweep-" + qstring(row_of(curves_.sweep.parameter).id); }
  QSizeF size() const override { return kFigureSize; }
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    paint_plot(painter, area,
               [&](QCustomPlot& plot) { build_sweep(plot, curves_, measure_, theme, QGuiApplication::font()); });
  }
  QString csv() const override {
    return QString::fromStdString(table_csv(sweep_list(curves_.base, curves_.sweep, curves_.points)));
  }

 private:
  SweepCurves curves_;
  SweepMeasure measure_;
};

}  // namespace

const SweepPoint* SweepCurves::find(std::int64_t value) const {
  const auto at = std::ranges::find(points, value, &SweepPoint::value);
  return at == points.end() ? nullptr : &*at;
}

std::optional<double> sweep_value(const SweepPoint& point, const std::string& title, SweepMeasure measure) {
  const auto at = std::ranges::find(point.latencies, title, &SweepLatency::title);
  if (at == point.latencies.end()) return std::nullopt;
  if (measure == SweepMeasure::kLatency) return at->latency.value.count();
  const auto sequential = std::ranges::find(point.latencies, ScheduleKind::kSequential, &SweepLatency::schedule_kind);
  if (sequential == point.latencies.end() || at->latency.value <= Millis(0)) return std::nullopt;
  return sequential->latency.value / at->latency.value;
}

std::vector<std::string> sweep_titles(const std::vector<SweepPoint>& points) {
  std::vector<std::string> titles;
  for (const SweepPoint& point : points) {
    for (const SweepLatency& each : point.latencies) {
      if (std::ranges::count(titles, each.title) == 0) titles.push_back(each.title);
    }
  }
  return titles;
}

QString sweep_value_text(const SweepCurves& curves, std::int64_t value) {
  return core_words(value_text(curves.base, curves.sweep, value));
}

QString sweep_sentence(const SweepCurves& curves, std::int64_t value) {
  const QString what =
      Text::tr("%1: %2").arg(core_words(row_of(curves.sweep.parameter).title), sweep_value_text(curves, value));
  const SweepPoint* point = curves.find(value);
  if (point == nullptr) return what + " …";
  if (point->latencies.empty()) return what + " – " + message_text(point->problem);
  QStringList parts;
  for (const SweepLatency& each : point->latencies) {
    QString part = core_words(each.title) + " " + latency_text(each.latency);
    const auto ratio = sweep_value(*point, each.title, SweepMeasure::kSpeedUp);
    if (ratio && each.schedule_kind != ScheduleKind::kSequential) part += " (" + ratio_text(*ratio) + ")";
    parts.append(part);
  }
  return what + " – " + parts.join(", ");
}

namespace {

// Returns the schedule that is the fastest for the last value that is known.
std::optional<std::size_t> best_curve(const SweepCurves& curves, const std::vector<std::string>& titles) {
  std::optional<std::size_t> best;
  for (const std::int64_t value : curves.values) {
    const SweepPoint* const point = curves.find(value);
    if (point == nullptr || point->latencies.empty()) continue;
    const auto fastest =
        std::ranges::min_element(point->latencies, {}, [](const SweepLatency& each) { return each.latency.value; });
    best = static_cast<std::size_t>(std::ranges::find(titles, fastest->title) - titles.begin());
  }
  return best;
}

}  // namespace

void build_sweep(QCustomPlot& plot, const SweepCurves& curves, SweepMeasure measure, const Theme& theme,
                 const QFont& font) {
  const auto origin = origin_of(curves);
  const bool low = plot.height() < kLowPlot;
  const QString unit = measure == SweepMeasure::kLatency ? (low ? Text::tr("ms") : Text::tr("latency (ms)"))
                       : low                             ? Text::tr("speed-up")
                                                         : Text::tr("speed-up over sequential");
  start_curves(plot, theme, font, axis_title(curves), origin ? unit + ", " + origin_text(*origin) : unit);
  const std::vector<std::string> titles = sweep_titles(curves.points);
  const std::optional<std::size_t> best = best_curve(curves, titles);
  double least = 1e300;
  double most = 0;
  for (std::size_t i = 0; i < titles.size(); ++i) {
    QCPGraph* curve = nullptr;
    for (std::size_t v = 0; v < curves.values.size(); ++v) {
      const SweepPoint* point = curves.find(curves.values[v]);
      const auto y = point == nullptr ? std::nullopt : sweep_value(*point, titles[i], measure);
      if (!y) continue;
      if (curve == nullptr) {
        CurveStyle style{i, best == i, {}};
        if (curves.sweep.parameter == SweepParameter::kDevice) style.line = Qt::NoPen;  // which are in no order
        curve = add_curve(plot, core_words(titles[i]), theme, style);
      }
      curve->addData(static_cast<double>(v), *y);
      least = std::min(least, *y);
      most = std::max(most, *y);
    }
  }
  QStringList names;
  for (const std::int64_t value : curves.values) names.append(sweep_value_text(curves, value));
  name_ticks(*plot.xAxis, names);
  if (most <= 0) {
    set_range(*plot.yAxis, 0, 1);
    plot.legend->setVisible(false);
  } else if (measure == SweepMeasure::kLatency) {
    set_range(*plot.yAxis, 0, most * kHeadroom);
  } else {
    const double room = std::max(most - least, 0.05) * kRoom;
    set_range(*plot.yAxis, least - room, most + room);
  }
}

std::unique_ptr<Figure> make_sweep_figure(SweepCurves curves, SweepMeasure measure) {
  return std::make_unique<SweepFigure>(std::move(curves), measure);
}

}  // namespace iosx
