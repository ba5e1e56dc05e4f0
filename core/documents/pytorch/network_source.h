#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/documents/pytorch/python_text.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/schedule/schedule.h"

namespace iosx::pytorch {

// Returns the module network.py: the network as a class with a method per stage of a legal schedule; with a
// barrier-free plan of the schedule's kernels, one method that launches them on lanes. `found` is a sentence about the
// schedule, or empty. `first` names the first outputs. The error names an operator that cannot be written.
Result<std::string> network_source(const Graph& graph, const Schedule& schedule, const PythonNames& names,
                                   const std::string& found, std::span<const std::string> first,
                                   const std::optional<ExecutionPlan>& barrier_free = {});

// Returns, for example, "8 stages, up to 3 streams, 1 merged layer", or "5 lanes without barriers, 1 merged layer".
std::string schedule_summary(const Schedule& schedule, const std::optional<ExecutionPlan>& barrier_free = {});

}  // namespace iosx::pytorch
