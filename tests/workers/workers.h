#pragma once

#include <string>
#include <vector>

#include "core/model/plan/execution_plan.h"

namespace iosx::test {

// Returns the command of a worker that fails as its options say, see scripted_worker.cpp.
std::string scripted_worker(const std::string& options = {});

// Returns plans for that many stages of a chain, of one kernel each: "a", "b", …
std::vector<ExecutionPlan> stage_plans(std::size_t count);

}  // namespace iosx::test
