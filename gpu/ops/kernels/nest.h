#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "core/model/layout/nest.h"
#include "gpu/ops/kernels/host_device.h"
#include "gpu/ops/kernels/vector.h"

// Map the number of an output vector to places in memory. Numbers are 32 bits wide, below 2^31, where that suffices,
// otherwise 64; offsets in memory are always 64 bits.
namespace iosx::gpu::kernels {

// Divides by a number known before the launch.
template <class Index>
class Divider {
 public:
  Divider() = default;
  explicit Divider(std::int64_t by) : by_(static_cast<Index>(by)) {}
  IOS_HD Index operator()(Index x) const { return x / by_; }
  IOS_HD Index by() const { return by_; }

 private:
  Index by_ = 1;
};

// Divides by multiplication and shift, for dividends and divisors below 2^31: with s the least number such that 2^s >=
// by, and m = floor(2^32 (2^s - by) / by) + 1, the quotient is floor((floor(x m / 2^32) + x) / 2^s).
template <>
class Divider<std::uint32_t> {
 public:
  Divider() : Divider(1) {}
  explicit Divider(std::int64_t by) : by_(static_cast<std::uint32_t>(by)) {
    while ((std::uint64_t{1} << shift_) < by_) ++shift_;
    const std::uint64_t rest = (std::uint64_t{1} << shift_) - by_;
    factor_ = static_cast<std::uint32_t>((rest << 32U) / by_ + 1);
  }
  IOS_HD std::uint32_t operator()(std::uint32_t x) const {
#ifdef __CUDA_ARCH__
    const std::uint32_t high = __umulhi(x, factor_);
#else
    const auto high = static_cast<std::uint32_t>((static_cast<std::uint64_t>(x) * factor_) >> 32U);
#endif
    return (high + x) >> shift_;
  }
  IOS_HD std::uint32_t by() const { return by_; }

 private:
  std::uint32_t by_ = 1;
  std::uint32_t factor_ = 1;
  std::uint32_t shift_ = 0;
};

// Removes the place along an axis of that size from an index that counts places, the innermost axis first.
template <class Index>
IOS_HD Index take_place(Index& index, const Divider<Index>& size) {
  const Index quotient = size(index);
  const Index place = index - quotient * size.by();
  index = quotient;
  return place;
}

// Nested loops over kOperands tensors, the innermost last, made by loops_of() in nest.h.
template <class Index, int kOperands>
struct Loops {
  int rank = 0;
  Divider<Index> sizes[TensorRef::kMaxRank];
  std::int64_t strides[TensorRef::kMaxRank][kOperands] = {};  // of a step, in elements
  std::int64_t inner[kOperands] = {};                         // between the elements of a vector

  // Returns where the step begins in each operand, in elements.
  IOS_HD void offsets(Index step, std::int64_t (&at)[kOperands]) const {
    IOS_UNROLL
    for (int i = 0; i < kOperands; ++i) at[i] = 0;
    IOS_NO_UNROLL
    for (int loop = rank - 1; loop > 0; --loop) {
      const Index place = take_place(step, sizes[loop]);
      IOS_UNROLL
      for (int i = 0; i < kOperands; ++i) at[i] += static_cast<std::int64_t>(place) * strides[loop][i];
    }
    IOS_UNROLL
    for (int i = 0; i < kOperands; ++i) at[i] += static_cast<std::int64_t>(step) * strides[0][i];
  }
};

// Returns whether vectors of that width along the innermost loop can be stored to operand 0, and loaded from the
// others that have stride 1 there: the sizes divide and everything is aligned. `memory` has the operands in memory,
// in the nest's order; the nest may have more.
bool fits(const Nest& nest, std::span<const TensorRef> memory, int width);

// Makes loops over vectors of that width.
template <class Index, int kOperands>
Loops<Index, kOperands> loops_of(const Nest& nest, int width) {
  Loops<Index, kOperands> loops;
  loops.rank = static_cast<int>(nest.rank);
  for (std::size_t loop = 0; loop < nest.rank; ++loop) {
    const std::int64_t together = loop + 1 == nest.rank ? width : 1;
    loops.sizes[loop] = Divider<Index>(nest.dims[loop] / together);
    for (std::size_t i = 0; i < kOperands; ++i) {
      loops.strides[loop][i] = nest.strides[i][loop] * together;
      loops.inner[i] = nest.inner_stride(i);
    }
  }
  return loops;
}

// Returns whether the operand's steps through all loops keep vectors of that width aligned, along whatever other loop
// they lie.
bool steps_fit(const Nest& nest, std::size_t operand, DataType type, int width);

// Returns whether vectors of that width along the axis can be loaded from each of the tensors (data null: none): its
// stride is 1, its size divides, and all other strides and the pointer are aligned.
bool fits_along(std::size_t axis, std::initializer_list<const TensorRef*> tensors, int width);

}  // namespace iosx::gpu::kernels
