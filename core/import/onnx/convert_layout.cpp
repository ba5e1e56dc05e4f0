#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "core/import/onnx/call.h"

namespace iosx::onnx_import {
namespace {

// The value under other dims (ONNX's, with the batch).
Converted reshaped(Call& call, const DraftValue& value, const Dims& dims) {
  const Shape shape = call.failed() ? Shape{} : call.shape(dims);
  return {call.reshape(value, shape, "")};
}

std::int64_t product(std::span<const std::int64_t> dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

// Dims with one -1 at most, which stands for what is left of the elements.
Dims completed(Call& call, Dims dims, std::int64_t elements) {
  std::int64_t known = 1;
  auto open = dims.end();
  for (auto dim = dims.begin(); dim != dims.end(); ++dim) {
    if (*dim == -1 && open == dims.end()) {
      open = dim;
    } else if (*dim < 1 || *dim > elements / known) {
      call.bad(fmt::format("cannot give {} elements the size {}", elements, *dim));
      return {};
    } else {
      known *= *dim;
    }
  }
  if (open != dims.end()) *open = elements / known;
  return dims;
}

Converted convert_reshape(Call& call) {
  const DraftValue value = call.value(0);
  auto dims = call.list(1);
  const bool zero_is_zero = call.integer("allowzero", 0) != 0;
  if (!dims) call.bad("its new shape is missing");
  if (call.failed()) return {};
  const Dims from = call.dims(value);
  for (std::size_t i = 0; i < dims->size() && i < from.size() && !zero_is_zero; ++i) {
    if ((*dims)[i] == 0) (*dims)[i] = from[i];
  }
  return reshaped(call, value, completed(call, *std::move(dims), product(from)));
}

Converted convert_flatten(Call& call) {
  const DraftValue value = call.value(0);
  std::int64_t axis = call.integer("axis", 1);
  if (call.failed()) return {};
  const Dims from = call.dims(value);
  const auto rank = static_cast<std::int64_t>(from.size());
  if (axis < -rank || axis > rank) call.bad(fmt::format("its axis {} is not one of the {} of its input", axis, rank));
  if (axis < 0) axis += rank;
  if (axis == 0 && call.lead() == 1) call.mixes_batch("it flattens the batch axis too");
  if (call.failed()) return {};
  const auto before = std::span(from).first(static_cast<std::size_t>(axis));
  const auto after = std::span(from).subspan(static_cast<std::size_t>(axis));
  return reshaped(call, value, {product(before), product(after)});
}

Converted convert_squeeze(Call& call) {
  const DraftValue value = call.value(0);
  const auto given = call.list(1, "axes");
  if (call.failed()) return {};
  const Dims from = call.dims(value);
  Dims to;
  if (!given) {
    std::copy_if(from.begin(), from.end(), std::back_inserter(to), [](std::int64_t dim) { return dim != 1; });
    return reshaped(call, value, to);
  }
  const auto axes = call.axes(*given, from.size());
  if (call.failed()) return {};
  if (call.lead() == 1) to.push_back(from[0]);
  for (std::size_t axis = 0; axis < value.shape.rank(); ++axis) {
    const bool drop = std::binary_search(axes.begin(), axes.end(), axis);
    if (drop && value.shape[axis] != 1) call.bad(fmt::format("drops an axis of {} elements", value.shape[axis]));
    if (!drop) to.push_back(value.shape[axis]);
  }
  return reshaped(call, value, to);
}

Converted convert_unsqueeze(Call& call) {
  const DraftValue value = call.value(0);
  const auto given = call.list(1, "axes");
  if (!given) call.bad("its axes are missing");
  if (call.failed()) return {};
  const std::size_t rank = call.rank(value) + given->size();
  const auto axes = call.axes(*given, rank);
  if (call.failed()) return {};
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
void reads_one(Call& call) {
  const std::size_t inputs = call.node().inputs.size();
  if (inputs > 1) call.bad(fmt::format("reads {} inputs, and one is all that it may read", inputs));
}

Converted convert_transpose(Call& call) {
  reads_one(call);
  const DraftValue value = call.value(0);
  const auto given = call.integers("perm");
  if (call.failed()) return {};
  const std::size_t rank = call.rank(value);
  Dims order = given.value_or(Dims{});
  if (!given) {
    for (std::size_t axis = rank; axis-- > 0;) order.push_back(static_cast<std::int64_t>(axis));
  }
  if (order.size() != rank) call.bad(fmt::format("orders {} axes of {}", order.size(), rank));
  if (call.failed()) return {};
  if (call.lead() == 1 && order.front() != 0) call.mixes_batch("it moves the batch axis");
  Transpose transpose;
  for (std::size_t i = call.lead(); i < rank; ++i) transpose.axes.push_back(call.axis(order[i], rank));
  std::size_t in_place = 0;
  while (in_place < transpose.axes.size() && transpose.axes[in_place] == in_place) ++in_place;
  if (in_place == transpose.axes.size()) return {value};
  return {call.add(std::move(transpose), {value})};
}

// Only where it changes no more than the number of axes.
Converted convert_expand(Call& call) {
  const DraftValue value = call.value(0);
  auto dims = call.list(1);
  if (!dims) call.bad("its new shape is missing");
  if (call.failed()) return {};
  const Dims from = call.dims(value);
  while (dims->size() < from.size()) dims->insert(dims->begin(), 1);
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::int64_t& to = *(dims->end() - static_cast<std::ptrdiff_t>(i));
    if (to == 1) to = from[from.size() - i];
  }
  const auto elements = element_count(*dims);
  if (elements == product(from)) return reshaped(call, value, *dims);
  call.unsupported("it repeats elements");
  return {};
}

Converted convert_identity(Call& call) {
  reads_one(call);
  return {call.value(0)};
}

Converted convert_dropout(Call& call) {
  if (call.used(1)) call.unsupported("the mask of a dropout");
  const HostTensor* const training = call.constant(2);
  if (call.given(2) && (training == nullptr || !training->holds_integers() || training->elements() != 1 ||
                        training->integers()[0] != 0)) {
    call.unsupported("dropout as in training");
  }
  return {call.value(0)};
}

Converted cast(Call& call, ElementType to) {
  DraftValue value = call.value(0);
  if (!is_float(to)) call.unsupported(fmt::format("numbers of type {}", to_string(to)));
  value.type = to;
  return {value};
}

Converted convert_cast(Call& call) { return cast(call, element_type_of(call.integer("to", 0))); }

Converted convert_cast_like(Call& call) {
  const HostTensor* const constant = call.constant(1);
  const DraftValue* const computed = call.computed(1);
  if (constant == nullptr && computed == nullptr) call.bad("its input 1 is absent");
  if (call.failed()) return {};
  return cast(call, constant != nullptr ? constant->type() : computed->type);
}

constexpr std::array kLayoutConverters{
    Converter{"Cast", convert_cast},           Converter{"CastLike", convert_cast_like},
    Converter{"Dropout", convert_dropout},     Converter{"Expand", convert_expand},
    Converter{"Flatten", convert_flatten},     Converter{"Identity", convert_identity},
    Converter{"Reshape", convert_reshape},     Converter{"Squeeze", convert_squeeze},
    Converter{"Transpose", convert_transpose}, Converter{"Unsqueeze", convert_unsqueeze},
};

}  // namespace

std::span<const Converter> layout_converters() { return kLayoutConverters; }

}  // namespace iosx::onnx_import
