#include "gpu/runtime/clock_kernel.h"

namespace iosx::gpu {
namespace {

__device__ std::int64_t timer() {
  std::int64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

// The timer ticks once in 32 ns to 1 µs, as the GPU pleases: both ends lie on a tick.
__global__ void sample_clock(std::int64_t nanoseconds, ClockSample* sample) {
  const std::int64_t before = timer();
  std::int64_t begin = before;
  while (begin == before) begin = timer();
  const std::int64_t first_cycle = clock64();
  std::int64_t end = begin;
  while (end - begin < nanoseconds) end = timer();
  sample->cycles = clock64() - first_cycle;
  sample->nanoseconds = end - begin;
}

}  // namespace

cudaError_t launch_clock_kernel(std::int64_t nanoseconds, ClockSample* sample, cudaStream_t stream) {
  sample_clock<<<1, 1, 0, stream>>>(nanoseconds, sample);
  return cudaGetLastError();
}

cudaError_t find_clock_kernel() {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, sample_clock);
}

}  // namespace iosx::gpu
