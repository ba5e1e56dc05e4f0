#include "core/formats/onnx/host_tensor.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/check.h"

namespace iosx::onnx_import {
namespace {

struct TypeRow {
  ElementType type;
  std::string_view name;
  std::int64_t number;  // TensorProto.DataType
  std::int64_t bits;    // of an element in a file; 0: they differ
};

constexpr std::array kTypes{
    TypeRow{ElementType::kUndefined, "undefined", 0, 0},
    TypeRow{ElementType::kFloat32, "float32", 1, 32},
    TypeRow{ElementType::kUint8, "uint8", 2, 8},
    TypeRow{ElementType::kInt8, "int8", 3, 8},
    TypeRow{ElementType::kUint16, "uint16", 4, 16},
    TypeRow{ElementType::kInt16, "int16", 5, 16},
    TypeRow{ElementType::kInt32, "int32", 6, 32},
    TypeRow{ElementType::kInt64, "int64", 7, 64},
    TypeRow{ElementType::kString, "string", 8, 0},
    TypeRow{ElementType::kBool, "bool", 9, 8},
    TypeRow{ElementType::kFloat16, "float16", 10, 16},
    TypeRow{ElementType::kFloat64, "float64", 11, 64},
    TypeRow{ElementType::kUint32, "uint32", 12, 32},
    TypeRow{ElementType::kUint64, "uint64", 13, 64},
    TypeRow{ElementType::kComplex64, "complex64", 14, 64},
    TypeRow{ElementType::kComplex128, "complex128", 15, 128},
    TypeRow{ElementType::kBfloat16, "bfloat16", 16, 16},
    TypeRow{ElementType::kFloat8E4m3fn, "float8e4m3fn", 17, 8},
    TypeRow{ElementType::kFloat8E4m3fnuz, "float8e4m3fnuz", 18, 8},
    TypeRow{ElementType::kFloat8E5m2, "float8e5m2", 19, 8},
    TypeRow{ElementType::kFloat8E5m2fnuz, "float8e5m2fnuz", 20, 8},
    TypeRow{ElementType::kUint4, "uint4", 21, 4},
    TypeRow{ElementType::kInt4, "int4", 22, 4},
    TypeRow{ElementType::kFloat4E2m1, "float4e2m1", 23, 4},
    TypeRow{ElementType::kFloat8E8m0, "float8e8m0", 24, 8},
    TypeRow{ElementType::kUint2, "uint2", 25, 2},
    TypeRow{ElementType::kInt2, "int2", 26, 2},
    TypeRow{ElementType::kFloat6E2m3, "float6e2m3", 27, 6},
    TypeRow{ElementType::kFloat6E3m2, "float6e3m2", 28, 6},
};

}  // namespace

bool is_float(ElementType type) {
  return type == ElementType::kFloat32 || type == ElementType::kFloat64 || type == ElementType::kFloat16 ||
         type == ElementType::kBfloat16;
}

bool is_integer(ElementType type) {
  constexpr std::array kIntegers{ElementType::kInt8,   ElementType::kInt16,  ElementType::kInt32,
                                 ElementType::kInt64,  ElementType::kUint8,  ElementType::kUint16,
                                 ElementType::kUint32, ElementType::kUint64, ElementType::kBool};
  return std::ranges::find(kIntegers, type) != kIntegers.end();
}

std::string_view to_string(ElementType type) {
  const auto row = std::ranges::find(kTypes, type, &TypeRow::type);
  return row == kTypes.end() ? "unsupported type" : row->name;
}

ElementType element_type_named(std::string_view name) {
  const auto row = std::ranges::find(kTypes, name, &TypeRow::name);
  return row == kTypes.end() ? ElementType::kOther : row->type;
}

ElementType element_type_of(std::int64_t onnx_number) {
  const auto row = std::ranges::find(kTypes, onnx_number, &TypeRow::number);
  return row == kTypes.end() ? ElementType::kOther : row->type;
}

std::int64_t onnx_number_of(ElementType type) {
  const auto row = std::ranges::find(kTypes, type, &TypeRow::type);
  return row == kTypes.end() ? 0 : row->number;
}

std::optional<std::int64_t> stored_bytes(ElementType type, std::int64_t elements) {
  const auto row = std::ranges::find(kTypes, type, &TypeRow::type);
  if (row == kTypes.end() || row->bits == 0) return std::nullopt;
  std::int64_t bits = 0;
  if (__builtin_mul_overflow(elements, row->bits, &bits)) return std::nullopt;
  return bits / 8 + (bits % 8 != 0 ? 1 : 0);
}

std::optional<NumberRange> quantised_range(ElementType type) {
  switch (type) {
    case ElementType::kInt8: return NumberRange{-128, 127};
    case ElementType::kUint8: return NumberRange{0, 255};
    case ElementType::kInt16: return NumberRange{-32768, 32767};
    case ElementType::kUint16: return NumberRange{0, 65535};
    default: return std::nullopt;
  }
}

std::optional<std::int64_t> element_count(std::span<const std::int64_t> dims) {
  if (std::any_of(dims.begin(), dims.end(), [](std::int64_t dim) { return dim < 0; })) return std::nullopt;
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return 0;
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) {
    if (__builtin_mul_overflow(count, dim, &count)) return std::nullopt;
  }
  return count;
}

