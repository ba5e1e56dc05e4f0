#pragma once

#include <cstdint>

#include "core/plan/execution_plan.h"

namespace iosx {

// The plan of a whole schedule, which must be legal for the graph. Group i of a stage runs on lane i; a stage waits for
// the one before it through the waits of the first kernel of each lane. Where two stages of one lane follow one another
// no wait is needed: the lane order does it.
ExecutionPlan lower(const Graph& graph, const Schedule& schedule, std::int64_t batch);

// The plan of one stage alone: what it reads from other stages are external buffers.
ExecutionPlan lower_stage(const Graph& graph, const Stage& stage, std::int64_t batch);

}  // namespace iosx
