#include "core/formats/onnx/fold/fold.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/check.h"
#include "core/formats/onnx/fold/fold_operator.h"

namespace iosx::onnx_import {
namespace {

const folding::Operator* operator_of(std::string_view op_type) {
  for (const auto operators : {folding::element_operators(), folding::layout_operators(), folding::quantize_operators(),
                               folding::reducing_operators(), folding::select_operators(), folding::source_operators(),
                               folding::window_operators()}) {
    const auto found = std::find_if(operators.begin(), operators.end(),
                                    [&](const folding::Operator& candidate) { return candidate.name == op_type; });
    if (found != operators.end()) return &*found;
  }
  return nullptr;
}

constexpr std::int64_t kMaxRank = 64;

// uint64 values beyond int64 would look negative.
Result<void> check_result(const Node& node, const HostTensor& result) {
  if (result.rank() > kMaxRank) {
    return fail(message("its result has {} axes", result.rank()), node.where(),
                message("at most {} are supported", kMaxRank));
  }
  if (result.type() != ElementType::kUint64) return {};
  const auto values = result.integers();
  if (std::none_of(values.begin(), values.end(), [](std::int64_t value) { return value < 0; })) return {};
  return fail(message("its result has integers of 2^63 and more, which are not supported"), node.where());
}

Result<void> check_inputs(const folding::Operator& op, const folding::ConversionContext& call) {
  if (call.inputs.size() < op.required || call.inputs.size() > op.most) {
    return call.error(message("has {} inputs", call.inputs.size()));
  }
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    const HostTensor* const input = call.inputs[i];
    if (input == nullptr && i < op.required) return call.error(message("its input {} is absent", i));
    if (input == nullptr || !input->is_opaque() || op.takes_opaque) continue;
    return call.error(message("its input {} has no values here: {}", i, input->why_opaque()), {});
  }
  return {};
}

}  // namespace

bool foldable(std::string_view op_type) { return operator_of(op_type) != nullptr; }
bool foldable(const Node& node) { return node.domain.empty() && foldable(node.op_type); }

Result<std::vector<HostTensor>> fold(const Node& node, std::span<const HostTensor* const> inputs, std::int64_t opset,
                                     std::int64_t most) {
  const folding::Operator* const op = node.domain.empty() ? operator_of(node.op_type) : nullptr;
  if (op == nullptr) {
    return fail(message("the operator {} cannot be computed while reading", node.op_type), node.where());
  }
  while (!inputs.empty() && inputs.back() == nullptr) inputs = inputs.first(inputs.size() - 1);
  const folding::ConversionContext call{node, inputs, opset, std::min(most, kMaxFoldedElements)};
  IOS_TRY(check_inputs(*op, call));
  auto results = op->evaluate(call);
  if (!results) return results;
  if (results->size() < node.outputs.size()) return call.error(message("has {} outputs", node.outputs.size()));
  for (const HostTensor& result : *results) {
    IOS_TRY(check_result(node, result));
  }
  return results;
}

}  // namespace iosx::onnx_import
