#pragma once

#include <cstdint>
#include <string>

#include "core/model/graph/attributes.h"
#include "core/model/layout/tensor_ref.h"

namespace iosx::gpu {

// How products are computed. kTf32 and kStrict are for float32 tensors: kTf32 rounds factors to 10 bits of mantissa
// for the tensor cores, kStrict allows no rounding below float32.
enum class Math { kTf32, kStrict, kHalf, kBfloat16 };
DataType data_type(Math math);

// The layout of channels-last pixels in a larger tensor. Sizes are in elements.
struct PixelLayout {
  std::int64_t pitch = 0;       // from one pixel to the next: the channels of the whole buffer
  std::int64_t alignment = 16;  // in bytes, of every pixel's first channel: a power of two, at most 16
  friend bool operator==(const PixelLayout&, const PixelLayout&) = default;
};

// A convolution with everything on which cuDNN's choice depends: y = activation(x ⋆ w + bias + residual), activations
// NHWC, filters KRSC (transposed: K counts channels of x, C those of y), all of one type, sums float32. A linear
// layer is a 1×1 convolution of one pixel.
struct ConvProblem {
  bool transposed = false;  // ConvTranspose: the gradient of a convolution with respect to its input
  Math math = Math::kTf32;
  std::int64_t batch = 1;
  std::int64_t channels = 0;      // of x
  Extent input;                   // pixels of x
  std::int64_t out_channels = 0;  // of y
  Extent output;                  // pixels of y
  Extent kernel;
  Extent stride;
  Extent dilation;
  Extent padding{0, 0};      // before the first pixel
  Extent padding_end{0, 0};  // after the last one; may be negative
  std::int64_t groups = 1;
  PixelLayout x;
  PixelLayout y;
  bool bias = false;
  bool residual = false;
  PixelLayout z;  // of the residual, if any
  Activation activation = Activation::kIdentity;

  friend bool operator==(const ConvProblem&, const ConvProblem&) = default;
};

// Returns a key for caches, equal exactly for equal problems: short, readable, without spaces at its ends.
std::string key_of(const ConvProblem& problem);

}  // namespace iosx::gpu
