#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "core/devices/cpu/kernels/kernels.h"
#include "core/model/graph/shape_inference.h"
#include "tests/devices/cpu/kernels/tensors.h"

namespace iosx::cpu::testing {
namespace {

int threads_of(int turn) { return turn % 3 + 1; }

// Pooling over a padded copy in which each element is inside the input, padding, or beyond both.
Values pooled(const Values& in, const Dims& dims, const Pool& pool) {
  Values out(dims);
  const bool max = pool.kind == PoolKind::kMax;
  for_each_index(dims, [&](const Dims& o) {
    float sum = 0;
    float most = std::numeric_limits<float>::lowest();
    int counted = 0;
    for (std::int64_t y = 0; y < pool.kernel.height; ++y) {
      for (std::int64_t x = 0; x < pool.kernel.width; ++x) {
        const std::int64_t h = o[2] * pool.stride.height - pool.padding.height + y * pool.dilation.height;
        const std::int64_t w = o[3] * pool.stride.width - pool.padding.width + x * pool.dilation.width;
        const bool inside = h >= 0 && h < in.dims[2] && w >= 0 && w < in.dims[3];
        const bool padding = h < in.dims[2] + pool.padding.height + pool.end_padding.height &&
                             w < in.dims[3] + pool.padding.width + pool.end_padding.width;
        if (inside || (padding && pool.count_padding)) ++counted;
        if (!inside) continue;
        sum += in.at({o[0], o[1], h, w});
        most = std::max(most, in.at({o[0], o[1], h, w}));
      }
    }
    out.at(o) = max ? most : (counted == 0 ? 0 : sum / static_cast<float>(counted));
  });
  return out;
}

// As the graph infers it; no dims where the window does not fit.
Dims pooled_dims(const Dims& in, const Pool& pool) {
  const Shape sample{in[1], in[2], in[3]};
  const auto out = infer_shape(pool, std::span(&sample, 1));
  if (!out) return {};
  return {in[0], out->channels(), out->height(), out->width()};
}

TEST(PoolKernel, AnyWindowOnAnyLayout) {
  Random random(21);
  int pools = 0;
  for (int turn = 0; pools < 150; ++turn) {
    ASSERT_LT(turn, 1000);
    const bool large = turn % 4 == 0;
    const Dims dims{random.between(1, 2), random.between(1, large ? 90 : 40), random.between(1, large ? 20 : 9),
                    random.between(1, large ? 20 : 9)};
    Pool by{.kind = random.flip() ? PoolKind::kMax : PoolKind::kAverage,
            .kernel = {random.between(1, 4), random.between(1, 4)},
            .stride = {random.between(1, 3), random.between(1, 3)},
            .padding = {random.between(0, 2), random.between(0, 2)},
            .ceil_mode = random.flip(),
            .dilation = {random.between(1, 2), random.between(1, 2)},
            .count_padding = random.flip(),
            .end_padding = {random.between(-1, 1), random.between(-1, 1)}};
    const Dims out_dims = pooled_dims(dims, by);
    if (out_dims.empty()) continue;
    ++pools;
    const Memory in(random_values(dims, random), random_type(random), random_layout(random), random);
    const Memory out(out_dims, random_type(random), random_layout(random), random);
    on_team(threads_of(turn), [&] { pool(in.ref(), out.ref(), by); });
    SCOPED_TRACE(turn);
    expect_values(out, pooled(in.values(), out_dims, by));
  }
}

// Worked out by hand: 4 elements, kernel 3, stride 2, padding 1 and ceil mode give windows at -1, 1 and 3, and the
// padded input ends after index 4. The last window holds one element and one of padding.
TEST(PoolKernel, CeilModeCountsNothingBeyondThePadding) {
  Random random(22);
  Values values({1, 1, 1, 4});
  values.elements = {1, 2, 3, 4};
  const Memory in(values, DataType::kFloat32, Layout::kChannelsLast, random);
  Pool by;
  by.kind = PoolKind::kAverage;
  by.kernel = {1, 3};
  by.stride = {1, 2};
  by.padding = {0, 1};
  by.ceil_mode = true;
  Values want({1, 1, 1, 3});
  const Memory out({1, 1, 1, 3}, DataType::kFloat32, Layout::kChannelsLast, random);
  want.elements = {1, 3, 2};  // (0 + 1 + 2) / 3, (2 + 3 + 4) / 3, (4 + 0) / 2
  pool(in.ref(), out.ref(), by);
  expect_values(out, want);
  by.count_padding = false;
  want.elements = {1.5F, 3, 4};
  pool(in.ref(), out.ref(), by);
  expect_values(out, want);
}

TEST(PoolKernel, GlobalPooling) {
  Random random(23);
  for (int turn = 0; turn < 24; ++turn) {
    const Dims dims{random.between(1, 2), turn % 3 == 0 ? 1030 : random.between(1, 70), random.between(1, 12),
                    random.between(1, 12)};
    const Memory in(random_values(dims, random), random_type(random), random_layout(random), random);
    const Memory out({dims[0], dims[1], 1, 1}, random_type(random), random_layout(random), random);
    const bool max = turn % 2 == 0;
    Pool global;
    global.kind = max ? PoolKind::kGlobalMax : PoolKind::kGlobalAverage;
    on_team(threads_of(turn), [&] { pool(in.ref(), out.ref(), global); });
    Pool whole;
    whole.kind = max ? PoolKind::kMax : PoolKind::kAverage;
    whole.kernel = {dims[2], dims[3]};
    SCOPED_TRACE(turn);
    expect_values(out, pooled(in.values(), {dims[0], dims[1], 1, 1}, whole));
  }
}

TEST(LrnKernel, AnyWindowAndPower) {
  Random random(24);
  constexpr std::array kBetas{0.75F, 0.5F, 1.0F, 0.6F};
  for (int turn = 0; turn < 60; ++turn) {
    Dims dims = random_dims(random, static_cast<std::size_t>(turn % 4) + 2, turn % 4 == 0 && turn % 5 != 0);
    if (turn % 5 == 0) dims[1] = 100;
    const Lrn by{.size = turn % 5 == 0 ? random.between(30, 250) : random.between(1, 8),
                 .alpha = 0.3F,
                 .beta = kBetas[static_cast<std::size_t>(turn) % kBetas.size()],
                 .bias = 1.5F};
    Memory in(random_values(dims, random), random_type(random), random_layout(random), random);
    const Memory other(dims, random_type(random), random_layout(random), random);
    const Values values = in.values();
    const Memory& out = turn % 6 == 0 ? in : other;
    on_team(threads_of(turn), [&] { lrn(in.ref(), out.ref(), by); });
    Values want(dims);
    for_each_index(dims, [&](const Dims& index) {
      double sum = 0;
      for (std::int64_t c = index[1] - (by.size - 1) / 2; c <= index[1] + by.size / 2; ++c) {
        if (c < 0 || c >= dims[1]) continue;
        Dims at = index;
        at[1] = c;
        sum += static_cast<double>(values.at(at)) * values.at(at);
      }
      want.at(index) = static_cast<float>(
          values.at(index) / std::pow(by.bias + by.alpha / static_cast<double>(by.size) * sum, double{by.beta}));
    });
    SCOPED_TRACE(turn);
    expect_values(out, want);
  }
}

}  // namespace
}  // namespace iosx::cpu::testing
