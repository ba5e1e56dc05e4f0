#include "gpu/runtime/errors.h"
#include "tests/gpu/kernels/tensors.h"
#include "tests/gpu/support/run_on_host.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {
namespace {

Dims image_dims(Random& random) {
  return {random.between(1, 2), random.flip() ? 8 * random.between(1, 3) : random.between(1, 19), random.between(1, 9),
          random.between(1, 11)};
}
Extent random_extent(Random& random, std::int64_t low, std::int64_t high) {
  return {random.between(low, high), random.between(low, high)};
}
Extent square(std::int64_t size) { return {size, size}; }
std::int64_t windows_in(std::int64_t size, std::int64_t kernel, std::int64_t stride, std::int64_t dilation) {
  return std::max<std::int64_t>((size - (kernel - 1) * dilation - 1) / stride + 1, 1);
}

// Kernels of any size, stride and dilation; paddings that differ on both sides, larger than the kernel too; with and
// without bias and residual; pointers of any alignment.
TEST(GpuDepthwise, AnyWindow) {
  in_turns(1, [](Random& random, DataType type, int turn) {
    const std::array some_bounds{Activation::kIdentity, Activation::kRelu, Activation::kIdentity,
                                 Activation{ActivationKind::kClip, 0.25F, 1.5F}};
    const Dims in_dims = image_dims(random);
    const std::int64_t channels = in_dims[1];
    DepthwiseCall call{.in = {},
                       .residual = {},
                       .out = {},
                       .kernel = random.flip() ? random_extent(random, 1, 5) : square(2 * random.between(1, 3) + 1),
                       .stride = random_extent(random, 1, 3),
                       .dilation = random_extent(random, 1, 2),
                       .padding = random_extent(random, 0, 6),
                       .before = some_bounds[static_cast<std::size_t>(turn) % some_bounds.size()],
                       .activation = activations()[static_cast<std::size_t>(turn) % activations().size()]};
    const Dims dims{in_dims[0], channels,
                    windows_in(in_dims[2] + call.padding.height + random.between(0, 3), call.kernel.height,
                               call.stride.height, call.dilation.height),
                    windows_in(in_dims[3] + call.padding.width + random.between(0, 3), call.kernel.width,
                               call.stride.width, call.dilation.width)};
    const Values in = random_values(in_dims, type, random);
    const Values residual = random_values(dims, type, random);
    const Layout parameters = random.rarely() ? Layout::kSlice : Layout::kDense;
    const Values weights = random_values({call.kernel.height, call.kernel.width, channels}, type, random);
    const Values bias = random_values({1, channels}, type, random);
    // As one row, so that a slice only shifts its begin.
    Values row({1, static_cast<std::int64_t>(weights.elements.size())});
    row.elements = weights.elements;
    const Memory in_memory(in, type, random_layout(random), random);
    const Memory weights_memory(row, type, parameters, random);
    const Memory bias_memory(bias, type, parameters, random);
    const Memory residual_memory(residual, type, random_layout(random), random);
    Memory out(dims, type, random_layout(random), random);
    call.in = in_memory.ref();
    call.out = out.ref();
    call.weights = weights_memory.ref().data;
    if (random.flip()) call.bias = bias_memory.ref().data;
    if (random.flip()) call.residual = residual_memory.ref();
    const Values want = each(dims, [&](const Dims& at) {
      double sum =
          (call.bias != nullptr ? bias.at({0, at[1]}) : 0) + (call.residual.data != nullptr ? residual.at(at) : 0);
      for (std::int64_t ky = 0; ky < call.kernel.height; ++ky) {
        for (std::int64_t kx = 0; kx < call.kernel.width; ++kx) {
          const std::int64_t y = at[2] * call.stride.height - call.padding.height + ky * call.dilation.height;
          const std::int64_t x = at[3] * call.stride.width - call.padding.width + kx * call.dilation.width;
          if (y < 0 || y >= in_dims[2] || x < 0 || x >= in_dims[3]) continue;
          sum += activated(call.before, in.at({at[0], at[1], y, x})) * weights.at({ky, kx, at[1]});
        }
      }
      return activated(call.activation, sum);
    });
    ASSERT_NO_FATAL_FAILURE(expect_call(call, out, want, {.relative = 1e-5, .absolute = 1e-5}));
  });
}

double pooled_at(const Values& in, const Pool& pool, const Dims& at) {
  double sum = 0;
  double most = std::numeric_limits<float>::lowest();
  int inside = 0;
  int padded = 0;
  for (std::int64_t ky = 0; ky < pool.kernel.height; ++ky) {
    for (std::int64_t kx = 0; kx < pool.kernel.width; ++kx) {
      const std::int64_t y = at[2] * pool.stride.height - pool.padding.height + ky * pool.dilation.height;
      const std::int64_t x = at[3] * pool.stride.width - pool.padding.width + kx * pool.dilation.width;
      if (y < in.dims[2] + pool.padding.height + pool.end_padding.height &&
          x < in.dims[3] + pool.padding.width + pool.end_padding.width) {
        ++padded;
      }
      if (y < 0 || y >= in.dims[2] || x < 0 || x >= in.dims[3]) continue;
      ++inside;
      sum += in.at({at[0], at[1], y, x});
      most = std::max(most, in.at({at[0], at[1], y, x}));
    }
  }
  if (pool.kind == PoolKind::kMax) return most;
  return sum / std::max(pool.count_padding ? padded : inside, 1);
}

// Also windows that reach beyond the padding, as rounding up makes them, and end paddings that crop.
TEST(GpuPool, AnyWindow) {
  Random random(2);
  for (const DataType type : kTypes) {
    for (int turn = 0; turn < 2 * kTurns; ++turn) {
      SCOPED_TRACE(turn);
      const Values in = random_values(image_dims(random), type, random);
      const Pool pool{.kind = random.flip() ? PoolKind::kMax : PoolKind::kAverage,
                      .kernel = random_extent(random, 1, 4),
                      .stride = random_extent(random, 1, 3),
                      .padding = random_extent(random, 0, 2),
                      .ceil_mode = random.flip(),
                      .dilation = random_extent(random, 1, 2),
                      .count_padding = random.flip(),
                      .end_padding = random_extent(random, -1, 2)};
      const auto size = [&](std::int64_t pixels, std::int64_t kernel, std::int64_t stride, std::int64_t dilation) {
        return windows_in(pixels + (pool.ceil_mode ? stride - 1 : 0), kernel, stride, dilation);
      };
      const Dims dims{in.dims[0], in.dims[1],
                      size(in.dims[2] + 2 * pool.padding.height + pool.end_padding.height, pool.kernel.height,
                           pool.stride.height, pool.dilation.height),
                      size(in.dims[3] + 2 * pool.padding.width + pool.end_padding.width, pool.kernel.width,
                           pool.stride.width, pool.dilation.width)};
      const Memory in_memory(in, type, random_layout(random), random);
      Memory out(dims, type, random_layout(random), random);
      const Values want = each(dims, [&](const Dims& at) { return rounded(pooled_at(in, pool, at), type); });
      ASSERT_NO_FATAL_FAILURE(expect_call(PoolCall{.in = in_memory.ref(), .out = out.ref(), .pool = pool}, out, want));
    }
  }
}

TEST(GpuPool, RefusesAxesThatDoNotFitItsNumbers) {
  Random random(3);
  const Memory in({1, 1, 1, 1}, DataType::kFloat32, Layout::kDense, random);
  TensorRef huge = in.ref();
  huge.dims[3] = std::int64_t{1} << 31U;
  const PoolCall call{.in = huge, .out = in.ref(), .pool = {.kernel = {1, 1}, .stride = {1, 1}}};
  EXPECT_THROW(run_on_host(call), Unsupported);
}

TEST(GpuLrn, AnyWindowOfChannels) {
  in_turns(4, [](Random& random, DataType type, int turn) {
    const Values in = random_values(random_dims(random, static_cast<std::size_t>(turn % 4) + 2), type, random);
    const Memory in_memory(in, type, random_layout(random), random);
    Memory out(in.dims, type, random_layout(random), random);
    const Lrn lrn{.size = random.between(1, 9),
                  .alpha = 0.5F,
                  .beta = turn % 3 == 0 ? 0.75F : (turn % 3 == 1 ? 0.5F : 1.3F),
                  .bias = 1.5F};
    const Values want = each(in.dims, [&](const Dims& at) {
      double squares = 0;
      Dims other = at;
      const std::int64_t first = at[1] - (lrn.size - 1) / 2;
      for (std::int64_t c = first; c < first + lrn.size; ++c) {
        if (c < 0 || c >= in.dims[1]) continue;
        other[1] = c;
        squares += in.at(other) * in.at(other);
      }
      return in.at(at) / std::pow(lrn.bias + lrn.alpha / static_cast<double>(lrn.size) * squares, lrn.beta);
    });
    ASSERT_NO_FATAL_FAILURE(expect_call(LrnCall{.in = in_memory.ref(), .out = out.ref(), .lrn = lrn}, out, want));
  });
}

double coordinate(const ResizeCall& call, std::size_t axis, std::int64_t i, std::int64_t in, std::int64_t out) {
  const double scale = call.scales[axis];
  const auto x = static_cast<double>(i);
  switch (call.coordinates) {
    case ResizeCoordinates::kHalfPixel: return (x + 0.5) / scale - 0.5;
    case ResizeCoordinates::kPytorchHalfPixel: return out > 1 ? (x + 0.5) / scale - 0.5 : 0.0;
    case ResizeCoordinates::kAlignCorners:
      return out > 1 ? x * static_cast<double>(in - 1) / static_cast<double>(out - 1) : 0.0;
    case ResizeCoordinates::kAsymmetric: return x / scale;
  }
  return x;
}

// One axis after the other.
Values resized(Values values, const Dims& dims, const ResizeCall& call) {
  for (std::size_t axis = 1; axis < dims.size(); ++axis) {
    Dims next = values.dims;
    next[axis] = dims[axis];
    const std::int64_t last = values.dims[axis] - 1;
    values = each(next, [&](Dims at) {
      const double x = coordinate(call, axis, at[axis], last + 1, dims[axis]);
      const auto value = [&](double place) {
        at[axis] = std::clamp(static_cast<std::int64_t>(place), std::int64_t{0}, last);
        return values.at(at);
      };
      if (call.mode == ResizeMode::kNearest) {
        switch (call.rounding) {
          case ResizeRounding::kPreferFloor: return value(std::ceil(x - 0.5));
          case ResizeRounding::kPreferCeil: return value(std::floor(x + 0.5));
          case ResizeRounding::kFloor: return value(std::floor(x));
          case ResizeRounding::kCeil: return value(std::ceil(x));
        }
      }
      const double inside = std::clamp(x, 0.0, static_cast<double>(last));
      const double weight = inside - std::floor(inside);
      return (1 - weight) * value(std::floor(inside)) + weight * value(std::floor(inside) + 1);
    });
  }
  return values;
}

// Sizes are doubled, halved or the like, so that coordinates are exact in float32 and nearest means the same.
TEST(GpuResize, AllModesOverAnyAxes) {
  Random random(5);
  for (const DataType type : kTypes) {
    for (int turn = 0; turn < 2 * kTurns; ++turn) {
      SCOPED_TRACE(turn);
      const auto rank = static_cast<std::size_t>(turn % 4) + 2;
      Dims in_dims(rank, 1);
      for (auto& size : in_dims) size = random.between(1, 3) * 2;
      const bool image = random.flip();  // channels stay as they are
      if (image) in_dims[1] = random.flip() ? 16 : 6;
      Dims dims = in_dims;
      const bool linear = random.flip();
      ResizeCall call{.in = {},
                      .out = {},
                      .mode = linear ? ResizeMode::kLinear : ResizeMode::kNearest,
                      .coordinates = static_cast<ResizeCoordinates>(random.between(0, 3)),
                      .rounding = static_cast<ResizeRounding>(random.between(0, 3))};
      // Thirds of align_corners are exact in no type.
      if (!linear && call.coordinates == ResizeCoordinates::kAlignCorners) {
        call.coordinates = ResizeCoordinates::kAsymmetric;
      }
      call.scales.fill(1);
      for (std::size_t axis = image ? 2 : 1; axis < rank; ++axis) {
        constexpr float kScales[] = {0.5F, 1.0F, 2.0F, 4.0F};
        call.scales[axis] = kScales[random.between(0, 3)];
        dims[axis] = static_cast<std::int64_t>(static_cast<float>(dims[axis]) * call.scales[axis]);
      }
      const Values in = random_values(in_dims, type, random);
      const Memory in_memory(in, type, random_layout(random), random);
      Memory out(dims, type, random_layout(random), random);
      call.in = in_memory.ref();
      call.out = out.ref();
      ASSERT_NO_FATAL_FAILURE(expect_call(call, out, resized(in, dims, call)));
    }
  }
}

}  // namespace
}  // namespace iosx::gpu::test
