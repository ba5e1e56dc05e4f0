#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "gpu/exec/kernel_site.h"
#include "gpu/exec/step.h"

namespace iosx::gpu {

// Returns the scratch memory in bytes, from its lane, of a kernel that is not a layer: partial sums where a
// reduction is worth two steps. Of the tensors' addresses only the alignment matters.
std::int64_t kernel_scratch_bytes(const KernelSite& site);

// Returns the steps of a kernel that is not a layer, all with our own kernels. Returns an error for a kind without
// any: Input, Constant, Opaque, Recurrent, TopK, GridSample, and layers.
Result<std::vector<Step>> kernel_steps(const KernelSite& site, const Weights& weights, std::byte* scratch);

}  // namespace iosx::gpu
