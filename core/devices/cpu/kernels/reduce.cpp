#include <algorithm>
#include <array>
#include <limits>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/kernels/rows.h"

namespace iosx::cpu {
namespace {

// Rows that are summed on their own before they join the rest, which keeps the rounding of long sums small.
constexpr std::int64_t kTogether = 64;

// How elements are joined, in three steps: a function of each, the join, a function of the result.
enum class Join { kSum, kMax, kMin, kProduct };
struct Ways {
  Join join = Join::kSum;
  bool magnitudes = false;
  bool squares = false;
  bool root = false;
  bool mean = false;

  explicit Ways(ReduceKind kind) {
    switch (kind) {
      case ReduceKind::kMean: mean = true; break;
      case ReduceKind::kSum: break;
      case ReduceKind::kMax: join = Join::kMax; break;
      case ReduceKind::kMin: join = Join::kMin; break;
      case ReduceKind::kProduct: join = Join::kProduct; break;
      case ReduceKind::kL1: magnitudes = true; break;
      case ReduceKind::kL2: squares = root = true; break;
      case ReduceKind::kSumOfSquares: squares = true; break;
      case ReduceKind::kArgMax:
      case ReduceKind::kArgMin: IOS_CHECK(false);
    }
  }

  float nothing() const {
    switch (join) {
      case Join::kSum: return 0;
      case Join::kMax: return -std::numeric_limits<float>::infinity();
      case Join::kMin: return std::numeric_limits<float>::infinity();
      case Join::kProduct: return 1;
    }
    return 0;
  }
  // Returns the row as it is joined; `buffer` may be where it lies.
  const float* prepared(const float* row, float* buffer, std::int64_t size) const {
    if (!magnitudes && !squares) return row;
    if (magnitudes) {
      activate_row({ActivationKind::kAbs}, row, buffer, size);
    } else {
      binary_row(BinaryFunction::kMul, false, row, row, buffer, size);
    }
    return buffer;
  }
  float of_row(const float* row, std::int64_t size) const {
    switch (join) {
      case Join::kSum: return sum_of_row(row, size);
      case Join::kMax: return max_of_row(row, size);
      case Join::kMin: return min_of_row(row, size);
      case Join::kProduct: return product_of_row(row, size);
    }
    return 0;
  }
  void add(float* so_far, const float* row, std::int64_t size) const {
    switch (join) {
      case Join::kSum: return add_row(so_far, row, size);
      case Join::kMax: return max_row(so_far, row, size);
      case Join::kMin: return min_row(so_far, row, size);
      case Join::kProduct: return multiply_row(so_far, row, size);
    }
  }
};

struct Reduction {
  Ways ways;
  Nest kept;     // of the output and the input: the axes that stay
  Nest reduced;  // of the input: the others
  float factor = 1;

  // Steps of the reduced nest before its innermost loop.
  std::int64_t reduced_rows() const { return reduced.elements() / reduced.dims[reduced.rank - 1]; }

  void finish(float* row, std::int64_t size) const {
    if (ways.mean) scale_row(row, factor, size);
    if (ways.root) activate_row({ActivationKind::kSqrt}, row, row, size);
  }

  // Reduces contiguous rows, one output element after the other.
  void along(const NestRow& row) const {
    const DataType type = kept.types[kIn];
    const std::int64_t length = reduced.dims[reduced.rank - 1];
    for (std::int64_t i = 0; i < row.size; ++i) {
      const std::byte* const base = row.at[kIn] + i * kept.inner_bytes(kIn);
      NestCursor cursor(reduced, reduced.rank - 1, 0);
      float sum = ways.nothing();
      for (std::int64_t r = reduced_rows(); r > 0; --r, cursor.next()) {
        float part = ways.nothing();
        float buffer[kRow];
        for (std::int64_t from = 0; from < length; from += kRow) {
          const std::int64_t size = std::min(kRow, length - from);
          const std::int64_t offset = (cursor.at(0) - reduced.data[0]) + from * reduced.inner_bytes(0);
          const float* const values = row_at(base + offset, type, reduced.inner_stride(0), buffer, size);
          const float of_piece = ways.of_row(ways.prepared(values, buffer, size), size);
          ways.add(&part, &of_piece, 1);
        }
        ways.add(&sum, &part, 1);
      }
      finish(&sum, 1);
      store_row(&sum, row.at[kOut] + i * kept.inner_bytes(kOut), kept.types[kOut], 1, 1);
    }
  }

  // Reduces to as many output elements as the row has, at the same time.
  void across(const NestRow& row) const {
    const DataType type = kept.types[kIn];
    const std::int64_t stride = kept.inner_stride(kIn);
    float buffer[kRow];
    float part[kRow];
    float sum[kRow];
    std::fill_n(sum, row.size, ways.nothing());
    NestCursor cursor(reduced, reduced.rank, 0);
    for (std::int64_t left = reduced.elements(); left > 0;) {
      std::fill_n(part, row.size, ways.nothing());
      for (std::int64_t r = std::min(kTogether, left); r > 0; --r, --left, cursor.next()) {
        const std::int64_t offset = cursor.at(0) - reduced.data[0];
        const float* const values = row_at(row.at[kIn] + offset, type, stride, buffer, row.size);
        ways.add(part, ways.prepared(values, buffer, row.size), row.size);
      }
      ways.add(sum, part, row.size);
    }
    finish(sum, row.size);
    store_row(sum, row.at[kOut], kept.types[kOut], kept.inner_stride(kOut), row.size);
  }
};

}  // namespace

void reduce(const TensorRef& in, const TensorRef& out, const Reduce& reduce) {
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

  Reduction work{
      .ways = Ways(reduce.kind), .kept = make_nest(std::array{target, kept}), .reduced = make_nest(std::array{rest})};
  work.factor = 1.0F / static_cast<float>(work.reduced.elements());
  const bool along = work.reduced.inner_stride(0) == 1 && work.kept.inner_stride(kIn) != 1;
  for_rows(work.kept, kRow, in.elements(), [&](const NestRow& row) { along ? work.along(row) : work.across(row); });
}

}  // namespace iosx::cpu
