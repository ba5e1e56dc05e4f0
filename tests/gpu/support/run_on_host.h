#pragma once

#include <cstdint>
#include <optional>

#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/vector.h"

namespace iosx::gpu::test {

// Computes a call with tensors in host memory, on the calling thread: the same functors with the same index arithmetic,
// blocks, threads and order of sums as on the GPU. Blocks of rows run in order, or with a seed in a random order,
// because a GPU guarantees none.
void run_on_host(const KernelCall& call, const kernels::Choice& choice = {}, std::optional<std::uint32_t> seed = {});

}  // namespace iosx::gpu::test
