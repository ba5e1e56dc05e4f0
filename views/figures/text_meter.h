#pragma once

#include <functional>
#include <optional>

class QPainter;

namespace iosx {

// Returns the size of the smallest text that `paint` draws, in the painter's own units and under all scales that it
// sets; none where it draws no text. Nothing is put on any surface. It runs on the GUI thread only.
std::optional<double> smallest_text(const std::function<void(QPainter&)>& paint);

}  // namespace iosx
