#pragma once

#include <array>

#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/nest.h"
#include "gpu/ops/kernels/vector.h"

namespace iosx::gpu::kernels {

// Computes a few rows of a vector of columns.
template <class T, int kWidth, class IndexType>
struct MatMulStep {
  static constexpr int kTogether = 4;  // rows that share the loads of b
  using Index = IndexType;
  Divider<Index> columns;  // in vectors
  Divider<Index> groups;   // of kTogether rows
  Loops<Index, 3> loops;   // of the output, a and b, over all axes but the last two
  std::int64_t rows;
  std::int64_t depth;
  const T* a;
  std::int64_t a_row;  // strides
  std::int64_t a_deep;
  const T* b;
  std::int64_t b_deep;
  std::int64_t b_column;
  T* out;
  std::int64_t out_row;
  std::int64_t out_column;
  float scale;

  IOS_HD void operator()(Index step) const {
    const std::int64_t column = static_cast<std::int64_t>(take_place(step, columns)) * kWidth;
    const std::int64_t row = static_cast<std::int64_t>(take_place(step, groups)) * kTogether;
    std::int64_t at[3];
    loops.offsets(step, at);
    float sums[kTogether][kWidth];
    const T* left[kTogether];
    IOS_UNROLL
    for (int r = 0; r < kTogether; ++r) {
      IOS_UNROLL
      for (int i = 0; i < kWidth; ++i) sums[r][i] = 0;
      // Rows after the last one repeat it and are not stored.
      left[r] = a + at[1] + (row + r < rows ? row + r : rows - 1) * a_row;
    }
    const T* right = b + at[2] + column * b_column;
    IOS_UNROLL_BY(4)
    for (std::int64_t k = 0; k < depth; ++k, right += b_deep) {
      float value[kWidth];
      read<T, kWidth>(right, value);
      IOS_UNROLL
      for (int r = 0; r < kTogether; ++r) {
        const float factor = to_float(left[r][k * a_deep]);
        IOS_UNROLL
        for (int i = 0; i < kWidth; ++i) sums[r][i] += factor * value[i];
      }
    }
    T* const to = out + at[0] + row * out_row + column * out_column;
    IOS_UNROLL
    for (int r = 0; r < kTogether; ++r) {
      IOS_UNROLL
      for (int i = 0; i < kWidth; ++i) sums[r][i] *= scale;
      if (row + r < rows) write<T, kWidth>(sums[r], to + r * out_row);
    }
  }
};

// Returns the tensor without its last two axes, with out's dims; missing axes repeat.
inline TensorRef outer_axes(const TensorRef& tensor, const TensorRef& out) {
  TensorRef outer = tensor;
  for (std::size_t axis = 0; axis < out.rank; ++axis) {
    outer.dims[axis] = axis + 2 < out.rank ? out.dims[axis] : 1;
    if (axis + 2 >= out.rank || tensor.dims[axis] == out.dims[axis]) continue;
    IOS_CHECK(tensor.dims[axis] == 1);
    outer.strides[axis] = 0;
  }
  return outer;
}

template <class Executor>
void dispatch(const MatMulCall& call, const Executor& executor) {
  const TensorRef& a = call.a;
  const TensorRef& b = call.b;
  const TensorRef& out = call.out;
  IOS_CHECK(out.rank >= 2 && a.rank == out.rank && b.rank == out.rank && a.type == out.type && b.type == out.type);
  const std::size_t down = out.rank - 2;
  const std::size_t across = out.rank - 1;
  IOS_CHECK(a.dims[down] == out.dims[down] && b.dims[across] == out.dims[across] && a.dims[across] == b.dims[down]);
  if (out.elements() == 0) return;
  const Nest nest = make_nest(std::array{outer_axes(out, out), outer_axes(a, out), outer_axes(b, out)});
  const auto fit = [&](int w) { return fits_along(across, {&b, &out}, w); };
  choose_vectors(out.type, out.elements(), executor.choice, fit, [&]<class T, int kWidth, class Index>() {
    using Step = MatMulStep<T, kWidth, Index>;
    const std::int64_t columns = out.dims[across] / kWidth;
    const std::int64_t groups = (out.dims[down] + Step::kTogether - 1) / Step::kTogether;
    executor.each(Step{.columns = Divider<Index>(columns),
                       .groups = Divider<Index>(groups),
                       .loops = loops_of<Index, 3>(nest, 1),
                       .rows = out.dims[down],
                       .depth = a.dims[across],
                       .a = static_cast<const T*>(a.data),
                       .a_row = a.strides[down],
                       .a_deep = a.strides[across],
                       .b = static_cast<const T*>(b.data),
                       .b_deep = b.strides[down],
                       .b_column = b.strides[across],
                       .out = static_cast<T*>(out.data),
                       .out_row = out.strides[down],
                       .out_column = out.strides[across],
                       .scale = call.scale},
                  nest.elements() * groups * columns);
  });
}

}  // namespace iosx::gpu::kernels
