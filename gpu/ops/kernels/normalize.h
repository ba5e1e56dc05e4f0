#pragma once

#include <array>
#include <cmath>

#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/nest.h"
#include "gpu/ops/kernels/threads.h"
#include "gpu/ops/kernels/vector.h"

namespace iosx::gpu::kernels {

// Vectors lie along the normalised axes. It works in place: only the lane that writes an element has read it, and all
// reads come first.
template <class T, int kWidth>
struct NormalizeRows {
  // The count, mean (0 where not centred) and sum of squared distances from the mean of some elements; Chan's rule
  // joins two without cancellation.
  struct Sum {
    float count;
    float mean;
    float squares;
  };
  RowsShape shape;
  Loops<std::uint64_t, 2> kept;   // of the output and the input
  Loops<std::uint64_t, 3> inner;  // of the output, the input and the parameters
  std::int64_t steps;             // through `inner`
  const T* in;
  const float* scale;  // both may be null
  const float* shift;
  T* out;
  float epsilon;
  bool centred;

  IOS_HD Sum accumulate(std::int64_t column, int lane) const {
    std::int64_t base[2];
    kept.offsets(static_cast<std::uint64_t>(column), base);
    Sum sum{0, 0, 0};
    for (std::int64_t step = lane; step < steps; step += shape.lanes) {
      std::int64_t at[3];
      inner.offsets(static_cast<std::uint64_t>(step), at);
      float value[kWidth];
      read<T, kWidth>(in + base[1] + at[1], inner.inner[1], value);
      IOS_UNROLL
      for (int i = 0; i < kWidth; ++i) combine(sum, centred ? Sum{1, value[i], 0} : Sum{1, 0, value[i] * value[i]});
    }
    return sum;
  }

  IOS_HD void combine(Sum& sum, const Sum& more) const {
    const float count = sum.count + more.count;
    if (count == 0) return;
    const float distance = more.mean - sum.mean;
    const float part = more.count / count;
    sum.squares += more.squares + distance * distance * sum.count * part;
    sum.mean += distance * part;
    sum.count = count;
  }

  IOS_HD void finish(std::int64_t column, int lane, const Sum& total) const {
    std::int64_t base[2];
    kept.offsets(static_cast<std::uint64_t>(column), base);
    const float factor = 1.0F / sqrtf(total.squares / total.count + epsilon);
    for (std::int64_t step = lane; step < steps; step += shape.lanes) {
      std::int64_t at[3];
      inner.offsets(static_cast<std::uint64_t>(step), at);
      float value[kWidth];
      read<T, kWidth>(in + base[1] + at[1], inner.inner[1], value);
      IOS_UNROLL
      for (int i = 0; i < kWidth; ++i) value[i] = (value[i] - total.mean) * factor;
      if (scale != nullptr) {
        float parameter[kWidth];
        read<float, kWidth>(scale + at[2], inner.inner[2], parameter);
        IOS_UNROLL
        for (int i = 0; i < kWidth; ++i) value[i] *= parameter[i];
        read<float, kWidth>(shift + at[2], inner.inner[2], parameter);
        IOS_UNROLL
        for (int i = 0; i < kWidth; ++i) value[i] += parameter[i];
      }
      write<T, kWidth>(value, out + base[0] + at[0]);
    }
  }
};

template <class Executor>
void dispatch(const NormalizeCall& call, const Executor& executor) {
  const TensorRef& in = call.in;
  const TensorRef& out = call.out;
  IOS_CHECK(in.rank == out.rank && call.axis < in.rank && in.dims == out.dims && in.type == out.type);
  IOS_CHECK((call.scale == nullptr) == (call.shift == nullptr));
  if (out.elements() == 0) return;
  TensorRef in_kept = in;
  TensorRef out_kept = out;
  TensorRef in_inner = in;
  TensorRef out_inner = out;
  TensorRef parameters = in;  // row-major over the inner axes
  parameters.type = DataType::kFloat32;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): only read
  parameters.data = const_cast<float*>(call.scale);
  std::int64_t count = 1;
  for (std::size_t axis = in.rank; axis-- > 0;) {
    const bool inner = axis >= call.axis;
    (inner ? in_kept : in_inner).dims[axis] = 1;
    (inner ? out_kept : out_inner).dims[axis] = 1;
    if (!inner) parameters.dims[axis] = 1;
    parameters.strides[axis] = inner ? count : 0;
    if (inner) count *= in.dims[axis];
  }
  const Nest kept = make_nest(std::array{out_kept, in_kept});
  const std::array operands{out_inner, in_inner, parameters};
  const Nest inner = make_nest(operands);
  const auto fit = [&](int w) {
    return fits(inner, operands, w) && steps_fit(kept, 0, out.type, w) && steps_fit(kept, 1, in.type, w);
  };
  choose_full_vectors(in.type, executor.choice, fit, [&]<class T, int kWidth>() {
    const std::int64_t steps = inner.elements() / kWidth;
    executor.rows(NormalizeRows<T, kWidth>{
        .shape = rows_shape(kept.elements(), steps, kWidth * static_cast<int>(sizeof(T)), true),
        .kept = loops_of<std::uint64_t, 2>(kept, 1),
        .inner = loops_of<std::uint64_t, 3>(inner, kWidth),
        .steps = steps,
        .in = static_cast<const T*>(in.data),
        .scale = call.scale,
        .shift = call.shift,
        .out = static_cast<T*>(out.data),
        .epsilon = call.epsilon,
        .centred = call.centred});
  });
}

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
  choose_type(out.type, [&]<class T>() {
    choose_index(out.elements(), executor.choice, [&]<class Index>() {
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
