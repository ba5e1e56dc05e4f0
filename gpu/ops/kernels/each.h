#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/ops/kernels/host_device.h"

// Kernels whose threads compute independent output vectors, one after another.
//
// Such a functor has `using Index`, the type of its step numbers, and `void operator()(Index step) const`.
namespace iosx::gpu::kernels {

struct EachGrid {
  static constexpr std::int64_t kThreads =
      128;  // per block; small, because small maps have to spread over all processors
  static constexpr std::int64_t kMostBlocks = std::int64_t{1} << 20U;

  explicit EachGrid(std::int64_t steps) : blocks(std::min((steps + kThreads - 1) / kThreads, kMostBlocks)) {}
  std::int64_t blocks;
};

// Runs one thread: every step whose number is its own plus a multiple of `threads`.
template <class Functor>
IOS_HD void each_step(const Functor& functor, typename Functor::Index count, typename Functor::Index thread,
                      typename Functor::Index threads) {
  for (typename Functor::Index step = thread; step < count; step += threads) functor(step);
}

}  // namespace iosx::gpu::kernels
