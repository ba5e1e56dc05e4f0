#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/kernels/rows.h"
#include "core/devices/cpu/kernels/vectorised.h"

namespace iosx::cpu {
namespace {

// The range of a window's elements inside the input.
struct Window {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t row_stride = 0;  // elements
  std::int64_t column_stride = 0;
};

struct MaxOf {
  static constexpr float kStart = -std::numeric_limits<float>::infinity();
  template <typename T>
  static IOS_INLINE void take(T& sum, const T& x) {
    sum = ((sum < x) | (x != x)) ? x : sum;  // NaN stays, as nothing is larger
  }
};
struct SumOf {
  static constexpr float kStart = 0;
  template <typename T>
  static IOS_INLINE void take(T& sum, const T& x) {
    sum += x;
  }
};

// Keeps kCount x kLanes channels in registers through the whole window.
template <typename Of, std::int64_t kCount>
IOS_INLINE void reduce_block(const float* in, const Window& window, float factor, float* out) {
  Lanes sums[kCount];
  for (auto& sum : sums) sum = Lanes{} + Of::kStart;
  for (std::int64_t y = 0; y < window.rows; ++y) {
    const float* at = in + y * window.row_stride;
    for (std::int64_t x = 0; x < window.columns; ++x, at += window.column_stride) {
      for (std::int64_t i = 0; i < kCount; ++i) {
        Lanes value;
        std::memcpy(&value, at + i * kLanes, sizeof(value));
        Of::take(sums[i], value);
      }
    }
  }
  for (auto& sum : sums) sum *= factor;
  std::memcpy(out, sums, sizeof(sums));
}

template <typename Of>
IOS_INLINE void reduce_channels(const float* in, const Window& window, float factor, float* out, std::int64_t size) {
  std::int64_t c = 0;
  for (; c + 8 * kLanes <= size; c += 8 * kLanes) reduce_block<Of, 8>(in + c, window, factor, out + c);
  for (; c + kLanes <= size; c += kLanes) reduce_block<Of, 1>(in + c, window, factor, out + c);
  for (; c < size; ++c) {
    float sum = Of::kStart;
    for (std::int64_t y = 0; y < window.rows; ++y) {
      for (std::int64_t x = 0; x < window.columns; ++x) {
        Of::take(sum, in[y * window.row_stride + x * window.column_stride + c]);
      }
    }
    out[c] = sum * factor;
  }
}

// For plain floats with stride 1 along the channels.
IOS_VECTORISED void max_window(const float* in, const Window& window, float* out, std::int64_t size) {
  reduce_channels<MaxOf>(in, window, 1, out, size);
}
IOS_VECTORISED void mean_window(const float* in, const Window& window, float factor, float* out, std::int64_t size) {
  reduce_channels<SumOf>(in, window, factor, out, size);
}

// The range of a window's elements inside the input along one axis.
struct Reach {
  std::int64_t first = 0;  // in the input
  std::int64_t count = 0;
  std::int64_t counted = 0;  // elements with those in the padding, but not beyond it
};

Reach reach(std::int64_t place, std::int64_t stride, std::int64_t padding, std::int64_t end_padding,
            std::int64_t kernel, std::int64_t dilation, std::int64_t size) {
  const std::int64_t start = place * stride - padding;
  const auto below = [&](std::int64_t end) {  // elements before `end`
    return std::clamp<std::int64_t>((end - start + dilation - 1) / dilation, 0, kernel);
  };
  const std::int64_t skipped = start < 0 ? std::min((-start + dilation - 1) / dilation, kernel) : 0;
  const std::int64_t inside = start < size ? below(size) : 0;
  return {.first = start + skipped * dilation,
          .count = std::max<std::int64_t>(inside - skipped, 0),
          .counted = below(size + padding + end_padding)};
}

struct Pooling {
  TensorRef in;
  TensorRef out;
  Pool pool;
  bool max = false;
  std::vector<Reach> rows;     // of each row of the output
  std::vector<Reach> columns;  // of each column

