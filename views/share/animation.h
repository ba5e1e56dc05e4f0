#pragma once

#include <QImage>
#include <QSize>
#include <QString>
#include <array>

#include "core/base/duration.h"
#include "core/base/progress.h"
#include "core/base/result.h"
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

enum class AnimationFormat { kGif, kMp4, kWebm };
inline constexpr std::array kAnimationFormats{AnimationFormat::kGif, AnimationFormat::kMp4, AnimationFormat::kWebm};

QString suffix(AnimationFormat format);       // "gif"
QString file_filter(AnimationFormat format);  // "Animated GIF (*.gif)", for file dialogs

// Returns ffmpeg's path, found in the PATH, for writing films; empty where it is not installed.
QString film_writer();
// Says that ffmpeg is missing and how to install it; empty where it is installed.
QString film_writer_lack();

// Writes the race of two schedules, slowed down to some seconds for the slower one, followed by the result. The path's
// suffix gives the format. The file appears completely or not at all. Errors: another suffix; no ffmpeg; ffmpeg's
// message; a stop. Any thread that may measure fonts may call it; it takes seconds.
Result<void> write_animation(const Rivals& rivals, const QString& path, const JobContext& job);

}  // namespace iosx
