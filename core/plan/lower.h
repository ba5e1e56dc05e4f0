#pragma once

#include <cstdint>

#include "core/plan/execution_plan.h"

namespace iosx {

// What a device wants of its plans.
struct LowerOptions {
  // A convolution or linear layer takes in the Add of its result to a tensor that is there before it starts, and the
  // activation that follows, where nobody else reads what lies between and the unit holds them in this order.
  bool fuse = false;
  // Producers write into the channel slices of a concatenation's buffer, and the concatenation copies only what could
  // not be written there.
  bool concat_in_place = false;
};

// The plan of a whole schedule, which must be legal for the graph. Group i of a stage runs on lane i; a stage waits for
// the one before it through the waits of the first kernel of each lane. Where two stages of one lane follow one another
// no wait is needed: the lane order does it.
ExecutionPlan lower(const Graph& graph, const Schedule& schedule, std::int64_t batch, const LowerOptions& options = {});

// The plan of one stage alone: what it reads from other stages are external buffers.
ExecutionPlan lower_stage(const Graph& graph, const Stage& stage, std::int64_t batch, const LowerOptions& options = {});

}  // namespace iosx
