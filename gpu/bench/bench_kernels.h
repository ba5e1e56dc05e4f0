#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace iosx::gpu::bench {

// Launches one warp that does nothing.
void launch_empty(cudaStream_t stream);
// Launches one thread that waits for so long, as the GPU's own timer says; it ticks once in 32 ns to 1 µs.
void launch_spin(cudaStream_t stream, std::int64_t nanoseconds);

}  // namespace iosx::gpu::bench
