#pragma once

#include "core/base/result.h"

namespace iosx {

// Chooses the platform, before QApplication is made. A report is drawn without a display; a window needs one. The error
// says that there is none.
Result<void> choose_platform(bool report);

// Puts our own words in place of Qt's: what Qt cannot go on from, such as a display that refuses the connection, ends
// the program with one line and exit code 1 instead of an abort; what no user can act on is left out. A report, which
// nobody watches, ends so as well where Qt cannot start a thread and would wait for it for ever.
void say_qt_messages_plainly(bool report);

}  // namespace iosx
