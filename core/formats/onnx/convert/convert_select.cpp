#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/formats/onnx/convert/conversion_context.h"

// Converts operators that choose between values.
namespace iosx::onnx_import {
namespace {

Converted convert_where(ConversionContext& call) {
  const std::vector<DraftValue> values = operands(call);
  if (call.failed()) return {};
  if (values.size() != 3) call.bad(message("needs a condition and two values"));
  DraftValue made = call.add(Where{}, values);
  if (!call.failed()) made.type = values[1].type;
  return {made};
}

// The triangle above or below a diagonal stays, the rest is 0.
Converted convert_trilu(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const auto given = call.list(1);
  const bool upper = call.integer("upper", 1) != 0;
  if (call.failed()) return {};
  const std::size_t rank = value.shape.rank();
  if (rank < 2) call.mixes_batch(message("its matrices are not whole samples"));
  if (given && given->size() != 1) call.bad(message("its diagonal is not one number"));
  if (call.failed()) return {};
  const std::int64_t diagonal = given ? given->front() : 0;
  const std::int64_t rows = value.shape[rank - 2];
  const std::int64_t columns = value.shape[rank - 1];
  if (!call.spend(rows * columns)) return {};
  std::vector<float> stays(static_cast<std::size_t>(rows * columns), 0.0F);
  const std::int64_t shift = std::clamp(diagonal, -rows, columns);
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto begin = stays.begin() + row * columns;
    const std::int64_t edge = std::clamp<std::int64_t>(row + shift + (upper ? 0 : 1), 0, columns);
    if (upper) std::fill(begin + edge, begin + columns, 1.0F);
    if (!upper) std::fill(begin, begin + edge, 1.0F);
  }
  const DraftValue mask = call.constant_value(Tensor({rows, columns}, std::move(stays)), "mask");
  const DraftValue zero = call.constant_value(Tensor({}, std::vector<float>{0}), "zero");
  DraftValue made = call.add(Where{}, {mask, value, zero});
  made.type = value.type;
  return {made};
}

// A number among 0 … depth - 1 becomes as many, all off but one; negative ones count from the end.
Converted convert_one_hot(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const HostTensor* const sizes = call.numbers(1);
  const HostTensor* const levels = call.numbers(2);
  const std::int64_t given = call.integer("axis", -1);
  if (call.failed()) return {};
  const Tensor size = sizes->to_tensor();
  if (size.elements().size() != 1 || levels->elements() != 2) {
    call.bad(message("needs one depth and two values"));
    return {};
  }
  const float depth = std::trunc(size.elements()[0]);
  if (!(depth >= 1 && depth <= static_cast<float>(1 << 20))) call.bad(message("has a depth of {}", depth));
  const std::size_t axis = call.axis(given, call.rank(value) + 1);
  if (call.failed()) return {};
  Dims dims(value.shape.dims().begin(), value.shape.dims().end());
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  if (dims.size() > Shape::kMaxRank) call.unsupported(message("its output has too many axes"));
  if (call.failed()) return {};
  const auto number = [&](float one, std::string_view name) {
    return call.constant_value(Tensor({}, std::vector<float>{one}), name);
  };
  const DraftValue apart = call.reshape(value, Shape(dims), "apart");
  const DraftValue zero = number(0, "zero");
  const DraftValue low = call.add(Binary{BinaryFunction::kLess}, {apart, zero}, {}, {}, "negative");
  const DraftValue from_end = call.add(Add{}, {apart, number(depth, "depth")}, {}, {}, "from_end");
  const DraftValue place = call.add(Where{}, {low, from_end, apart}, {}, {}, "place");
  dims[axis] = static_cast<std::int64_t>(depth);
  const DraftValue hot =
      call.add(Binary{BinaryFunction::kEqual}, {place, call.places(Shape(dims), axis)}, {}, {}, "hot");
  const Tensor numbers = levels->to_tensor();
  DraftValue made = call.add(Where{}, {hot, number(numbers.elements()[1], "on"), number(numbers.elements()[0], "off")});
  made.type = levels->type();
  return {made};
}

constexpr std::array kSelectConverters{
    Converter{"OneHot", convert_one_hot},
    Converter{"Trilu", convert_trilu},
    Converter{"Where", convert_where},
};

}  // namespace

std::span<const Converter> select_converters() { return kSelectConverters; }

}  // namespace iosx::onnx_import
