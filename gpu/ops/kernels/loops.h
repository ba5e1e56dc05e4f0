#pragma once

#include <cstddef>
#include <cstdint>

#include "core/model/layout/tensor_ref.h"
#include "gpu/ops/kernels/host_device.h"

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

}  // namespace iosx::gpu::kernels
