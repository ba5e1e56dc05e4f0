#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace iosx::gpu {

struct ClockSample {
  std::int64_t cycles = 0;       // of the SM
  std::int64_t nanoseconds = 0;  // of the GPU's timer, meanwhile
};

// Writes a sample of at least `nanoseconds` to memory that the device can write, from one thread.
cudaError_t launch_clock_kernel(std::int64_t nanoseconds, ClockSample* sample, cudaStream_t stream);

// Returns an error where the library holds no code for the current device.
cudaError_t find_clock_kernel();

}  // namespace iosx::gpu
