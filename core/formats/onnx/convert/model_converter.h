#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/convert/conversion_context.h"
#include "core/formats/onnx/loaded_onnx.h"
#include "core/formats/onnx/model.h"
#include "core/formats/onnx/sizes.h"

namespace iosx::onnx_import {

// The draft of a whole model, with notices for the user.
struct ConvertedModel {
  Draft draft;
  std::vector<Message> warnings;
  bool fits = true;  // false: with other sizes more of it may be executable
};

// Converts every node, in order: nodes with known inputs are computed, others become draft operators. With a `batch`
// the leading axis, of this size, is stripped from every tensor; a node that mixes samples is then a refusal. Without
// one, shapes have all axes. `sizes` has the open ones.
tl::expected<ConvertedModel, Refusal> walk(const OnnxModel& model, const OnnxOptions& options, const Sizes& sizes,
                                           std::optional<std::int64_t> batch);

// Returns the outputs of a node whose inputs are all known, empty ones where they have no name. The node is converted
// as a separate model that is fed the first input, and OnnxOptions::compute computes it in float32. Returns none where
// the node does not become executable operators, or these take more than `flops_left`, which it
// lessens. Errors: integers beyond 2^24, which float32 does not hold exactly, or sums of them that
// may go beyond.
Result<std::optional<std::vector<HostTensor>>> compute_constant(const Node& node,
                                                                std::span<const HostTensor* const> inputs,
                                                                const OnnxModel& model, const OnnxOptions& options,
                                                                double& flops_left);

}  // namespace iosx::onnx_import
