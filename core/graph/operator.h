#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/id.h"

namespace iosx {

using OperatorId = Id<struct OperatorTag>;
using UnitId = Id<struct UnitTag>;
using PartId = Id<struct PartTag>;

// One sample's tensor: channels × height × width. The batch size is not part of a graph.
struct Shape {
  std::int64_t channels = 0;
  std::int64_t height = 1;
  std::int64_t width = 1;

  std::int64_t elements() const { return channels * height * width; }
  friend bool operator==(const Shape&, const Shape&) = default;
};

// A size along the two spatial axes, in pixels.
struct Extent {
  std::int64_t height = 1;
  std::int64_t width = 1;
  friend bool operator==(const Extent&, const Extent&) = default;
};

enum class Activation { kIdentity, kRelu, kSigmoid, kTanh };

// A graph input (placeholder).
struct Input {
  Shape shape;
  friend bool operator==(const Input&, const Input&) = default;
};

// Convolution with bias and a fused activation.
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
  friend bool operator==(const Conv&, const Conv&) = default;
};

enum class PoolKind { kMax, kAverage, kGlobalMax, kGlobalAverage };

// Average pooling counts the padding in its mean. Global pooling ignores the window.
struct Pool {
  PoolKind kind = PoolKind::kMax;
  Extent kernel;
  Extent stride;
  Extent padding{0, 0};
  bool ceil_mode = false;  // round the output size up instead of down
  friend bool operator==(const Pool&, const Pool&) = default;
};

// A separate activation (a fused one belongs to its Conv or Linear).
struct Activate {
  Activation function = Activation::kRelu;
  friend bool operator==(const Activate&, const Activate&) = default;
};

// Element-wise sum and product of two or more equal shapes; concatenation along channels; copy of one value.
struct Add {
  friend bool operator==(const Add&, const Add&) = default;
};
struct Mul {
  friend bool operator==(const Mul&, const Mul&) = default;
};
struct Concat {
  friend bool operator==(const Concat&, const Concat&) = default;
};
struct Identity {
  friend bool operator==(const Identity&, const Identity&) = default;
};

// Fully connected layer on the flattened input, with bias. Output shape out_features × 1 × 1.
struct Linear {
  std::int64_t out_features = 0;
  Activation activation = Activation::kIdentity;
  friend bool operator==(const Linear&, const Linear&) = default;
};

using Attributes = std::variant<Input, Conv, Pool, Activate, Add, Mul, Concat, Identity, Linear>;

// Channels [begin, end) of an operator's output. The whole output has begin = 0, end = its channels.
struct Value {
  OperatorId producer;
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t channels() const { return end - begin; }
  friend bool operator==(const Value&, const Value&) = default;
};

// One tensor computation. Its inputs are read in order (the order matters for Concat).
struct Operator {
  std::string name;
  Attributes attributes;
  std::vector<Value> inputs;
  Shape output;
  UnitId unit;  // invalid for an Input

  bool is_input() const { return std::holds_alternative<Input>(attributes); }
  template <typename Kind>
  const Kind* as() const {
    return std::get_if<Kind>(&attributes);
  }
};

// "conv", "max pool", "relu", … : the field's standard term for what the operator does, for people to read.
std::string_view kind_name(const Attributes& attributes);
std::string_view activation_name(Activation activation);  // "identity", "relu", "sigmoid", "tanh"

}  // namespace iosx
