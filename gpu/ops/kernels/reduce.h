#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/nest.h"
#include "gpu/ops/kernels/threads.h"
#include "gpu/ops/kernels/vector.h"

namespace iosx::gpu::kernels {

// Writes vectors of a type chosen at run time.
template <int kWidth>
IOS_HD void write_as(DataType type, const float (&from)[kWidth], void* to, std::int64_t offset) {
  switch (type) {
    case DataType::kFloat32: return write<float, kWidth>(from, static_cast<float*>(to) + offset);
    case DataType::kFloat16: return write<__half, kWidth>(from, static_cast<__half*>(to) + offset);
    case DataType::kBfloat16: return write<__nv_bfloat16, kWidth>(from, static_cast<__nv_bfloat16*>(to) + offset);
  }
}

// Splits the steps of a reduction: the first `rest` parts have one more than the others.
struct PartSteps {
  std::int64_t steps = 0;  // of a part
  std::int64_t rest = 0;

  IOS_HD std::int64_t begin(std::int64_t part) const { return part * steps + (part < rest ? part : rest); }
};

// With kAlong vectors lie along the reduced axes, otherwise along the kept ones. A column is a part of one output
// vector; all vectors' first parts come first. With kSums it only adds, as pools do: other kinds would make its code
// several times as long, which a multiprocessor reads from memory before it begins.
template <class T, int kWidth, bool kAlong, bool kSums>
struct ReduceRows {
  struct Sum {
    float at[kWidth];
  };
  RowsShape shape;
  Loops<std::uint64_t, 2> kept;     // of the output and the input
  Loops<std::uint64_t, 1> reduced;  // of the input
  PartSteps parts;                  // of the steps through `reduced`
  std::int64_t part_columns;        // output vectors
  std::int64_t part_stride;         // from a part's output to the next one's, in elements
  const T* in;
  void* out;
  DataType out_type;
  ReduceKind kind;
  bool root;     // is taken of the sum
  float factor;  // of the result

  IOS_HD Sum accumulate(std::int64_t column, int lane) const {
    const std::int64_t part = take_part(column);
    std::int64_t place[2];
    kept.offsets(static_cast<std::uint64_t>(column), place);
    const T* const from = in + place[1];
    const std::int64_t begin = parts.begin(part) + lane;
    const std::int64_t end = parts.begin(part + 1);
    if constexpr (kSums) return accumulated<ReduceKind::kSum>(from, begin, end);
    switch (kind) {
      case ReduceKind::kMax: return accumulated<ReduceKind::kMax>(from, begin, end);
      case ReduceKind::kMin: return accumulated<ReduceKind::kMin>(from, begin, end);
      case ReduceKind::kProduct: return accumulated<ReduceKind::kProduct>(from, begin, end);
      case ReduceKind::kL1: return accumulated<ReduceKind::kL1>(from, begin, end);
      case ReduceKind::kL2:
      case ReduceKind::kSumOfSquares: return accumulated<ReduceKind::kSumOfSquares>(from, begin, end);
      default: return accumulated<ReduceKind::kSum>(from, begin, end);
    }
  }

  IOS_HD void combine(Sum& sum, const Sum& more) const {
    IOS_UNROLL
    for (int i = 0; i < kWidth; ++i) take(kSums ? ReduceKind::kSum : kind, sum.at[i], more.at[i]);
  }

  IOS_HD void finish(std::int64_t column, int lane, const Sum& total) const {
    if (lane != 0) return;
    const std::int64_t part = take_part(column);
    std::int64_t place[2];
    kept.offsets(static_cast<std::uint64_t>(column), place);
    constexpr int kOut = kAlong ? 1 : kWidth;
    float result[kOut];
    IOS_UNROLL
    for (int i = 0; i < kOut; ++i) result[i] = total.at[i];
    IOS_UNROLL
    for (int i = kOut; i < kWidth; ++i) take(kSums ? ReduceKind::kSum : kind, result[0], total.at[i]);
    IOS_UNROLL
    for (int i = 0; i < kOut; ++i) result[i] = root ? sqrtf(result[i]) : result[i] * factor;
    write_as<kOut>(out_type, result, out, part * part_stride + place[0]);
  }

 private:
  // Converts a column's number to that of its output vector and returns its part.
  IOS_HD std::int64_t take_part(std::int64_t& column) const {
    if (shape.columns == part_columns) return 0;
    const std::int64_t part = column / part_columns;
    column -= part * part_columns;
    return part;
  }
  // Loads several vectors before using the first, so that a lane waits for all at once. Those after the end repeat
  // the last one and are not used.
  template <ReduceKind kKind>
  IOS_HD Sum accumulated(const T* from, std::int64_t begin, std::int64_t end) const {
    constexpr int kLoads = 4;
    Sum sum;
    IOS_UNROLL
    for (int i = 0; i < kWidth; ++i) sum.at[i] = nothing(kKind);
    for (std::int64_t step = begin; step < end; step += kLoads * static_cast<std::int64_t>(shape.lanes)) {
      Vector<T, kWidth> loaded[kLoads];
      IOS_UNROLL
      for (int load = 0; load < kLoads; ++load) {
        const std::int64_t at = step + load * static_cast<std::int64_t>(shape.lanes);
        std::int64_t offset[1];
        reduced.offsets(static_cast<std::uint64_t>(at < end ? at : end - 1), offset);
        loaded[load] = Vector<T, kWidth>::load(from + offset[0]);
      }
      IOS_UNROLL
      for (int load = 0; load < kLoads; ++load) {
        if (step + load * static_cast<std::int64_t>(shape.lanes) >= end) break;
        IOS_UNROLL
        for (int i = 0; i < kWidth; ++i) take(kKind, sum.at[i], prepared(kKind, to_float(loaded[load].at[i])));
      }
    }
    return sum;
  }

