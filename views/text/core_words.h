#pragma once

#include <QString>
#include <string_view>

#include "core/base/time_left.h"

namespace iosx {

// A text of one of core's tables (titles of schedules and experiments, what is measured, phases of a job) in the
// window's language. Core knows no languages: whole texts are looked up in a list of those that there are. A text that
// is not on it, such as anybody's name, stays as it is; of names, what printable() leaves.
QString core_words(std::string_view text);
inline QString core_words(const QString& text) { return core_words(text.toStdString()); }

// What a job does (Progress::phase): "measuring the stages of ios-both". A phase that is not known here stays English.
QString phase_words(std::string_view phase);

// Comparison::recorded, "recorded on gpu-server, 2026-03-01 14:05 UTC"; the machine's name stays what printable()
// leaves.
QString recorded_words(std::string_view recorded);

// "about 20 s", "a few seconds".
QString rough_time_words(Seconds time);

}  // namespace iosx
