#pragma once

#include <cmath>
#include <cstdint>

#include "core/model/graph/tensor_attributes.h"
#include "gpu/ops/kernels/host_device.h"

namespace iosx::gpu::kernels {

// The parts of one output element along one axis: (1 - weight) of one input element and weight of another.
struct ResizeTap {
  std::int64_t first = 0;  // places
  std::int64_t second = 0;
  float weight = 0;
};

// How an axis is resized, by the definition of ONNX, in floats like its runtimes.
struct ResizeRule {
  ResizeMode mode = ResizeMode::kNearest;
  ResizeCoordinates coordinates = ResizeCoordinates::kHalfPixel;
  ResizeRounding rounding = ResizeRounding::kPreferFloor;

  IOS_HD ResizeTap tap(std::int64_t place, std::int64_t in, std::int64_t out, float scale) const {
    const auto last = static_cast<float>(in - 1);
    const float x = coordinate(static_cast<float>(place), in, out, scale);
    if (mode == ResizeMode::kNearest) {
      const auto nearest = static_cast<std::int64_t>(bounded(rounded(x), last));
      return {nearest, nearest, 0.0F};
    }
    const float inside = bounded(x, last);
    const auto below = static_cast<std::int64_t>(inside);
    return {below, below + 1 < in ? below + 1 : in - 1, inside - static_cast<float>(below)};
  }

 private:
  IOS_HD static float bounded(float x, float last) { return x < 0 ? 0.0F : (last < x ? last : x); }

  IOS_HD float coordinate(float x, std::int64_t in, std::int64_t out, float scale) const {
    switch (coordinates) {
      case ResizeCoordinates::kPytorchHalfPixel:
        if (out <= 1) return 0.0F;
        return (x + 0.5F) / scale - 0.5F;
      case ResizeCoordinates::kAlignCorners:
        return out > 1 ? x * static_cast<float>(in - 1) / static_cast<float>(out - 1) : 0.0F;
      case ResizeCoordinates::kAsymmetric: return x / scale;
      case ResizeCoordinates::kHalfPixel: break;
    }
    return (x + 0.5F) / scale - 0.5F;
  }

  IOS_HD float rounded(float x) const {
    switch (rounding) {
      case ResizeRounding::kPreferCeil: return floorf(x + 0.5F);
      case ResizeRounding::kFloor: return floorf(x);
      case ResizeRounding::kCeil: return ceilf(x);
      case ResizeRounding::kPreferFloor: break;
    }
    return ceilf(x - 0.5F);
  }
};

}  // namespace iosx::gpu::kernels
