#pragma once

#include <array>

#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/nest.h"
#include "gpu/ops/kernels/vector.h"

namespace iosx::gpu::kernels {

// Returns a number in (-1, 1) that depends on the index in row-major order, not on layout or type. It is
// slightly below 1, so that rounding to a 16-bit type never gives 1.
IOS_HD float random_number(std::uint64_t index, std::uint32_t seed) {
  // The finaliser of splitmix64 on a Weyl sequence that starts at the seed.
  std::uint64_t x = (index + 1) * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(seed) * 0xD1342543DE82EF95U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  x ^= x >> 31U;
  const float unit = static_cast<float>(static_cast<std::uint32_t>(x >> 40U)) * (1.0F / 8388608.0F) - 1.0F;
  return unit * (1.0F - 1.0F / 256.0F);
}

template <class T, int kWidth, class IndexType>
struct FillStep {
  using Index = IndexType;
  Loops<Index, 2> loops;  // over the output and the elements' indices
  T* out;
  std::uint32_t seed;

  IOS_HD void operator()(Index step) const {
    std::int64_t at[2];
    loops.offsets(step, at);
    float values[kWidth];
    IOS_UNROLL
    for (int i = 0; i < kWidth; ++i) {
      values[i] = random_number(static_cast<std::uint64_t>(at[1] + i * loops.inner[1]), seed);
    }
    write<T, kWidth>(values, out + at[0]);
  }
};

template <class Executor>
void dispatch(const FillCall& call, const Executor& executor) {
  const TensorRef& out = call.out;
  if (out.elements() == 0) return;
  TensorRef indices = out;
  std::int64_t stride = 1;
  for (std::size_t axis = out.rank; axis-- > 0;) {
    indices.strides[axis] = stride;
    stride *= out.dims[axis];
  }
  const Nest nest = make_nest(std::array{out, indices});
  const std::array memory{out};
  const auto fit = [&](int w) { return fits(nest, memory, w); };
  choose_vectors(out.type, nest.elements(), executor.choice, fit, [&]<class T, int kWidth, class Index>() {
    executor.each(
        FillStep<T, kWidth, Index>{
            .loops = loops_of<Index, 2>(nest, kWidth), .out = static_cast<T*>(out.data), .seed = call.seed},
        nest.elements() / kWidth);
  });
}

}  // namespace iosx::gpu::kernels
