#pragma once

#include <QString>
#include <vector>

#include "core/base/duration.h"

namespace iosx {

// A range of time, counted from the start of a run.
struct TimeRange {
  Micros begin{0};
  Micros end{0};

  Micros length() const { return end - begin; }
  bool contains(Micros time) const { return begin <= time && time <= end; }
  friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

// Returns the zoomed range in which `anchor` keeps its place on screen; factor < 1 shows less time, > 1 more.
TimeRange zoomed(TimeRange range, Micros anchor, double factor);
TimeRange panned(TimeRange range, Micros by);
// Returns the nearest range inside `extent` of length `shortest` or more; the whole extent where the range is
// longer.
TimeRange clamped(TimeRange range, TimeRange extent, Micros shortest);

enum class AxisUnit { kMicros, kMillis };
QString unit_text(AxisUnit unit);  // "µs", "ms"

struct TimeTick {
  Micros time{0};
  QString label;  // a number in the axis' unit, with as many decimals as the step needs
};

// Converts pixels ↔ time: `range` is drawn from x = left to left + width.
struct TimeAxis {
  TimeRange range;
  double left = 0;
  double width = 1;

  double x(Micros time) const;
  Micros time(double x) const;
  double pixels(Micros duration) const;
  Micros duration(double pixels) const;
  double right() const { return left + width; }

  // Returns the distance of the ticks: 1, 2 or 5 times a power of ten, at least `min_spacing` pixels apart.
  Micros step(double min_spacing) const;
  AxisUnit unit(double min_spacing) const;
  std::vector<TimeTick> ticks(double min_spacing) const;
};

}  // namespace iosx
