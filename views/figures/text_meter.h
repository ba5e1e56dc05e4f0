#pragma once

#include <functional>
#include <optional>

class QPainter;

namespace iosx {

// Returns the size of the smallest text that `paint` draws, in the painter's own units and under all of its scales;
// none without text. Nothing is drawn on a surface. GUI thread only.
std::optional<double> smallest_text(const std::function<void(QPainter&)>& paint);

}  // namespace iosx
