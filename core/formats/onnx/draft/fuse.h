#pragma once

#include "core/base/result.h"
#include "core/formats/onnx/draft/draft.h"

namespace iosx::onnx_import {

// Joins operators where the result stays the same: scale and shift, activations and padding move into neighbouring
// convolutions, x · sigmoid(x) and similar ones become one activation, and a reshape before a fully connected layer
// disappears. Replaced operators stay in the draft, unread. Errors have no place.
Result<void> fuse(Draft& draft);

}  // namespace iosx::onnx_import
