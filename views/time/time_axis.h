#pragma once

#include <QObject>
#include <QString>
#include <algorithm>
#include <optional>
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

// The two ends of a measurement on the time axis, in the order of setting.
struct TimeMeasure {
  Micros from{0};
  Micros to{0};

  TimeRange range() const { return {std::min(from, to), std::max(from, to)}; }
  friend bool operator==(const TimeMeasure&, const TimeMeasure&) = default;
};

// The time axis that several views share: zoom and marks are common to all. GUI thread only.
class TimeAxisModel final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  TimeRange visible() const { return visible_; }
  // Returns the whole range: 0 to slightly more than the longest run, so that its end and its label stay visible.
  TimeRange extent() const { return extent_; }
  // Returns the time under the mouse in any of the views.
  std::optional<Micros> cursor() const { return cursor_; }
  // Returns the measurement made in any of the views.
  std::optional<TimeMeasure> measure() const { return measure_; }
  // Returns the current point in time, which is set, stepped or played.
  std::optional<Micros> playhead() const { return playhead_; }
  // The pixels left and right of the plotted range, the same in every view so that they line up.
  double leftMargin() const { return left_margin_; }
  double rightMargin() const { return right_margin_; }

  Micros duration() const { return duration_; }  // of the longest run
  // Shows everything when the duration is new.
  void setDuration(Micros longest);
  // The same of a run that has something before its zero, such as launches; adds room at both ends. The range is not
  // empty.
  void setRange(TimeRange range);
  void setVisible(TimeRange range);  // clamped to the extent
  void zoomAt(Micros anchor, double factor);
  void pan(Micros by);
  void fitAll() { setVisible(extent_); }
  void fit(TimeRange range);  // with a small margin on both sides
  // W and S zoom in and out, about the cursor or else the middle; A and D pan; F shows all. Returns false for other
  // keys.
  bool handleKey(int key);
  void setCursor(std::optional<Micros> time);
  void setMeasure(std::optional<TimeMeasure> measure);
  void setPlayhead(std::optional<Micros> time);  // clamped to the longest run
  void setMargins(double left, double right);

 signals:
  void visibleChanged();
  void cursorChanged();
  void measureChanged();
  void playheadChanged();
  void marginsChanged();

 private:
  TimeRange extent_{Micros(0), Micros(1000)};
  TimeRange visible_{Micros(0), Micros(1000)};
  Micros duration_{0};
  std::optional<Micros> cursor_;
  std::optional<TimeMeasure> measure_;
  std::optional<Micros> playhead_;
  double left_margin_ = 0;
  double right_margin_ = 0;
};

}  // namespace iosx
