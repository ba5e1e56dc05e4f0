#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/kernels/rows.h"

namespace iosx::cpu {
namespace {

// Further operands of the nest over the elements of one normalisation.
constexpr std::size_t kScale = 2;
constexpr std::size_t kShift = 3;
constexpr std::int64_t kTogether = 64;

struct Together {
  Nest kept;   // of the output and the input: one step for each mean
  Nest inner;  // of the output, the input, scale and shift
  std::int64_t count = 0;
  float epsilon = 0;
  bool centred = true;

  // Calls visit(row, operands) for all rows of one normalisation, each at most kRow long. `at` has the places of the
  // output and the input; the nest's own are those of the first.
  template <typename Visit>
  void each_row(const std::array<std::byte*, 2>& at, Visit visit) const {
    const std::int64_t length = inner.dims[inner.rank - 1];
    NestCursor cursor(inner, inner.rank - 1, 0);
    for (std::int64_t r = inner.elements() / length; r > 0; --r, cursor.next()) {
      for (std::int64_t from = 0; from < length; from += kRow) {
        NestRow row;
        row.size = std::min(kRow, length - from);
        for (std::size_t op = 0; op < inner.operands; ++op) {
          std::byte* const base = op < 2 ? at[op] + (cursor.at(op) - inner.data[op]) : cursor.at(op);
          row.at[op] = base + from * inner.inner_bytes(op);
        }
        visit(row);
      }
    }
  }

  const float* read(const NestRow& row, std::size_t operand, float* buffer) const {
    return row_at(row.at[operand], inner.types[operand], inner.inner_stride(operand), buffer, row.size);
  }

  void one(const std::array<std::byte*, 2>& at) const {
    float buffer[kRow];
    float mean = 0;
    if (centred) {
      each_row(at, [&](const NestRow& row) { mean += sum_of_row(read(row, kIn, buffer), row.size); });
      mean /= static_cast<float>(count);
    }
    float squares = 0;
    each_row(at, [&](const NestRow& row) { squares += squares_of_row(read(row, kIn, buffer), mean, row.size); });
    const float factor = 1.0F / std::sqrt(squares / static_cast<float>(count) + epsilon);
    each_row(at, [&](const NestRow& row) {
      float scale[kRow];
      float shift[kRow];
      float result[kRow];
      float* const target = target_row(row.at[kOut], inner.types[kOut], inner.inner_stride(kOut), result);
      const float* const in = read(row, kIn, buffer);
      const bool scaled = inner.operands > kScale;
      normalize_row(in, mean, factor, scaled ? read(row, kScale, scale) : nullptr,
                    scaled ? read(row, kShift, shift) : nullptr, target, row.size);
      finish_row(target, row.at[kOut], inner.types[kOut], inner.inner_stride(kOut), row.size);
    });
  }

  // Does as many normalisations at a time as the row has, side by side in memory: channels of a feature map.
  void across(const NestRow& row) const {
    float buffer[kRow];
    float mean[kRow] = {};
    float factor[kRow] = {};
    const auto each_step = [&](auto visit) {
      NestCursor cursor(inner, inner.rank, 0);
      for (std::int64_t step = 0; step < count; ++step, cursor.next()) {
        const std::byte* const from = row.at[kIn] + (cursor.at(kIn) - inner.data[kIn]);
        visit(cursor, row_at(from, inner.types[kIn], kept.inner_stride(kIn), buffer, row.size), step);
      }
    };
    // Sums of a part of the steps before they join the others: thousands added one by one would lose digits.
    const auto sum = [&](float* total, auto add) {
      float part[kRow] = {};
      each_step([&](const NestCursor&, const float* values, std::int64_t step) {
        add(part, values);
        if (step % kTogether != kTogether - 1 && step != count - 1) return;
        add_row(total, part, row.size);
        std::fill_n(part, row.size, 0.0F);
      });
      scale_row(total, 1.0F / static_cast<float>(count), row.size);
    };
    if (centred) sum(mean, [&](float* part, const float* values) { add_row(part, values, row.size); });
    sum(factor, [&](float* part, const float* values) { add_squares_row(part, values, mean, row.size); });
    for (std::int64_t i = 0; i < row.size; ++i) factor[i] = 1.0F / std::sqrt(factor[i] + epsilon);
    each_step([&](const NestCursor& cursor, const float* values, std::int64_t) {
      float result[kRow];
      std::byte* const to = row.at[kOut] + (cursor.at(kOut) - inner.data[kOut]);
      const DataType type = inner.types[kOut];
      const std::int64_t stride = kept.inner_stride(kOut);
      float* const target = target_row(to, type, stride, result);
      const bool scaled = inner.operands > kScale;
      const auto parameter = [&](std::size_t op) { return *reinterpret_cast<const float*>(cursor.at(op)); };
      normalize_rows(values, mean, factor, scaled ? parameter(kScale) : 1, scaled ? parameter(kShift) : 0, target,
                     row.size);
      finish_row(target, to, type, stride, row.size);
    });
  }
};

}  // namespace

void normalize(const TensorRef& in, std::span<const float> scale, std::span<const float> shift, const TensorRef& out,
               const Normalize& normalize) {
  const std::size_t axis = normalize.axis + 1;
  IOS_CHECK(axis < in.rank && in.rank == out.rank && in.dims == out.dims);
  TensorRef out_kept = out;
  TensorRef in_kept = in;
  TensorRef out_inner = out;
  TensorRef in_inner = in;
  TensorRef plain = in;  // row-major over the inner axes
  plain.type = DataType::kFloat32;
  std::int64_t count = 1;
  for (std::size_t i = in.rank; i-- > 0;) {
    (i < axis ? out_inner : out_kept).dims[i] = 1;
    (i < axis ? in_inner : in_kept).dims[i] = 1;
    if (i < axis) plain.dims[i] = 1;
    plain.strides[i] = i < axis ? 0 : count;
    if (i >= axis) count *= in.dims[i];
  }
  const auto of = [&](std::span<const float> values) {
    IOS_CHECK(static_cast<std::int64_t>(values.size()) == count);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): only read
    plain.data = const_cast<float*>(values.data());
    return plain;
  };
  Together work{.kept = make_nest(std::array{out_kept, in_kept}),
                .inner = scale.empty() ? make_nest(std::array{out_inner, in_inner})
                                       : make_nest(std::array{out_inner, in_inner, of(scale), of(shift)}),
                .count = count,
                .epsilon = normalize.epsilon,
                .centred = normalize.centred};
  const bool across = work.kept.inner_stride(kIn) == 1 && work.kept.elements() > 1 && work.inner.inner_stride(kIn) != 1;
  for_rows(work.kept, kRow, in.elements() * 3, [&](const NestRow& row) {
    if (across) return work.across(row);
    for (std::int64_t i = 0; i < row.size; ++i) {
      work.one({row.at[kOut] + i * work.kept.inner_bytes(kOut), row.at[kIn] + i * work.kept.inner_bytes(kIn)});
    }
  });
}

}  // namespace iosx::cpu
