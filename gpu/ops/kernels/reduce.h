#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/choice.h"
#include "gpu/ops/kernels/nest.h"
#include "gpu/ops/kernels/rows.h"

namespace iosx::gpu::kernels {

// With kAlong vectors lie along the axes that are reduced, otherwise along those that stay.
template <class T, int kWidth, bool kAlong>
struct ReduceRows {
  struct Sum {
    float at[kWidth];
  };
  RowsShape shape;
  Loops<std::uint64_t, 2> kept;     // of the output and the input
  Loops<std::uint64_t, 1> reduced;  // of the input
  std::int64_t steps;               // through `reduced`
  const T* in;
  T* out;
  ReduceKind kind;
  float factor;  // of the result

  IOS_HD Sum accumulate(std::int64_t column, int lane) const {
    std::int64_t place[2];
    kept.offsets(static_cast<std::uint64_t>(column), place);
    const T* const from = in + place[1];
    Sum sum;
    IOS_UNROLL
    for (int i = 0; i < kWidth; ++i) sum.at[i] = nothing();
    IOS_UNROLL_BY(4)
    for (std::int64_t step = lane; step < steps; step += shape.lanes) {
      std::int64_t offset[1];
      reduced.offsets(static_cast<std::uint64_t>(step), offset);
      float value[kWidth];
      read<T, kWidth>(from + offset[0], value);
      IOS_UNROLL
      for (int i = 0; i < kWidth; ++i) take(sum.at[i], prepared(value[i]));
    }
    return sum;
  }

  IOS_HD void combine(Sum& sum, const Sum& more) const {
    IOS_UNROLL
    for (int i = 0; i < kWidth; ++i) take(sum.at[i], more.at[i]);
  }

  IOS_HD void finish(std::int64_t column, int lane, const Sum& total) const {
    if (lane != 0) return;
    std::int64_t place[2];
    kept.offsets(static_cast<std::uint64_t>(column), place);
    constexpr int kOut = kAlong ? 1 : kWidth;
    float result[kOut];
    IOS_UNROLL
    for (int i = 0; i < kOut; ++i) result[i] = total.at[i];
    IOS_UNROLL
    for (int i = kOut; i < kWidth; ++i) take(result[0], total.at[i]);
    IOS_UNROLL
    for (int i = 0; i < kOut; ++i) result[i] = kind == ReduceKind::kL2 ? sqrtf(result[i]) : result[i] * factor;
    write<T, kOut>(result, out + place[0]);
  }

 private:
  IOS_HD float nothing() const {
    switch (kind) {
      case ReduceKind::kMax: return -std::numeric_limits<float>::infinity();
      case ReduceKind::kMin: return std::numeric_limits<float>::infinity();
      case ReduceKind::kProduct: return 1;
      default: return 0;
    }
  }
  IOS_HD float prepared(float value) const {
    if (kind == ReduceKind::kL1) return value < 0 ? -value : value;
    return kind == ReduceKind::kL2 || kind == ReduceKind::kSumOfSquares ? value * value : value;
  }
  IOS_HD void take(float& sum, float value) const {
    switch (kind) {
      case ReduceKind::kMax: sum = sum < value ? value : sum; break;
      case ReduceKind::kMin: sum = value < sum ? value : sum; break;
      case ReduceKind::kProduct: sum *= value; break;
      default: sum += value;
    }
  }
};

// Holds the loops over the axes that stay, and over the others.
struct ReducePlan {
  Nest kept;     // of the output and the input
  Nest reduced;  // of the input
  bool along;    // the input's neighbours in memory are reduced

  explicit ReducePlan(const ReduceCall& call) {
    TensorRef stay = call.in;
    TensorRef rest = call.in;
    for (std::size_t axis = 0; axis < call.in.rank; ++axis) {
      const bool same = call.in.dims[axis] == call.out.dims[axis];
      IOS_CHECK(same || call.out.dims[axis] == 1);
      (same ? rest : stay).dims[axis] = 1;
    }
    kept = make_nest(std::array{call.out, stay});
    reduced = make_nest(std::array{rest});
    const bool kept_neighbours = kept.inner_stride(1) == 1 && kept.elements() > 1;
    along = reduced.inner_stride(0) == 1 && !kept_neighbours;
  }

  bool allows(const ReduceCall& call, int width) const {
    const DataType type = call.in.type;
    if (along) return fits(reduced, std::array{call.in}, width) && steps_fit(kept, 1, type, width);
    if (kept.inner_stride(1) != 1) return width == 1;
    return fits(kept, std::array{call.out, call.in}, width) && steps_fit(reduced, 0, type, width);
  }
};

template <class T, int kWidth, bool kAlong, class Executor>
void run_reduce(const ReduceCall& call, const ReducePlan& plan, const Executor& executor) {
  const std::int64_t elements = plan.reduced.elements();
  const std::int64_t steps = elements / (kAlong ? kWidth : 1);
  const std::int64_t columns = plan.kept.elements() / (kAlong ? 1 : kWidth);
  const bool mean = call.reduction == ReduceKind::kMean;
  executor.rows(
      ReduceRows<T, kWidth, kAlong>{.shape = rows_shape(columns, steps, kWidth * static_cast<int>(sizeof(T)), kAlong),
                                    .kept = loops_of<std::uint64_t, 2>(plan.kept, kAlong ? 1 : kWidth),
                                    .reduced = loops_of<std::uint64_t, 1>(plan.reduced, kAlong ? kWidth : 1),
                                    .steps = steps,
                                    .in = static_cast<const T*>(call.in.data),
                                    .out = static_cast<T*>(call.out.data),
                                    .kind = call.reduction,
                                    .factor = mean ? 1.0F / static_cast<float>(elements) : 1.0F});
}

template <class Executor>
void dispatch(const ReduceCall& call, const Executor& executor) {
  IOS_CHECK(call.in.rank == call.out.rank && call.in.type == call.out.type && call.in.data != call.out.data);
  IOS_CHECK(!is_arg(call.reduction));
  if (call.out.elements() == 0) return;
  IOS_CHECK(call.in.elements() > 0);
  const ReducePlan plan(call);
  choose_type(call.out.type, [&](auto type) {
    using T = typename decltype(type)::Type;
    const int width = widest(sizeof(T), executor.choice, [&](int w) { return plan.allows(call, w); });
    choose_full_width<T>(width, [&](auto chosen) {
      constexpr int kWidth = decltype(chosen)::value;
      if (plan.along) {
        run_reduce<T, kWidth, true>(call, plan, executor);
      } else {
        run_reduce<T, kWidth, false>(call, plan, executor);
      }
    });
  });
}

}  // namespace iosx::gpu::kernels
