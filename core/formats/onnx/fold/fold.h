#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/host_tensor.h"
#include "core/formats/onnx/model.h"

namespace iosx::onnx_import {

// Returns whether fold() knows the operator of ONNX's own domain.
bool foldable(std::string_view op_type);
bool foldable(const Node&);  // checks the domain too

// Evaluates a node by the rules of numpy and ONNX. `inputs` has an entry per input: null for an absent optional one,
// otherwise a tensor, which may be opaque if the operator only needs its dims (Shape, Size). `opset` is the model's.
// Returns one result per output of the node. Floating-point arithmetic is float32 for every declared type. `most`
// limits the elements of one result, and is checked before computing. Errors: operators that are not foldable, shapes
// and types that do not fit, malformed attributes, integer division by zero, results that are too large.
Result<std::vector<HostTensor>> fold(const Node&, std::span<const HostTensor* const> inputs, std::int64_t opset,
                                     std::int64_t most = kMaxFoldedElements);

}  // namespace iosx::onnx_import
