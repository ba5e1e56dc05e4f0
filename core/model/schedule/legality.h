#pragma once

#include "core/base/result.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

// Checks that every unit of the graph is in exactly one step, that units read values of an earlier stage or of earlier
// in their own group, and that merged steps are legal (merge.h). The error names stage, group and unit.
Result<void> check_legal(const Graph& graph, const Schedule& schedule);

}  // namespace iosx
