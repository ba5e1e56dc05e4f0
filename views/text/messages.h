#pragma once

#include <QString>
#include <string_view>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/devices/device.h"
#include "core/model/graph/operator.h"

namespace iosx {

// Returns a message of the core in the window's language: its pattern is looked up, and arguments that are messages
// are translated too. Names go through printable(). A pattern without a translation stays English; a test refuses
// such.
QString message_text(const Message& message);
// Returns the same as the start of a sentence: with a capital letter, unless an argument comes first, which
// may be a name.
QString message_sentence(const Message& message);
// Returns one line: where, what is wrong, and the remedy.
QString error_text(const Error& error);

// Returns a device's description in one line, and how far it was compared with measurements.
QString device_summary(const DeviceInfo& device);

// Returns a text of one of core's tables (titles of schedules and experiments, measures) in the window's language.
// Other texts, such as names, stay, after printable().
QString core_words(std::string_view text);
inline QString core_words(const QString& text) { return core_words(text.toStdString()); }

// Returns "about 20 s", "a few seconds".
QString rough_time_words(Seconds time);

QString class_text(OperatorClass what);  // in the reader's language
// Returns the letter for small boxes that replaces the colour.
const QString& class_sign(OperatorClass what);

}  // namespace iosx
