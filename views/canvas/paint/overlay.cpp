#include "views/canvas/paint/overlay.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/check.h"
#include "core/model/graph/work.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx::canvas {
namespace {

constexpr double kFlopsPerByte = 16;

double weight(const Graph& graph, const Step& step) {
  double sum = 0;
  for (const UnitId unit : step.units) {
    const Work own = work(graph, unit, 1);
    sum += own.flops / kFlopsPerByte + static_cast<double>(own.bytes());
  }
  return sum;
}

double weight(const Graph& graph, const Group& group) {
  double sum = 0;
  for (const Step& step : group.steps) sum += weight(graph, step);
  return sum;
}

}  // namespace

std::size_t UnitCosts::count(Source source) const {
  return static_cast<std::size_t>(std::count(sources.begin(), sources.end(), source));
}

UnitCosts unit_costs(const Graph& graph, const Schedule& schedule, std::span<const Latency> stages) {
  IOS_CHECK(stages.size() == schedule.stages.size());
  const std::size_t units = graph.units().size();
  UnitCosts costs{std::vector<Millis>(units, Millis(0)), std::vector(units, UnitCosts::Source::kUnknown)};
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const Stage& stage = schedule.stages[s];
    double slowest = 0;
    for (const Group& group : stage.groups) slowest = std::max(slowest, weight(graph, group));
    const bool single = stage.units().size() == 1;
    for (const Group& group : stage.groups) {
      for (const Step& step : group.steps) {
        const double share =
            slowest > 0 ? weight(graph, step) / slowest : 1.0 / static_cast<double>(group.steps.size());
        for (const UnitId unit : step.units) {
          costs.values[unit.index()] = single ? stages[s].value : stages[s].value * share;
          costs.sources[unit.index()] = single ? UnitCosts::Source::kAlone : UnitCosts::Source::kShare;
        }
      }
    }
  }
  return costs;
}

CriticalPath critical_path(const Graph& graph, std::span<const Millis> costs) {
  const std::size_t units = graph.units().size();
  IOS_CHECK(costs.size() == units);
  CriticalPath path;
  if (units == 0) return path;
  std::vector<Millis> until(units, Millis(0));  // the end of the longest chain to the unit, itself included
  std::vector<Millis> after(units, Millis(0));  // the longest chain of what must follow it
  std::vector<std::optional<UnitId>> before(units);
  for (std::size_t u = 0; u < units; ++u) {  // topological order
    Millis start(0);
    for (const UnitId from : graph.predecessors(UnitId(u))) {
      if (before[u] && until[from.index()] <= start) continue;
      start = until[from.index()];
      before[u] = from;
    }
    until[u] = start + costs[u];
  }
  for (std::size_t u = units; u-- > 0;) {
    for (const UnitId to : graph.successors(UnitId(u))) {
      after[u] = std::max(after[u], after[to.index()] + costs[to.index()]);
    }
  }
  const auto last = std::max_element(until.begin(), until.end());
  path.length = *last;
  for (std::size_t u = 0; u < units; ++u) path.slack.push_back(std::max(Millis(0), path.length - until[u] - after[u]));
  for (std::optional<UnitId> unit = UnitId(static_cast<std::size_t>(last - until.begin())); unit;
       unit = before[unit->index()]) {
    path.units.push_back(*unit);
  }
  std::reverse(path.units.begin(), path.units.end());
  return path;
}

namespace {

QString millis_text(double ms) { return Text::tr("%1 ms").arg(ms, 0, 'f', 3); }

QString scaled(double value, const QString& unit) {
  if (value >= 1e9) return Text::tr("%1 G%2").arg(value / 1e9, 0, 'f', 2).arg(unit);
  if (value >= 1e6) return Text::tr("%1 M%2").arg(value / 1e6, 0, 'f', 1).arg(unit);
  return Text::tr("%1 k%2").arg(value / 1e3, 0, 'f', 1).arg(unit);
}

}  // namespace

QColor mixed(const QColor& a, const QColor& b, double share) {
  const auto channel = [share](int from, int to) { return static_cast<int>(std::lround(from + (to - from) * share)); };
  return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue())};
}

