#pragma once

#include <array>

#include "gpu/ops/kernels/activate.h"
#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/choice.h"
#include "gpu/ops/kernels/nest.h"

namespace iosx::gpu::kernels {

template <class T, int kWidth, class IndexType>
struct AffineStep {
  using Index = IndexType;
  Loops<Index, 3> loops;  // over the output, the input and the channels
  const T* in;
  const float* scale;  // may be null
  const float* shift;
  T* out;
  Activate activate;

  IOS_HD void operator()(Index step) const {
    std::int64_t at[3];
    loops.offsets(step, at);
    float values[kWidth];
    float channel[kWidth];
    read<T, kWidth>(in + at[1], loops.inner[1], values);
    if (scale != nullptr) {
      read<float, kWidth>(scale + at[2], loops.inner[2], channel);
      IOS_UNROLL
      for (int i = 0; i < kWidth; ++i) values[i] *= channel[i];
    }
    read<float, kWidth>(shift + at[2], loops.inner[2], channel);
    IOS_UNROLL
    for (int i = 0; i < kWidth; ++i) values[i] += channel[i];
    activate(values);
    write<T, kWidth>(values, out + at[0]);
  }
};

template <class Executor>
void dispatch(const AffineCall& call, const Executor& executor) {
  const TensorRef& out = call.out;
  IOS_CHECK(call.in.type == out.type && out.rank >= 2 && call.shift != nullptr);
  if (out.elements() == 0) return;
  const auto spread = [&](const float* values) {
    TensorRef ref = out;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): only read
    ref.data = const_cast<float*>(values);
    ref.type = DataType::kFloat32;
    ref.strides = {};
    ref.strides[1] = 1;
    return ref;
  };
  const TensorRef shift = spread(call.shift);
  const TensorRef scale = spread(call.scale);
  const Nest nest = make_nest(std::array{out, call.in, shift});
  const std::array with_shift{out, call.in, shift};
  const std::array with_scale{out, call.in, scale};
  choose_type(out.type, [&](auto type) {
    using T = typename decltype(type)::Type;
    const int width = widest(sizeof(T), executor.choice, [&](int w) {
      return fits(nest, with_shift, w) && (call.scale == nullptr || fits(nest, with_scale, w));
    });
    choose_width<T>(width, nest.elements(), executor.choice, [&](auto chosen, auto index) {
      using Index = typename decltype(index)::Type;
      constexpr int kWidth = decltype(chosen)::value;
      executor.each(AffineStep<T, kWidth, Index>{.loops = loops_of<Index, 3>(nest, kWidth),
                                                 .in = static_cast<const T*>(call.in.data),
                                                 .scale = call.scale,
                                                 .shift = call.shift,
                                                 .out = static_cast<T*>(out.data),
                                                 .activate = Activate(call.activation)},
                    nest.elements() / kWidth);
    });
  });
}

}  // namespace iosx::gpu::kernels
