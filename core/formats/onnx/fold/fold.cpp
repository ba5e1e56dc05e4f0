#include "core/formats/onnx/fold/fold.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace iosx::onnx_import {
namespace {

const folding::Operator* operator_of(std::string_view op_type) {
  for (const auto operators : {folding::element_operators(), folding::layout_operators(), folding::reducing_operators(),
                               folding::select_operators(), folding::source_operators()}) {
    const auto found = std::ranges::find(operators, op_type, &folding::Operator::name);
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
  if (call.inputs.size() < op.required || call.inputs.size() > op.most)
    return call.error(message("has {} inputs", call.inputs.size()));
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
  if (op == nullptr)
    return fail(message("the operator {} cannot be computed while reading", node.op_type), node.where());
  while (!inputs.empty() && inputs.back() == nullptr) inputs = inputs.first(inputs.size() - 1);
  const folding::ConversionContext call{node, inputs, opset, std::min(most, kMaxFoldedElements)};
  IOS_TRY(check_inputs(*op, call));
  auto results = op->evaluate(call);
  if (!results) return results;
  if (results->size() < node.outputs.size()) return call.error(message("has {} outputs", node.outputs.size()));
  for (const HostTensor& result : *results) IOS_TRY(check_result(node, result));
  return results;
}

}  // namespace iosx::onnx_import

namespace iosx::onnx_import::folding {

Result<std::int64_t> checked_count(const ConversionContext& call, std::span<const std::int64_t> dims) {
  const auto count = element_count(dims);
  if (count && *count <= call.most) return *count;
  return call.error(
      message("its result has the dims [{}], which are negative or too many elements", fmt::join(dims, ", ")),
      message("a result computed while reading has at most {} elements", call.most));
}

Result<std::int64_t> checked_axis(const ConversionContext& call, std::int64_t axis, std::int64_t rank) {
  if (axis < -rank || axis >= rank)
    return call.error(message("has the axis {}, but its tensor has {} axes", axis, rank));
  return axis < 0 ? axis + rank : axis;
}

Result<Dims> checked_axes(const ConversionContext& call, std::span<const std::int64_t> axes, std::int64_t rank) {
  Dims checked;
  for (const std::int64_t axis : axes) {
    IOS_TRY(const auto one, checked_axis(call, axis, rank));
    checked.push_back(one);
    if (static_cast<std::int64_t>(checked.size()) > rank) return call.error(message("has an axis twice"));
  }
  std::sort(checked.begin(), checked.end());
  if (std::adjacent_find(checked.begin(), checked.end()) != checked.end())
    return call.error(message("has an axis twice"));
  return checked;
}

Result<Dims> list_input(const ConversionContext& call, std::size_t input) {
  const HostTensor& tensor = call[input];
  if (!tensor.holds_integers() || tensor.rank() > 1)
    return call.error(message("its input {} is not a list of integers", input));
  const auto values = tensor.integers();
  return Dims(values.begin(), values.end());
}

Result<std::optional<Dims>> list_input_or_attribute(const ConversionContext& call, std::size_t input,
                                                    std::string_view attribute) {
  if (call.optional(input) == nullptr) return ints_attribute(call.node, attribute);
  IOS_TRY(auto list, list_input(call, input));
  return list;
}

Result<void> same_types(const ConversionContext& call, std::size_t from) {
  for (std::size_t i = from + 1; i < call.inputs.size(); ++i) {
    if (call.inputs[i] == nullptr || call[i].type() == call[from].type()) continue;
    return call.error(message("its inputs are of different types: {} and {}", to_string(call[from].type()),
                              to_string(call[i].type())));
  }
  return {};
}

Dims strides_of(std::span<const std::int64_t> dims) {
  Dims strides(dims.size(), 1);
  if (element_count(dims).value_or(0) == 0) return strides;  // nobody reads anything, and products could overflow
  for (std::size_t axis = dims.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * dims[axis];
  return strides;
}

Result<Dims> broadcast_dims(const ConversionContext& call, std::span<const Dims> shapes) {
  std::size_t rank = 0;
  for (const Dims& dims : shapes) rank = std::max(rank, dims.size());
  Dims result(rank, 1);
  for (const Dims& dims : shapes) {
    for (std::size_t i = 0; i < dims.size(); ++i) {
      std::int64_t& out = result[rank - dims.size() + i];
      if (dims[i] == 1 || dims[i] == out) continue;
      if (out != 1) {
        return call.error(message("the dims [{}] and [{}] cannot be broadcast", fmt::join(shapes.front(), ", "),
                                  fmt::join(dims, ", ")));
      }
      out = dims[i];
    }
  }
  IOS_TRY(checked_count(call, result));
  return result;
}

Dims broadcast_strides(std::span<const std::int64_t> dims, std::span<const std::int64_t> broadcast) {
  const Dims own = strides_of(dims);
  Dims strides(broadcast.size(), 0);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != 1) strides[broadcast.size() - dims.size() + i] = own[i];
  }
  return strides;
}

namespace {

template <typename T>
HostTensor copy_values(const HostTensor& tensor, Dims dims, const View& view) {
  const std::span<const T> from = values_of<T>(tensor);
  std::vector<T> to(static_cast<std::size_t>(element_count(dims).value_or(0)));
  const View views[] = {view};
  walk(dims, views, [&](std::size_t k, const std::int64_t(&at)[1]) { to[k] = from[static_cast<std::size_t>(at[0])]; });
  return make_tensor(std::move(dims), std::move(to), tensor.type());
}

}  // namespace

HostTensor copy_view(const HostTensor& tensor, Dims dims, const View& view) {
  return tensor.holds_floats() ? copy_values<float>(tensor, std::move(dims), view)
                               : copy_values<std::int64_t>(tensor, std::move(dims), view);
}

std::int64_t narrowed(std::int64_t value, ElementType type) {
  switch (type) {
    case ElementType::kInt8: return static_cast<std::int8_t>(value);
    case ElementType::kInt16: return static_cast<std::int16_t>(value);
    case ElementType::kInt32: return static_cast<std::int32_t>(value);
    case ElementType::kUint8: return static_cast<std::uint8_t>(value);
    case ElementType::kUint16: return static_cast<std::uint16_t>(value);
    case ElementType::kUint32: return static_cast<std::uint32_t>(value);
    case ElementType::kBool: return value != 0 ? 1 : 0;
    default: return value;
  }
}

float narrowed(float value, ElementType type) {
  if (type == ElementType::kFloat16) return float_of_float16(float16_of_float(value));
  if (type == ElementType::kBfloat16) return float_of_bfloat16(bfloat16_of_float(value));
  return value;
}

}  // namespace iosx::onnx_import::folding