QString overlay_name(Overlay overlay) {
  switch (overlay) {
    case Overlay::kNone: return Text::tr("operator kind");
    case Overlay::kFlops: return Text::tr("FLOPs");
    case Overlay::kLatency: return Text::tr("stage latency");
    case Overlay::kBytes: return Text::tr("bytes");
    case Overlay::kIntensity: return Text::tr("arithmetic intensity");
    case Overlay::kSlack: return Text::tr("slack");
    case Overlay::kCriticalPath: return Text::tr("critical path");
    case Overlay::kDelta: return Text::tr("Δ to the baseline");
    case Overlay::kColumn: return Text::tr("my column");
  }
  return {};
}

QString overlay_meaning(Overlay overlay) {
  switch (overlay) {
    case Overlay::kNone: return Text::tr("Colour the units by operator kind");
    case Overlay::kFlops: return Text::tr("Colour the units by FLOPs");
    case Overlay::kLatency: return Text::tr("Colour the units by the latency of their stage");
    case Overlay::kBytes: return Text::tr("Colour the units by bytes read and written");
    case Overlay::kIntensity:
      return Text::tr("Colour the units by FLOPs per byte: low is limited by memory, high by arithmetic");
    case Overlay::kSlack:
      return Text::tr("Colour the units by slack: the delay of a unit that does not delay the network");
    case Overlay::kCriticalPath: return Text::tr("Show the longest chain of units that must run one after another");
    case Overlay::kDelta: return Text::tr("Colour the units by the time that they gain or lose against the baseline");
    case Overlay::kColumn: return Text::tr("Colour the units by a column of your table");
  }
  return {};
}

OverlayScale::OverlayScale(const Model& model, Overlay overlay, const Deltas& deltas, const UnitColumn* column)
    : overlay_(overlay), low_counts_(overlay == Overlay::kSlack) {  // no slack at all is what counts
  values_.resize(model.labels.size());
  if (values_.empty()) return;
  switch (overlay) {
    case Overlay::kNone: break;
    case Overlay::kFlops:
    case Overlay::kBytes:
    case Overlay::kIntensity: showWork(model); break;
    case Overlay::kLatency: showLatency(model); break;
    case Overlay::kSlack:
    case Overlay::kCriticalPath: showPath(model); break;
    case Overlay::kDelta: showDeltas(model, deltas); break;
    case Overlay::kColumn:
      if (column != nullptr && column->values.size() == values_.size()) {
        showColumn(*column);
      } else {
        title_ = Text::tr("my column: no table is open");
      }
      break;
  }
}

void OverlayScale::showWork(const Model& model) {
  title_ = overlay_ == Overlay::kFlops   ? Text::tr("work of the unit, one sample")
           : overlay_ == Overlay::kBytes ? Text::tr("bytes read and written, one sample")
                                         : Text::tr("arithmetic intensity, one sample");
  for (std::size_t u = 0; u < values_.size(); ++u) {
    const UnitLabel& label = model.labels[u];
    if (overlay_ == Overlay::kFlops && label.flops > 0) values_[u] = *label.flops;
    if (overlay_ == Overlay::kBytes && label.bytes > 0) values_[u] = *label.bytes;
    if (overlay_ == Overlay::kIntensity && label.bytes > 0 && label.flops > 0) values_[u] = *label.flops / *label.bytes;
  }
  showMagnitudes();
}

void OverlayScale::showMagnitudes() {
  spacing_ = Spacing::kLogarithmic;
  notes_.append(Text::tr("logarithmic scale"));
  measureRange(false);
}

void OverlayScale::showLatency(const Model& model) {
  if (model.latencies.empty()) {
    title_ = Text::tr("stage latency: not known yet");
    return;
  }
  title_ = Text::tr("latency of its stage, %1").arg(origin_text(model.latencies.front().origin));
  for (std::size_t u = 0; u < values_.size(); ++u) {
    if (!model.places[u].stage) continue;
    const double ms = model.latencies[*model.places[u].stage].value.count();
    if (ms > 0) values_[u] = ms;
  }
  showMagnitudes();
}

