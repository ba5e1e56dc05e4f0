#pragma once

#include <array>
#include <span>

#include "gpu/ops/kernels/activate.h"
#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/choice.h"
#include "gpu/ops/kernels/nest.h"

namespace iosx::gpu::kernels {

template <class T, int kWidth, class IndexType>
struct CombineStep {
  static constexpr int kInputs = static_cast<int>(CombineCall::kMaxInputs);
  using Index = IndexType;
  Loops<Index, kInputs + 1> loops;  // over the output and the inputs
  const T* in[kInputs];
  int count;
  Combination op;
  T* out;
  Activate activate;

  IOS_HD void operator()(Index step) const {
    std::int64_t at[kInputs + 1];
    loops.offsets(step, at);
    float values[kWidth];
    read<T, kWidth>(in[0] + at[1], loops.inner[1], values);
    IOS_UNROLL
    for (int input = 1; input < kInputs; ++input) {
      if (input >= count) break;
      float more[kWidth];
      read<T, kWidth>(in[input] + at[input + 1], loops.inner[input + 1], more);
      take(more, values);
    }
    activate(values);
    write<T, kWidth>(values, out + at[0]);
  }

 private:
  IOS_HD void take(const float (&more)[kWidth], float (&values)[kWidth]) const {
    IOS_UNROLL
    for (int i = 0; i < kWidth; ++i) {
      switch (op) {
        case Combination::kAdd: values[i] += more[i]; break;
        case Combination::kMul: values[i] *= more[i]; break;
        case Combination::kSub: values[i] -= more[i]; break;
        case Combination::kDiv: values[i] /= more[i]; break;
      }
    }
  }
};

template <class Executor>
void dispatch(const CombineCall& call, const Executor& executor) {
  IOS_CHECK(call.count >= 1 && call.count <= CombineCall::kMaxInputs);
  std::array<TensorRef, CombineCall::kMaxInputs + 1> operands;
  operands[0] = call.out;
  for (std::size_t i = 0; i < CombineCall::kMaxInputs; ++i) {
    operands[i + 1] = call.in[i < call.count ? i : 0];  // any valid one in place of those that are not there
    IOS_CHECK(operands[i + 1].type == call.out.type);
  }
  if (call.out.elements() == 0) return;
  const Nest nest = make_nest(operands);
  choose_type(call.out.type, [&](auto type) {
    using T = typename decltype(type)::Type;
    const int width = widest(sizeof(T), executor.choice, [&](int w) { return fits(nest, operands, w); });
    choose_width<T>(width, nest.elements(), executor.choice, [&](auto chosen, auto index) {
      using Index = typename decltype(index)::Type;
      constexpr int kWidth = decltype(chosen)::value;
      using Step = CombineStep<T, kWidth, Index>;
      Step step{.loops = loops_of<Index, Step::kInputs + 1>(nest, kWidth),
                .in = {},
                .count = static_cast<int>(call.count),
                .op = call.op,
                .out = static_cast<T*>(call.out.data),
                .activate = Activate(call.activation)};
      for (std::size_t i = 0; i < CombineCall::kMaxInputs; ++i) {
        step.in[i] = static_cast<const T*>(operands[i + 1].data);
      }
      executor.each(step, nest.elements() / kWidth);
    });
  });
}

}  // namespace iosx::gpu::kernels
