#pragma once

#include "core/base/result.h"
#include "core/formats/onnx/model.h"

namespace iosx::onnx_import {

// Checks that every tensor is defined once and every tensor that is read is defined, and sorts the nodes so that each
// comes after those that it reads, without changing an order that already is like that. Cycles are errors.
Result<void> order_nodes(OnnxModel& model);

}  // namespace iosx::onnx_import
