#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/formats/onnx/convert/infer_outputs.h"
#include "core/formats/onnx/model.h"

namespace iosx::onnx_import {

// Says what a node costs that no device executes.
struct NotExecuted {
  std::vector<TensorFacts> outputs = {};    // by output of the node
  std::optional<double> flops = {};         // of one run; none: unknown
  std::int64_t parameters = 0;              // elements of its constants, however they are packed
  std::optional<double> weight_bytes = {};  // of its constants that one sample reads; none: unknown

  bool has_cost() const { return flops && weight_bytes; }
};

// Says it from the node's attributes and the facts of its inputs, one per input name: by ONNX's own
// inference, or by what is known of operators that ONNX's library does not define. `declared` has
// the sizes that the file says of outputs, for those whose sizes are not inferred. The FLOPs are
// those of all samples of the batch.
NotExecuted not_executed(const Node& node, std::span<const TensorFacts> inputs, std::int64_t opset,
                         std::span<const std::optional<Dims>> declared = {}, std::int64_t samples = 1);

// Returns whether equal inputs always give equal outputs.
bool is_deterministic(const Node& node);

}  // namespace iosx::onnx_import
