#include "core/formats/onnx/convert/not_executed.h"

#include <algorithm>
#include <cmath>

#include "core/base/fields.h"
#include "core/formats/onnx/convert/conversion_context.h"
#include "core/formats/onnx/convert/node_cost.h"

namespace iosx::onnx_import {
NotExecuted not_executed(const Node& node, std::span<const TensorFacts> inputs, std::int64_t opset,
                         std::span<const std::optional<Dims>> declared, std::int64_t samples) {
  NotExecuted made{.outputs = infer_outputs(node, inputs, opset)};
  for (std::size_t i = 0; i < std::min(made.outputs.size(), declared.size()); ++i) {
    if (declared[i] && !made.outputs[i].has_sizes()) made.outputs[i].dims = declared[i];
  }
  made.weight_bytes = 0;
  for (const TensorFacts& input : inputs) {
    if (input.constant == nullptr) continue;
    const std::int64_t elements = std::min(input.constant->elements(), kMostExact);
    if (!input.constant->holds_integers()) made.parameters = std::min(made.parameters + elements, kMostExact);
    const auto bytes = input.constant->stored_bytes();
    made.weight_bytes =
        bytes && made.weight_bytes ? std::optional(*made.weight_bytes + static_cast<double>(*bytes)) : std::nullopt;
  }
  NodeCost cost(node, inputs, opset, samples, made);
  if (!made.outputs.empty() && node.domain.empty()) describe_onnx(cost);
  if (!made.outputs.empty() && node.domain == kMicrosoft) describe_microsoft(cost);
  // Numbers that follow from unknown sizes are unknown.
  const auto known = [](const TensorFacts& each) { return each.type == ElementType::kUndefined || each.has_sizes(); };
  const bool sized = std::ranges::all_of(inputs, known) && !made.outputs.empty() && made.outputs.front().has_sizes();
  if (!sized || !made.flops || !std::isfinite(*made.flops)) made.flops.reset();
  return made;
}

bool is_deterministic(const Node& node) {
  return !node.op_type.starts_with("Random") && node.op_type != "Bernoulli" && node.op_type != "Multinomial" &&
         node.op_type != "Dropout";
}

}  // namespace iosx::onnx_import
