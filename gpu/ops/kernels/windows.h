#pragma once

#include <cstdint>
#include <limits>

#include "core/base/check.h"
#include "core/model/graph/attributes.h"
#include "core/model/layout/tensor_ref.h"
#include "gpu/ops/kernels/activate.h"
#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/nest.h"
#include "gpu/ops/kernels/vector.h"

namespace iosx::gpu::kernels {

// Tensors are batch × channels × height × width, walked with the channels innermost.
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

// Computes kPixels neighbours in a row of the output, for one vector of channels: they share the loads of weights.
// Where kTaps is not 0 the window is kTaps × kTaps, of one pixel: then a row's loads are on their way together, of a
// small window all of them. What a small map takes is the latency of loads that wait for one another.
template <class T, int kWidth, int kPixels, int kTaps, bool kBefore, class IndexType>
struct DepthwiseStep {
  static_assert(kTaps == 0 || kPixels == 1);
  // The number of unrolled turns of a loop: several loads are then in flight. Several pixels have enough loads.
  static constexpr int kTurns = kPixels == 1 ? 4 : 1;
  static constexpr bool kManyLoads = kTaps > 0;
  using Index = IndexType;
  PixelLoops<Index> loops;  // columns in groups of kPixels
  const T* in;
  PixelStrides from;
  const T* weights;
  const T* bias;      // may be null
  const T* residual;  // may be null
  PixelStrides beside;
  T* out;
  PixelStrides to;
  Windows down;
  Windows right;
  int columns;  // of the output
  std::int64_t channels;
  Bounds before;  // of the input, with kBefore: their instructions would slow down the others
  Activate activate;

  IOS_HD void operator()(Index step) const {
    const auto place = loops.place(step);
    const std::int64_t channel = place.channel * kWidth;
    const int column = place.column * kPixels;
    float sums[kPixels][kWidth];
    IOS_UNROLL
    for (int pixel = 0; pixel < kPixels; ++pixel) {
      IOS_UNROLL
      for (int i = 0; i < kWidth; ++i) sums[pixel][i] = 0;
    }
    const int top = down.start(place.row);
    const int last = down.before(top, down.size);
    const T* const image = in + from.offset(place.batch, channel, 0, 0);
    const int first = top < 0 ? down.before(top, 0) : 0;
    if constexpr (kTaps > 0) {
      IOS_UNROLL_BY(kRows)
      for (int ky = 0; ky < kTaps; ++ky) {
        const bool inside = ky >= first && ky < last;
        if (kRows == 1 && !inside) continue;
        add_taps(inside, image + (inside ? top + ky * down.dilation : 0) * from.row,
                 weights + ky * kTaps * channels + channel, column, sums[0]);
      }
    } else {
      for (int ky = first; ky < last; ++ky) {
        add_row(image + (top + ky * down.dilation) * from.row, weights + ky * right.kernel * channels + channel, column,
                sums);
      }
    }
    IOS_UNROLL
    for (int pixel = 0; pixel < kPixels; ++pixel) {
      if (column + pixel < columns) finish(place, channel, column + pixel, sums[pixel]);
    }
  }

 private:
  static constexpr int kRows = kTaps == 3 ? 3 : 1;  // whose loads are on their way together

  IOS_HD float prepared(float x) const { return kBefore ? before(x) : x; }

  IOS_HD void add_taps(bool row_inside, const T* row, const T* weight, int column, float (&sum)[kWidth]) const {
    const int left = right.start(column);
    Vector<T, kWidth> values[kTaps > 0 ? kTaps : 1];
    Vector<T, kWidth> factors[kTaps > 0 ? kTaps : 1];
    IOS_UNROLL
    for (int kx = 0; kx < kTaps; ++kx) {
      const int x = left + kx * right.dilation;
      values[kx] = Vector<T, kWidth>::load(row + (x < 0 || x >= right.size ? 0 : x) * from.column);  // no branch
      factors[kx] = Vector<T, kWidth>::load(weight + kx * channels);
    }
    IOS_UNROLL
    for (int kx = 0; kx < kTaps; ++kx) {
      const int x = left + kx * right.dilation;
      const bool inside = row_inside && x >= 0 && x < right.size;
      IOS_UNROLL
      for (int i = 0; i < kWidth; ++i) {  // zeros where it is not: a branch would have its loads wait for it
        sum[i] += (inside ? prepared(to_float(values[kx].at[i])) : 0) * (inside ? to_float(factors[kx].at[i]) : 0);
      }
    }
  }

