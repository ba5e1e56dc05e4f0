#include "views/explore/timeline/playhead_player.h"

#include <algorithm>

namespace iosx {
namespace {

constexpr Seconds kCrossing{8};  // of what is visible
constexpr int kStepMillis = 16;

}  // namespace

Micros played(Micros from, TimeRange visible, Seconds elapsed, Micros end) {
  return std::min(end, from + visible.length() * (elapsed / kCrossing));
}

PlayheadPlayer::PlayheadPlayer(TimeAxisModel* axis, QObject* parent) : QObject(parent), axis_(axis) {
  timer_.setTimerType(Qt::PreciseTimer);
  timer_.setInterval(kStepMillis);
  connect(&timer_, &QTimer::timeout, this, [this] {
    const Seconds elapsed(static_cast<double>(since_.nsecsElapsed()) / 1e9);
    since_.restart();
    advance(elapsed);
  });
}

void PlayheadPlayer::play() {
  if (playing() || axis_->duration() <= Micros(0)) return;
  const bool over = axis_->playhead() && *axis_->playhead() >= axis_->duration();
  if (!axis_->playhead() || over) {
    const TimeRange visible = axis_->visible();
    axis_->setPlayhead(over || visible.begin >= axis_->duration() ? Micros(0) : visible.begin);
  }
  since_.start();
  timer_.start();
  emit playingChanged(true);
}

void PlayheadPlayer::pause() {
  if (!playing()) return;
  timer_.stop();
  emit playingChanged(false);
}

void PlayheadPlayer::advance(Seconds elapsed) {
  if (!axis_->playhead()) return pause();  // it was taken away
  const TimeRange visible = axis_->visible();
  const Micros next = played(*axis_->playhead(), visible, elapsed, axis_->duration());
  axis_->setPlayhead(next);
  if (next > visible.end || next < visible.begin) axis_->setVisible({next, next + visible.length()});
  if (next >= axis_->duration()) pause();
}

}  // namespace iosx

#include "moc_playhead_player.cpp"