void OverlayScale::showPath(const Model& model) {
  const auto unknown = [](const Latency& latency) { return latency.value <= Millis(0); };
  if (model.latencies.empty() || !model.schedule || std::ranges::any_of(model.latencies, unknown)) {
    title_ = Text::tr("%1: needs a schedule with latencies").arg(overlay_name(overlay_));
    return;
  }
  const UnitCosts costs = unit_costs(*model.graph, *model.schedule, model.latencies);
  const CriticalPath path = critical_path(*model.graph, costs.values);
  Millis scheduled(0);
  for (const Latency& latency : model.latencies) scheduled += latency.value;
  const QString origin = origin_text(model.latencies.front().origin);
  const std::size_t known = costs.count(UnitCosts::Source::kAlone);
  const std::size_t shared = costs.count(UnitCosts::Source::kShare);
  next_.resize(values_.size());
  if (overlay_ == Overlay::kSlack) {
    title_ = Text::tr("slack until the network takes longer");
    for (std::size_t u = 0; u < values_.size(); ++u) values_[u] = path.slack[u].count();
  } else {
    title_ = Text::tr("latency of units on the critical path");
    for (const UnitId unit : path.units) values_[unit.index()] = costs.values[unit.index()].count();
  }
  for (std::size_t i = 0; i + 1 < path.units.size(); ++i) next_[path.units[i].index()] = path.units[i + 1];
  notes_.append(Text::tr("longest chain: %1 units, %2; the stages take %3")
                    .arg(path.units.size())
                    .arg(millis_text(path.length.count()), millis_text(scheduled.count())));
  notes_.append(
      Text::tr("costs, %1: %2 units alone, %3 by their share of the stage").arg(origin).arg(known).arg(shared));
  measureRange(true);
}

void OverlayScale::showDeltas(const Model& model, const Deltas& deltas) {
  spacing_ = Spacing::kAroundZero;
  in_noise_.resize(values_.size(), false);
  bool noise = false;
  for (std::size_t u = 0; u < values_.size(); ++u) {
    const auto at = deltas.of_stages ? model.places[u].stage : std::optional(u);
    if (!at || *at >= deltas.values.size() || !deltas.values[*at]) continue;
    const Delta& delta = *deltas.values[*at];
    values_[u] = delta.value.count();
    in_noise_[u] = std::abs(delta.value.count()) <= delta.noise.count();
    noise = noise || in_noise_[u];
    high_ = std::max(high_, std::abs(delta.value.count()));
    active_ = true;
  }
  low_ = -high_;
  if (!active_) {
    title_ = Text::tr("Δ to the baseline: choose a baseline with latencies");
    return;
  }
  title_ = deltas.of_stages ? Text::tr("Δ of its stage to %1").arg(deltas.baseline)
                            : Text::tr("Δ of the unit to %1").arg(deltas.baseline);
  notes_.append(Text::tr("left: faster than the baseline; right: slower"));
  if (noise) notes_.append(Text::tr("grey: within the noise"));
}

void OverlayScale::showColumn(const UnitColumn& column) {
  constexpr double kOrders = 100;  // times as large, from where on values are told apart by their magnitude
  constexpr qsizetype kMostLetters = 60;
  title_ = shown_name(column.title);
  if (title_.size() > kMostLetters) title_ = title_.left(kMostLetters) + QChar(0x2026);
  values_ = column.values;
  const auto known = std::ranges::count_if(values_, [](const auto& value) { return value.has_value(); });
  measureRange(true);
  if (!active_) {
    title_ = Text::tr("%1: no unit has a value").arg(title_);
    return;
  }
  if (low_ < 0 && high_ > 0) {
    spacing_ = Spacing::kAroundZero;
    notes_.append(Text::tr("from %1 to %2, 0 in the middle").arg(format(low_), format(high_)));
    high_ = std::max(-low_, high_);
    low_ = -high_;
  } else if (low_ > 0 && high_ >= kOrders * low_) {
    spacing_ = Spacing::kLogarithmic;
    notes_.append(Text::tr("logarithmic scale"));
  }
  low_counts_ = high_ <= 0 && low_ < 0;
  notes_.append(column.join == ColumnJoin::kSum ? Text::tr("of several operators: their sum")
                                                : Text::tr("of several operators: the value farthest from 0"));
  if (known < static_cast<std::ptrdiff_t>(values_.size())) {
    notes_.append(Text::tr("hatched: %1 of %2 units have no value")
                      .arg(values_.size() - static_cast<std::size_t>(known))
                      .arg(values_.size()));
  }
}

