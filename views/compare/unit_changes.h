#pragma once

#include <span>
#include <vector>

#include "views/canvas/paint/unit_marks.h"
#include "views/compare/comparison_data.h"

namespace iosx {

// Which units have a sign on the canvases: the smaller group, because signs on nearly every unit show nothing.
enum class Marked { kWhatDiffers, kWhatIsTheSame };

// Both canvases mark the same group. On a tie different units are marked.
Marked marked_units(std::span<const UnitChange> a, std::span<const UnitChange> b);

// Returns a mark for each unit of A's graph or of B's, with the words of its row; units without a sign are quiet.
std::vector<canvas::UnitMark> unit_marks(const StagePair& pair, bool of_a);

}  // namespace iosx
