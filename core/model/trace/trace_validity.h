#pragma once

#include "core/base/result.h"
#include "core/model/trace/trace.h"

namespace iosx {

// Whether a trace that comes from elsewhere is one of this plan, or empty: kernels, lanes and stages are the plan's,
// spans do not end before they begin, kernels come by begin, and a counter has a value for each of its times, which
// ascend. The error's place is inside the trace ("kernels[3]").
Result<void> check_trace(const Trace& trace, const ExecutionPlan& plan);

}  // namespace iosx
