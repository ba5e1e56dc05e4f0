#include "views/explore/utilization/why_panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/compare/profile.h"
#include "core/analysis/compare/why.h"
#include "views/text/counter_text.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kMostBeyond = 0.1;  // of a run's time that the scale leaves out
constexpr double kAboveMean = 1.25;  // times a mean
constexpr double kAboveAll = 1.1;    // times the largest value, without a known maximum
constexpr double kWhole = 100;       // numbers from here on have no decimals
constexpr double kSame = 0.005;      // ratios this close to 1 are shown as 1.00

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

// With three digits where two decimals would be too few, so that the quotient of what is shown comes out.
QString number(double value) { return value < 0.1 ? QString::number(value, 'g', 3) : QString::number(value, 'f', 2); }

// Returns a number of a quantity without a known maximum, such as MHz.
QString amount(double value) { return value < kWhole ? number(value) : count_text(value); }

WhyPlot in_flight_plot(const std::vector<WhyRun>& runs) {
  WhyPlot plot{.kind = WhyPlot::Kind::kInFlight,
               .column = QStringLiteral("kernels_in_flight"),
               .title = Text::tr("Kernels in flight"),
               .note = Text::tr("area = kernel time")};
  for (const WhyRun& run : runs) {
    InFlightSteps steps = in_flight_steps(run.track.schedule().trace);
    plot.top = std::max(plot.top, *std::ranges::max_element(steps.counts));
    const double mean = run.in_flight.mean();
    StepSeries series(std::move(steps.times), std::move(steps.counts), steps.end);
    plot.curves.push_back(WhyCurve{.steps = std::move(series), .mean = mean, .mean_text = number(mean)});
  }
  plot.top_text = QString::number(plot.top);
  return plot;
}

// Returns the values as shares of the device's maximum, or as they are where that is unknown.
WhyCurve curve_of(const Counter& counter, Micros end) {
  std::vector<double> values = counter.values;
  values.resize(std::min(values.size(), counter.times.size()));
  if (counter.peak > 0) {
    for (double& value : values) value = std::clamp(value / counter.peak, 0.0, 1.0);
  }
  WhyCurve curve{StepSeries(counter.times, std::move(values), end)};
  curve.mean = curve.steps.area(Micros(0), end) / end.count();
  curve.error = counter.peak > 0 ? counter.error / counter.peak : counter.error;
  curve.mean_text = counter.peak > 0 ? percent_text(curve.mean) : amount(curve.mean);
  return curve;
}

QString note_of(const Counter& counter) {
  if (counter.unit == "cores") return Text::tr("no warps here; % of %1").arg(quantity_text(counter.peak, counter.peak));
  if (counter.peak <= 0) return core_words(counter.unit);
  return counter.unit == "%" ? QString() : Text::tr("% of %1").arg(quantity_text(counter.peak, counter.peak));
}

WhyPlot counter_plot(const std::vector<WhyRun>& runs, const Counter& counter) {
  WhyPlot plot{.column = counter_column(text_of(counter.name)) + QLatin1String(counter.peak > 0 ? "_share" : ""),
               .title = counter_title(core_words(counter.name)),
               .note = note_of(counter),
               .source = text_of(counter.source)};
  std::vector<const StepSeries*> shares;
  for (const WhyRun& run : runs) {
    const Trace& trace = run.track.schedule().trace;
    const Counter* own = find_counter(trace, counter.name);
    const bool known = own != nullptr && same_quantity(*own, counter) && trace.duration > Micros(0);
    plot.curves.push_back(known ? std::optional(curve_of(*own, trace.duration)) : std::nullopt);
  }
  for (const auto& curve : plot.curves) {
    if (curve) shares.push_back(&curve->steps);
  }
  if (counter.peak > 0) {
    plot.top = useful_top(shares);
    plot.top_text = percent_text(plot.top);
  } else {
    plot.top = std::max(plot.most() * kAboveAll, 1e-9);
    plot.top_text = amount(plot.top);
  }
  return plot;
}

// Active warps come first, then the others in the order of the device.
std::vector<const Counter*> counters_of(const std::vector<WhyRun>& runs) {
  std::vector<const Counter*> counters;
  const auto offer = [&](const Counter* counter) {
    const auto known = [&](const Counter* other) { return other->name == counter->name; };
    if (counter == nullptr || counter->times.empty() || std::ranges::any_of(counters, known)) return;
    if (counter->unit != "kernels") counters.push_back(counter);  // those in flight have a plot on every device
  };
  const Trace& own = runs.back().track.schedule().trace;
  if (const Counter* warps = occupancy(own)) offer(warps);
  for (const Counter& counter : own.counters) offer(&counter);
  for (const Counter& counter : runs.front().track.schedule().trace.counters) offer(&counter);
  return counters;
}

