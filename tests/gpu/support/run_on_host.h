#pragma once

#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/choice.h"

namespace iosx::gpu::test {

// Computes a call whose tensors are host memory, on the calling thread: the same functors with the same index
// arithmetic, blocks, threads and order of sums as on the GPU.
void run_on_host(const KernelCall& call, const kernels::Choice& choice = {});

}  // namespace iosx::gpu::test
