#pragma once

#include <cuda_runtime_api.h>

#include "gpu/ops/kernels/calls.h"

namespace iosx::gpu::kernels {

// launch() of each call stands in one of several files, for the sake of their compile time.
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

namespace iosx::gpu {

// Enqueues the call on the stream, or adds it to the stream's capture; does nothing for a tensor without elements.
// Throws GpuError if the launch fails and Unsupported if the call cannot be computed. Errors while the kernel runs
// show at a later call.
void launch(const KernelCall& call, cudaStream_t stream);

}  // namespace iosx::gpu
