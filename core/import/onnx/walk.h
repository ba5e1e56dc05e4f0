#pragma once

#include <optional>
#include <vector>

#include "core/import/onnx/call.h"

namespace iosx::onnx_import {

// The draft of a whole model, and what the user should know about it.
struct Walked {
  Draft draft;
  std::vector<std::string> warnings;
};

// The sizes that a model's leading axes have in common, if they can be taken for a batch.
std::optional<std::int64_t> common_batch(const OnnxModel& model, const OnnxOptions& options);

// Converts every node, in order: those whose inputs are all known are computed, others become draft operators. With a
// `batch` the leading axis, of this size, is taken off every tensor; a node that mixes samples then is a refusal.
// Without one, shapes have all axes.
tl::expected<Walked, Refusal> walk(const OnnxModel& model, const OnnxOptions& options,
                                   std::optional<std::int64_t> batch);

}  // namespace iosx::onnx_import
