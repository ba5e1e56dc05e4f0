#pragma once

#include <cstdint>
#include <vector>

#include "gpu/exec/conv_choice.h"
#include "gpu/exec/kernel_site.h"

// Make the steps of Conv, ConvTranspose and Linear kernels.
namespace iosx::gpu {

// Returns the scratch memory in bytes, from its lane, of a layer computed in this way: copies of tensors that the
// library cannot read, and the way's own. The tensors' addresses do not matter.
std::int64_t layer_scratch_bytes(const KernelSite& site, const ConvProblem& problem, const ConvWay& way);

// Returns the layer's steps; uploads missing weights.
std::vector<Step> layer_steps(const KernelSite& site, const ConvProblem& problem, const ConvWay& way,
                              const Weights& weights, std::byte* scratch);

}  // namespace iosx::gpu