void OverlayScale::measureRange(bool all_count) {
  for (const auto& value : values_) {
    if (!value || (*value <= 0 && !all_count)) continue;
    low_ = active_ ? std::min(low_, *value) : *value;
    high_ = active_ ? std::max(high_, *value) : *value;
    active_ = true;
  }
}

QColor OverlayScale::ramp(double t, const Theme& theme) {
  const std::array<QColor, 3> light{QColor(0xF6, 0xF1, 0xDA), QColor(0x7D, 0xB8, 0xAC), QColor(0x1F, 0x4E, 0x86)};
  const std::array<QColor, 3> dark{QColor(0x2A, 0x38, 0x4A), QColor(0x3C, 0x8C, 0x8A), QColor(0xF3, 0xE0, 0x8A)};
  const auto& stops = theme.dark ? dark : light;
  const double at = std::clamp(t, 0.0, 1.0) * 2;
  return at < 1 ? mixed(stops[0], stops[1], at) : mixed(stops[1], stops[2], at - 1);
}

QColor OverlayScale::diverging(double t, const Theme& theme) {
  const QColor middle = theme.dark ? QColor(0x2F, 0x38, 0x43) : QColor(0xF2, 0xF4, 0xF6);
  const QColor faster = theme.dark ? QColor(0x6C, 0xB8, 0xFF) : QColor(0x12, 0x5A, 0xA8);
  const QColor slower = theme.dark ? QColor(0xFF, 0x9A, 0x5C) : QColor(0xB8, 0x42, 0x00);
  const double strength = std::sqrt(std::clamp(std::abs(t), 0.0, 1.0));  // so that small changes are seen
  return mixed(middle, t < 0 ? faster : slower, strength);
}

double OverlayScale::place(double value) const {
  if (high_ <= low_) return 1;
  if (spacing_ != Spacing::kLogarithmic) return (value - low_) / (high_ - low_);
  return std::log(value / low_) / std::log(high_ / low_);  // values span orders of magnitude
}

QColor OverlayScale::at(double t, const Theme& theme) const {
  if (spacing_ == Spacing::kAroundZero) return diverging(2 * t - 1, theme);
  return ramp(low_counts_ ? 1 - t : t, theme);
}

QColor OverlayScale::color(UnitId unit, const Theme& theme) const {
  const auto& value = values_[unit.index()];
  if (!value) return theme.panel;
  if (overlay_ == Overlay::kDelta && in_noise_[unit.index()]) return theme.dark ? theme.gridLine : theme.window;
  if (low_counts_ && high_ <= low_) return ramp(1, theme);
  return at(place(*value), theme);
}

bool OverlayScale::follows(UnitId from, UnitId to) const {
  return from.index() < next_.size() && next_[from.index()] == to;
}

QString OverlayScale::low() const { return format(low_); }
QString OverlayScale::high() const { return format(high_); }

QString OverlayScale::text(UnitId unit) const {
  const auto& value = values_[unit.index()];
  return value ? format(*value) : QString();
}

QString OverlayScale::format(double value) const {
  switch (overlay_) {
    case Overlay::kFlops: return scaled(value, Text::tr("FLOP"));
    case Overlay::kBytes: return scaled(value, Text::tr("B"));
    case Overlay::kIntensity: return Text::tr("%1 FLOP/B").arg(value, 0, 'g', 3);
    case Overlay::kDelta:
      return value > 0 ? Text::tr("+%1 ms").arg(value, 0, 'f', 3)
                       : Text::tr("%1 ms").arg(QString::number(value, 'f', 3).replace(QLatin1Char('-'), QChar(0x2212)));
    case Overlay::kColumn: return format::number(value);
    default: return millis_text(value);
  }
}

}  // namespace iosx::canvas