  void pixel(std::int64_t n, std::int64_t h, std::int64_t w, std::int64_t from, std::int64_t size) const {
    const Reach& down = rows[static_cast<std::size_t>(h)];
    const Reach& right = columns[static_cast<std::size_t>(w)];
    const Window window{.rows = down.count,
                        .columns = right.count,
                        .row_stride = pool.dilation.height * in.strides[2],
                        .column_stride = pool.dilation.width * in.strides[3]};
    const std::int64_t count = pool.count_padding ? down.counted * right.counted : down.count * right.count;
    const float factor = max || count == 0 ? 1.0F : 1.0F / static_cast<float>(count);
    // A window without elements must not point outside the input.
    const bool none = down.count == 0 || right.count == 0;
    const std::int64_t place = none ? 0 : down.first * in.strides[2] + right.first * in.strides[3];
    const auto* const source =
        static_cast<const std::byte*>(in.data) + (n * in.strides[0] + from * in.strides[1] + place) * bytes_of(in.type);
    auto* const to =
        static_cast<std::byte*>(out.data) +
        (n * out.strides[0] + from * out.strides[1] + h * out.strides[2] + w * out.strides[3]) * bytes_of(out.type);
    float buffer[kRow];
    float* const target = target_row(to, out.type, out.strides[1], buffer);
    if (none && max) {
      std::fill_n(target, size, std::numeric_limits<float>::lowest());
    } else if (plain(in.type, in.strides[1])) {
      const auto* const floats = static_cast<const float*>(static_cast<const void*>(source));
      max ? max_window(floats, window, target, size) : mean_window(floats, window, factor, target, size);
    } else {
      any_window(source, window, factor, target, size);
    }
    finish_row(target, to, out.type, out.strides[1], size);
  }

  void any_window(const std::byte* from, const Window& window, float factor, float* target, std::int64_t size) const {
    float buffer[kRow];
    std::fill_n(target, size, max ? MaxOf::kStart : SumOf::kStart);
    for (std::int64_t y = 0; y < window.rows; ++y) {
      for (std::int64_t x = 0; x < window.columns; ++x) {
        const std::int64_t offset = y * window.row_stride + x * window.column_stride;
        load_row(from + offset * bytes_of(in.type), in.type, in.strides[1], buffer, size);
        max ? max_row(target, buffer, size) : add_row(target, buffer, size);
      }
    }
    if (!max) scale_row(target, factor, size);
  }

  void run() const {
    const std::int64_t height = out.dims[2];
    const std::int64_t width = out.dims[3];
    const std::int64_t channels = out.dims[1];
    const std::int64_t pixels = out.dims[0] * height * width;
    const std::int64_t work = out.elements() * pool.kernel.height * pool.kernel.width;
    const std::int64_t wanted = (threads_for(work) + pixels - 1) / pixels;
    const std::int64_t pieces = std::clamp<std::int64_t>(wanted, (channels + kRow - 1) / kRow, channels);
    split(pixels * pieces, work, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t at = i / pieces;
        const std::int64_t from = channels * (i % pieces) / pieces;
        const std::int64_t to = channels * (i % pieces + 1) / pieces;
        pixel(at / (height * width), at / width % height, at % width, from, to - from);
      }
    });
  }
};

}  // namespace

void pool(const TensorRef& in, const TensorRef& out, const Pool& pool) {
  IOS_CHECK(in.rank == 4 && out.rank == 4 && in.dims[0] == out.dims[0] && in.dims[1] == out.dims[1]);
  if (pool.kind == PoolKind::kGlobalAverage) return reduce(in, out, {.axes = {1, 2}, .keep_dims = true});
  Pooling pooling{
      .in = in, .out = out, .pool = pool, .max = pool.kind != PoolKind::kAverage, .rows = {}, .columns = {}};
  if (pool.kind == PoolKind::kGlobalMax) {
    IOS_CHECK(out.dims[2] == 1 && out.dims[3] == 1);
    pooling.pool = Pool{};
    pooling.pool.kernel = {in.dims[2], in.dims[3]};
  }
  const Pool& by = pooling.pool;
  for (std::int64_t h = 0; h < out.dims[2]; ++h) {
    pooling.rows.push_back(reach(h, by.stride.height, by.padding.height, by.end_padding.height, by.kernel.height,
                                 by.dilation.height, in.dims[2]));
  }
  for (std::int64_t w = 0; w < out.dims[3]; ++w) {
    pooling.columns.push_back(reach(w, by.stride.width, by.padding.width, by.end_padding.width, by.kernel.width,
                                    by.dilation.width, in.dims[3]));
  }
  pooling.run();
}

}  // namespace iosx::cpu
