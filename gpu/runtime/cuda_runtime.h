#pragma once

#include <memory>

#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// Makes a runtime for the GPU of this CUDA number. Plans must be CudnnPlans for the same GPU. Calls may come from one
// thread after another; each makes the GPU that thread's current one. Several runtimes of one GPU may be used by
// several threads at once.
//
// Before work is captured, the same work must have run once on the same streams: CUDA loads kernels and cuDNN makes its
// handles when they are first used, which a capture does not allow.
//
// Throws GpuError if the GPU cannot be used.
std::unique_ptr<Runtime> make_cuda_runtime(int device);

}  // namespace iosx::gpu
