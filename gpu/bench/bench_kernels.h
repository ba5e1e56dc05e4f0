#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace iosx::gpu::bench {

// Launches one warp that does nothing.
void launch_empty(cudaStream_t stream);
// Launches blocks of one thread that wait that long by the GPU's own timer, which ticks every 32 ns to 1 µs.
void launch_spin(cudaStream_t stream, std::int64_t nanoseconds, int blocks = 1);
// Launches blocks of 1024 threads that wait that long each: two fill a multiprocessor.
void launch_wide_spin(cudaStream_t stream, std::int64_t nanoseconds, int blocks);

}  // namespace iosx::gpu::bench
