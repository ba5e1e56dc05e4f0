#pragma once

#include <QObject>
#include <algorithm>
#include <optional>

#include "views/time/time_axis.h"

namespace iosx {

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
