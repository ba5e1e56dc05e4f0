#include "gpu/ops/kernels/cuda_executor.cuh"
#include "gpu/ops/kernels/launch.h"
#include "gpu/ops/kernels/normalize.h"
#include "gpu/ops/kernels/resize.h"
#include "gpu/ops/kernels/windows.h"

namespace iosx::gpu::kernels {

template void launch_call(const DepthwiseCall& call, cudaStream_t stream);
template void launch_call(const PoolCall& call, cudaStream_t stream);
template void launch_call(const LrnCall& call, cudaStream_t stream);
template void launch_call(const ResizeCall& call, cudaStream_t stream);

}  // namespace iosx::gpu::kernels
