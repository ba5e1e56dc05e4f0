#pragma once

#include <cuda_runtime_api.h>

#include "gpu/ops/kernels/calls.h"

namespace iosx::gpu {

// Enqueues the call on the stream, or adds it to the graph that the stream captures; nothing for a tensor without
// elements. Throws GpuError if the launch fails and Unsupported if the call cannot be computed at all. What goes wrong
// while the kernel runs shows at a later call.
void launch(const KernelCall& call, cudaStream_t stream);

}  // namespace iosx::gpu
