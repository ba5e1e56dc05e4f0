#pragma once

#include <QString>
#include <QStringList>
#include <array>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "views/share/rivals.h"

namespace iosx {

enum class AnimationFormat { kGif, kMp4, kWebm };
inline constexpr std::array kAnimationFormats{AnimationFormat::kGif, AnimationFormat::kMp4, AnimationFormat::kWebm};

QString suffix(AnimationFormat format);       // "gif"
QString file_filter(AnimationFormat format);  // "Animated GIF (*.gif)", for file dialogs

// Returns ffmpeg's path, found in the PATH, for writing films; empty where it is not installed.
QString film_writer();

// Writes the race of two schedules, slowed down to some seconds for the slower one, followed by the result. The path's
// suffix gives the format. The file appears completely or not at all. Errors: another suffix; no ffmpeg; ffmpeg's
// message; a stop. Any thread that may measure fonts may call it; it takes seconds.
Result<void> write_animation(const Rivals& rivals, const QString& path, const JobContext& job);

}  // namespace iosx
