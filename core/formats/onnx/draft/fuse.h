#pragma once

#include "core/base/result.h"
#include "core/formats/onnx/draft/draft.h"

namespace iosx::onnx_import {

// Makes one operator out of several where the result is the same: scale and shift, activations and padding become part
// of the convolutions beside them; x · sigmoid(x) and its like one activation; a reshape before a fully connected layer
// nothing. Operators that were replaced stay in the draft, unread. Errors have no place.
Result<void> fuse(Draft& draft);

// Multiplies the weights of a Conv, ConvTranspose, Linear or Affine by a factor for each output channel, and the bias
// too, to which the shift is added, unless that is empty.
Result<void> scale_outputs(Draft& draft, DraftOperator& op, const Tensor& scale, const Tensor& shift);

}  // namespace iosx::onnx_import
