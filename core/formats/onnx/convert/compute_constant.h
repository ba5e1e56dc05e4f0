#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/loaded_onnx.h"
#include "core/formats/onnx/model.h"

namespace iosx::onnx_import {

// Returns the outputs of a node whose inputs are all known, empty ones where they have no name. The node is converted
// as a separate model that is fed the first input, and OnnxOptions::compute computes it in float32. Returns none where
// the node does not become executable operators. Errors: integers beyond 2^24, which float32 does not hold exactly, or
// sums of them that may go beyond.
Result<std::optional<std::vector<HostTensor>>> compute_constant(const Node& node,
                                                                std::span<const HostTensor* const> inputs,
                                                                const OnnxModel& model, const OnnxOptions& options);

}  // namespace iosx::onnx_import
