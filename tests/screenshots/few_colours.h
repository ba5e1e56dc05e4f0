#pragma once

#include <QImage>

namespace iosx {

// Returns the picture in 256 colours, which takes a third of the bytes: in its most frequent ones, and in those of
// small areas that are farthest from all others, as swatches are. All else becomes the nearest of these.
QImage of_few_colours(const QImage& picture);

}  // namespace iosx
