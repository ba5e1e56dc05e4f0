#pragma once

#include <vector>

#include "core/base/result.h"
#include "gpu/exec/kernel_site.h"
#include "gpu/exec/step.h"

namespace iosx::gpu {

// Steps of kernels other than layers, all of them of our own; they need no scratch memory. The error is a kind that has
// none: Input, Constant, Opaque, and layers.
Result<std::vector<Step>> kernel_steps(const KernelSite& site, const Weights& weights);

}  // namespace iosx::gpu
