#pragma once

#include <array>

#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/choice.h"
#include "gpu/ops/kernels/nest.h"

namespace iosx::gpu::kernels {

template <class T, int kWidth, class IndexType>
struct WhereStep {
  using Index = IndexType;
  Loops<Index, 4> loops;  // over the output, the condition and the two inputs
  const T* condition;
  const T* yes;
  const T* no;
  T* out;

  IOS_HD void operator()(Index step) const {
    std::int64_t at[4];
    loops.offsets(step, at);
    float conditions[kWidth];
    float values[kWidth];
    float others[kWidth];
    read<T, kWidth>(condition + at[1], loops.inner[1], conditions);
    read<T, kWidth>(yes + at[2], loops.inner[2], values);
    read<T, kWidth>(no + at[3], loops.inner[3], others);
    IOS_UNROLL
    for (int i = 0; i < kWidth; ++i) values[i] = conditions[i] != 0 ? values[i] : others[i];
    write<T, kWidth>(values, out + at[0]);
  }
};

template <class Executor>
void dispatch(const WhereCall& call, const Executor& executor) {
  const std::array operands{call.out, call.condition, call.yes, call.no};
  for (const TensorRef& operand : operands) IOS_CHECK(operand.type == call.out.type);
  if (call.out.elements() == 0) return;
  const Nest nest = make_nest(operands);
  choose_type(call.out.type, [&](auto type) {
    using T = typename decltype(type)::Type;
    const int width = widest(sizeof(T), executor.choice, [&](int w) { return fits(nest, operands, w); });
    choose_width<T>(width, nest.elements(), executor.choice, [&](auto chosen, auto index) {
      using Index = typename decltype(index)::Type;
      constexpr int kWidth = decltype(chosen)::value;
      executor.each(WhereStep<T, kWidth, Index>{.loops = loops_of<Index, 4>(nest, kWidth),
                                                .condition = static_cast<const T*>(call.condition.data),
                                                .yes = static_cast<const T*>(call.yes.data),
                                                .no = static_cast<const T*>(call.no.data),
                                                .out = static_cast<T*>(call.out.data)},
                    nest.elements() / kWidth);
    });
  });
}

}  // namespace iosx::gpu::kernels
