#pragma once

#include <array>

#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/nest.h"
#include "gpu/ops/kernels/threads.h"
#include "gpu/ops/kernels/vector.h"

namespace iosx::gpu::kernels {

template <class T>
struct ArgRows {
  struct Sum {
    float best;
    std::int64_t place;  // -1: none yet
  };
  RowsShape shape;
  Loops<std::uint64_t, 2> kept;  // of the output and the input
  std::int64_t steps;            // along the axis
  std::int64_t step;
  const T* in;
  T* out;
  float sign;  // 1 for the largest, -1 for the smallest
  bool last;

  IOS_HD Sum accumulate(std::int64_t column, int lane) const {
    std::int64_t at[2];
    kept.offsets(static_cast<std::uint64_t>(column), at);
    Sum sum{0, -1};
    for (std::int64_t i = lane; i < steps; i += shape.lanes) {
      float value[1];
      read<T, 1>(in + at[1] + i * step, 0, value);
      combine(sum, {sign * value[0], i});
    }
    return sum;
  }

  // NaN is the largest.
  IOS_HD void combine(Sum& sum, const Sum& more) const {
    if (more.place < 0) return;
    const bool sum_nan = sum.best != sum.best;
    const bool more_nan = more.best != more.best;
    const bool equal = sum.best == more.best || (sum_nan && more_nan);
    const bool better = more.best > sum.best || (more_nan && !sum_nan);
    const bool earlier = more.place < sum.place;
    if (sum.place < 0 || better || (equal && earlier != last)) sum = more;
  }

  IOS_HD void finish(std::int64_t column, int lane, const Sum& total) const {
    if (lane != 0) return;
    std::int64_t at[2];
    kept.offsets(static_cast<std::uint64_t>(column), at);
    const float place[1] = {static_cast<float>(total.place)};
    write<T, 1>(place, out + at[0]);
  }
};

template <class Executor>
void dispatch(const ArgCall& call, const Executor& executor) {
  const TensorRef& in = call.in;
  IOS_CHECK(in.rank == call.out.rank && call.axis < in.rank && in.type == call.out.type);
  if (call.out.elements() == 0) return;
  TensorRef kept = in;
  kept.dims[call.axis] = 1;
  const Nest nest = make_nest(std::array{call.out, kept});
  const std::int64_t steps = in.dims[call.axis];
  const bool along = in.strides[call.axis] == 1;
  choose_type(in.type, [&]<class T>() {
    executor.rows(ArgRows<T>{.shape = rows_shape(nest.elements(), steps, static_cast<int>(sizeof(T)), along),
                             .kept = loops_of<std::uint64_t, 2>(nest, 1),
                             .steps = steps,
                             .step = in.strides[call.axis],
                             .in = static_cast<const T*>(in.data),
                             .out = static_cast<T*>(call.out.data),
                             .sign = call.largest ? 1.0F : -1.0F,
                             .last = call.last});
  });
}

}  // namespace iosx::gpu::kernels
