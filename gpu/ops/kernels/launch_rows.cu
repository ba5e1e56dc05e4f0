#include "gpu/ops/kernels/arg.h"
#include "gpu/ops/kernels/cuda_executor.cuh"
#include "gpu/ops/kernels/launch.h"
#include "gpu/ops/kernels/matmul.h"
#include "gpu/ops/kernels/normalize.h"
#include "gpu/ops/kernels/reduce.h"
#include "gpu/ops/kernels/softmax.h"

namespace iosx::gpu::kernels {

void launch_call(const ReduceCall& call, cudaStream_t stream) { launch_dispatched(call, "reduction", stream); }
void launch_call(const SoftmaxCall& call, cudaStream_t stream) { launch_dispatched(call, "softmax", stream); }
void launch_call(const ArgCall& call, cudaStream_t stream) { launch_dispatched(call, "arg reduction", stream); }
void launch_call(const NormalizeCall& call, cudaStream_t stream) { launch_dispatched(call, "layer norm", stream); }
void launch_call(const MatMulCall& call, cudaStream_t stream) { launch_dispatched(call, "matrix product", stream); }

}  // namespace iosx::gpu::kernels
