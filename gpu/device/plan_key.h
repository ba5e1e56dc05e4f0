#pragma once

#include <string>

#include "core/plan/execution_plan.h"

namespace iosx::gpu {

// Equal only for plans of the same parameters object that compute the same in the same order on the same lanes: what
// is known of one of them is true of the other, as long as the parameters live.
std::string plan_key(const ExecutionPlan& plan);

}  // namespace iosx::gpu
