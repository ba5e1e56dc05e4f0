#pragma once

#include "core/base/result.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

// Every unit of the graph stands in exactly one step; what a unit reads was made in an earlier stage or earlier in its
// own group; merged steps are legal (merge.h). The error names stage, group and unit.
Result<void> check_legal(const Graph& graph, const Schedule& schedule);

}  // namespace iosx
