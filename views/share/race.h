#pragma once

#include <QImage>
#include <QSize>

#include "core/base/duration.h"
#include "views/explore/timeline/track_index.h"
#include "views/share/picture.h"

namespace iosx {

// Both schedules running on one time axis: the network twice, with running and waiting units, and both timelines with
// a line at the time. Each shows when it has ended. The constructor lays out the networks, which takes seconds for
// large ones; it and frame() run on any thread that may measure fonts.
class Race {
 public:
  static constexpr QSize kFrame{1280, 720};  // pixels

  explicit Race(const Rivals& rivals);

  Micros end() const;  // of the slower one
  QImage frame(Micros at) const;

 private:
  struct Runner {
    std::size_t result = 0;
    card::Laid laid;
    TrackIndex index;
  };
  Runner runner(std::size_t result) const;
  void paintRunner(QPainter& painter, const QRectF& area, const Runner& runner, Micros at) const;

  Rivals rivals_;
  Runner other_;
  Runner one_;
};

}  // namespace iosx
