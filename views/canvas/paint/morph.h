#pragma once

#include "views/canvas/layout/layout.h"

namespace iosx::canvas {

// Returns an intermediate layout between two of the same graph: at share 0 its units are at their places in the first,
// at 1 it is the second. A band, a group and a merge start around their units' places, a frame at the same piece of its
// part. New things start at their final place. Lines between frames are left out.
Layout morph(const Layout& from, const Layout& to, double share);

}  // namespace iosx::canvas
