#pragma once

#include <cuda_runtime_api.h>

#include "gpu/ops/kernels/calls.h"

// launch() for each call, split over several files to save compile time.
namespace iosx::gpu::kernels {

void launch_call(const CopyCall& call, cudaStream_t stream);
void launch_call(const ConcatCall& call, cudaStream_t stream);
void launch_call(const FillCall& call, cudaStream_t stream);
void launch_call(const CombineCall& call, cudaStream_t stream);
void launch_call(const AffineCall& call, cudaStream_t stream);
void launch_call(const DepthwiseCall& call, cudaStream_t stream);
void launch_call(const PoolCall& call, cudaStream_t stream);
void launch_call(const ReduceCall& call, cudaStream_t stream);
void launch_call(const SoftmaxCall& call, cudaStream_t stream);
void launch_call(const LrnCall& call, cudaStream_t stream);
void launch_call(const PadCall& call, cudaStream_t stream);
void launch_call(const ResizeCall& call, cudaStream_t stream);
void launch_call(const ReshapeCall& call, cudaStream_t stream);
void launch_call(const MatMulCall& call, cudaStream_t stream);
void launch_call(const WhereCall& call, cudaStream_t stream);
void launch_call(const GatherCall& call, cudaStream_t stream);
void launch_call(const ArgCall& call, cudaStream_t stream);
void launch_call(const NormalizeCall& call, cudaStream_t stream);

// Throws GpuError with the name of the call if its launch failed.
void check_launch(const char* call);

}  // namespace iosx::gpu::kernels
