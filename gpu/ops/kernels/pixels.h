#pragma once

#include <cstdint>

#include "core/base/check.h"
#include "core/model/graph/attributes.h"
#include "core/model/layout/tensor_ref.h"
#include "gpu/ops/kernels/nest.h"

// Tensors are batch × channels × height × width, walked with the channels innermost.
namespace iosx::gpu::kernels {

constexpr std::size_t kChannels = 1;
constexpr std::size_t kRows = 2;
constexpr std::size_t kColumns = 3;

// Strides are in elements.
struct PixelStrides {
  std::int64_t batch = 0;
  std::int64_t channel = 0;
  std::int64_t row = 0;
  std::int64_t column = 0;

  PixelStrides() = default;
  explicit PixelStrides(const TensorRef& tensor)
      : batch(tensor.strides[0]), channel(tensor.strides[1]), row(tensor.strides[2]), column(tensor.strides[3]) {}

  IOS_HD std::int64_t offset(std::int64_t n, std::int64_t c, std::int64_t y, std::int64_t x) const {
    return n * batch + c * channel + y * row + x * column;
  }
};

inline void check_images(const TensorRef& in, const TensorRef& out) {
  IOS_CHECK(in.rank == 4 && out.rank == 4 && in.type == out.type);
  IOS_CHECK(in.dims[0] == out.dims[0] && in.dims[kChannels] == out.dims[kChannels]);
}

// The windows along one axis of an image. All sizes fit 32 bits, also the ends of windows.
struct Windows {
  int kernel = 1;
  int stride = 1;
  int dilation = 1;
  int padding = 0;
  int size = 0;  // of the input
  int end = 0;   // of the input with its padding

  IOS_HD int start(int place) const { return place * stride - padding; }
  // Returns how many elements of the window that starts at `start` lie before `limit`.
  IOS_HD int before(int start, int limit) const {
    if (start >= limit) return 0;
    const int count = dilation == 1 ? limit - start : (limit - start + dilation - 1) / dilation;
    return count < kernel ? count : kernel;
  }
};

// Throws Unsupported where these do not fit.
Windows windows(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride, std::int64_t dilation,
                std::int64_t padding, std::int64_t end_padding);

// The place of a step's output vector; `column` counts steps.
struct PixelPlace {
  std::int64_t batch;
  std::int64_t channel;  // in vectors
  int row;
  int column;
};

template <class Index>
struct PixelLoops {
  Divider<Index> channels;  // in vectors
  Divider<Index> columns;
  Divider<Index> rows;

  IOS_HD PixelPlace place(Index step) const {
    PixelPlace place;
    place.channel = static_cast<std::int64_t>(take_place(step, channels));
    place.column = static_cast<int>(take_place(step, columns));
    place.row = static_cast<int>(take_place(step, rows));
    place.batch = static_cast<std::int64_t>(step);
    return place;
  }
};

}  // namespace iosx::gpu::kernels
