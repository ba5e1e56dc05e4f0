#include "views/time/time_axis_model.h"

#include <cmath>

namespace iosx {
namespace {

constexpr double kRoomAfterEnd = 0.08;  // of the duration
constexpr double kRoomAround = 0.10;    // of a fitted range, on each side
constexpr Micros kShortest{0.02};
constexpr double kKeyZoom = 0.75;
constexpr double kKeyPan = 0.15;  // of the visible range

}  // namespace

void TimeAxisModel::setDuration(Micros longest) {
  if (!(longest > Micros(0)) || !std::isfinite(longest.count())) longest = Micros(1000);
  if (longest == duration_) return;
  duration_ = longest;
  extent_ = {Micros(0), longest * (1 + kRoomAfterEnd)};
  visible_ = extent_;
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

#include "moc_time_axis_model.cpp"
