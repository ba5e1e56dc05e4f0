#pragma once

#include "core/base/result.h"
#include "core/formats/onnx/model.h"

namespace iosx::onnx_import {

// Checks that every tensor is defined once and every read tensor is defined, and sorts nodes so that each comes after
// those that it reads; a valid order stays. Cycles are errors.
Result<void> order_nodes(OnnxModel& model);

}  // namespace iosx::onnx_import
