#pragma once

#include <QString>
#include <string_view>

#include "core/base/result.h"
#include "core/base/time_left.h"
#include "core/devices/device.h"

namespace iosx {

// Returns a message of the core in the window's language: its pattern is looked up, and what fills it is translated
// where it is a message too. Names are what printable() leaves of them. A pattern without a translation stays English;
// a test refuses such.
QString message_text(const Message& message);
// The same as a sentence begins: with a capital letter, but for what fills the pattern, which may be a name.
QString message_sentence(const Message& message);
// Returns one line: where, what is wrong, and what to do about it.
QString error_text(const Error& error);

// Returns what a device is in one line, and how far it was compared with measurements.
QString device_summary(const DeviceInfo& device);

// Returns a text of one of core's tables (titles of schedules and experiments, what is measured) in the window's
// language. A text that is in none of them, such as anybody's name, stays as it is; of names, what printable() leaves.
QString core_words(std::string_view text);
inline QString core_words(const QString& text) { return core_words(text.toStdString()); }

// Returns "about 20 s", "a few seconds".
QString rough_time_words(Seconds time);

}  // namespace iosx
