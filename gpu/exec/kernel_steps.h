#pragma once

#include <vector>

#include "core/base/result.h"
#include "gpu/exec/kernel_site.h"
#include "gpu/exec/step.h"

namespace iosx::gpu {

// Returns the steps of a kernel other than a layer, all of them of our own; they need no scratch memory. The error is a
// kind that has none: Input, Constant, Opaque, Recurrent, TopK, GridSample, and layers.
Result<std::vector<Step>> kernel_steps(const KernelSite& site, const Weights& weights);

}  // namespace iosx::gpu
