#pragma once

#include <QColor>
#include <cstddef>

#include "views/style/theme.h"

namespace iosx {

// These are the colours of time that is saved and of time that is lost: blue and orange, which nobody takes for one
// another. What is lost has a hatching too, so that colour says nothing alone.

QColor gain_color(bool saved, const Theme& theme);  // on canvas and panels, at least 3 : 1
// Returns the fill of the n-th stage's band, tinted by what the stage loses, from -1, as much as any saves or loses is
// saved, to 1. It is translucent, and what stands on bands can be read on it as on Theme::stageBand().
QColor gain_band(double lost, std::size_t stage, const Theme& theme);

}  // namespace iosx
