#pragma once

#include <array>
#include <type_traits>

#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/choice.h"
#include "gpu/ops/kernels/nest.h"

namespace iosx::gpu::kernels {

// From and To are the same unsigned integer, whose bits are moved, or floats of different types.
template <class From, class To, int kWidth, class IndexType>
struct CopyStep {
  using Index = IndexType;
  Loops<Index, 2> loops;
  const From* in;
  To* out;

  IOS_HD void operator()(Index step) const {
    std::int64_t at[2];
    loops.offsets(step, at);
    if constexpr (std::is_same_v<From, To>) {
      gather<From, kWidth>(in + at[1], loops.inner[1]).store(out + at[0]);
    } else {
      float values[kWidth];
      read<From, kWidth>(in + at[1], loops.inner[1], values);
      write<To, kWidth>(values, out + at[0]);
    }
  }
};

template <class From, class To, class Executor>
void run_copy(const TensorRef& in, const TensorRef& out, const Executor& executor) {
  const std::array operands{out, in};
  const Nest nest = make_nest(operands);
  constexpr int kBytes = static_cast<int>(sizeof(To) < sizeof(From) ? sizeof(To) : sizeof(From));
  const int width = widest(kBytes, executor.choice, [&](int w) { return fits(nest, operands, w); });
  using Narrow = std::conditional_t<sizeof(To) < sizeof(From), To, From>;
  choose_width<Narrow>(width, nest.elements(), executor.choice, [&](auto chosen, auto index) {
    using Index = typename decltype(index)::Type;
    constexpr int kWidth = decltype(chosen)::value;
    executor.each(CopyStep<From, To, kWidth, Index>{.loops = loops_of<Index, 2>(nest, kWidth),
                                                    .in = static_cast<const From*>(in.data),
                                                    .out = static_cast<To*>(out.data)},
                  nest.elements() / kWidth);
  });
}

template <class Executor>
void dispatch(const CopyCall& call, const Executor& executor) {
  if (call.out.elements() == 0) return;
  if (call.in.type == call.out.type) {
    return choose_bits(call.in.type, [&](auto bits) {
      using Bits = typename decltype(bits)::Type;
      run_copy<Bits, Bits>(call.in, call.out, executor);
    });
  }
  choose_type(call.in.type, [&](auto from) {
    choose_type(call.out.type, [&](auto to) {
      using From = typename decltype(from)::Type;
      using To = typename decltype(to)::Type;
      if constexpr (!std::is_same_v<From, To>) run_copy<From, To>(call.in, call.out, executor);
    });
  });
}

}  // namespace iosx::gpu::kernels
