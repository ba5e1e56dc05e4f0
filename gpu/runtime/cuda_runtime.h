#pragma once

#include <memory>

#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// Makes a runtime for the GPU of this CUDA number. Plans must be CudnnPlans for the same GPU. Calls may come from any
// thread, one at a time; each makes the GPU that thread's current one. Several threads may use several runtimes of
// one GPU at once.
//
// Before capturing work, run it once on the same streams: CUDA loads kernels and cuDNN makes its handles on first use,
// which a capture does not allow.
//
// Throws GpuError if the GPU cannot be used.
std::unique_ptr<Runtime> make_cuda_runtime(int device);

}  // namespace iosx::gpu
