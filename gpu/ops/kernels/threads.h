#pragma once

#include <algorithm>
#include <bit>
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

// Reductions. A block takes a few columns (output vectors); for each, several threads (lanes) accumulate the elements
// lane, lane + lanes, …. The lanes' sums are then combined pairwise in shared memory, and every lane gets the total.
//
// Such a functor has
//   struct Sum;                                                      any monoid; default-constructible without effect
//   RowsShape shape;
//   Sum accumulate(std::int64_t column, int lane) const;             identity if there are no elements
//   void combine(Sum& sum, const Sum& more) const;
//   void finish(std::int64_t column, int lane, const Sum& total) const;
struct RowsShape {
  static constexpr int kThreads = 256;
  static constexpr std::int64_t kMostBlocks = std::int64_t{1} << 20U;

  std::int64_t columns = 0;  // in total
  int block_columns = 1;     // both powers of two that multiply to kThreads
  int lanes = kThreads;
  bool lanes_first = false;  // neighbouring threads are neighbouring lanes of a column, instead of columns of a lane

  IOS_HD std::int64_t groups() const { return (columns + block_columns - 1) / block_columns; }
  std::int64_t blocks() const { return std::min(groups(), kMostBlocks); }

  IOS_HD int lane(int thread) const { return lanes_first ? thread & (lanes - 1) : thread / block_columns; }
  IOS_HD int column(int thread) const { return lanes_first ? thread / lanes : thread & (block_columns - 1); }
  // Returns the distance between the threads of neighbouring lanes.
  IOS_HD int pitch() const { return lanes_first ? 1 : block_columns; }
};

// The lanes of a column share `steps`; a step's vector has `bytes`. With `along` a column's steps are neighbours in
// memory, otherwise the columns are.
inline RowsShape rows_shape(std::int64_t columns, std::int64_t steps, int bytes, bool along) {
  constexpr int kThreads = RowsShape::kThreads;
  constexpr int kLine = 128;  // bytes that a warp should load together
  const int useful =
      static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(std::clamp<std::int64_t>(steps, 1, kThreads))));
  int lanes = useful;
  if (!along) {
    const int together = std::clamp(kLine / bytes, 8, 32);
    lanes = std::min(useful, kThreads / together);
    while (lanes < useful && kThreads / (2 * lanes) >= columns) lanes *= 2;
  }
  return {.columns = columns, .block_columns = kThreads / lanes, .lanes = lanes, .lanes_first = along};
}

// Blocks that work in phases, with a barrier after each. Such a functor has
//   static constexpr int kThreads;                                    of a block
//   static constexpr int kPhases;
//   int shared_floats() const;                                        that a block's threads share, at most 48 KB
//   void operator()(int phase, std::int64_t block, int thread, float* shared) const;

// Runs one thread between two barriers. The block's threads share `sums`.
template <class Functor>
IOS_HD void rows_accumulate(const Functor& functor, typename Functor::Sum* sums, std::int64_t group, int thread) {
  const RowsShape& shape = functor.shape;
  const std::int64_t column = group * shape.block_columns + shape.column(thread);
  if (column < shape.columns) sums[thread] = functor.accumulate(column, shape.lane(thread));
}
// Called for half = lanes / 2, lanes / 4, … 1.
template <class Functor>
IOS_HD void rows_combine(const Functor& functor, typename Functor::Sum* sums, std::int64_t group, int half,
                         int thread) {
  const RowsShape& shape = functor.shape;
  const std::int64_t column = group * shape.block_columns + shape.column(thread);
  if (column < shape.columns && shape.lane(thread) < half) {
    functor.combine(sums[thread], sums[thread + half * shape.pitch()]);
  }
}
template <class Functor>
IOS_HD void rows_finish(const Functor& functor, const typename Functor::Sum* sums, std::int64_t group, int thread) {
  const RowsShape& shape = functor.shape;
  const std::int64_t column = group * shape.block_columns + shape.column(thread);
  const int lane = shape.lane(thread);
  if (column < shape.columns) functor.finish(column, lane, sums[thread - lane * shape.pitch()]);
}

}  // namespace iosx::gpu::kernels
