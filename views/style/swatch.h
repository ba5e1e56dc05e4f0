#pragma once

#include <QPixmap>

#include "views/style/theme.h"

namespace iosx {

// Returns the square that stands before a schedule's name in lists: its fill with an outline that is seen on every
// ground.
QPixmap schedule_swatch(const Theme& theme, ScheduleKind kind, bool focus);

}  // namespace iosx
