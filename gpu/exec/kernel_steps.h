#pragma once

#include <vector>

#include "gpu/exec/kernel_site.h"
#include "gpu/exec/step.h"

namespace iosx::gpu {

// Steps of kernels other than layers, all of them of our own; they need no scratch memory. Never of Input, Constant and
// Opaque.
std::vector<Step> kernel_steps(const KernelSite& site, const Weights& weights);

}  // namespace iosx::gpu
