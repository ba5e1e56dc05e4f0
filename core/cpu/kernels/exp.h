#pragma once

#include <bit>
#include <cstdint>

#include "core/cpu/kernels/vectorised.h"

// e^x without libm, so that loops over it vectorise.
namespace iosx::cpu {

// e^x = (1 + rest) * scale * scale_too with |rest| <= 0.42. Two scales because 2^128 is no float.
struct ExpParts {
  float rest;
  float scale;
  float scale_too;
};

// For -88 < x < 89. x = n ln 2 + r with |r| <= ln 2 / 2; e^r - 1 = r + r^2 p(r), where the polynomial p interpolates
// (e^r - 1 - r) / r^2 at the Chebyshev nodes: e^r to 1.1e-8. ln 2 has two parts, the first with so few bits that n
// times it is exact.
IOS_INLINE ExpParts exp_parts(float x) {
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer, which sits in the low bits
  const float shifted = x * 1.44269504F + kRound;
  const float n = shifted - kRound;
  const std::int32_t exponent = std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(kRound);
  float r = x - n * 0.693359375F;
  r += n * 2.12194440e-4F;
  float p = 0.00139261942F;
  p = p * r + 0.00836318753F;
  p = p * r + 0.0416665546F;
  p = p * r + 0.166665769F;
  p = p * r + 0.5F;
  const std::int32_t half = exponent >> 1;
  // Unsigned, so that what a NaN makes of the exponent is not undefined.
  const auto power = [](std::int32_t of) {
    return std::bit_cast<float>((static_cast<std::uint32_t>(of) + 127U) << 23U);
  };
  return {r + r * r * p, power(half), power(exponent - half)};
}

// Within 2 units in the last place. Infinite where float has no more; 0 below 2^-126; NaN for NaN.
IOS_INLINE float fast_exp(float x) {
  constexpr float kLeast = -87.3365F;  // ln 2^-126
  const float bounded = x > 89.0F ? 89.0F : (x < kLeast ? kLeast : x);
  const ExpParts parts = exp_parts(bounded);
  const float power = (1.0F + parts.rest) * parts.scale * parts.scale_too;
  return x < kLeast ? 0.0F : power;
}

// e^x - 1 within 3 units in the last place, also next to 0.
IOS_INLINE float fast_expm1(float x) {
  const float bounded = x > 89.0F ? 89.0F : (x < -30.0F ? -30.0F : x);
  const ExpParts parts = exp_parts(bounded);
  const float scale = parts.scale * parts.scale_too;
  // 1 + rest is at most 1.42: multiplying by one scale after the other overflows only where the result does.
  const float large = (1.0F + parts.rest) * parts.scale * parts.scale_too;
  return x > 80.0F ? large : parts.rest * scale + (scale - 1.0F);
}

}  // namespace iosx::cpu
