#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "core/devices/cpu/kernels/vectorised.h"

// Compute e^x and related functions without libm, so that loops over them vectorise.
namespace iosx::cpu {

// e^x = (1 + rest) * scale * scale_too with |rest| <= 0.42. It needs two scales because 2^128 is not a float.
struct ExpParts {
  float rest;
  float scale;
  float scale_too;
};

// Returns the parts of e^x for -88 < x < 89. It splits x = n ln 2 + r with |r| <= ln 2 / 2; e^r - 1 = r + r^2 p(r),
// where the polynomial p interpolates (e^r - 1 - r) / r^2 at the Chebyshev nodes: e^r to 1.1e-8. ln 2 has two parts,
// the first with so few bits that n times it is exact.
IOS_INLINE ExpParts exp_parts(float x) {
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer in the low bits
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
  // Unsigned, so that a NaN's exponent is not undefined behaviour.
  const auto power = [](std::int32_t of) {
    return std::bit_cast<float>((static_cast<std::uint32_t>(of) + 127U) << 23U);
  };
  return {r + r * r * p, power(half), power(exponent - half)};
}

// Returns e^x within 2 units in the last place; infinity on overflow; 0 below 2^-126; NaN for NaN.
IOS_INLINE float fast_exp(float x) {
  constexpr float kLeast = -87.3365F;  // ln 2^-126
  const float bounded = x > 89.0F ? 89.0F : (x < kLeast ? kLeast : x);
  const ExpParts parts = exp_parts(bounded);
  const float power = (1.0F + parts.rest) * parts.scale * parts.scale_too;
  return x < kLeast ? 0.0F : power;
}

// Returns e^x - 1 within 3 units in the last place, also near 0.
IOS_INLINE float fast_expm1(float x) {
  const float bounded = x > 89.0F ? 89.0F : (x < -30.0F ? -30.0F : x);
  const ExpParts parts = exp_parts(bounded);
  const float scale = parts.scale * parts.scale_too;
  // 1 + rest is at most 1.42: multiplying by one scale after the other overflows only where the result does.
  const float large = (1.0F + parts.rest) * parts.scale * parts.scale_too;
  return x > 80.0F ? large : parts.rest * scale + (scale - 1.0F);
}

// Returns ln(1 + f) - f for √½ <= 1 + f < √2 as -f^2 / 2 + f^3 p(f), with p interpolated at the Chebyshev nodes.
IOS_INLINE float log_rest(float f) {
  float p = -0.0810155869F;
  p = p * f + 0.127123073F;
  p = p * f - 0.129722387F;
  p = p * f + 0.142021745F;
  p = p * f - 0.166422471F;
  p = p * f + 0.200014681F;
  p = p * f - 0.25000298F;
  p = p * f + 0.333333284F;
  const float square = f * f;
  return square * f * p - 0.5F * square;
}

// Returns ln(1 + u) for 0 <= u <= 1, also near 0.
IOS_INLINE float log_of_sum(float u) {
  const bool upper = u > 0.414213562F;  // 1 + u = 2 (1 + (u - 1) / 2)
  const float f = upper ? 0.5F * (u - 1.0F) : u;
  const float of_two = upper ? 0.693147181F : 0.0F;
  return of_two + (f + log_rest(f));
}

// Returns ln x of positive normal numbers within 2 units in the last place; -∞ for 0 and smaller ones, NaN for negative
// ones. It splits x = m 2^n with m in [√½, √2).
IOS_INLINE float fast_log(float x) {
  constexpr float kLeast = 1.17549435e-38F;
  const float bounded = x < kLeast ? kLeast : x;
  const auto bits = std::bit_cast<std::uint32_t>(bounded);
  const std::uint32_t shifted = bits - 0x3F3504F3U;  // bits of √½
  const auto n = static_cast<float>(static_cast<std::int32_t>(shifted) >> 23);
  const float f = std::bit_cast<float>((shifted & 0x007FFFFFU) + 0x3F3504F3U) - 1.0F;
  const float result = n * 0.693359375F + (f + (log_rest(f) - n * 2.12194440e-4F));
  const float infinity = std::numeric_limits<float>::infinity();
  const float of_large = x == infinity || x != x ? x : result;
  const float of_small = x < 0 ? std::numeric_limits<float>::quiet_NaN() : -infinity;
  return x < kLeast ? of_small : of_large;
}

// Returns erf x for |x| <= 1, as x times a polynomial of x^2, within 2e-7.
IOS_INLINE float small_erf(float x) {
  const float u = x * x;
  float p = 7.88249745e-05F;
  p = p * u - 0.000801885501F;
  p = p * u + 0.00518931216F;
  p = p * u - 0.0268543288F;
  p = p * u + 0.112835974F;
  p = p * u - 0.37612626F;
  p = p * u + 1.12837911F;
  return x * p;
}

// Returns 1 - erf x for x >= 0.9, as e^(-x^2) times a polynomial of 1 / (1 + x / 2), within 5e-8, and 4e-6 of itself.
IOS_INLINE float large_erfc(float x) {
  const float t = 1.0F / (1.0F + 0.5F * x);
  float p = 0.0876098126F;
  p = p * t - 0.365962684F;
  p = p * t + 0.416227847F;
  p = p * t + 0.00854942482F;
  p = p * t + 0.297377646F;
  p = p * t + 0.273048699F;
  p = p * t + 0.282979786F;
  p = p * t - 3.63283361e-05F;
  return p * fast_exp(-x * x);
}

IOS_INLINE float fast_erf(float x) {
  const float size = x < 0 ? -x : x;
  const float large = 1.0F - large_erfc(size);
  const float small = small_erf(x);
  return size < 1.0F ? small : (x < 0 ? -large : large);
}

// Returns 1 + erf x, accurate also where it is near 0.
IOS_INLINE float one_and_erf(float x) {
  const float rest = large_erfc(x < 0 ? -x : x);
  const float small = 1.0F + small_erf(x);
  return (x < 0 ? -x : x) < 1.0F ? small : (x < 0 ? rest : 2.0F - rest);
}

}  // namespace iosx::cpu
