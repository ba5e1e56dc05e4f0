#pragma once

#include "core/base/result.h"

namespace iosx {

// Chooses the platform, before QApplication is made. A report is drawn without a display; a window needs one. Returns
// an error where there is none.
Result<void> choose_platform(bool report);

// Replaces Qt's messages by our own: a fatal one, such as a display that refuses the connection, ends the program
// with one line and exit code 1 instead of an abort; others that no user can act on are left out. A report, which
// nobody watches, also ends so where Qt cannot start a thread and would wait for it forever.
void say_qt_messages_plainly(bool report);

}  // namespace iosx
