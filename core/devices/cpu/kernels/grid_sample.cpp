#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/kernels/rows.h"

namespace iosx::cpu {
namespace {

// The input places of one axis with their weights for an output element. A place of -1 lies outside.
struct Taps {
  int count = 0;
  std::array<std::int64_t, 4> at{};
  std::array<float, 4> weight{};

  void add(std::int64_t place, float share) {
    at[static_cast<std::size_t>(count)] = place;
    weight[static_cast<std::size_t>(count++)] = share;
  }
};

// Mirrors x at low and high until it lies between them.
float mirrored(float x, float low, float high) {
  const float range = high - low;
  if (range <= 0) return low;
  const float turned = std::fmod(std::fabs(x - low), 2 * range);
  return low + (turned > range ? 2 * range - turned : turned);
}

struct Axis {
  const GridSample& sample;
  std::int64_t size;

  // -1 to 1 are the centres of the outermost elements, or the outer edges of these.
  float position(float grid) const {
    const auto count = static_cast<float>(size);
    return sample.align_corners ? (grid + 1) / 2 * (count - 1) : ((grid + 1) * count - 1) / 2;
  }

  // Returns a position inside, where the padding maps outside positions to inside ones.
  float inside(float x) const {
    const auto last = static_cast<float>(size - 1);
    if (sample.padding == GridPadding::kReflection) {
      x = sample.align_corners ? mirrored(x, 0, last) : mirrored(x, -0.5F, last + 0.5F);
    }
    return sample.padding == GridPadding::kZeros ? x : std::clamp(x, 0.0F, last);
  }

  // Returns whether x lies outside the outermost elements, with their outer halves where those count.
  bool beyond(float x) const {
    const float edge = sample.align_corners ? 0 : 0.5F;
    return x < -edge || x > static_cast<float>(size - 1) + edge;
  }

  std::int64_t place(float whole) const {
    const float at = inside(whole);
    return at >= 0 && at <= static_cast<float>(size - 1) ? static_cast<std::int64_t>(at) : -1;
  }

  Taps taps(float grid) const {
    Taps taps;
    float x = position(grid);
    if (!std::isfinite(x)) x = -1e30F;  // reads nothing, and no integer overflows
    switch (sample.mode) {
      case GridMode::kNearest: taps.add(place(std::nearbyint(x)), 1); break;
      case GridMode::kLinear: {
        x = inside(x);
        const float low = std::floor(x);
        taps.add(place(low), low + 1 - x);
        taps.add(place(low + 1), x - low);
        break;
      }
      case GridMode::kCubic: {
        if (beyond(x)) x = inside(x);
        const float low = std::floor(x);
        const float part = x - low;
        for (int i = -1; i < 3; ++i) taps.add(place(low + static_cast<float>(i)), cubic(part - static_cast<float>(i)));
        break;
      }
    }
    return taps;
  }

  // Returns Keys' kernel with a = -0.75.
  static float cubic(float distance) {
    constexpr float kA = -0.75F;
    const float x = std::fabs(distance);
    if (x <= 1) return ((kA + 2) * x - (kA + 3)) * x * x + 1;
    return x < 2 ? ((kA * x - 5 * kA) * x + 8 * kA) * x - 4 * kA : 0;
  }
};

std::byte* at(const TensorRef& tensor, std::int64_t offset) {
  return static_cast<std::byte*>(tensor.data) + offset * bytes_of(tensor.type);
}

}  // namespace

void grid_sample(const TensorRef& in, const TensorRef& grid, const TensorRef& out, const GridSample& sample) {
  IOS_CHECK(in.rank == 4 && grid.rank == 4 && out.rank == 4);
  const std::int64_t channels = out.dims[1];
  const std::int64_t height = out.dims[2];
  const std::int64_t width = out.dims[3];
  const Axis rows{sample, in.dims[2]};
  const Axis columns{sample, in.dims[3]};
  const auto pixel = [&](std::int64_t n, std::int64_t row, std::int64_t column) {
    float place[2];
    load_row(at(grid, n * grid.strides[0] + row * grid.strides[1] + column * grid.strides[2]), grid.type,
             grid.strides[3], place, 2);
    const Taps across = columns.taps(place[0]);
    const Taps down = rows.taps(place[1]);
    float buffer[kRow];
    float sum[kRow];
    for (std::int64_t from = 0; from < channels; from += kRow) {
      const std::int64_t size = std::min(kRow, channels - from);
      std::fill_n(sum, size, 0.0F);
      for (int y = 0; y < down.count; ++y) {
        for (int x = 0; x < across.count; ++x) {
          const std::int64_t read_row = down.at[static_cast<std::size_t>(y)];
          const std::int64_t read_column = across.at[static_cast<std::size_t>(x)];
          if (read_row < 0 || read_column < 0) continue;
          const std::byte* const read =
              at(in, n * in.strides[0] + from * in.strides[1] + read_row * in.strides[2] + read_column * in.strides[3]);
          const float weight = down.weight[static_cast<std::size_t>(y)] * across.weight[static_cast<std::size_t>(x)];
          add_scaled_row(sum, row_at(read, in.type, in.strides[1], buffer, size), weight, size);
        }
      }
      store_row(sum,
                at(out, n * out.strides[0] + from * out.strides[1] + row * out.strides[2] + column * out.strides[3]),
                out.type, out.strides[1], size);
    }
  };
  split(out.dims[0] * height * width, out.elements() * 8, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) pixel(i / (height * width), i / width % height, i % width);
  });
}

}  // namespace iosx::cpu
