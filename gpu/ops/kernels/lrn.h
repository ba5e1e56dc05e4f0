#pragma once

#include <array>
#include <cmath>

#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/choice.h"
#include "gpu/ops/kernels/nest.h"

namespace iosx::gpu::kernels {

// Computes one element; the cache serves the neighbours' loads.
template <class T, class IndexType>
struct LrnStep {
  using Index = IndexType;
  Divider<Index> channels;
  Loops<Index, 2> loops;  // of the output and the input, without the channels
  const T* in;
  T* out;
  std::int64_t in_stride;  // along the channels
  std::int64_t out_stride;
  std::int64_t before;  // of the window, which has before + 1 + after elements
  std::int64_t after;
  float scale;  // alpha / size
  float beta;
  float bias;

  IOS_HD void operator()(Index step) const {
    const auto channel = static_cast<std::int64_t>(take_place(step, channels));
    const auto count = static_cast<std::int64_t>(channels.by());
    std::int64_t at[2];
    loops.offsets(step, at);
    const T* const line = in + at[1];
    const std::int64_t first = channel < before ? 0 : channel - before;
    const std::int64_t last = channel + after < count ? channel + after : count - 1;
    float squares = 0;
    for (std::int64_t c = first; c <= last; ++c) {
      const float x = to_float(line[c * in_stride]);
      squares += x * x;
    }
    const float y = to_float(line[channel * in_stride]) / power(bias + scale * squares);
    out[at[0] + channel * out_stride] = FromFloat<T>::of(y);
  }

 private:
  IOS_HD float power(float x) const {
    if (beta == 0.75F) {
      const float root = sqrtf(x);
      return root * sqrtf(root);
    }
    return powf(x, beta);
  }
};

template <class Executor>
void dispatch(const LrnCall& call, const Executor& executor) {
  const TensorRef& in = call.in;
  const TensorRef& out = call.out;
  IOS_CHECK(in.rank >= 2 && in.rank == out.rank && in.dims == out.dims && in.type == out.type && call.lrn.size >= 1);
  IOS_CHECK(in.data != out.data);  // a thread reads what others write
  if (out.elements() == 0) return;
  TensorRef in_places = in;
  TensorRef out_places = out;
  in_places.dims[1] = 1;
  out_places.dims[1] = 1;
  const Nest nest = make_nest(std::array{out_places, in_places});
  choose_type(out.type, [&](auto type) {
    using T = typename decltype(type)::Type;
    choose_index(out.elements(), executor.choice, [&](auto index) {
      using Index = typename decltype(index)::Type;
      executor.each(LrnStep<T, Index>{.channels = Divider<Index>(in.dims[1]),
                                      .loops = loops_of<Index, 2>(nest, 1),
                                      .in = static_cast<const T*>(in.data),
                                      .out = static_cast<T*>(out.data),
                                      .in_stride = in.strides[1],
                                      .out_stride = out.strides[1],
                                      .before = (call.lrn.size - 1) / 2,
                                      .after = call.lrn.size / 2,
                                      .scale = call.lrn.alpha / static_cast<float>(call.lrn.size),
                                      .beta = call.lrn.beta,
                                      .bias = call.lrn.bias},
                    out.elements());
    });
  });
}

}  // namespace iosx::gpu::kernels
