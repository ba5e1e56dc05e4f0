#pragma once

#include <span>
#include <string>
#include <utility>

#include "core/model/plan/execution_plan.h"
#include "core/model/trace/trace.h"

namespace iosx::gpu {

// Says when a kernel began and ended, in µs from the start of its run.
using KernelTime = std::pair<Micros, Micros>;

// Makes the trace of one run from the times of its kernels (by KernelId) and of the whole. Timers tick coarsely: where
// the plan lets kernels or stages follow one another, a begin that reads earlier than the end before it counts as that
// end. `source`: see Trace.
Trace trace_of(const ExecutionPlan& plan, std::span<const KernelTime> kernels, Micros duration,
               std::string source = "event marks");

}  // namespace iosx::gpu