std::optional<WhyRun> run_of(const WarpedTrack& placed) {
  auto in_flight = kernels_in_flight(placed.track.schedule().trace);
  if (!in_flight) return std::nullopt;
  return WhyRun{placed.track, placed.warp, *std::move(in_flight), {}};
}

// Only these runs have to be told apart here, not all that are open.
void name_runs(std::vector<WhyRun>& runs) {
  std::vector<TimelineTrack> tracks;
  for (const WhyRun& run : runs) tracks.push_back(run.track);
  tell_apart(tracks);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].track = std::move(tracks[i]);
}

void add_work(std::vector<WhyRun>& runs) {
  const TimelineTrack& baseline = runs.front().track;
  for (WhyRun& run : runs) {
    const auto& from = run.track.comparison->graph;
    const auto& to = baseline.comparison->graph;
    const bool other = from != to && from && to;
    run.work = work_done(baseline.schedule(), run.track.schedule(),
                         other ? matching_units(*from, *to) : std::vector<std::optional<UnitId>>());
  }
}

// Returns "3.46 ms ÷ 0.90 = 3.84 ms".
QString identity_of(const WhyRun& run) {
  return QStringLiteral("%1 %2 \u00F7 %3 = %4")
      .arg(run.track.name(), duration_text(run.in_flight.kernel_time()), number(run.in_flight.mean()),
           duration_text(run.in_flight.run()));
}

QString title_of(const std::optional<Why>& because) {
  if (!because) return Text::tr("Kernels in flight");
  if (std::abs(because->speedup() - 1) < kSame) return Text::tr("Why it is as fast");
  return because->speedup() < 1 ? Text::tr("Why it is slower") : Text::tr("Why it is faster");
}

}  // namespace

double WhyPlot::most() const {
  double most = 0;
  for (const auto& curve : curves) most = curve ? std::max(most, curve->steps.most()) : most;
  return most;
}

QString WhyPlot::text_of(double value) const {
  if (kind == Kind::kInFlight) return QString::number(value);
  return top_text.endsWith(QLatin1Char('%')) ? percent_text(value) : amount(value);
}

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

std::shared_ptr<const WhyPanel> why_panel(const std::optional<WarpedTrack>& baseline, const WarpedTrack& schedule) {
  auto own = run_of(schedule);
  if (!own) return nullptr;
  auto panel = std::make_shared<WhyPanel>();
  panel->origin = schedule.track.schedule().latency.origin;
  std::optional<Why> because;
  if (baseline && baseline->track != schedule.track) {
    if (auto other = run_of(*baseline)) panel->runs.push_back(*std::move(other));
    const Comparison& own_runs = *schedule.track.comparison;
    const Comparison& others = *baseline->track.comparison;
    // Runs of different batches do different work.
    const bool comparable = own_runs.knows_latencies() && others.knows_latencies() && own_runs.batch == others.batch;
    if (comparable) because = why(baseline->track.schedule().trace, schedule.track.schedule().trace);
  }
  panel->runs.push_back(*std::move(own));
  name_runs(panel->runs);
  add_work(panel->runs);
  panel->title = title_of(because);
  if (because) {
    panel->ratios =
        Text::tr("%1 in the traced run: %2").arg(ratio_text(because->speedup()), message_text(why_text(*because)));
  }
  QStringList identities;
  for (const WhyRun& run : panel->runs) {
    identities << identity_of(run);
    panel->end = std::max(panel->end, run.in_flight.run());
  }
  panel->identity = Text::tr("%1 (kernel time \u00F7 mean kernels in flight = traced run)")
                        .arg(identities.join(QStringLiteral(", ")));
  panel->plots.push_back(in_flight_plot(panel->runs));
  panel->plots.push_back({.kind = WhyPlot::Kind::kWorkDone,
                          .column = QStringLiteral("share_of_work_done"),
                          .title = Text::tr("Work done"),
                          .note = panel->runs.size() > 1
                                      ? Text::tr("weight: time in %1").arg(panel->runs.front().track.name())
                                      : Text::tr("weight: kernel time"),
                          .top_text = percent_text(1)});
  for (const Counter* counter : counters_of(panel->runs)) panel->plots.push_back(counter_plot(panel->runs, *counter));
  return panel;
}

}  // namespace iosx
