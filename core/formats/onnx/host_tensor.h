#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/message.h"
#include "core/model/graph/tensor.h"

namespace iosx::onnx_import {

// The most elements of one folded node's result: ten times those of the largest fully connected layers. Callers
// that fold many nodes bound the sum with `most`.
inline constexpr std::int64_t kMaxFoldedElements = std::int64_t{1} << 28;

// ONNX's declared type of a tensor's elements. Those from kComplex64 on have only a name; kOther is newer than this
// program.
enum class ElementType : std::uint8_t {
  kUndefined,
  kFloat32,
  kFloat64,
  kFloat16,
  kBfloat16,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kBool,
  kString,
  kComplex64,
  kComplex128,
  kFloat8E4m3fn,
  kFloat8E4m3fnuz,
  kFloat8E5m2,
  kFloat8E5m2fnuz,
  kFloat8E8m0,
  kFloat6E2m3,
  kFloat6E3m2,
  kFloat4E2m1,
  kUint4,
  kInt4,
  kUint2,
  kInt2,
  kOther,
};
bool is_float(ElementType);
bool is_integer(ElementType);             // bool too
std::string_view to_string(ElementType);  // "float32", "bool", ...

ElementType element_type_named(std::string_view name);  // the inverse; kOther for an unknown name

// Converts ONNX's number of a type (TensorProto.DataType), as in the attribute `to` of Cast.
ElementType element_type_of(std::int64_t onnx_number);
std::int64_t onnx_number_of(ElementType);  // 0 for kUndefined and kOther

// Returns the bytes of that many elements in a file, where several may share one; none where elements differ in size.
std::optional<std::int64_t> stored_bytes(ElementType, std::int64_t elements);

// The range of a quantised tensor of the type; quantised_range() returns none for types without one.
struct NumberRange {
  float low = 0;
  float high = 0;
};
std::optional<NumberRange> quantised_range(ElementType);

// Returns the product of the dims, 1 without any; none where one is negative or the product overflows.
std::optional<std::int64_t> element_count(std::span<const std::int64_t> dims);

// A tensor whose values are known during import: an initializer, or a folded result. It is row-major. Values of
// floating-point types are held as float32, those of integer types and bool (0 or 1) as int64; type() returns the
// declared type. Copies share the values, which never change.
//
// An opaque tensor has a type and dims but no values: its type is unsupported, or only its shape is known. Shape and
// Size fold over it; operators that need its values fail with `why_opaque`.
class HostTensor {
 public:
  using Floats = std::shared_ptr<const std::vector<float>>;
  using Integers = std::shared_ptr<const std::vector<std::int64_t>>;

  HostTensor();  // an empty vector of float32
  // The product of the dims must be the number of values, and the type a floating-point one.
  static HostTensor of_floats(std::vector<std::int64_t> dims, std::vector<float> values,
                              ElementType type = ElementType::kFloat32);
  // Does the same with an integer type or bool.
  static HostTensor of_integers(std::vector<std::int64_t> dims, std::vector<std::int64_t> values,
                                ElementType type = ElementType::kInt64);
  // `stored_bytes` are those of the tensor that it follows from, where that is another.
  static HostTensor opaque(std::vector<std::int64_t> dims, ElementType type, Message why_opaque,
                           std::optional<std::int64_t> stored_bytes = {});

  ElementType type() const { return type_; }
  std::span<const std::int64_t> dims() const { return dims_; }
  std::int64_t rank() const { return static_cast<std::int64_t>(dims_.size()); }
  std::int64_t elements() const;  // product of the dims

  bool holds_floats() const { return std::holds_alternative<Floats>(values_); }
  bool holds_integers() const { return std::holds_alternative<Integers>(values_); }
  bool is_opaque() const { return std::holds_alternative<Message>(values_); }
  // Empty where the tensor has another element type.
  std::span<const float> floats() const;
  std::span<const std::int64_t> integers() const;
  Message why_opaque() const;
  std::optional<std::int64_t> stored_bytes() const;  // in its file; none: unknown

  // Returns the same values with other dims of the same product.
  HostTensor with_dims(std::vector<std::int64_t> dims) const;
  // Returns float32 values: shared where the tensor holds floats, converted where it holds integers. Not for opaque
  // ones.
  Tensor to_tensor() const;

 private:
  using Values = std::variant<Floats, Integers, Message>;
  HostTensor(std::vector<std::int64_t> dims, Values values, ElementType type);

  std::vector<std::int64_t> dims_;
  Values values_;
  ElementType type_;
  std::optional<std::int64_t> stored_bytes_;  // none: those of its elements
};

// Convert 16-bit floating-point formats, as bits.
inline float float_of_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16U); }

// Rounds to nearest, ties to even; NaN stays NaN.
inline std::uint16_t bfloat16_of_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (value != value) return static_cast<std::uint16_t>((bits >> 16U) | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U);
}

inline float float_of_float16(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16U;
  const std::uint32_t exponent = (bits >> 10U) & 0x1fU;
  const std::uint32_t mantissa = bits & 0x3ffU;
  if (exponent == 0x1fU) return std::bit_cast<float>(sign | 0x7f800000U | (mantissa << 13U));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112U) << 23U) | (mantissa << 13U));
  const float subnormal = static_cast<float>(mantissa) * 0x1p-24F;
  return sign != 0 ? -subnormal : subnormal;
}

// Rounds to nearest, ties to even; larger numbers become infinity, NaN stays NaN.
inline std::uint16_t float16_of_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16U) & 0x8000U);
  const auto magnitude = std::bit_cast<float>(bits & 0x7fffffffU);
  if (value != value) return static_cast<std::uint16_t>(sign | 0x7e00U);
  if (magnitude >= 65520.0F) return static_cast<std::uint16_t>(sign | 0x7c00U);
  if (magnitude < 0x1p-14F) {  // subnormal: adding 0.5 leaves multiples of 2^-24 in the low bits, rounded
    const auto rounded = std::bit_cast<std::uint32_t>(magnitude + 0.5F) - std::bit_cast<std::uint32_t>(0.5F);
    return static_cast<std::uint16_t>(sign | rounded);
  }
  const auto absolute = bits & 0x7fffffffU;
  const std::uint32_t rounded = absolute + 0xfffU + ((absolute >> 13U) & 1U) - (112U << 23U);
  return static_cast<std::uint16_t>(sign | (rounded >> 13U));
}

}  // namespace iosx::onnx_import
