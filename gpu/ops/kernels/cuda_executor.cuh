#pragma once

#include <cstdint>

#include "gpu/ops/kernels/launch.h"
#include "gpu/ops/kernels/threads.h"
#include "gpu/ops/kernels/vector.h"

// Runs functors on the GPU (dispatch.h).
namespace iosx::gpu::kernels {

// Set by functors for which nvcc need not save registers for several blocks per multiprocessor. Otherwise it saves
// registers by loading little at a time and waiting each time.
template <class Functor>
constexpr int blocks_kept() {
  if constexpr (requires { Functor::kManyLoads; }) return Functor::kManyLoads ? 1 : 0;
  return 0;  // for nvcc
}

template <class Functor>
__global__ void __launch_bounds__(EachGrid::kThreads, blocks_kept<Functor>())
    each_kernel(const __grid_constant__ Functor functor, typename Functor::Index steps) {
  using Index = typename Functor::Index;
  const Index threads = static_cast<Index>(gridDim.x) * static_cast<Index>(EachGrid::kThreads);
  each_step(functor, steps, static_cast<Index>(blockIdx.x) * static_cast<Index>(EachGrid::kThreads) + threadIdx.x,
            threads);
}

template <class Functor>
__global__ void __launch_bounds__(RowsShape::kThreads) rows_kernel(const __grid_constant__ Functor functor) {
  __shared__ typename Functor::Sum sums[RowsShape::kThreads];
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t groups = functor.shape.groups();
  for (std::int64_t group = blockIdx.x; group < groups; group += gridDim.x) {
    rows_accumulate(functor, sums, group, thread);
    __syncthreads();
    for (int half = functor.shape.lanes / 2; half > 0; half /= 2) {
      rows_combine(functor, sums, group, half, thread);
      __syncthreads();
    }
    rows_finish(functor, sums, group, thread);
    __syncthreads();  // before the next group overwrites the sums
  }
}

template <class Functor>
__global__ void __launch_bounds__(Functor::kThreads) phases_kernel(const __grid_constant__ Functor functor) {
  extern __shared__ float shared[];
  IOS_UNROLL
  for (int phase = 0; phase < Functor::kPhases; ++phase) {
    functor(phase, blockIdx.x, static_cast<int>(threadIdx.x), shared);
    __syncthreads();
  }
}

struct CudaExecutor {
  cudaStream_t stream = nullptr;
  Choice choice = {};

  template <class Functor>
  void each(const Functor& functor, std::int64_t steps) const {
    const auto blocks = static_cast<unsigned>(EachGrid(steps).blocks);
    each_kernel<<<blocks, EachGrid::kThreads, 0, stream>>>(functor, static_cast<typename Functor::Index>(steps));
  }
  template <class Functor>
  void rows(const Functor& functor) const {
    rows_kernel<<<static_cast<unsigned>(functor.shape.blocks()), RowsShape::kThreads, 0, stream>>>(functor);
  }
  template <class Functor>
  void phases(const Functor& functor, std::int64_t blocks) const {
    const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(functor.shared_floats());
    phases_kernel<<<static_cast<unsigned>(blocks), Functor::kThreads, bytes, stream>>>(functor);
  }
};

template <class Call>
void launch_call(const Call& call, cudaStream_t stream) {
  dispatch(call, CudaExecutor{stream});
}

}  // namespace iosx::gpu::kernels
