#pragma once

#include <QPixmap>

#include "views/style/theme.h"

namespace iosx {

// Returns the square before a schedule's name in lists: its fill with an outline that is visible on every
// background.
QPixmap schedule_swatch(const Theme& theme, ScheduleKind kind, bool focus);

}  // namespace iosx
