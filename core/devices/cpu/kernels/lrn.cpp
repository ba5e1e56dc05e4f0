#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/kernels/rows.h"
#include "core/devices/cpu/kernels/vectorised.h"

namespace iosx::cpu {
namespace {

// Windows up to here are summed anew for each channel, which vectorises.
constexpr std::int64_t kSmallWindow = 32;

// Computes squares[i] = x[i]^2.
IOS_VECTORISED void square_row(const float* x, float* squares, std::int64_t size) {
  IOS_INDEPENDENT
  for (std::int64_t i = 0; i < size; ++i) squares[i] = x[i] * x[i];
}

// Computes out = x / (bias + scale * sums)^beta.
IOS_VECTORISED void normalise_row(const float* x, const float* sums, float scale, float bias, float beta, float* out,
                                  std::int64_t size) {
  if (beta == 0.75F) {
    IOS_INDEPENDENT
    for (std::int64_t i = 0; i < size; ++i) {
      const float root = std::sqrt(bias + scale * sums[i]);
      out[i] = x[i] / (root * std::sqrt(root));
    }
  } else if (beta == 0.5F) {
    IOS_INDEPENDENT
    for (std::int64_t i = 0; i < size; ++i) out[i] = x[i] / std::sqrt(bias + scale * sums[i]);
  } else {
    for (std::int64_t i = 0; i < size; ++i) out[i] = x[i] / std::pow(bias + scale * sums[i], beta);
  }
}

// Room for one position's channels. Squares have zeros on both sides, as far as a window reaches.
struct LrnRow {
  std::int64_t channels;
  std::int64_t before;  // of the window, at most channels - 1
  std::int64_t after;
  std::vector<float> squares;
  std::vector<float> values;
  std::vector<float> sums;

  LrnRow(std::int64_t count, std::int64_t size)
      : channels(count),
        before(std::min((size - 1) / 2, count - 1)),
        after(std::min(size / 2, count - 1)),
        squares(static_cast<std::size_t>(before + count + after)),
        values(static_cast<std::size_t>(count)),
        sums(static_cast<std::size_t>(count)) {}

  void sum_windows(const float* x) {
    square_row(x, squares.data() + before, channels);
    const std::int64_t window = before + 1 + after;
    std::fill(sums.begin(), sums.end(), 0.0F);
    if (window <= kSmallWindow) {
      for (std::int64_t i = 0; i < window; ++i) add_row(sums.data(), squares.data() + i, channels);
      return;
    }
    double sum = 0;
    for (std::int64_t i = 0; i + 1 < window; ++i) sum += squares[static_cast<std::size_t>(i)];
    for (std::int64_t c = 0; c < channels; ++c) {
      sum += squares[static_cast<std::size_t>(c + window - 1)];
      sums[static_cast<std::size_t>(c)] = static_cast<float>(sum);
      sum -= squares[static_cast<std::size_t>(c)];
    }
  }
};

}  // namespace

void lrn(const TensorRef& in, const TensorRef& out, const Lrn& lrn) {
  IOS_CHECK(in.rank >= 2 && in.rank == out.rank && in.dims == out.dims && lrn.size >= 1);
  const std::int64_t channels = in.dims[1];
  const Nest nest = make_nest(std::array{without(out, 1), without(in, 1)});
  const float scale = lrn.alpha / static_cast<float>(lrn.size);
  for_rows(nest, kRow, in.elements() * 4, [&](const NestRow& row) {
    LrnRow scratch(channels, lrn.size);
    for (std::int64_t i = 0; i < row.size; ++i) {
      const std::byte* const from = row.at[kIn] + i * nest.inner_bytes(kIn);
      std::byte* const to = row.at[kOut] + i * nest.inner_bytes(kOut);
      const float* const x = row_at(from, in.type, in.strides[1], scratch.values.data(), channels);
      scratch.sum_windows(x);
      float* const target = target_row(to, out.type, out.strides[1], scratch.sums.data());
      normalise_row(x, scratch.sums.data(), scale, lrn.bias, lrn.beta, target, channels);
      finish_row(target, to, out.type, out.strides[1], channels);
    }
  });
}

}  // namespace iosx::cpu
