#pragma once

#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/choice.h"
#include "gpu/ops/kernels/depthwise_step.h"
#include "gpu/ops/kernels/nest.h"

namespace iosx::gpu::kernels {

template <class T, int kWidth, int kPixels, int kTaps, class Index, class Executor>
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
      DepthwiseStep<T, kWidth, kPixels, kTaps, Index>{
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
          .activate = Activate(call.activation)},
      out.dims[0] * out.dims[kRows] * groups * vectors);
}

template <class Executor>
void dispatch(const DepthwiseCall& call, const Executor& executor) {
  const TensorRef& out = call.out;
  check_images(call.in, out);
  if (call.residual.data != nullptr) {
    IOS_CHECK(call.residual.rank == 4 && call.residual.type == out.type && call.residual.dims == out.dims);
  }
  if (out.elements() == 0) return;
  // NOLINTBEGIN(cppcoreguidelines-pro-type-const-cast): only read
  const TensorRef weights{.data = const_cast<void*>(call.weights),
                          .type = out.type,
                          .rank = 2,
                          .dims = {call.kernel.height * call.kernel.width, out.dims[kChannels]},
                          .strides = {out.dims[kChannels], 1}};
  TensorRef bias = weights;
  bias.data = const_cast<void*>(call.bias);
  // NOLINTEND(cppcoreguidelines-pro-type-const-cast)
  choose_type(out.type, [&](auto type) {
    using T = typename decltype(type)::Type;
    const int width = widest(sizeof(T), executor.choice, [&](int w) {
      return fits_along(kChannels, {&call.in, &out, &call.residual, &weights, &bias}, w);
    });
    choose_width<T>(width, out.elements(), executor.choice, [&](auto chosen, auto index) {
      using Index = typename decltype(index)::Type;
      constexpr int kWidth = decltype(chosen)::value;
      if constexpr (kWidth * sizeof(T) == kWordBytes) {
        if (out.elements() / kWidth >= executor.choice.many) {
          return run_depthwise<T, kWidth, 4, 0, Index>(call, executor);
        }
        if (call.kernel == Extent{3, 3}) return run_depthwise<T, kWidth, 1, 3, Index>(call, executor);
        if (call.kernel == Extent{5, 5}) return run_depthwise<T, kWidth, 1, 5, Index>(call, executor);
        if (call.kernel == Extent{7, 7}) return run_depthwise<T, kWidth, 1, 7, Index>(call, executor);
      }
      run_depthwise<T, kWidth, 1, 0, Index>(call, executor);
    });
  });
}

}  // namespace iosx::gpu::kernels
