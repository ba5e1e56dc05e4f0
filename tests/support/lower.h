#pragma once

#include <cstdint>

#include "core/plan/stage_planner.h"

// StagePlanner for one plan, where a test asks nothing else.
namespace iosx {

inline ExecutionPlan lower(const Graph& graph, const Schedule& schedule, std::int64_t batch,
                           const LowerOptions& wishes = {}) {
  return StagePlanner(graph, batch, wishes).plan(schedule);
}

inline ExecutionPlan lower_stage(const Graph& graph, const Stage& stage, std::int64_t batch,
                                 const LowerOptions& wishes = {}) {
  return StagePlanner(graph, batch, wishes).plan(stage).plan;
}

}  // namespace iosx
