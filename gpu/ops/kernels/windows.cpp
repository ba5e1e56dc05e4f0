#include "gpu/ops/kernels/windows.h"

#include <limits>

#include "gpu/runtime/errors.h"

namespace iosx::gpu::kernels {

Windows windows(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride, std::int64_t dilation,
                std::int64_t padding, std::int64_t end_padding) {
  constexpr std::int64_t kMost = std::numeric_limits<int>::max() / 4;
  IOS_CHECK(in >= 0 && out >= 0 && kernel >= 1 && stride >= 1 && dilation >= 1);
  const auto small = [](std::int64_t x) { return x > -kMost && x < kMost; };
  const bool plain = small(in) && small(out) && small(kernel) && small(stride) && small(dilation) && small(padding) &&
                     small(end_padding);
  if (!plain || !small(out * stride) || !small(kernel * dilation)) {
    throw Unsupported(
        message("a window operator on an axis of more than 500 million elements cannot be computed on the GPU"));
  }
  return {.kernel = static_cast<int>(kernel),
          .stride = static_cast<int>(stride),
          .dilation = static_cast<int>(dilation),
          .padding = static_cast<int>(padding),
          .size = static_cast<int>(in),
          .end = static_cast<int>(in + padding + end_padding)};
}

}  // namespace iosx::gpu::kernels
