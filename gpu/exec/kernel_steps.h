#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "gpu/exec/kernel_site.h"
#include "gpu/exec/step.h"

namespace iosx::gpu {

// Returns the bytes that a kernel other than a layer takes of its lane's scratch memory: sums of parts, where a
// reduction is worth two steps. The tensors' addresses matter by their alignment alone.
std::int64_t kernel_scratch_bytes(const KernelSite& site);

// Returns the steps of a kernel other than a layer, all of them of our own. The error is a kind that has none: Input,
// Constant, Opaque, Recurrent, TopK, GridSample, and layers.
Result<std::vector<Step>> kernel_steps(const KernelSite& site, const Weights& weights, std::byte* scratch);

}  // namespace iosx::gpu
