#include "views/time/time_axis.h"

#include <cmath>

namespace iosx {
namespace {

// From this step on milliseconds are more readable than microseconds.
constexpr Micros kMillisFrom{100};

double in_unit(Micros time, AxisUnit unit) { return unit == AxisUnit::kMillis ? Millis(time).count() : time.count(); }

AxisUnit unit_of_step(Micros step) { return step >= kMillisFrom ? AxisUnit::kMillis : AxisUnit::kMicros; }

constexpr double kRoomAfterEnd = 0.08;  // of the duration
constexpr double kRoomAtEnds = 0.01;    // of the range, on each side
constexpr double kRoomAround = 0.10;    // of a fitted range, on each side
constexpr Micros kShortest{0.02};
constexpr double kKeyZoom = 0.75;
constexpr double kKeyPan = 0.15;  // of the visible range

}  // namespace

TimeRange zoomed(TimeRange range, Micros anchor, double factor) {
  return {anchor - (anchor - range.begin) * factor, anchor + (range.end - anchor) * factor};
}

TimeRange panned(TimeRange range, Micros by) { return {range.begin + by, range.end + by}; }

TimeRange clamped(TimeRange range, TimeRange extent, Micros shortest) {
  if (range.length() < shortest) {
    const Micros middle = (range.begin + range.end) / 2;
    range = {middle - shortest / 2, middle + shortest / 2};
  }
  if (range.length() >= extent.length()) return extent;
  if (range.begin < extent.begin) return {extent.begin, extent.begin + range.length()};
  if (range.end > extent.end) return {extent.end - range.length(), extent.end};
  return range;
}

QString unit_text(AxisUnit unit) {
  return unit == AxisUnit::kMillis ? QStringLiteral("ms") : QString::fromUtf8("\u00B5s");
}

double TimeAxis::x(Micros time) const { return left + (time - range.begin) / range.length() * width; }

Micros TimeAxis::time(double x) const { return range.begin + range.length() * ((x - left) / width); }

double TimeAxis::pixels(Micros duration) const { return duration / range.length() * width; }

Micros TimeAxis::duration(double pixels) const { return range.length() * (pixels / width); }

Micros TimeAxis::step(double min_spacing) const {
  const double least = duration(min_spacing).count();
  if (!(least > 0) || !std::isfinite(least)) return Micros(1);
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (power * factor >= least * (1 - 1e-9)) return Micros(power * factor);
  }
  return Micros(power * 10);
}

AxisUnit TimeAxis::unit(double min_spacing) const { return unit_of_step(step(min_spacing)); }

std::vector<TimeTick> TimeAxis::ticks(double min_spacing) const {
  std::vector<TimeTick> ticks;
  if (width <= 0 || range.length() <= Micros(0)) return ticks;
  const Micros distance = step(min_spacing);
  const AxisUnit unit = unit_of_step(distance);
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(in_unit(distance, unit)) + 1e-9)));
  const double first = std::ceil(range.begin / distance - 1e-9);
  const double last = std::floor(range.end / distance + 1e-9);
  for (double i = first; i <= last; ++i) {
    const Micros time = distance * (i == 0 ? 0.0 : i);
    ticks.push_back({time, QString::number(in_unit(time, unit), 'f', decimals)});
  }
  return ticks;
}

void TimeAxisModel::setDuration(Micros longest) {
  if (!(longest > Micros(0)) || !std::isfinite(longest.count())) longest = Micros(1000);
  if (longest == duration_) return;
  duration_ = longest;
  extent_ = {Micros(0), longest * (1 + kRoomAfterEnd)};
  visible_ = extent_;
  emit visibleChanged();
}

void TimeAxisModel::setRange(TimeRange range) {
  duration_ = range.end;
  const Micros room = range.length() * kRoomAtEnds;
  extent_ = {range.begin - room, range.end + room};
  visible_ = extent_;
  measure_.reset();
  cursor_.reset();
  emit visibleChanged();
}

void TimeAxisModel::setVisible(TimeRange range) {
  if (!std::isfinite(range.begin.count()) || !std::isfinite(range.end.count())) return;
  range = clamped(range, extent_, kShortest);
  if (range == visible_) return;
  visible_ = range;
  emit visibleChanged();
}

void TimeAxisModel::zoomAt(Micros anchor, double factor) {
  // At the limits a zoom must not turn into a pan.
  const Micros wanted = visible_.length() * factor;
  if (wanted < kShortest) factor = kShortest / visible_.length();
  setVisible(zoomed(visible_, anchor, factor));
}

void TimeAxisModel::pan(Micros by) { setVisible(panned(visible_, by)); }

void TimeAxisModel::fit(TimeRange range) {
  const Micros room = range.length() * kRoomAround;
  setVisible({range.begin - room, range.end + room});
}

bool TimeAxisModel::handleKey(int key) {
  const Micros middle = (visible_.begin + visible_.end) / 2;
  const Micros anchor = cursor_ && visible_.contains(*cursor_) ? *cursor_ : middle;
  switch (key) {
    case Qt::Key_W:
    case Qt::Key_Plus: zoomAt(anchor, kKeyZoom); return true;
    case Qt::Key_S:
    case Qt::Key_Minus: zoomAt(anchor, 1 / kKeyZoom); return true;
    case Qt::Key_A: pan(-visible_.length() * kKeyPan); return true;
    case Qt::Key_D: pan(visible_.length() * kKeyPan); return true;
    case Qt::Key_F: fitAll(); return true;
    default: return false;
  }
}

void TimeAxisModel::setCursor(std::optional<Micros> time) {
  if (time == cursor_) return;
  cursor_ = time;
  emit cursorChanged();
}

void TimeAxisModel::setMeasure(std::optional<TimeMeasure> measure) {
  if (measure == measure_) return;
  measure_ = measure;
  emit measureChanged();
}

void TimeAxisModel::setPlayhead(std::optional<Micros> time) {
  if (time && !std::isfinite(time->count())) return;
  if (time) time = std::clamp(*time, Micros(0), std::max(Micros(0), duration_));
  if (time == playhead_) return;
  playhead_ = time;
  emit playheadChanged();
}

void TimeAxisModel::setMargins(double left, double right) {
  if (left == left_margin_ && right == right_margin_) return;
  left_margin_ = left;
  right_margin_ = right;
  emit marginsChanged();
}

}  // namespace iosx

#include "moc_time_axis.cpp"
