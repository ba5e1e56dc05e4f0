#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace iosx::gpu {

// A multiprocessor's cycle counter and the GPU's timer at one moment.
struct ClockStamp {
  std::int64_t cycles = 0;
  std::int64_t nanoseconds = 0;
  std::uint32_t multiprocessor = 0;
};

// Writes a stamp to memory that the device can write, from one thread. On a GPU without other work it is always
// from the same multiprocessor.
cudaError_t launch_clock_stamp(ClockStamp* stamp, cudaStream_t stream);

// Returns the multiprocessor's mean clock between two stamps in MHz; 0 where unknown.
double mhz_between(const ClockStamp& begin, const ClockStamp& end);

// Returns an error where the library has no code for the current device.
cudaError_t find_clock_kernel();

}  // namespace iosx::gpu
