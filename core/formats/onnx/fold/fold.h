#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/host_tensor.h"
#include "core/formats/onnx/model.h"

namespace iosx::onnx_import {

// Says whether fold() knows the operator of ONNX's own domain.
bool foldable(std::string_view op_type);
bool foldable(const Node&);  // looks at the domain too

// Evaluates a node as numpy and ONNX define it. `inputs` has an entry for each input of the node: null where the
// optional input is absent, otherwise a tensor, which may be opaque as long as the operator only needs its dims (Shape,
// Size). `opset` is that of the model. There is one result for each output of the node. Floating-point arithmetic is
// float32 whatever the declared type. `most` is how many elements one result may have; it is looked at before the
// result is computed. Errors: operators that are not foldable, shapes and types that do not fit, malformed attributes,
// integer division by zero, results that are too large.
Result<std::vector<HostTensor>> fold(const Node&, std::span<const HostTensor* const> inputs, std::int64_t opset,
                                     std::int64_t most = kMaxFoldedElements);

}  // namespace iosx::onnx_import
