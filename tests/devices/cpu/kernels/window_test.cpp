#include "core/devices/cpu/kernels/kernels.h"
#include "core/model/graph/shape_inference.h"
#include "tests/devices/cpu/kernels/tensors.h"
#include "tests/support/prelude.h"

namespace iosx::cpu::testing {
namespace {

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
  Pool by{.kind = PoolKind::kAverage, .kernel = {1, 3}, .stride = {1, 2}, .padding = {0, 1}, .ceil_mode = true};
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
    Pool global{.kind = max ? PoolKind::kGlobalMax : PoolKind::kGlobalAverage};
    on_team(threads_of(turn), [&] { pool(in.ref(), out.ref(), global); });
    Pool whole{.kind = max ? PoolKind::kMax : PoolKind::kAverage, .kernel = {dims[2], dims[3]}};
    SCOPED_TRACE(turn);
    expect_values(out, pooled(in.values(), {dims[0], dims[1], 1, 1}, whole));
  }
}

TEST(LrnKernel, AnyWindowAndPower) {
  Random random(24);
  constexpr std::array kBetas{0.75F, 0.5F, 1.0F, 0.6F};
  for (int turn = 0; turn < 60 / iosx::test::every(3); ++turn) {
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

using Coordinates = ResizeCoordinates;
using Rounding = ResizeRounding;

std::vector<float> resized_row(std::vector<float> row, std::int64_t size, float scale, ResizeMode mode,
                               Coordinates coordinates, Rounding rounding = Rounding::kPreferFloor) {
  Random random(1);
  Values values({1, static_cast<std::int64_t>(row.size())});
  values.elements = std::move(row);
  const Memory in(values, DataType::kFloat32, Layout::kRowMajor, random);
  const Memory out({1, size}, DataType::kFloat32, Layout::kRowMajor, random);
  resize(in.ref(), out.ref(),
         {.mode = mode, .coordinates = coordinates, .rounding = rounding, .scales = {scale}, .shape = Shape{size}});
  return out.values().elements;
}

void expect_near(const std::vector<float>& got, const std::vector<float>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-5F) << i;
}

// Coordinates by hand. Half pixel, 2 to 4: (i + 0.5) / 2 - 0.5 = -0.25, 0.25, 0.75, 1.25.
TEST(ResizeKernel, LinearByHand) {
  expect_near(resized_row({1, 2}, 4, 2, ResizeMode::kLinear, Coordinates::kHalfPixel), {1, 1.25F, 1.75F, 2});
  expect_near(resized_row({1, 2}, 4, 2, ResizeMode::kLinear, Coordinates::kPytorchHalfPixel), {1, 1.25F, 1.75F, 2});
  expect_near(resized_row({1, 2}, 4, 2, ResizeMode::kLinear, Coordinates::kAsymmetric), {1, 1.5F, 2, 2});
  // i * 1 / 3
  expect_near(resized_row({1, 2}, 4, 2, ResizeMode::kLinear, Coordinates::kAlignCorners), {1, 4.0F / 3, 5.0F / 3, 2});
  // 4 to 2, scale 0.6: (i + 0.5) / 0.6 - 0.5 = 1/3, 2
  expect_near(resized_row({1, 2, 3, 4}, 2, 0.6F, ResizeMode::kLinear, Coordinates::kHalfPixel), {4.0F / 3, 3});
  // To one element: half pixel takes the middle (1.5), the other two the start.
  expect_near(resized_row({1, 2, 3, 4}, 1, 0.25F, ResizeMode::kLinear, Coordinates::kHalfPixel), {2.5F});
  expect_near(resized_row({1, 2, 3, 4}, 1, 0.25F, ResizeMode::kLinear, Coordinates::kPytorchHalfPixel), {1});
  expect_near(resized_row({1, 2, 3, 4}, 1, 0.25F, ResizeMode::kLinear, Coordinates::kAlignCorners), {1});
}

// 5 to 2 with align corners: 0 and 4. 3 to 5: 0, 0.5, 1, 1.5, 2, whose halves tell the roundings apart.
TEST(ResizeKernel, NearestRoundingsByHand) {
  const auto row = [](Rounding rounding) {
    return resized_row({10, 20, 30}, 5, 5.0F / 3, ResizeMode::kNearest, Coordinates::kAlignCorners, rounding);
  };
  expect_near(row(Rounding::kPreferFloor), {10, 10, 20, 20, 30});
  expect_near(row(Rounding::kPreferCeil), {10, 20, 20, 30, 30});
  expect_near(row(Rounding::kFloor), {10, 10, 20, 20, 30});
  expect_near(row(Rounding::kCeil), {10, 20, 20, 30, 30});
  // 2 to 5, asymmetric: 0, 0.4, 0.8, 1.2, 1.6
  const auto other = [](Rounding rounding) {
    return resized_row({10, 20}, 5, 2.5F, ResizeMode::kNearest, Coordinates::kAsymmetric, rounding);
  };
  expect_near(other(Rounding::kPreferFloor), {10, 10, 20, 20, 20});
  expect_near(other(Rounding::kFloor), {10, 10, 10, 20, 20});
  expect_near(other(Rounding::kCeil), {10, 20, 20, 20, 20});
  // 4 to 8, half pixel: -0.25, 0.25, 0.75, ... each twice when rounded to the nearest
  expect_near(resized_row({1, 2, 3, 4}, 8, 2, ResizeMode::kNearest, Coordinates::kHalfPixel), {1, 1, 2, 2, 3, 3, 4, 4});
  expect_near(resized_row({1, 2, 3, 4}, 8, 2, ResizeMode::kNearest, Coordinates::kHalfPixel, Rounding::kFloor),
              {1, 1, 1, 2, 2, 3, 3, 4});
}

// Half pixel, 2 x 2 to 4 x 4: rows and columns weigh 1, 3/4 : 1/4, 1/4 : 3/4, 1.
TEST(ResizeKernel, BilinearByHand) {
  Random random(2);
  Values values({1, 1, 2, 2});
  values.elements = {1, 2, 3, 4};
  const Memory in(values, DataType::kFloat32, Layout::kChannelsLast, random);
  const Memory out({1, 1, 4, 4}, DataType::kFloat32, Layout::kChannelsLast, random);
  resize(in.ref(), out.ref(), {.mode = ResizeMode::kLinear, .scales = {1, 2, 2}, .shape = Shape{1, 4, 4}});
  expect_near(out.values().elements, {1, 1.25F, 1.75F, 2, 1.5F, 1.75F, 2.25F, 2.5F,  //
                                      2.5F, 2.75F, 3.25F, 3.5F, 3, 3.25F, 3.75F, 4});
}

double coordinate(const Resize& by, std::int64_t i, std::int64_t in, std::int64_t out, float scale) {
  const auto x = static_cast<double>(i);
  switch (by.coordinates) {
    case Coordinates::kPytorchHalfPixel:
      if (out == 1) return 0;
      [[fallthrough]];
    case Coordinates::kHalfPixel: return (x + 0.5) / scale - 0.5;
    case Coordinates::kAlignCorners:
      return out == 1 ? 0 : x * static_cast<double>(in - 1) / static_cast<double>(out - 1);
    case Coordinates::kAsymmetric: return x / scale;
  }
  return 0;
}

// One axis after the other.
Values resized(Values values, const Dims& dims, const Resize& by) {
  for (std::size_t axis = 1; axis < dims.size(); ++axis) {
    Dims next = values.dims;
    next[axis] = dims[axis];
    Values out(next);
    const auto last = static_cast<double>(values.dims[axis] - 1);
    for_each_index(next, [&](const Dims& index) {
      const double x = coordinate(by, index[axis], values.dims[axis], dims[axis], by.scales[axis - 1]);
      Dims low = index;
      Dims high = index;
      double weight = 0;
      if (by.mode == ResizeMode::kLinear) {
        const double inside = std::clamp(x, 0.0, last);
        low[axis] = static_cast<std::int64_t>(inside);
        high[axis] = std::min(low[axis] + 1, values.dims[axis] - 1);
        weight = inside - std::floor(inside);
      } else {
        const bool up = by.rounding == Rounding::kCeil || by.rounding == Rounding::kPreferFloor;
        const bool nearest = by.rounding == Rounding::kPreferFloor || by.rounding == Rounding::kPreferCeil;
        const double moved = nearest ? (up ? x - 0.5 : x + 0.5) : x;
        low[axis] = high[axis] =
            static_cast<std::int64_t>(std::clamp(up ? std::ceil(moved) : std::floor(moved), 0.0, last));
      }
      out.at(index) = static_cast<float>((1 - weight) * values.at(low) + weight * values.at(high));
    });
    values = std::move(out);
  }
  return values;
}

// Sizes are powers of two times the input's or chosen freely with scales that no coordinate's rounding depends on.
TEST(ResizeKernel, AnyRankModeAndLayout) {
  Random random(31);
  for (int turn = 0; turn < 160 / iosx::test::every(4); ++turn) {
    const std::size_t rank = static_cast<std::size_t>(turn % 7) + 1;
    const Dims dims = random_dims(random, rank, false);
    Resize by{.mode = random.flip() ? ResizeMode::kLinear : ResizeMode::kNearest,
              .coordinates = static_cast<Coordinates>(turn / 2 % 4),
              .rounding = static_cast<Rounding>(turn / 8 % 4),
              .scales = {},
              .shape = {}};
    const bool nearest = by.mode == ResizeMode::kNearest;
    Dims out_dims = dims;
    for (std::size_t axis = 1; axis < rank; ++axis) {
      const bool same = random.between(0, 2) == 0;
      // Nearest: exact coordinates, as an ulp decides about a whole step.
      const float scale = same ? 1.0F : nearest ? (random.flip() ? 2.0F : 0.5F) : random.value(0.4F, 2.5F);
      const auto exact = static_cast<double>(scale) * static_cast<double>(dims[axis]);
      out_dims[axis] = std::max<std::int64_t>(1, static_cast<std::int64_t>(exact));
      by.scales.push_back(scale);
    }
    if (nearest && by.coordinates == Coordinates::kAlignCorners) by.coordinates = Coordinates::kAsymmetric;
    by.shape = Shape(std::span(out_dims).subspan(1));
    const Memory in(random_values(dims, random), random_type(random), random_layout(random), random);
    const Memory out(out_dims, random_type(random), random_layout(random), random);
    on_team(turn % 3 + 1, [&] { resize(in.ref(), out.ref(), by); });
    SCOPED_TRACE(turn);
    expect_values(out, resized(in.values(), out_dims, by), 1e-4F, 1e-4F);
  }
}

TEST(ResizeKernel, LargeFeatureMapsOnSeveralThreads) {
  Random random(32);
  for (const auto mode : {ResizeMode::kLinear, ResizeMode::kNearest}) {
    const Memory in(random_values({2, 33, 13, 14}, random), DataType::kFloat32, Layout::kChannelsLast, random);
    const Memory out({2, 33, 26, 28}, DataType::kFloat32, Layout::kChannelsLast, random);
    const Resize by{.mode = mode, .scales = {1, 2, 2}, .shape = Shape{33, 26, 28}};
    on_team(3, [&] { resize(in.ref(), out.ref(), by); });
    expect_values(out, resized(in.values(), {2, 33, 26, 28}, by));
  }
}

}  // namespace

}  // namespace iosx::cpu::testing
