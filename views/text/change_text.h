#pragma once

#include <QString>

#include "core/base/duration.h"

namespace iosx {

// Write the difference to a baseline, in ms without the unit. Neighbouring figures have as many decimals as the
// largest of them needs.

int change_decimals(Millis largest);                 // 2 for 6.2 or 0.62 ms, 3 for 0.062 ms; 6 at most
QString change_number(Millis change, int decimals);  // "−0.62", "+0.03"; "0" where rounded to it

}  // namespace iosx
