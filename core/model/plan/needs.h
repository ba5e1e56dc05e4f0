#pragma once

#include <vector>

#include "core/model/plan/execution_plan.h"

namespace iosx {

// Returns for every kernel the earlier ones that must have ended before it starts: writers of channels that it reads
// or writes, and readers of channels that it writes. Those implied by others, because a kernel between wrote the same
// channels, may be missing. Views must lie inside their buffers.
std::vector<std::vector<KernelId>> needs_of(const ExecutionPlan& plan);

}  // namespace iosx
