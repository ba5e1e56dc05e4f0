#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "core/formats/onnx/convert/model_walk.h"

// Sequences of tensors, whose numbers and positions follow from constants.
namespace iosx::onnx_import {

Known ModelConverter::tensor_of(const ConversionContext& call, const Carried& item) {
  const auto* const tensor = std::get_if<Known>(&item);
  if (tensor == nullptr) call.unsupported(message("a sequence of tensors"));
  return *tensor;
}

Known ModelConverter::joined(ConversionContext& call, std::vector<std::optional<Known>> parts, std::int64_t axis,
                             bool stack) {
  if (parts.empty()) call.unsupported(message("a stack of nothing"));
  for (auto& part : parts) {
    if (!stack) continue;
    if (call.opset() < 13) {
      part = call.compose("Unsqueeze", {part}, "part", {{"axes", Dims{axis}}});
    } else {
      part = call.compose("Unsqueeze", {part, HostTensor::of_integers({1}, {axis})}, "part");
    }
  }
  return call.compose("Concat", parts, "stack", {{"axis", axis}});
}

bool ModelConverter::take_sequence(const Node& node) {
  constexpr std::array<std::string_view, 5> kMade{"Identity", "SequenceConstruct", "SequenceEmpty", "SequenceErase",
                                                  "SequenceInsert"};
  ConversionContext call(import_, node);
  const bool makes = std::ranges::find(kMade, node.op_type) != kMade.end();
  if (node.outputs.size() != 1 || (makes && results_.contains(node.outputs.front()))) return false;
  Sequence given;
  std::vector<Known> made;
  if (node.op_type == "SequenceConstruct") {
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const auto tensor = call.input(i);
      if (!tensor) return false;
      made.push_back(*tensor);
    }
  } else if (node.op_type != "SequenceEmpty") {
    const std::string* const name = node.input(0);
    const auto sequence = name == nullptr ? sequences_.end() : sequences_.find(*name);
    if (sequence == sequences_.end()) return false;
    given = sequence->second;
  }
  if (node.op_type == "Identity") {
    remember(node.outputs.front(), std::move(given));
    return true;
  }
  if (node.op_type == "ConcatFromSequence") {
    taken(import_.draft.spend(std::ssize(*given), sizeof(Known)), node.where());
    const std::vector<std::optional<Known>> parts(given->begin(), given->end());
    remember(node.outputs.front(), joined(call, parts, call.integer("axis", 0), call.integer("new_axis", 0) != 0));
    return true;
  }
  if (node.op_type == "SequenceLength") {
    remember(node.outputs.front(), HostTensor::of_integers({}, {std::ssize(*given)}));
    return true;
  }
  if (node.op_type == "SequenceAt") {
    const auto at = position_in(call, 1, std::ssize(*given));
    if (at) remember(node.outputs.front(), (*given)[*at]);
    return at.has_value();
  }
  if (!makes) return false;
  if (node.op_type == "SequenceErase") {
    const auto at = position_in(call, 1, std::ssize(*given));
    if (!at) return false;
    made = *given;
    made.erase(made.begin() + static_cast<std::ptrdiff_t>(*at));
  } else if (node.op_type == "SequenceInsert") {
    const auto at = position_in(call, 2, std::ssize(*given) + 1);
    const auto tensor = call.input(1);
    if (!at || !tensor) return false;
    made = *given;
    made.insert(made.begin() + static_cast<std::ptrdiff_t>(*at), *tensor);
  }
  taken(import_.draft.spend(std::ssize(made), sizeof(Known)), node.where());
  remember(node.outputs.front(), std::make_shared<const std::vector<Known>>(std::move(made)));
  return true;
}

std::optional<std::size_t> ModelConverter::position_in(const ConversionContext& call, std::size_t input,
                                                       std::int64_t positions) {
  std::int64_t at = positions - 1;
  if (call.given(input)) {
    const HostTensor* const given = call.constant(input);
    if (given == nullptr || !given->holds_integers() || given->elements() != 1) return std::nullopt;
    at = given->integers()[0];
  }
  if (at < 0) at += call.node().op_type == "SequenceInsert" ? positions - 1 : positions;
  return at >= 0 && at < positions ? std::optional(static_cast<std::size_t>(at)) : std::nullopt;
}

}  // namespace iosx::onnx_import
