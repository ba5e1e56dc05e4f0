#pragma once

#include <span>
#include <string>
#include <utility>

#include "core/model/plan/execution_plan.h"
#include "core/model/trace/trace.h"

namespace iosx::gpu {

// A kernel's begin and end, in µs from the start of its run.
using KernelTime = std::pair<Micros, Micros>;

// Makes the trace of one run from the times of its kernels (by KernelId) and of the whole. Timers have coarse ticks:
// where the plan orders two kernels or stages, a begin that reads earlier than the end before it becomes that end.
// `source`: see Trace.
Trace trace_of(const ExecutionPlan& plan, std::span<const KernelTime> kernels, Micros duration,
               std::string source = "event marks");

}  // namespace iosx::gpu
