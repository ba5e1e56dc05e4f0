#pragma once

#include <bit>
#include <cstdint>

// Convert 16-bit floating-point formats, as bits.
namespace iosx::onnx_import {

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