  IOS_HD void add_row(const T* row, const T* weight, int column, float (&sums)[kPixels][kWidth]) const {
    // The bounds leave out only what all of the pixels skip; the rest is told apart inside.
    const int first_start = right.start(column);
    const int last_start = right.start(column + kPixels - 1);
    const int first = last_start < 0 ? right.before(last_start, 0) : 0;
    const int last = right.before(first_start, right.size);
    weight += first * channels;
    IOS_UNROLL_BY(kTurns)
    for (int kx = first; kx < last; ++kx, weight += channels) {
      float factor[kWidth];
      read<T, kWidth>(weight, factor);
      IOS_UNROLL
      for (int pixel = 0; pixel < kPixels; ++pixel) {
        const int x = right.start(column + pixel) + kx * right.dilation;
        if (kPixels > 1 && (x < 0 || x >= right.size)) continue;
        float value[kWidth];
        read<T, kWidth>(row + x * from.column, value);
        IOS_UNROLL
        for (int i = 0; i < kWidth; ++i) sums[pixel][i] += prepared(value[i]) * factor[i];
      }
    }
  }

  IOS_HD void finish(const PixelPlace& place, std::int64_t channel, int column, float (&sum)[kWidth]) const {
    float more[kWidth];
    if (bias != nullptr) {
      read<T, kWidth>(bias + channel, more);
      IOS_UNROLL
      for (int i = 0; i < kWidth; ++i) sum[i] += more[i];
    }
    if (residual != nullptr) {
      read<T, kWidth>(residual + beside.offset(place.batch, channel, place.row, column), more);
      IOS_UNROLL
      for (int i = 0; i < kWidth; ++i) sum[i] += more[i];
    }
    activate(sum);
    write<T, kWidth>(sum, out + to.offset(place.batch, channel, place.row, column));
  }
};

template <class T, int kWidth, int kPixels, int kTaps, bool kBefore, class Index, class Executor>
void run_depthwise(const DepthwiseCall& call, const Executor& executor) {
  const TensorRef& in = call.in;
  const TensorRef& out = call.out;
  const auto along = [&](std::size_t axis, std::int64_t kernel, std::int64_t stride, std::int64_t dilation,
                         std::int64_t padding) {
    return windows(in.dims[axis], out.dims[axis], kernel, stride, dilation, padding, 0);
  };
  const std::int64_t vectors = out.dims[kChannels] / kWidth;
  const std::int64_t groups = (out.dims[kColumns] + kPixels - 1) / kPixels;
  executor.each(
      DepthwiseStep<T, kWidth, kPixels, kTaps, kBefore, Index>{
          .loops = {.channels = Divider<Index>(vectors),
                    .columns = Divider<Index>(groups),
                    .rows = Divider<Index>(out.dims[kRows])},
          .in = static_cast<const T*>(in.data),
          .from = PixelStrides(in),
          .weights = static_cast<const T*>(call.weights),
          .bias = static_cast<const T*>(call.bias),
          .residual = static_cast<const T*>(call.residual.data),
          .beside = PixelStrides(call.residual),
          .out = static_cast<T*>(out.data),
          .to = PixelStrides(out),
          .down = along(kRows, call.kernel.height, call.stride.height, call.dilation.height, call.padding.height),
          .right = along(kColumns, call.kernel.width, call.stride.width, call.dilation.width, call.padding.width),
          .columns = static_cast<int>(out.dims[kColumns]),
          .channels = out.dims[kChannels],
          .before = bounds_of(call.before).value(),
          .activate = Activate(call.activation)},
      out.dims[0] * out.dims[kRows] * groups * vectors);
}

template <bool kBefore, class Executor>
void dispatch_depthwise(const DepthwiseCall& call, const Executor& executor) {
  const TensorRef& out = call.out;
  // NOLINTBEGIN(cppcoreguidelines-pro-type-const-cast): only read
  const TensorRef weights{.data = const_cast<void*>(call.weights),
                          .type = out.type,
                          .rank = 2,
                          .dims = {call.kernel.height * call.kernel.width, out.dims[kChannels]},
                          .strides = {out.dims[kChannels], 1}};
  TensorRef bias = weights;
  bias.data = const_cast<void*>(call.bias);
  // NOLINTEND(cppcoreguidelines-pro-type-const-cast)
  const auto fit = [&](int w) { return fits_along(kChannels, {&call.in, &out, &call.residual, &weights, &bias}, w); };
  choose_vectors(out.type, out.elements(), executor.choice, fit, [&]<class T, int kWidth, class Index>() {
    if constexpr (kWidth * sizeof(T) == kWordBytes) {
      if (out.elements() / kWidth >= executor.choice.many) {
        return run_depthwise<T, kWidth, 4, 0, kBefore, Index>(call, executor);
      }
      if (call.kernel == Extent{3, 3}) return run_depthwise<T, kWidth, 1, 3, kBefore, Index>(call, executor);
      if (call.kernel == Extent{5, 5}) return run_depthwise<T, kWidth, 1, 5, kBefore, Index>(call, executor);
      if (call.kernel == Extent{7, 7}) return run_depthwise<T, kWidth, 1, 7, kBefore, Index>(call, executor);
    }
    run_depthwise<T, kWidth, 1, 0, kBefore, Index>(call, executor);
  });
}

template <class Executor>
void dispatch(const DepthwiseCall& call, const Executor& executor) {
  const TensorRef& out = call.out;
  check_images(call.in, out);
  if (call.residual.data != nullptr) {
    IOS_CHECK(call.residual.rank == 4 && call.residual.type == out.type && call.residual.dims == out.dims);
  }
  if (out.elements() == 0) return;
  call.before == Activation::kIdentity ? dispatch_depthwise<false>(call, executor)
                                       : dispatch_depthwise<true>(call, executor);
}

template <class T, int kWidth, class IndexType>
struct PoolStep {
  using Index = IndexType;
  PixelLoops<Index> loops;
  const T* in;
  PixelStrides from;
  T* out;
  PixelStrides to;
  Windows down;
  Windows right;
  bool max;
  bool count_padding;

