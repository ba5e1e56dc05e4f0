#include "gpu/ops/kernels/copy.h"
#include "gpu/ops/kernels/cuda_executor.cuh"
#include "gpu/ops/kernels/elementwise.h"
#include "gpu/ops/kernels/launch.h"
#include "gpu/ops/kernels/pad.h"
#include "gpu/ops/kernels/reshape.h"

namespace iosx::gpu::kernels {

template void launch_call(const CopyCall& call, cudaStream_t stream);
template void launch_call(const ConcatCall& call, cudaStream_t stream);
template void launch_call(const ReshapeCall& call, cudaStream_t stream);
template void launch_call(const FillCall& call, cudaStream_t stream);
template void launch_call(const CombineCall& call, cudaStream_t stream);
template void launch_call(const AffineCall& call, cudaStream_t stream);
template void launch_call(const PadCall& call, cudaStream_t stream);
template void launch_call(const WhereCall& call, cudaStream_t stream);
template void launch_call(const GatherCall& call, cudaStream_t stream);

}  // namespace iosx::gpu::kernels
