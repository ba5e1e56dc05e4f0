#include "gpu/ops/kernels/cuda_executor.cuh"
#include "gpu/ops/kernels/excite.h"
#include "gpu/ops/kernels/launch.h"
#include "gpu/ops/kernels/matmul.h"
#include "gpu/ops/kernels/normalize.h"
#include "gpu/ops/kernels/reduce.h"
#include "gpu/ops/kernels/softmax.h"

namespace iosx::gpu::kernels {

template void launch_call(const ReduceCall& call, cudaStream_t stream);
template void launch_call(const SoftmaxCall& call, cudaStream_t stream);
template void launch_call(const ArgCall& call, cudaStream_t stream);
template void launch_call(const NormalizeCall& call, cudaStream_t stream);
template void launch_call(const MatMulCall& call, cudaStream_t stream);
template void launch_call(const ExciteCall& call, cudaStream_t stream);

}  // namespace iosx::gpu::kernels
