#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/plan/stage_planner.h"

// StagePlanner for one plan, for tests that need nothing else, and functions for inspecting plans.
namespace iosx {

inline ExecutionPlan lower(const Graph& graph, const Schedule& schedule, std::int64_t batch,
                           const LowerOptions& wishes = {}) {
  return StagePlanner(graph, batch, wishes).plan(schedule);
}

inline ExecutionPlan lower_stage(const Graph& graph, const Stage& stage, std::int64_t batch,
                                 const LowerOptions& wishes = {}) {
  return StagePlanner(graph, batch, wishes).plan(stage).plan;
}

inline std::vector<std::string> kernel_names(const ExecutionPlan& plan) {
  std::vector<std::string> names;
  for (const Kernel& kernel : plan.kernels) names.push_back(kernel.name);
  return names;
}

inline UnitId unit(const Graph& graph, std::string_view name) { return graph.find_unit(name).value(); }

}  // namespace iosx
