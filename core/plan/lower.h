#pragma once

#include <cstdint>

#include "core/plan/execution_plan.h"

namespace iosx {

// What a device wants of its plans.
struct LowerOptions {
  // A convolution or linear layer takes in the Add of its result to a tensor of the same shape that is there before it
  // starts, and the activation that follows, where they are in one group and nobody else reads what lies between. So
  // it takes a schedule that puts them into one group, or a graph that has them in one unit.
  bool fuse = false;
  // Producers write into the channel slices of a concatenation's buffer (core/graph/concat_places.h), and the
  // concatenation copies only what could not be written there.
  bool concat_in_place = false;
};

// The plan of a whole schedule, which must be legal for the graph. Group i of a stage runs on lane i, not counting
// groups without kernels; a stage waits for the one before it that has kernels through the waits of the first kernel of
// each lane. Where two stages of one lane follow one another no wait is needed: the lane order does it.
ExecutionPlan lower(const Graph& graph, const Schedule& schedule, std::int64_t batch, const LowerOptions& options = {});

// The plan of one stage alone: what it reads from other stages are external buffers, and views into them, of the shapes
// that they have in the plan of a whole schedule (one where no earlier stage merges convolutions, whose outputs may
// share a buffer). Without any kernel if the stage is nothing but concatenations in place.
ExecutionPlan lower_stage(const Graph& graph, const Stage& stage, std::int64_t batch, const LowerOptions& options = {});

}  // namespace iosx
