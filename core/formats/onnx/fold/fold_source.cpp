#include <algorithm>
#include <array>
#include <cmath>

#include "core/formats/onnx/fold/fold.h"

// Folds operators whose result depends on shapes and attributes more than on elements: constants, ranges, shapes,
// and conversions between types.
namespace iosx::onnx_import::folding {
namespace {

HostTensor scalar(std::int64_t value) { return HostTensor::of_integers({}, {value}); }

Dims length_of(std::size_t size) { return {static_cast<std::int64_t>(size)}; }

// The constant's value, from any of its attributes.
struct ConstantValue {
  std::optional<HostTensor> operator()(const HostTensor& tensor) const { return tensor; }
  std::optional<HostTensor> operator()(float value) const { return HostTensor::of_floats({}, {value}); }
  std::optional<HostTensor> operator()(std::int64_t value) const { return scalar(value); }
  std::optional<HostTensor> operator()(const std::vector<float>& values) const {
    return HostTensor::of_floats(length_of(values.size()), values);
  }
  std::optional<HostTensor> operator()(const std::vector<std::int64_t>& values) const {
    return HostTensor::of_integers(length_of(values.size()), values);
  }
  std::optional<HostTensor> operator()(const std::string&) const {
    return HostTensor::opaque({}, ElementType::kString, message("texts are not supported"));
  }
  std::optional<HostTensor> operator()(const std::vector<std::string>& values) const {
    return HostTensor::opaque(length_of(values.size()), ElementType::kString, message("texts are not supported"));
  }
  template <typename T>
  std::optional<HostTensor> operator()(const T&) const {
    return std::nullopt;
  }
};

Result<Outputs> constant(const ConversionContext& call) {
  for (const std::string_view name : {"value", "value_float", "value_floats", "value_int", "value_ints", "value_string",
                                      "value_strings", "sparse_value"}) {
    const Attribute* const attribute = find_attribute(call.node, name);
    if (attribute == nullptr) continue;
    if (auto value = std::visit(ConstantValue{}, *attribute)) return Outputs{std::move(*value)};
    return call.error(message("its attribute '{}' is not a value", name));
  }
  return call.error(message("is a constant without a value"));
}

Result<Outputs> constant_of_shape(const ConversionContext& call) {
  IOS_TRY(auto dims, list_input(call, 0));
  IOS_TRY(const auto count, checked_count(call, dims));
  const auto size = static_cast<std::size_t>(count);
  const Attribute* const attribute = find_attribute(call.node, "value");
  if (attribute == nullptr) return Outputs{HostTensor::of_floats(std::move(dims), std::vector<float>(size))};
  const auto* const value = std::get_if<HostTensor>(attribute);
  if (value == nullptr || value->is_opaque() || value->elements() != 1)
    return call.error(message("its value is not a tensor of one element"));
  if (value->holds_floats())
    return Outputs{make_tensor(std::move(dims), std::vector<float>(size, value->floats()[0]), value->type())};
  return Outputs{make_tensor(std::move(dims), std::vector<std::int64_t>(size, value->integers()[0]), value->type())};
}

Result<Outputs> shape(const ConversionContext& call) {
  const auto dims = call[0].dims();
  const std::int64_t rank = call[0].rank();
  IOS_TRY(const auto start, int_attribute(call.node, "start", 0));
  IOS_TRY(const auto end, int_attribute(call.node, "end", rank));
  const auto clamped = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank); };
  const std::int64_t from = clamped(start);
  const std::int64_t to = std::max(from, clamped(end));
  return Outputs{HostTensor::of_integers({to - from}, {dims.begin() + from, dims.begin() + to})};
}

Result<Outputs> size(const ConversionContext& call) { return Outputs{scalar(call[0].elements())}; }

Result<Outputs> integer_range(const ConversionContext& call, std::int64_t start, std::int64_t limit,
                              std::int64_t delta) {
  const bool empty = delta > 0 ? limit <= start : limit >= start;
  if (empty) return Outputs{HostTensor::of_integers({0}, {}, call[0].type())};
  // differences as unsigned: they may be larger than an int64
  const auto low = static_cast<std::uint64_t>(delta > 0 ? start : limit);
  const auto high = static_cast<std::uint64_t>(delta > 0 ? limit : start);
  const std::uint64_t step = delta > 0 ? static_cast<std::uint64_t>(delta) : 0 - static_cast<std::uint64_t>(delta);
  const std::uint64_t count = (high - low - 1) / step + 1;
  if (count > static_cast<std::uint64_t>(call.most)) {
    return call.error(message("its range has {} elements", count),
                      message("it is too large to be computed while reading"));
  }
  std::vector<std::int64_t> values(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    values[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(start) + i * static_cast<std::uint64_t>(delta));
  }
  Dims dims = length_of(values.size());
  return Outputs{make_tensor(std::move(dims), std::move(values), call[0].type())};
}

