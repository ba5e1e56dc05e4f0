#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "core/formats/onnx/convert/conversion_context.h"

namespace iosx::onnx_import {
namespace {

// Returns the value in other dims (ONNX's, with the batch).
Converted reshaped(ConversionContext& call, const DraftValue& value, const Dims& dims) {
  const Shape shape = call.shape(dims);
  return {call.reshape(value, shape, "")};
}

std::int64_t product(std::span<const std::int64_t> dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

Converted convert_reshape(ConversionContext& call) {
  const DraftValue value = call.value(0);
  auto wanted = call.list(1);
  const bool zero_is_zero = call.integer("allowzero", 0) != 0;
  if (!wanted) call.bad(message("its new shape is missing"));
  return reshaped(call, value, call.take(reshape_dims(*std::move(wanted), call.dims(value), zero_is_zero)));
}

Converted convert_flatten(ConversionContext& call) {
  const DraftValue value = call.value(0);
  std::int64_t axis = call.integer("axis", 1);
  const Dims from = call.dims(value);
  const auto rank = static_cast<std::int64_t>(from.size());
  if (axis < -rank || axis > rank) call.bad(message("its axis {} is not one of the {} of its input", axis, rank));
  if (axis < 0) axis += rank;
  if (axis == 0 && call.lead() == 1) call.mixes_batch(message("it flattens the batch axis too"));
  const auto before = std::span(from).first(static_cast<std::size_t>(axis));
  const auto after = std::span(from).subspan(static_cast<std::size_t>(axis));
  return reshaped(call, value, {product(before), product(after)});
}

Converted convert_squeeze(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const auto given = call.list(1, "axes");
  const Dims from = call.dims(value);
  Dims to;
  if (!given) {
    std::copy_if(from.begin(), from.end(), std::back_inserter(to), [](std::int64_t dim) { return dim != 1; });
    return reshaped(call, value, to);
  }
  const auto axes = call.axes(*given, from.size());
  if (call.lead() == 1) to.push_back(from[0]);
  for (std::size_t axis = 0; axis < value.shape.rank(); ++axis) {
    const bool drop = std::binary_search(axes.begin(), axes.end(), axis);
    if (drop && value.shape[axis] != 1) call.bad(message("drops an axis of {} elements", value.shape[axis]));
    if (!drop) to.push_back(value.shape[axis]);
  }
  return reshaped(call, value, to);
}

Converted convert_unsqueeze(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const auto given = call.list(1, "axes");
  if (!given) call.bad(message("its axes are missing"));
  const std::size_t rank = call.rank(value) + given->size();
  const auto axes = call.axes(*given, rank);
  Dims to;
  if (call.lead() == 1) to.push_back(call.dims(value)[0]);
  std::size_t from = 0;
  for (std::size_t axis = 0; axis + call.lead() < rank; ++axis) {
    const bool added = std::binary_search(axes.begin(), axes.end(), axis);
    to.push_back(added ? 1 : value.shape[from++]);
  }
  return reshaped(call, value, to);
}

// Other runtimes refuse what reads more.
void reads_one(ConversionContext& call) {
  const std::size_t inputs = call.node().inputs.size();
  if (inputs > 1) call.bad(message("reads {} inputs, but can read only one", inputs));
}

Converted convert_transpose(ConversionContext& call) {
  reads_one(call);
  const DraftValue value = call.value(0);
  const auto given = call.integers("perm");
  const std::size_t rank = call.rank(value);
  Dims order = given.value_or(Dims{});
  if (!given) {
    for (std::size_t axis = rank; axis-- > 0;) order.push_back(static_cast<std::int64_t>(axis));
  }
  if (order.size() != rank) call.bad(message("permutes {} axes, but its input has {}", order.size(), rank));
  if (call.lead() == 1 && order.front() != 0) call.mixes_batch(message("it moves the batch axis"));
  Transpose transpose;
  for (std::size_t i = call.lead(); i < rank; ++i) transpose.axes.push_back(call.axis(order[i], rank));
  std::size_t in_place = 0;
  while (in_place < transpose.axes.size() && transpose.axes[in_place] == in_place) ++in_place;
  if (in_place == transpose.axes.size()) return {value};
  return {call.add(std::move(transpose), {value})};
}

// Repeats the value to these dims (ONNX's, with the batch).
DraftValue expanded(ConversionContext& call, const DraftValue& value, const Dims& dims, std::string_view suffix) {
  const Shape shape = call.shape(dims);
  if (shape == value.shape) return value;
  if (shape.elements() == value.shape.elements()) return call.reshape(value, shape, suffix);
  return call.add(Expand{shape}, {value}, suffix);
}

Converted convert_expand(ConversionContext& call) {
  const DraftValue value = call.value(0);
  auto dims = call.list(1);
  if (!dims) call.bad(message("its new shape is missing"));
  const Dims from = call.dims(value);
  if (call.lead() == 1 && dims->size() > from.size()) call.mixes_batch(message("it adds axes before the batch"));
  while (dims->size() < from.size()) dims->insert(dims->begin(), 1);
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::int64_t& to = *(dims->end() - static_cast<std::ptrdiff_t>(i));
    if (to == 1) to = from[from.size() - i];
  }
  return {expanded(call, value, *dims, "")};
}

// Works axis by axis: outer × 1 × inner, repeated to outer × times × inner.
Converted convert_tile(ConversionContext& call) {
  DraftValue value = call.value(0);
  const auto repeats = call.list(1);
  if (!repeats) call.bad(message("does not say how often to repeat each axis"));
  if (repeats->size() != call.rank(value)) call.bad(message("does not say how often to repeat each axis"));
  for (std::size_t i = 0; i < repeats->size(); ++i) {
    const std::int64_t times = (*repeats)[i];
    if (times == 1) continue;
    if (times < 1) call.unsupported(message("an empty tensor"));
    const std::size_t axis = call.axis(static_cast<std::int64_t>(i), repeats->size());
    const auto dims = value.shape.dims();
    const std::int64_t outer = product(dims.first(axis));
    const std::int64_t inner = product(dims.subspan(axis));
    const std::string suffix = fmt::format("axis_{}", i);
    const DraftValue apart = call.reshape(value, Shape{outer, 1, inner}, suffix + "_apart");
    const std::int64_t size = dims[axis];
    const Shape shape = value.shape;
    if (times > kMaxExtent / size) call.bad(message("its output is too large"));
    const DraftValue more = call.add(Expand{Shape{outer, times, inner}}, {apart}, suffix);
    value = call.reshape(more, shape.with(axis, times * size), suffix + "_together");
  }
  return {value};
}

Converted convert_identity(ConversionContext& call) {
  reads_one(call);
  return {call.value(0)};
}

Converted convert_dropout(ConversionContext& call) {
  if (call.used(1)) call.unsupported(message("the mask of a dropout"));
  const HostTensor* const training = call.constant(2);
  if (call.given(2) && (training == nullptr || !training->holds_integers() || training->elements() != 1 ||
                        training->integers()[0] != 0)) {
    call.unsupported(message("dropout in training mode"));
  }
  return {call.value(0)};
}

// Returns whether 16-bit floating-point numbers hold all numbers of the type.
bool is_narrow(ElementType type) {
  return type == ElementType::kBool || type == ElementType::kInt8 || type == ElementType::kUint8;
}

// Our graphs have one type of numbers: what changes is what a type cannot hold.
Converted cast(ConversionContext& call, ElementType to) {
  DraftValue value = call.value(0);
  if (!is_float(to) && !is_integer(to)) call.unsupported(message("numbers of type {}", to_string(to)));
  if (to == ElementType::kBool && value.type != ElementType::kBool) {
    const DraftValue none = call.add(Activate{{ActivationKind::kNot}}, {value}, "is_zero");
    value = call.add(Activate{{ActivationKind::kNot}}, {none});
  } else if (is_integer(to) && is_float(value.type)) {
    value = call.add(Activate{{ActivationKind::kTruncate}}, {value});
  } else if (to != value.type && (to == ElementType::kFloat16 || to == ElementType::kBfloat16) &&
             !is_narrow(value.type)) {
    const bool half = to == ElementType::kFloat16;
    value = call.add(Activate{{half ? ActivationKind::kFloat16 : ActivationKind::kBfloat16}}, {value});
  }
  return {value.of_type(to)};
}

Converted convert_cast(ConversionContext& call) { return cast(call, element_type_of(call.integer("to", 0))); }

Converted convert_cast_like(ConversionContext& call) {
  const HostTensor* const constant = call.constant(1);
  const DraftValue* const computed = call.computed(1);
  if (constant == nullptr && computed == nullptr) call.bad(message("its input 1 is absent"));
  return cast(call, constant != nullptr ? constant->type() : computed->type);
}

constexpr std::array kLayoutConverters{
    Converter{"Cast", convert_cast},           Converter{"CastLike", convert_cast_like},
    Converter{"Dropout", convert_dropout},     Converter{"Expand", convert_expand},
    Converter{"Flatten", convert_flatten},     Converter{"Identity", convert_identity},
    Converter{"Reshape", convert_reshape},     Converter{"Squeeze", convert_squeeze},
    Converter{"Tile", convert_tile},           Converter{"Transpose", convert_transpose},
    Converter{"Unsqueeze", convert_unsqueeze},
};

}  // namespace

std::span<const Converter> layout_converters() { return kLayoutConverters; }

}  // namespace iosx::onnx_import
