#pragma once

#include <QImage>

namespace iosx {

// Returns the picture in 256 colours, a third of the bytes: its most frequent ones, and those of small areas (such
// as swatches) that are farthest from all others. Other colours become the nearest of these.
QImage of_few_colours(const QImage& picture);

}  // namespace iosx
