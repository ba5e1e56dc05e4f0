#pragma once

#include <optional>
#include <vector>

#include "core/formats/onnx/convert/conversion_context.h"
#include "core/formats/onnx/sizes.h"

namespace iosx::onnx_import {

// Is the draft of a whole model, and what the user should know about it.
struct ConvertedModel {
  Draft draft;
  std::vector<Message> warnings;
  bool fits = true;  // no: with other sizes more of it may be executable
};

// Converts every node, in order: those whose inputs are all known are computed, others become draft operators. With a
// `batch` the leading axis, of this size, is taken off every tensor; a node that mixes samples then is a refusal.
// Without one, shapes have all axes. `sizes` has those that the model leaves open.
tl::expected<ConvertedModel, Refusal> walk(const OnnxModel& model, const OnnxOptions& options, const Sizes& sizes,
                                           std::optional<std::int64_t> batch);

}  // namespace iosx::onnx_import
