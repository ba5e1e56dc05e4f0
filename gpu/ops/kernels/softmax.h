#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/nest.h"
#include "gpu/ops/kernels/threads.h"
#include "gpu/ops/kernels/vector.h"

namespace iosx::gpu::kernels {

// With kAlong vectors lie along the axis, otherwise along the others. It works in place: only the lane that writes an
// element has read it, and all reads come first.
template <class T, int kWidth, bool kAlong>
struct SoftmaxRows {
  // The largest element so far, and the sum of e^(x - most).
  struct Sum {
    float most[kWidth];
    float total[kWidth];
  };
  RowsShape shape;
  Loops<std::uint64_t, 2> kept;  // of the output and the input, over the other axes
  std::int64_t steps;            // along the axis
  std::int64_t in_step;
  std::int64_t out_step;
  std::int64_t in_inner;  // between the elements of a vector
  float scale;
  const T* in;
  T* out;

  IOS_HD Sum accumulate(std::int64_t column, int lane) const {
    std::int64_t place[2];
    kept.offsets(static_cast<std::uint64_t>(column), place);
    const T* const from = in + place[1];
    Sum sum;
    IOS_UNROLL
    for (int i = 0; i < kWidth; ++i) {
      sum.most[i] = std::numeric_limits<float>::lowest();
      sum.total[i] = 0;
    }
    for (std::int64_t step = lane; step < steps; step += shape.lanes) {
      float value[kWidth];
      read<T, kWidth>(from + step * in_step, in_inner, value);
      IOS_UNROLL
      for (int i = 0; i < kWidth; ++i) take(sum.most[i], sum.total[i], scale * value[i], 1.0F);
    }
    return sum;
  }

  IOS_HD void combine(Sum& sum, const Sum& more) const {
    IOS_UNROLL
    for (int i = 0; i < kWidth; ++i) take(sum.most[i], sum.total[i], more.most[i], more.total[i]);
  }

  IOS_HD void finish(std::int64_t column, int lane, const Sum& total) const {
    std::int64_t place[2];
    kept.offsets(static_cast<std::uint64_t>(column), place);
    Sum sum = total;
    if (kAlong) {
      IOS_UNROLL
      for (int i = 1; i < kWidth; ++i) take(sum.most[0], sum.total[0], sum.most[i], sum.total[i]);
      IOS_UNROLL
      for (int i = 1; i < kWidth; ++i) {
        sum.most[i] = sum.most[0];
        sum.total[i] = sum.total[0];
      }
    }
    const T* const from = in + place[1];
    T* const to = out + place[0];
    for (std::int64_t step = lane; step < steps; step += shape.lanes) {
      float value[kWidth];
      read<T, kWidth>(from + step * in_step, in_inner, value);
      IOS_UNROLL
      for (int i = 0; i < kWidth; ++i) value[i] = expf(scale * value[i] - sum.most[i]) / sum.total[i];
      write<T, kWidth>(value, to + step * out_step);
    }
  }

 private:
  IOS_HD static void take(float& most, float& total, float more, float more_total) {
    const float both = most < more ? more : most;
    total = total * expf(most - both) + more_total * expf(more - both);
    most = both;
  }
};

template <class T, int kWidth, bool kAlong, class Executor>
void run_softmax(const SoftmaxCall& call, const Nest& kept, const Executor& executor) {
  const std::int64_t along = kAlong ? kWidth : 1;
  const std::int64_t across = kAlong ? 1 : kWidth;
  const std::int64_t steps = call.in.dims[call.axis] / along;
  const std::int64_t in_stride = call.in.strides[call.axis];
  executor.rows(SoftmaxRows<T, kWidth, kAlong>{
      .shape = rows_shape(kept.elements() / across, steps, kWidth * static_cast<int>(sizeof(T)), kAlong),
      .kept = loops_of<std::uint64_t, 2>(kept, static_cast<int>(across)),
      .steps = steps,
      .in_step = in_stride * along,
      .out_step = call.out.strides[call.axis] * along,
      .in_inner = kAlong ? in_stride : kept.inner_stride(1),
      .scale = call.scale,
      .in = static_cast<const T*>(call.in.data),
      .out = static_cast<T*>(call.out.data)});
}

template <class Executor>
void dispatch(const SoftmaxCall& call, const Executor& executor) {
  const TensorRef& in = call.in;
  const TensorRef& out = call.out;
  IOS_CHECK(in.rank == out.rank && call.axis < in.rank && in.dims == out.dims && in.type == out.type);
  if (out.elements() == 0) return;
  TensorRef in_others = in;
  TensorRef out_others = out;
  in_others.dims[call.axis] = 1;
  out_others.dims[call.axis] = 1;
  const Nest kept = make_nest(std::array{out_others, in_others});
  TensorRef in_axis{.data = in.data, .type = in.type, .rank = 1, .dims = {in.dims[call.axis]}, .strides = {}};
  TensorRef out_axis{.data = out.data, .type = out.type, .rank = 1, .dims = {in.dims[call.axis]}, .strides = {}};
  in_axis.strides[0] = in.strides[call.axis];
  out_axis.strides[0] = out.strides[call.axis];
  const Nest axis = make_nest(std::array{out_axis, in_axis});
  const bool along = in.strides[call.axis] == 1 || kept.elements() == 1 || kept.inner_stride(1) != 1;
  const Nest& vectors = along ? axis : kept;
  const Nest& others = along ? kept : axis;
  const auto fit = [&](int w) {
    return fits(vectors, std::array{out, in}, w) && steps_fit(others, 0, out.type, w) &&
           steps_fit(others, 1, in.type, w);
  };
  choose_full_vectors(out.type, executor.choice, fit, [&]<class T, int kWidth>() {
    if (along) {
      run_softmax<T, kWidth, true>(call, kept, executor);
    } else {
      run_softmax<T, kWidth, false>(call, kept, executor);
    }
  });
}

}  // namespace iosx::gpu::kernels
