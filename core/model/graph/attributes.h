#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/graph/activation.h"
#include "core/model/graph/shape.h"

// These types say what the operators of convolutional networks compute; tensor_attributes.h has the rest. Axes count
// those of one sample (shape.h), from 0; ONNX's definitions hold where a comment does not say otherwise.
namespace iosx {

// A size along the two spatial axes, in pixels.
struct Extent {
  std::int64_t height = 1;
  std::int64_t width = 1;
  friend bool operator==(const Extent&, const Extent&) = default;
};

// A graph input (placeholder).
struct Input {
  Shape shape;
  friend bool operator==(const Input&, const Input&) = default;
};

// A tensor that is part of the model: the operator's weights (parameters.h). The same for every sample of a batch.
struct Constant {
  Shape shape;
  friend bool operator==(const Constant&, const Constant&) = default;
};

// Convolution with bias and a fused activation. Weights out_channels × channels / groups × kernel.
struct Conv {
  std::int64_t out_channels = 0;
  Extent kernel;
  Extent stride;
  Extent padding{0, 0};  // on both sides of an axis
  Extent dilation;
  std::int64_t groups = 1;
  Activation activation = Activation::kIdentity;
  // Names of the convolutions that this one replaced, in channel order; empty unless it was merged.
  std::vector<std::string> merged_from;
  Extent end_padding{0, 0};  // added to the padding below and to the right; may be negative
  friend bool operator==(const Conv&, const Conv&) = default;
};

// Transposed convolution with bias. Weights channels × out_channels / groups × kernel.
struct ConvTranspose {
  std::int64_t out_channels = 0;
  Extent kernel;
  Extent stride;
  Extent padding{0, 0};  // cropped on both sides of an axis
  Extent dilation;
  std::int64_t groups = 1;
  Activation activation = Activation::kIdentity;
  Extent end_padding{0, 0};     // cropped further below and to the right; may be negative
  Extent output_padding{0, 0};  // added to the output's size below and to the right
  friend bool operator==(const ConvTranspose&, const ConvTranspose&) = default;
};

enum class PoolKind { kMax, kAverage, kGlobalMax, kGlobalAverage };

// Global pooling ignores the window and keeps the rank.
struct Pool {
  PoolKind kind = PoolKind::kMax;
  Extent kernel;
  Extent stride;
  Extent padding{0, 0};
  bool ceil_mode = false;     // round the output size up instead of down
  Extent dilation{1, 1};      // of max pooling
  bool count_padding = true;  // average pooling counts the padding in its mean
  Extent end_padding{0, 0};   // added to the padding below and to the right; may be negative
  friend bool operator==(const Pool&, const Pool&) = default;
};

// A separate activation (a fused one belongs to its Conv, Linear or Affine).
struct Activate {
  Activation function = Activation::kRelu;
  friend bool operator==(const Activate&, const Activate&) = default;
};

// scale · x + shift per channel (axis 0), then the activation: a batch normalisation that no convolution took in.
// Weights: scale; bias: shift.
struct Affine {
  Activation activation = Activation::kIdentity;
  friend bool operator==(const Affine&, const Affine&) = default;
};

// Element-wise, of two or more shapes that broadcast as numpy's.
struct Add {
  friend bool operator==(const Add&, const Add&) = default;
};
struct Mul {
  friend bool operator==(const Mul&, const Mul&) = default;
};

// The same of two, by any other function: sums and products are Add and Mul.
struct Binary {
  BinaryFunction function = BinaryFunction::kSub;
  friend bool operator==(const Binary&, const Binary&) = default;
};

// Inputs condition, x and y, which broadcast: x where the condition is not 0, otherwise y.
struct Where {
  friend bool operator==(const Where&, const Where&) = default;
};

struct Concat {
  std::size_t axis = 0;
  friend bool operator==(const Concat&, const Concat&) = default;
};

// Copy of one value.
struct Identity {
  friend bool operator==(const Identity&, const Identity&) = default;
};

// Fully connected layer, with bias: of the whole input, flattened, or of every place of the axes before `axis` by
// itself (a token's features). Output: the axes before, then one of out_features. Weights out_features × input
// features.
struct Linear {
  std::int64_t out_features = 0;
  Activation activation = Activation::kIdentity;
  std::size_t axis = 0;
  friend bool operator==(const Linear&, const Linear&) = default;
};

// Matrix product over the last two axes, as numpy's matmul.
struct MatMul {
  // What meets a 0 does not count, NaN and infinities neither: the matrix says which elements are added up at all.
  bool sparse = false;
  friend bool operator==(const MatMul&, const MatMul&) = default;
};

}  // namespace iosx
