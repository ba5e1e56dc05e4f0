#pragma once

#include <span>
#include <vector>

#include "views/canvas/paint/unit_marks.h"
#include "views/compare/comparison_data.h"

namespace iosx {

// Says which units have a sign on the canvases: the fewer ones, because signs on nearly every unit show nothing.
enum class Marked { kWhatDiffers, kWhatIsTheSame };

// Both canvases mark the same. Where as many differ as are the same, those that differ are marked.
Marked marked_units(std::span<const UnitChange> a, std::span<const UnitChange> b);

// Returns a mark for each unit of A's graph or of B's, with the words of its row; those that have no sign are quiet.
std::vector<canvas::UnitMark> unit_marks(const StagePair& pair, bool of_a);

}  // namespace iosx
