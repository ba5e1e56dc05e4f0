#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/model/plan/execution_plan.h"
#include "gpu/ops/conv/conv_plan.h"
#include "gpu/ops/kernels/calls.h"

namespace iosx::gpu {

struct ConvStep {
  ConvPlanPtr plan;
  ConvOperands operands;
};

// One launch. A kernel of a plan takes one or a few, one after another on its stream.
using Step = std::variant<KernelCall, ConvStep>;

}  // namespace iosx::gpu
