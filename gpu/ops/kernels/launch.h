#pragma once

#include <cuda_runtime_api.h>

#include "gpu/ops/kernels/calls.h"

namespace iosx::gpu::kernels {

// Its instances stand in several files, for the sake of their compile time.
template <class Call>
void launch_call(const Call& call, cudaStream_t stream);

}  // namespace iosx::gpu::kernels

namespace iosx::gpu {

// Enqueues the call on the stream, or adds it to the stream's capture; does nothing for a tensor without elements.
// Throws GpuError if the launch fails and Unsupported if the call cannot be computed. Errors while the kernel runs
// show at a later call.
void launch(const KernelCall& call, cudaStream_t stream);

}  // namespace iosx::gpu
