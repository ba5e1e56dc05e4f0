#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "views/time/time_axis_model.h"

namespace iosx {

// Returns where a playhead gets to that crosses what is visible in some seconds, however long that is: the closer one
// looks, the slower it goes. It goes no further than `end`.
Micros played(Micros from, TimeRange visible, Seconds elapsed, Micros end);

// Lets the playhead of an axis walk in slow motion. What is visible moves on with it. It is used on the GUI thread
// only.
class PlayheadPlayer final : public QObject {
  Q_OBJECT

 public:
  explicit PlayheadPlayer(TimeAxisModel* axis, QObject* parent = nullptr);

  bool playing() const { return timer_.isActive(); }
  void play();  // from the playhead; from the start where there is none, or it is at the end
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
