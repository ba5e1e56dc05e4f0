#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/kernels/rows.h"

namespace iosx::cpu {
namespace {

struct Search {
  Nest kept;  // of the output and the input: all axes but the one
  DataType type = DataType::kFloat32;
  std::int64_t size = 0;  // of the axis
  std::int64_t stride = 0;
  bool last = false;
  float sign = 1;  // of what is largest

  // Finds the places of as many outputs at a time as the row has.
  void across(const NestRow& row) const {
    float buffer[kRow];
    float best[kRow];
    float place[kRow] = {};
    for (std::int64_t i = 0; i < size; ++i) {
      const std::byte* const from = row.at[kIn] + i * stride * bytes_of(type);
      const float* const values = row_at(from, type, kept.inner_stride(kIn), buffer, row.size);
      arg_row(values, sign, i == 0, last, static_cast<float>(i), best, place, row.size);
    }
    store_row(place, row.at[kOut], kept.types[kOut], kept.inner_stride(kOut), row.size);
  }

  // Finds, on an axis whose elements are neighbours, which piece has the largest, then where it is in that piece.
  std::int64_t along(const std::byte* from) const {
    float buffer[kRow];
    const auto piece = [&](std::int64_t begin) {
      return row_at(from + begin * bytes_of(type), type, 1, buffer, std::min(kRow, size - begin));
    };
    float best = 0;
    std::int64_t found = -1;
    for (std::int64_t begin = 0; begin < size; begin += kRow) {
      const std::int64_t count = std::min(kRow, size - begin);
      const float* const values = piece(begin);
      if (std::isnan(sum_of_row(values, count))) return one_by_one(from);
      const float most = sign > 0 ? max_of_row(values, count) : -min_of_row(values, count);
      if (found >= 0 && (most < best || (most == best && !last))) continue;
      best = most;
      found = begin;
    }
    const float* const values = piece(found);
    const std::int64_t count = std::min(kRow, size - found);
    if (!last) return found + (std::find(values, values + count, sign * best) - values);
    std::int64_t at = count - 1;
    while (values[at] != sign * best) --at;
    return found + at;
  }

  // Looks at one element after the other, also where something is not a number.
  std::int64_t one_by_one(const std::byte* from) const {
    float best = 0;
    float place = 0;
    for (std::int64_t i = 0; i < size; ++i) {
      float value = 0;
      load_row(from + i * bytes_of(type), type, 1, &value, 1);
      arg_row(&value, sign, i == 0, last, static_cast<float>(i), &best, &place, 1);
    }
    return static_cast<std::int64_t>(place);
  }
};

}  // namespace

void arg_reduce(const TensorRef& in, const TensorRef& out, const Reduce& reduce) {
  IOS_CHECK(is_arg(reduce.kind) && reduce.axes.size() == 1);
  const std::size_t axis = reduce.axes.front() + 1;
  const TensorRef kept = without(in, axis);
  TensorRef target{.data = out.data, .type = out.type, .rank = in.rank, .dims = kept.dims, .strides = {}};
  for (std::size_t i = 0, next = 0; i < in.rank; ++i) {
    if (i == axis && !reduce.keep_dims) continue;
    target.strides[i] = out.strides[next++];
  }
  const Search search{.kept = make_nest(std::array{target, kept}),
                      .type = in.type,
                      .size = in.dims[axis],
                      .stride = in.strides[axis],
                      .last = reduce.last,
                      .sign = reduce.kind == ReduceKind::kArgMax ? 1.0F : -1.0F};
  const Nest& nest = search.kept;
  for_rows(nest, kRow, in.elements() * 2, [&](const NestRow& row) {
    if (search.stride != 1) return search.across(row);
    for (std::int64_t i = 0; i < row.size; ++i) {
      const auto place = static_cast<float>(search.along(row.at[kIn] + i * nest.inner_bytes(kIn)));
      store_row(&place, row.at[kOut] + i * nest.inner_bytes(kOut), nest.types[kOut], 1, 1);
    }
  });
}

}  // namespace iosx::cpu