  IOS_HD void operator()(Index step) const {
    const auto place = loops.place(step);
    const int top = down.start(place.row);
    const int left = right.start(place.column);
    // Elements of the window, [first, last) of its rows and columns, inside the input.
    const int first_row = top < 0 ? down.before(top, 0) : 0;
    const int last_row = down.before(top, down.size);
    const int first_column = left < 0 ? right.before(left, 0) : 0;
    const int last_column = right.before(left, right.size);
    float values[kWidth];
    IOS_UNROLL
    for (int i = 0; i < kWidth; ++i) values[i] = max ? std::numeric_limits<float>::lowest() : 0.0F;
    const T* const base = in + from.offset(place.batch, place.channel * kWidth, 0, 0);
    for (int ky = first_row; ky < last_row; ++ky) {
      const T* const row = base + (top + ky * down.dilation) * from.row;
      for (int kx = first_column; kx < last_column; ++kx) {
        float more[kWidth];
        read<T, kWidth>(row + (left + kx * right.dilation) * from.column, more);
        IOS_UNROLL
        for (int i = 0; i < kWidth; ++i) {
          const float most = values[i] < more[i] ? more[i] : values[i];
          values[i] = max ? most : values[i] + more[i];
        }
      }
    }
    if (!max) {
      const std::int64_t inside = static_cast<std::int64_t>(last_row - first_row) * (last_column - first_column);
      const std::int64_t padded = static_cast<std::int64_t>(down.before(top, down.end)) * right.before(left, right.end);
      const std::int64_t count = count_padding ? padded : inside;
      const float factor = count > 0 ? 1.0F / static_cast<float>(count) : 1.0F;
      IOS_UNROLL
      for (int i = 0; i < kWidth; ++i) values[i] *= factor;
    }
    write<T, kWidth>(values, out + to.offset(place.batch, place.channel * kWidth, place.row, place.column));
  }
};

template <class Executor>
void dispatch(const PoolCall& call, const Executor& executor) {
  const TensorRef& in = call.in;
  const TensorRef& out = call.out;
  const Pool& pool = call.pool;
  check_images(in, out);
  IOS_CHECK(pool.kind == PoolKind::kMax || pool.kind == PoolKind::kAverage);
  const Windows down = windows(in.dims[kRows], out.dims[kRows], pool.kernel.height, pool.stride.height,
                               pool.dilation.height, pool.padding.height, pool.end_padding.height);
  const Windows right = windows(in.dims[kColumns], out.dims[kColumns], pool.kernel.width, pool.stride.width,
                                pool.dilation.width, pool.padding.width, pool.end_padding.width);
  if (out.elements() == 0) return;
  const auto fit = [&](int w) { return fits_along(kChannels, {&in, &out}, w); };
  choose_vectors(out.type, out.elements(), executor.choice, fit, [&]<class T, int kWidth, class Index>() {
    executor.each(PoolStep<T, kWidth, Index>{.loops = {.channels = Divider<Index>(out.dims[kChannels] / kWidth),
                                                       .columns = Divider<Index>(out.dims[kColumns]),
                                                       .rows = Divider<Index>(out.dims[kRows])},
                                             .in = static_cast<const T*>(in.data),
                                             .from = PixelStrides(in),
                                             .out = static_cast<T*>(out.data),
                                             .to = PixelStrides(out),
                                             .down = down,
                                             .right = right,
                                             .max = pool.kind == PoolKind::kMax,
                                             .count_padding = pool.count_padding},
                  out.elements() / kWidth);
  });
}

}  // namespace iosx::gpu::kernels
