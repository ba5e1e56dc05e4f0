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

Known ModelConverter::with_axis(ConversionContext& call, std::string_view op_type, Known tensor, std::int64_t axis) {
  if (call.opset() < 13) return call.compose(op_type, {tensor}, "part", {{"axes", Dims{axis}}});
  return call.compose(op_type, {tensor, HostTensor::of_integers({1}, {axis})}, "part");
}

Known ModelConverter::joined(ConversionContext& call, std::vector<std::optional<Known>> parts, std::int64_t axis,
                             bool stack) {
  if (parts.empty()) call.unsupported(message("a stack of nothing"));
  for (auto& part : parts) {
    if (stack) part = with_axis(call, "Unsqueeze", *part, axis);
  }
  return call.compose("Concat", parts, "stack", {{"axis", axis}});
}

std::optional<std::vector<Known>> ModelConverter::pieces_of(ConversionContext& call) {
  const auto tensor = call.input(0);
  const bool each_alone = !call.given(1);
  const HostTensor* const sizes = call.constant(1);
  if (!tensor || (!each_alone && (sizes == nullptr || !sizes->holds_integers()))) return std::nullopt;
  const auto* const value = std::get_if<DraftValue>(&*tensor);
  if (value != nullptr && is_guess(*value)) return std::nullopt;
  const auto given = value == nullptr ? std::get<HostTensor>(*tensor).dims() : std::span<const std::int64_t>();
  const Dims dims = value != nullptr ? call.dims(*value) : Dims(given.begin(), given.end());
  const std::int64_t rank = std::ssize(dims);
  const std::int64_t written = call.integer("axis", 0);
  const std::int64_t axis = written < 0 ? written + rank : written;
  if (axis < 0 || axis >= rank) call.bad(message("its axis {} is not one of the {} of its input", written, rank));
  const std::int64_t size = dims[static_cast<std::size_t>(axis)];
  Dims lengths;
  if (sizes != nullptr && !sizes->dims().empty()) {
    lengths.assign(sizes->integers().begin(), sizes->integers().end());
  } else {
    const std::int64_t length = sizes == nullptr ? 1 : sizes->integers()[0];
    if (length < 1) call.bad(message("its pieces have the length {}", length));
    taken(import_.draft.spend(size / length + 1, sizeof(Known)), call.node().where());
    for (std::int64_t left = size; left > 0; left -= length) lengths.push_back(std::min(left, length));
  }
  const bool keeps_axis = !each_alone || call.integer("keepdims", 1) != 0;
  const auto number = [](std::int64_t at) { return HostTensor::of_integers({1}, {at}); };
  std::vector<Known> pieces;
  std::int64_t begin = 0;
  for (const std::int64_t length : lengths) {
    if (length < 0) call.bad(message("its pieces have the length {}", length));
    if (length > size - begin) call.bad(message("its pieces are larger than its input"));
    Known piece = call.compose("Slice", {tensor, number(begin), number(begin + length), number(axis)}, "piece");
    if (!keeps_axis) piece = with_axis(call, "Squeeze", std::move(piece), axis);
    pieces.push_back(std::move(piece));
    begin += length;
  }
  if (begin != size) call.bad(message("its pieces are smaller than its input"));
  return pieces;
}

bool ModelConverter::take_sequence(const Node& node) {
  constexpr std::array<std::string_view, 6> kMade{"Identity",      "SequenceConstruct", "SequenceEmpty",
                                                  "SequenceErase", "SequenceInsert",    "SplitToSequence"};
  ConversionContext call(import_, node);
  const bool makes = std::ranges::find(kMade, node.op_type) != kMade.end();
  if (node.outputs.size() != 1 || (makes && results_.contains(node.outputs.front()))) return false;
  Sequence given;
  std::vector<Known> made;
  if (node.op_type == "SplitToSequence") {
    auto pieces = pieces_of(call);
    if (!pieces) return false;
    made = std::move(*pieces);
  } else if (node.op_type == "SequenceConstruct") {
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
