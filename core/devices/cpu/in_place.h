#pragma once

#include "core/model/plan/execution_plan.h"

namespace iosx::cpu {

// Lets kernels write over their residual where no later kernel reads it: oneDNN's fastest convolutions add to
// their output, but cannot read a third tensor. The output of such a kernel moves into the residual's buffer.
ExecutionPlan with_residuals_in_place(ExecutionPlan plan);

}  // namespace iosx::cpu
