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

// Returns the program that writes films, ffmpeg, as it is found in the PATH; empty where it is not installed.
QString film_writer();

// Writes the race of two schedules: so slowly that the slower one takes some seconds, and some more of what it came to.
// The format is the path's suffix. The file appears whole or not at all. Errors: another suffix; no ffmpeg; what ffmpeg
// says; a stop. It runs on any thread that may measure fonts, and takes seconds.
Result<void> write_animation(const Rivals& rivals, const QString& path, const JobContext& job);

}  // namespace iosx
