#pragma once

#include <QColor>
#include <cstddef>

#include "views/style/theme.h"

namespace iosx {

// The colours of saved and lost time: blue and orange, which are easy to tell apart. Lost time also has a hatching,
// so that colour is never the only sign.

QColor gain_color(bool saved, const Theme& theme);  // on canvas and panels, at least 3 : 1
// Returns the fill of the n-th stage's band, tinted by the stage's loss, from -1, the largest saving or loss of any,
// saved, to 1. It is translucent and as readable as Theme::stageBand().
QColor gain_band(double lost, std::size_t stage, const Theme& theme);

}  // namespace iosx