Result<Outputs> float_range(const ConversionContext& call, double start, double limit, double delta) {
  // NaN stays NaN, and is refused below
  const double count = std::max(std::ceil((limit - start) / delta), 0.0);
  if (!(count <= static_cast<double>(call.most)))
    return call.error(message("its range is not finite or too large"), message("it cannot be computed while reading"));
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = narrowed(static_cast<float>(start + static_cast<double>(i) * delta), call[0].type());
  }
  Dims dims = length_of(values.size());
  return Outputs{make_tensor(std::move(dims), std::move(values), call[0].type())};
}

Result<Outputs> range(const ConversionContext& call) {
  IOS_TRY(same_types(call));
  for (std::size_t i = 0; i < 3; ++i) {
    if (call[i].elements() != 1) return call.error(message("its input {} is not one number", i));
  }
  const bool floats = call[0].holds_floats();
  if (floats ? call[2].floats()[0] == 0 : call[2].integers()[0] == 0) return call.error(message("has a step of 0"));
  if (floats) return float_range(call, call[0].floats()[0], call[1].floats()[0], call[2].floats()[0]);
  return integer_range(call, call[0].integers()[0], call[1].integers()[0], call[2].integers()[0]);
}

// Returns the bounds of an integer type, as far as an int64 holds them.
std::pair<std::int64_t, std::int64_t> bounds(ElementType type) {
  switch (type) {
    case ElementType::kInt8: return {INT8_MIN, INT8_MAX};
    case ElementType::kInt16: return {INT16_MIN, INT16_MAX};
    case ElementType::kInt32: return {INT32_MIN, INT32_MAX};
    case ElementType::kUint8: return {0, UINT8_MAX};
    case ElementType::kUint16: return {0, UINT16_MAX};
    case ElementType::kUint32: return {0, UINT32_MAX};
    case ElementType::kUint64: return {0, INT64_MAX};
    default: return {INT64_MIN, INT64_MAX};
  }
}

// Rounds towards zero; what the type cannot hold becomes the nearest value that it can, and NaN 0.
std::int64_t integer_of(float value, ElementType type) {
  if (type == ElementType::kBool) return value != 0 ? 1 : 0;
  if (std::isnan(value)) return 0;
  const auto [lowest, highest] = bounds(type);
  if (value <= static_cast<float>(lowest)) return lowest;
  if (value >= static_cast<float>(highest)) return highest;
  return static_cast<std::int64_t>(value);
}

Result<Outputs> cast_to(const ConversionContext& call, ElementType type) {
  const HostTensor& from = call[0];
  Dims dims(from.dims().begin(), from.dims().end());
  if (!is_float(type) && !is_integer(type))
    return call.error(message("casts to {}, which is not supported", to_string(type)), {});
  const auto convert = [&]<typename To>(To, const auto& values, auto element) {
    std::vector<To> converted(values.size());
    std::transform(values.begin(), values.end(), converted.begin(), element);
    return make_tensor(std::move(dims), std::move(converted), type);
  };
  const auto to_float = [&](auto value) { return narrowed(static_cast<float>(value), type); };
  if (is_float(type)) {
    return Outputs{from.holds_floats() ? convert(0.0F, from.floats(), to_float)
                                       : convert(0.0F, from.integers(), to_float)};
  }
  if (from.holds_floats())
    return Outputs{convert(std::int64_t{0}, from.floats(), [&](float value) { return integer_of(value, type); })};
  return Outputs{convert(std::int64_t{0}, from.integers(), [&](std::int64_t value) { return narrowed(value, type); })};
}

Result<Outputs> cast(const ConversionContext& call) {
  IOS_TRY(const auto to, int_attribute(call.node, "to", 0));
  return cast_to(call, element_type_of(to));
}

Result<Outputs> cast_like(const ConversionContext& call) { return cast_to(call, call[1].type()); }

}  // namespace

std::span<const Operator> source_operators() {
  static constexpr std::array kOperators{
      Operator{"Cast", 1, 1, false, cast},         Operator{"CastLike", 2, 2, false, cast_like},
      Operator{"Constant", 0, 0, false, constant}, Operator{"ConstantOfShape", 1, 1, false, constant_of_shape},
      Operator{"Range", 3, 3, false, range},       Operator{"Shape", 1, 1, true, shape},
      Operator{"Size", 1, 1, true, size},
  };
  return kOperators;
}

}  // namespace iosx::onnx_import::folding
