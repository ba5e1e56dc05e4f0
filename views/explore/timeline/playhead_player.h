#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "views/time/time_axis.h"

namespace iosx {

// Returns the place of a playhead that crosses the visible range in a fixed number of seconds, whatever its length:
// the closer the view, the slower it moves. It stops at `end`.
Micros played(Micros from, TimeRange visible, Seconds elapsed, Micros end);

// Plays an axis in slow motion: moves its playhead, and the visible range with it. GUI thread only.
class PlayheadPlayer final : public QObject {
  Q_OBJECT

 public:
  explicit PlayheadPlayer(TimeAxisModel* axis, QObject* parent = nullptr);

  bool playing() const { return timer_.isActive(); }
  void play();  // from the playhead; from the start without one or at the end
  void pause();
  void toggle() { playing() ? pause() : play(); }
  void advance(Seconds elapsed);  // as the timer does

 signals:
  void playingChanged(bool playing);

 private:
  TimeAxisModel* axis_;
  QTimer timer_;
  QElapsedTimer since_;  // the last step
};

}  // namespace iosx
