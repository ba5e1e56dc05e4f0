#include "gpu/bench/bench_kernels.h"
#include "gpu/runtime/cuda_check.h"

namespace iosx::gpu::bench {
namespace {

__device__ std::int64_t timer() {
  std::int64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void empty() {}

__global__ void spin(std::int64_t nanoseconds) {
  const std::int64_t begin = timer();
  while (timer() - begin < nanoseconds) {
  }
}

}  // namespace

void launch_empty(cudaStream_t stream) {
  empty<<<1, 32, 0, stream>>>();
  check(cudaGetLastError(), "the empty kernel");
}

void launch_spin(cudaStream_t stream, std::int64_t nanoseconds, int blocks) {
  spin<<<blocks, 1, 0, stream>>>(nanoseconds);
  check(cudaGetLastError(), "the spinning kernel");
}

void launch_wide_spin(cudaStream_t stream, std::int64_t nanoseconds, int blocks) {
  spin<<<blocks, 1024, 0, stream>>>(nanoseconds);
  check(cudaGetLastError(), "the spinning kernel");
}

}  // namespace iosx::gpu::bench
