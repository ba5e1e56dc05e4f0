#include "views/explore/timeline/idle_machine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "views/text/counter_text.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kMostBeyond = 0.1;      // of a run's time that the scale leaves out
constexpr double kAboveMean = 1.25;      // times a mean
constexpr double kLeastFilled = 0.0005;  // less is shown as nothing

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

QString fill_sentence(const QString& name, const QString& baseline, const IdleFill& fill, const QString& unit) {
  const bool percent = unit == QLatin1String("%");
  const double filled = fill.filled();
  if (std::abs(filled) < kLeastFilled) {
    return Text::tr("%1 leaves as much of the device idle as %2").arg(name, baseline);
  }
  if (filled < 0) {
    return Text::tr("%1 leaves more of the device idle than %2: %3 instead of %4")
        .arg(name, baseline, percent_text(1 - fill.schedule), percent_text(1 - fill.baseline));
  }
  return percent ? Text::tr("%1 fills %2 of the idle capacity of %3").arg(name, percent_text(filled), baseline)
                 : Text::tr("%1 fills %2 of the %4 that %3 leaves idle")
                       .arg(name, percent_text(filled), baseline, core_words(unit));
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
  machine.sentence =
      unit == QLatin1String("%")
          ? Text::tr("%1 leaves %2 of the device idle").arg(own.name(), percent_text(1 - machine.schedule.mean))
          : Text::tr("%1 leaves %2 of the %3 idle")
                .arg(own.name(), percent_text(1 - machine.schedule.mean), core_words(unit));
  if (baseline && baseline != schedule) {
    const TimelineTrack& other = tracks[*baseline];
    machine.fill = idle_fill(other.schedule().trace, own.schedule().trace);
    if (machine.fill) {
      machine.baseline = area_of(other, *baseline, *occupancy(other.schedule().trace));
      shares.push_back(&machine.baseline->share);
      machine.sentence = fill_sentence(own.name(), other.name(), *machine.fill, unit);
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

}  // namespace iosx
