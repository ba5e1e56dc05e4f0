#pragma once

#include <limits>

#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/choice.h"
#include "gpu/ops/kernels/nest.h"
#include "gpu/ops/kernels/pixels.h"

namespace iosx::gpu::kernels {

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
  choose_type(out.type, [&](auto type) {
    using T = typename decltype(type)::Type;
    const int width = widest(sizeof(T), executor.choice, [&](int w) { return fits_along(kChannels, {&in, &out}, w); });
    choose_width<T>(width, out.elements(), executor.choice, [&](auto chosen, auto index) {
      using Index = typename decltype(index)::Type;
      constexpr int kWidth = decltype(chosen)::value;
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
  });
}

}  // namespace iosx::gpu::kernels
