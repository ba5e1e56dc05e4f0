#pragma once

#include "views/canvas/layout/layout.h"

namespace iosx::canvas {

// Returns the layout on the way from one to another of the same graph: at share 0 its units stand where they stood in
// the first, at 1 it is the second. A band, a group and what is merged begin around where their units were, and a frame
// where the same piece of its part was. What was nowhere stands where it will be. Between frames there are no lines on
// the way.
Layout morph(const Layout& from, const Layout& to, double share);

}  // namespace iosx::canvas
