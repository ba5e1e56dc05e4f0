#include <algorithm>
#include <array>

#include "core/base/check.h"
#include "core/cpu/kernels/nest.h"
#include "core/cpu/kernels/rows.h"

namespace iosx::cpu {
namespace {

constexpr std::size_t kOut = 0;
constexpr std::size_t kIn = 1;
// Rows that are summed on their own before they join the rest, which keeps the rounding of long sums small.
constexpr std::int64_t kTogether = 64;

struct Mean {
  Nest kept;     // of the output and the input: the axes that stay
  Nest reduced;  // of the input: the others
  float factor = 1;

  // Steps of the reduced nest before its innermost loop.
  std::int64_t reduced_rows() const { return reduced.elements() / reduced.dims[reduced.rank - 1]; }

  // The mean of contiguous rows, one output element after the other.
  void along(const NestRow& row) const {
    const DataType type = kept.types[kIn];
    const std::int64_t length = reduced.dims[reduced.rank - 1];
    for (std::int64_t i = 0; i < row.size; ++i) {
      const std::byte* const base = row.at[kIn] + i * kept.inner_stride(kIn) * bytes_of(type);
      NestCursor cursor(reduced, reduced.rank - 1, 0);
      float sum = 0;
      for (std::int64_t r = reduced_rows(); r > 0; --r, cursor.next()) {
        float part = 0;
        float buffer[kRow];
        for (std::int64_t from = 0; from < length; from += kRow) {
          const std::int64_t size = std::min(kRow, length - from);
          const std::int64_t offset =
              (cursor.at(0) - reduced.data[0]) + from * reduced.inner_stride(0) * bytes_of(type);
          part += sum_of_row(row_at(base + offset, type, reduced.inner_stride(0), buffer, size), size);
        }
        sum += part;
      }
      sum *= factor;
      store_row(&sum, row.at[kOut] + i * kept.inner_stride(kOut) * bytes_of(kept.types[kOut]), kept.types[kOut], 1, 1);
    }
  }

  // The means of as many output elements as the row has, at the same time.
  void across(const NestRow& row) const {
    const DataType type = kept.types[kIn];
    const std::int64_t stride = kept.inner_stride(kIn);
    float buffer[kRow];
    float part[kRow];
    float sum[kRow] = {};
    NestCursor cursor(reduced, reduced.rank, 0);
    for (std::int64_t left = reduced.elements(); left > 0;) {
      std::fill_n(part, row.size, 0.0F);
      for (std::int64_t r = std::min(kTogether, left); r > 0; --r, --left, cursor.next()) {
        const std::int64_t offset = cursor.at(0) - reduced.data[0];
        add_row(part, row_at(row.at[kIn] + offset, type, stride, buffer, row.size), row.size);
      }
      add_row(sum, part, row.size);
    }
    scale_row(sum, factor, row.size);
    store_row(sum, row.at[kOut], kept.types[kOut], kept.inner_stride(kOut), row.size);
  }
};

}  // namespace

void reduce_mean(const TensorRef& in, const TensorRef& out, const ReduceMean& reduce) {
  std::array<bool, TensorRef::kMaxRank> reduced{};
  for (const std::size_t axis : reduce.axes) {
    IOS_CHECK(axis + 1 < in.rank);
    reduced[axis + 1] = true;
  }
  // The output with the input's axes, and the input without the one or the other axes.
  TensorRef target{.data = out.data, .type = out.type, .rank = in.rank, .dims = {}, .strides = {}};
  TensorRef kept = in;
  TensorRef rest = in;
  std::size_t next = 0;
  for (std::size_t axis = 0; axis < in.rank; ++axis) {
    (reduced[axis] ? kept : rest).dims[axis] = 1;
    target.dims[axis] = kept.dims[axis];
    if (reduced[axis] && !reduce.keep_dims) continue;
    IOS_CHECK(next < out.rank && out.dims[next] == kept.dims[axis]);
    target.strides[axis] = out.strides[next++];
  }
  IOS_CHECK(next == out.rank);

  Mean mean{.kept = make_nest(std::array{target, kept}), .reduced = make_nest(std::array{rest})};
  mean.factor = 1.0F / static_cast<float>(mean.reduced.elements());
  const bool along = mean.reduced.inner_stride(0) == 1 && mean.kept.inner_stride(kIn) != 1;
  for_rows(mean.kept, kRow, in.elements(), [&](const NestRow& row) { along ? mean.along(row) : mean.across(row); });
}

}  // namespace iosx::cpu
