#pragma once

#include <QString>

#include "core/base/duration.h"

namespace iosx {

// These write what something takes more or less than with a baseline, in ms and without the unit. Figures that stand
// beside one another have as many decimals as the largest of them needs.

int change_decimals(Millis largest);                 // 2 of 6.2 or 0.62 ms, 3 of 0.062 ms; 6 at most
QString change_number(Millis change, int decimals);  // "−0.62", "+0.03"; "0" of what rounds to it

}  // namespace iosx
