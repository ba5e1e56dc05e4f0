#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "core/base/result.h"
#include "core/formats/onnx/draft/draft.h"

// Functions that exporters write as several operators.
namespace iosx::onnx_import {

// The computation of an operator and those before it, as one operator of one value.
struct Pattern {
  Attributes attributes;
  DraftValue of;
};

// `sole` returns whether an operator has a single reader. Recognised at their last operator: gelu with erf or tanh,
// mish, layer normalisation and RMS normalisation. The pattern's operators have no outside readers, except for the
// value itself.
std::optional<Pattern> pattern_at(const Draft& draft, std::size_t i, const std::function<bool(std::size_t)>& sole);

// Returns the number that all elements equal; none if they differ.
std::optional<float> uniform(const Tensor& tensor);

// Joins operators where the result stays the same: scale and shift, activations and padding move into neighbouring
// convolutions, x · sigmoid(x) and similar ones become one activation, and a reshape before a fully connected layer
// disappears. Replaced operators stay in the draft, unread. Errors have no place.
Result<void> fuse(Draft& draft);

// Multiplies the weights and bias of a Conv, ConvTranspose, Linear or Affine by a factor per output channel, and adds
// the shift to the bias, unless it is empty.
Result<void> scale_outputs(Draft& draft, DraftOperator& op, const Tensor& scale, const Tensor& shift);

}  // namespace iosx::onnx_import
