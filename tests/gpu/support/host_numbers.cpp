#include "tests/gpu/support/host_numbers.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace iosx::gpu::test {
namespace {

float half_to_float(std::uint16_t bits) {
  const float sign = (bits & 0x8000U) != 0 ? -1.0F : 1.0F;
  const int exponent = (bits >> 10U) & 0x1F;
  const auto mantissa = static_cast<float>(bits & 0x3FFU);
  if (exponent == 31) return mantissa == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(mantissa + 1024, exponent - 25);
}

// To the nearest, ties to even: what lrint does with the mantissa as an integer.
std::uint16_t float_to_half(float value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000U : 0U);
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return sign | 0x7E00U;
  if (magnitude == 0) return sign;
  if (magnitude >= 65520.0F) return sign | 0x7C00U;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  if (exponent < -13) return sign | static_cast<std::uint16_t>(std::lrint(std::ldexp(magnitude, 24)));
  const auto mantissa = static_cast<unsigned>(std::lrint(std::ldexp(magnitude, 11 - exponent)));  // 1024 to 2048
  return sign | static_cast<std::uint16_t>((static_cast<unsigned>(exponent + 14) << 10U) + mantissa - 1024U);
}

std::uint16_t float_to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>((bits >> 16U) | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U);
}

}  // namespace

float load(const void* data, DataType type, std::int64_t index) {
  if (type == DataType::kFloat32) return static_cast<const float*>(data)[index];
  const std::uint16_t bits = static_cast<const std::uint16_t*>(data)[index];
  if (type == DataType::kFloat16) return half_to_float(bits);
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

void store(void* data, DataType type, std::int64_t index, float value) {
  if (type == DataType::kFloat32) {
    static_cast<float*>(data)[index] = value;
  } else {
    static_cast<std::uint16_t*>(data)[index] =
        type == DataType::kFloat16 ? float_to_half(value) : float_to_bfloat16(value);
  }
}

}  // namespace iosx::gpu::test
