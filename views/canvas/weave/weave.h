#pragma once

#include <stop_token>

#include "views/canvas/layout/layout.h"
#include "views/canvas/layout/node_text.h"

namespace iosx::canvas {

// The measures of a weave at 100 %.
inline constexpr double kWeaveColumn = 128;  // from one column to the next
inline constexpr double kWeaveRow = 46;      // from one row to the next
inline constexpr double kWeaveBox = 116;     // width of a unit
inline constexpr double kWeaveText = 4;      // around the words in a box, beside its stripe
inline constexpr double kWeavePill = 20;     // height of the line of units without a kernel, between two rows

// The room of a unit's words.
inline constexpr double kWeaveRoom = kWeaveBox - kBoxStripe - 2 * kWeaveText;

// Lays out a graph as its columns and the rows of the request's spans, one frame a section, tall ones folded into
// panels. Frames, panels and columns are equal for all schedules of a run, so a change of schedule moves units up and
// down, and those of a folded frame from one panel to another. A schedule with barriers has a band a stage. Stopped, it
// returns an empty layout.
Layout weave_graph(const LayoutRequest& request, const std::stop_token& stop = {});

}  // namespace iosx::canvas