HostTensor::HostTensor()
    : HostTensor(std::vector<std::int64_t>{0}, std::make_shared<const std::vector<float>>(), ElementType::kFloat32) {}

HostTensor::HostTensor(std::vector<std::int64_t> dims, Values values, ElementType type)
    : dims_(std::move(dims)), values_(std::move(values)), type_(type) {}

HostTensor HostTensor::of_floats(std::vector<std::int64_t> dims, std::vector<float> values, ElementType type) {
  IOS_CHECK(is_float(type) && element_count(dims) == std::ssize(values));
  return {std::move(dims), std::make_shared<const std::vector<float>>(std::move(values)), type};
}

HostTensor HostTensor::of_integers(std::vector<std::int64_t> dims, std::vector<std::int64_t> values, ElementType type) {
  IOS_CHECK(is_integer(type) && element_count(dims) == std::ssize(values));
  return {std::move(dims), std::make_shared<const std::vector<std::int64_t>>(std::move(values)), type};
}

HostTensor HostTensor::opaque(std::vector<std::int64_t> dims, ElementType type, Message why_opaque,
                              std::optional<std::int64_t> stored_bytes) {
  IOS_CHECK(element_count(dims).has_value());
  HostTensor made{std::move(dims), std::move(why_opaque), type};
  made.stored_bytes_ = stored_bytes;
  return made;
}

std::optional<std::int64_t> HostTensor::stored_bytes() const {
  return stored_bytes_ ? stored_bytes_ : onnx_import::stored_bytes(type_, elements());
}

std::int64_t HostTensor::elements() const { return element_count(dims_).value_or(0); }

std::span<const float> HostTensor::floats() const {
  const auto* const values = std::get_if<Floats>(&values_);
  return values != nullptr ? std::span<const float>(**values) : std::span<const float>();
}

std::span<const std::int64_t> HostTensor::integers() const {
  const auto* const values = std::get_if<Integers>(&values_);
  return values != nullptr ? std::span<const std::int64_t>(**values) : std::span<const std::int64_t>();
}

Message HostTensor::why_opaque() const {
  const auto* const why = std::get_if<Message>(&values_);
  return why != nullptr ? *why : Message();
}

HostTensor HostTensor::with_dims(std::vector<std::int64_t> dims) const {
  IOS_CHECK(element_count(dims) == elements());
  return {std::move(dims), values_, type_};
}

Tensor HostTensor::to_tensor() const {
  IOS_CHECK(!is_opaque());
  if (const auto* const values = std::get_if<Floats>(&values_)) return {dims_, *values};
  const auto values = integers();
  std::vector<float> converted(values.size());
  std::transform(values.begin(), values.end(), converted.begin(),
                 [](std::int64_t value) { return static_cast<float>(value); });
  return {dims_, std::move(converted)};
}

}  // namespace iosx::onnx_import
