#include "gpu/ops/kernels/cuda_executor.cuh"
#include "gpu/ops/kernels/launch.h"
#include "gpu/ops/kernels/normalize.h"
#include "gpu/ops/kernels/resize.h"
#include "gpu/ops/kernels/windows.h"

namespace iosx::gpu::kernels {

void launch_call(const DepthwiseCall& call, cudaStream_t stream) {
  launch_dispatched(call, "depthwise convolution", stream);
}
void launch_call(const PoolCall& call, cudaStream_t stream) { launch_dispatched(call, "pooling", stream); }
void launch_call(const LrnCall& call, cudaStream_t stream) { launch_dispatched(call, "normalisation", stream); }
void launch_call(const ResizeCall& call, cudaStream_t stream) { launch_dispatched(call, "resize", stream); }

}  // namespace iosx::gpu::kernels
