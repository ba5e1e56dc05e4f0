#include "gpu/runtime/clock_kernel.h"

namespace iosx::gpu {
namespace {

__global__ void stamp_clock(ClockStamp* stamp) {
  asm volatile("mov.u32 %0, %%smid;" : "=r"(stamp->multiprocessor));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(stamp->nanoseconds));
  stamp->cycles = clock64();
}

}  // namespace

cudaError_t launch_clock_stamp(ClockStamp* stamp, cudaStream_t stream) {
  stamp_clock<<<1, 1, 0, stream>>>(stamp);
  return cudaGetLastError();
}

double mhz_between(const ClockStamp& begin, const ClockStamp& end) {
  const std::int64_t nanoseconds = end.nanoseconds - begin.nanoseconds;
  if (begin.multiprocessor != end.multiprocessor || nanoseconds <= 0 || end.cycles <= begin.cycles) return 0;
  return static_cast<double>(end.cycles - begin.cycles) / static_cast<double>(nanoseconds) * 1e3;
}

cudaError_t find_clock_kernel() {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, stamp_clock);
}

}  // namespace iosx::gpu
