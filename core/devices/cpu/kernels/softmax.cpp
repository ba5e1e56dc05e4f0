#include <algorithm>
#include <array>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/kernels/rows.h"

namespace iosx::cpu {
namespace {

constexpr std::int64_t kPart = 64;  // elements whose sum is made before it is added to the others

struct SoftmaxAxis {
  Nest others;  // of the output and the input: all axes but the one
  std::int64_t size = 0;
  std::int64_t in_stride = 0;
  std::int64_t out_stride = 0;

  DataType in_type() const { return others.types[kIn]; }
  DataType out_type() const { return others.types[kOut]; }
  const std::byte* in_at(const std::byte* base, std::int64_t i) const {
    return base + i * in_stride * bytes_of(in_type());
  }
  std::byte* out_at(std::byte* base, std::int64_t i) const { return base + i * out_stride * bytes_of(out_type()); }

  // Goes along the axis. Exponentials of long rows are computed twice, which needs no room for them.
  void along(const std::byte* in, std::byte* out) const {
    float buffer[kRow];
    float powers[kRow];
    const auto piece = [&](std::int64_t from) { return std::min(kRow, size - from); };
    const auto row = [&](std::int64_t from) {
      return row_at(in_at(in, from), in_type(), in_stride, buffer, piece(from));
    };
    float most = max_of_row(row(0), piece(0));
    for (std::int64_t from = kRow; from < size; from += kRow) most = std::max(most, max_of_row(row(from), piece(from)));
    float sum = 0;
    for (std::int64_t from = 0; from < size; from += kRow) {
      exp_row(row(from), most, powers, piece(from));
      sum += sum_of_row(powers, piece(from));
    }
    for (std::int64_t from = 0; from < size; from += kRow) {
      if (size > kRow) exp_row(row(from), most, powers, piece(from));
      scale_row(powers, 1.0F / sum, piece(from));
      store_row(powers, out_at(out, from), out_type(), out_stride, piece(from));
    }
  }

  // Takes as many rows along the axis as `row` has elements, side by side.
  void across(const NestRow& row) const {
    float buffer[kRow];
    float most[kRow];
    float powers[kRow];
    float sum[kRow] = {};
    float part[kRow] = {};  // of a sum: thousands of float32 added one by one would lose digits
    const std::int64_t stride = others.inner_stride(kIn);
    const auto line = [&](std::int64_t i) {
      return row_at(in_at(row.at[kIn], i), in_type(), stride, buffer, row.size);
    };
    load_row(row.at[kIn], in_type(), stride, most, row.size);
    for (std::int64_t i = 1; i < size; ++i) max_row(most, line(i), row.size);
    for (std::int64_t i = 0; i < size; ++i) {
      exp_row(line(i), most, powers, row.size);
      add_row(part, powers, row.size);
      if (i % kPart != kPart - 1 && i != size - 1) continue;
      add_row(sum, part, row.size);
      std::fill_n(part, row.size, 0.0F);
    }
    for (std::int64_t i = 0; i < row.size; ++i) sum[i] = 1.0F / sum[i];
    for (std::int64_t i = 0; i < size; ++i) {
      exp_row(line(i), most, powers, row.size);
      multiply_row(powers, sum, row.size);
      store_row(powers, out_at(row.at[kOut], i), out_type(), others.inner_stride(kOut), row.size);
    }
  }
};

}  // namespace

void softmax(const TensorRef& in, const TensorRef& out, const Softmax& softmax) {
  const std::size_t axis = softmax.axis + 1;
  IOS_CHECK(axis < in.rank && in.rank == out.rank && in.dims == out.dims);
  const SoftmaxAxis work{.others = make_nest(std::array{without(out, axis), without(in, axis)}),
                         .size = in.dims[axis],
                         .in_stride = in.strides[axis],
                         .out_stride = out.strides[axis]};
  const Nest& others = work.others;
  const bool along = work.in_stride == 1 || others.inner_stride(kIn) != 1;
  // An element takes about four times as long as to move it.
  for_rows(others, kRow, in.elements() * 4, [&](const NestRow& row) {
    if (!along) return work.across(row);
    for (std::int64_t i = 0; i < row.size; ++i) {
      work.along(row.at[kIn] + i * others.inner_bytes(kIn), row.at[kOut] + i * others.inner_bytes(kOut));
    }
  });
}

}  // namespace iosx::cpu
