#pragma once

#include "core/model/plan/execution_plan.h"

namespace iosx::cpu {

// Kernels with a residual that nobody reads after them write over it: oneDNN's fastest convolutions add to their
// output, but cannot read a third tensor. What such a kernel wrote moves into the residual's buffer.
ExecutionPlan with_residuals_in_place(ExecutionPlan plan);

}  // namespace iosx::cpu
