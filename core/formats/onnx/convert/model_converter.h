#pragma once

#include <optional>
#include <vector>

#include "core/formats/onnx/convert/conversion_context.h"
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

}  // namespace iosx::onnx_import