  IOS_HD static float nothing(ReduceKind kind) {
    switch (kind) {
      case ReduceKind::kMax: return -std::numeric_limits<float>::infinity();
      case ReduceKind::kMin: return std::numeric_limits<float>::infinity();
      case ReduceKind::kProduct: return 1;
      default: return 0;
    }
  }
  IOS_HD static float prepared(ReduceKind kind, float value) {
    if (kind == ReduceKind::kL1) return value < 0 ? -value : value;
    return kind == ReduceKind::kSumOfSquares ? value * value : value;
  }
  IOS_HD static void take(ReduceKind kind, float& sum, float value) {
    switch (kind) {
      case ReduceKind::kMax: sum = sum < value ? value : sum; break;
      case ReduceKind::kMin: sum = value < sum ? value : sum; break;
      case ReduceKind::kProduct: sum *= value; break;
      default: sum += value;
    }
  }
};

// The loops over the kept axes and over the reduced ones.
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
  // Returns the widest vectors that have an instance: full words or single elements.
  int width(const ReduceCall& call, const Choice& choice) const {
    const int element = static_cast<int>(bytes_of(call.in.type));
    const int most = widest(element, choice, [&](int w) { return allows(call, w); });
    return most * element >= kWordBytes ? kWordBytes / element : 1;
  }
  std::int64_t steps(int width) const { return reduced.elements() / (along ? width : 1); }
  // Returns the shape for one of that many parts.
  RowsShape shape(DataType type, int width, std::int64_t parts) const {
    return rows_shape(kept.elements() / (along ? 1 : width), (steps(width) + parts - 1) / parts,
                      width * static_cast<int>(bytes_of(type)), along);
  }
};

// Returns the operation that joins reduced numbers.
constexpr ReduceKind joining(ReduceKind kind) {
  const bool extreme = kind == ReduceKind::kMax || kind == ReduceKind::kMin;
  return extreme || kind == ReduceKind::kProduct ? kind : ReduceKind::kSum;
}

template <class T, int kWidth, bool kAlong, bool kSums, class Executor>
void run_reduce(const ReduceCall& call, const ReducePlan& plan, const Executor& executor) {
  RowsShape shape = plan.shape(call.in.type, kWidth, call.parts);
  const std::int64_t part_columns = shape.columns;
  shape.columns *= call.parts;
  const bool finished = call.parts == 1;
  const bool mean = finished && call.reduction == ReduceKind::kMean;
  const std::int64_t elements = call.joined > 0 ? call.joined : plan.reduced.elements();
  executor.rows(ReduceRows<T, kWidth, kAlong, kSums>{
      .shape = shape,
      .kept = loops_of<std::uint64_t, 2>(plan.kept, kAlong ? 1 : kWidth),
      .reduced = loops_of<std::uint64_t, 1>(plan.reduced, kAlong ? kWidth : 1),
      .parts = {.steps = plan.steps(kWidth) / call.parts, .rest = plan.steps(kWidth) % call.parts},
      .part_columns = part_columns,
      .part_stride = call.out.elements(),
      .in = static_cast<const T*>(call.in.data),
      .out = call.out.data,
      .out_type = call.out.type,
      .kind = call.joined > 0 ? joining(call.reduction) : call.reduction,
      .root = finished && call.reduction == ReduceKind::kL2,
      .factor = mean ? 1.0F / static_cast<float>(elements) : 1.0F});
}

template <class Executor>
void dispatch(const ReduceCall& call, const Executor& executor) {
  const bool in_parts = call.parts > 1 || call.joined > 0;
  IOS_CHECK(call.in.rank == call.out.rank && call.in.data != call.out.data && call.parts >= 1);
  if (in_parts) {
    IOS_CHECK((call.parts > 1 ? call.out : call.in).type == DataType::kFloat32);
  } else {
    IOS_CHECK(call.in.type == call.out.type);
  }
  IOS_CHECK(!is_arg(call.reduction));
  if (call.out.elements() == 0) return;
  IOS_CHECK(call.in.elements() > 0);
  const ReducePlan plan(call);
  const auto fit = [&](int w) { return plan.allows(call, w); };
  const ReduceKind kind = call.joined > 0 ? joining(call.reduction) : call.reduction;
  const bool sums = kind == ReduceKind::kSum || kind == ReduceKind::kMean;
  choose_full_vectors(call.in.type, executor.choice, fit, [&]<class T, int kWidth>() {
    if (plan.along) {
      sums ? run_reduce<T, kWidth, true, true>(call, plan, executor)
           : run_reduce<T, kWidth, true, false>(call, plan, executor);
    } else {
      sums ? run_reduce<T, kWidth, false, true>(call, plan, executor)
           : run_reduce<T, kWidth, false, false>(call, plan, executor);
    }
  });
}

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
