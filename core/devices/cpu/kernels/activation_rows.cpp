#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/devices/cpu/kernels/exp.h"
#include "core/devices/cpu/kernels/rows.h"

namespace iosx::cpu {
namespace {

// Each computes apply() of core/model/graph/activation.h.
constexpr auto kRelu = [](float x) IOS_FLAT { return x < 0 ? 0.0F : x; };
constexpr auto kSigmoid = [](float x) IOS_FLAT { return 1.0F / (1.0F + fast_exp(-x)); };
constexpr auto kSwish = [](float x) IOS_FLAT { return x / (1.0F + fast_exp(-x)); };
constexpr auto kTanh = [](float x) IOS_FLAT {
  const float size = x < 0 ? -x : x;
  const float power = fast_expm1(size > 20.0F ? 40.0F : 2.0F * size);
  const float result = power / (power + 2.0F);
  return x < 0 ? -result : result;
};
struct LeakyRelu {
  float alpha;
  IOS_INLINE float operator()(float x) const {
    const float scaled = alpha * x;
    return x < 0 ? scaled : x;
  }
};
struct Elu {
  float alpha;
  IOS_INLINE float operator()(float x) const {
    const float scaled = alpha * fast_expm1(x);
    return x < 0 ? scaled : x;
  }
};
struct Clip {
  float low;
  float high;
  IOS_INLINE float operator()(float x) const {
    const float raised = x < low ? low : x;
    return high < raised ? high : raised;
  }
};
struct HardSigmoid {
  float alpha;
  float beta;
  IOS_INLINE float operator()(float x) const { return Clip{0, 1}(alpha * x + beta); }
};
constexpr auto kHardSwish = [](float x) IOS_FLAT { return x * Clip{0, 1}(x * (1.0F / 6.0F) + 0.5F); };
constexpr auto kGelu = [](float x) IOS_FLAT { return 0.5F * x * one_and_erf(x * 0.707106781F); };
// x · (1 + tanh y) / 2 = x · sigmoid(2 y).
constexpr auto kGeluTanh = [](float x) IOS_FLAT {
  const float power = fast_exp(-1.59576912F * (x + 0.044715F * x * x * x));
  return x / (1.0F + power);
};
// tanh(ln(1 + e)) = w / (w + 2) with w = e (e + 2).
constexpr auto kMish = [](float x) IOS_FLAT {
  const float power = fast_exp(x > 20.0F ? 20.0F : x);
  const float w = power * (power + 2.0F);
  return x * (w / (w + 2.0F));
};
struct Selu {
  float alpha;
  float beta;
  IOS_INLINE float operator()(float x) const {
    const float low = beta * alpha * fast_expm1(x);
    return x < 0 ? low : beta * x;
  }
};
constexpr auto kSoftplus = [](float x) IOS_FLAT {
  const float most = x < 0 ? 0.0F : x;
  return most + log_of_sum(fast_exp(x < 0 ? x : -x));
};
constexpr auto kSoftsign = [](float x) IOS_FLAT { return x / (1.0F + std::fabs(x)); };
constexpr auto kErf = [](float x) IOS_FLAT { return fast_erf(x); };
constexpr auto kSqrt = [](float x) IOS_FLAT { return std::sqrt(x); };
constexpr auto kExp = [](float x) IOS_FLAT { return fast_exp(x); };
constexpr auto kLog = [](float x) IOS_FLAT { return fast_log(x); };
constexpr auto kAbs = [](float x) IOS_FLAT { return std::fabs(x); };
constexpr auto kNeg = [](float x) IOS_FLAT { return -x; };
constexpr auto kReciprocal = [](float x) IOS_FLAT { return 1.0F / x; };
constexpr auto kFloor = [](float x) IOS_FLAT { return std::floor(x); };
constexpr auto kCeil = [](float x) IOS_FLAT { return std::ceil(x); };
constexpr auto kRound = [](float x) IOS_FLAT { return std::nearbyint(x); };
// An integer has no -0.
constexpr auto kTruncate = [](float x) IOS_FLAT { return std::trunc(x) + 0.0F; };
constexpr auto kSign = [](float x) IOS_FLAT { return x > 0 ? 1.0F : (x < 0 ? -1.0F : x); };
constexpr auto kNot = [](float x) IOS_FLAT { return x == 0 ? 1.0F : 0.0F; };
// Rounds the bits behind the type's digits away, ties to even; below 2^-14 float16 has multiples of 2^-24.
constexpr auto kFloat16 = [](float x) IOS_FLAT {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const float magnitude = std::fabs(x);
  const auto rounded = std::bit_cast<float>((bits + 0xfffU + ((bits >> 13U) & 1U)) & ~0x1fffU);
  const float small = std::nearbyint(x * 0x1p24F) * 0x1p-24F;
  const float infinity = std::copysign(std::numeric_limits<float>::infinity(), x);
  const float made = magnitude < 0x1p-14F ? small : (magnitude >= 65520.0F ? infinity : rounded);
  return x == x ? made : x;
};
constexpr auto kBfloat16 = [](float x) IOS_FLAT {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const auto rounded = std::bit_cast<float>((bits + 0x7fffU + ((bits >> 16U) & 1U)) & ~0xffffU);
  return x == x ? rounded : x;
};
// Rare activations are computed element by element.
struct Rare {
  Activation function;
  float operator()(float x) const { return apply(function, x); }
};

template <typename Function>
IOS_INLINE void map(const Function function, const float* in, float* out, std::int64_t size) {
  IOS_INDEPENDENT
  for (std::int64_t i = 0; i < size; ++i) out[i] = function(in[i]);
}

}  // namespace

IOS_VECTORISED void activate_row(const Activation& function, const float* in, float* out, std::int64_t size) {
  const float alpha = function.alpha;
  const float beta = function.beta;
  switch (function.kind) {
    case ActivationKind::kIdentity:
      if (in != out) std::copy_n(in, size, out);
      return;
    case ActivationKind::kRelu: return map(kRelu, in, out, size);
    case ActivationKind::kSigmoid: return map(kSigmoid, in, out, size);
    case ActivationKind::kTanh: return map(kTanh, in, out, size);
    case ActivationKind::kLeakyRelu: return map(LeakyRelu{alpha}, in, out, size);
    case ActivationKind::kElu: return map(Elu{alpha}, in, out, size);
    case ActivationKind::kClip: return map(Clip{alpha, beta}, in, out, size);
    case ActivationKind::kHardSigmoid: return map(HardSigmoid{alpha, beta}, in, out, size);
    case ActivationKind::kHardSwish: return map(kHardSwish, in, out, size);
    case ActivationKind::kSwish: return map(kSwish, in, out, size);
    case ActivationKind::kGelu: return map(kGelu, in, out, size);
    case ActivationKind::kGeluTanh: return map(kGeluTanh, in, out, size);
    case ActivationKind::kMish: return map(kMish, in, out, size);
    case ActivationKind::kSelu: return map(Selu{alpha, beta}, in, out, size);
    case ActivationKind::kSoftplus: return map(kSoftplus, in, out, size);
    case ActivationKind::kSoftsign: return map(kSoftsign, in, out, size);
    case ActivationKind::kErf: return map(kErf, in, out, size);
    case ActivationKind::kSqrt: return map(kSqrt, in, out, size);
    case ActivationKind::kExp: return map(kExp, in, out, size);
    case ActivationKind::kLog: return map(kLog, in, out, size);
    case ActivationKind::kAbs: return map(kAbs, in, out, size);
    case ActivationKind::kNeg: return map(kNeg, in, out, size);
    case ActivationKind::kReciprocal: return map(kReciprocal, in, out, size);
    case ActivationKind::kFloor: return map(kFloor, in, out, size);
    case ActivationKind::kCeil: return map(kCeil, in, out, size);
    case ActivationKind::kRound: return map(kRound, in, out, size);
    case ActivationKind::kTruncate: return map(kTruncate, in, out, size);
    case ActivationKind::kSign: return map(kSign, in, out, size);
    case ActivationKind::kNot: return map(kNot, in, out, size);
    case ActivationKind::kFloat16: return map(kFloat16, in, out, size);
    case ActivationKind::kBfloat16: return map(kBfloat16, in, out, size);
    default: return map(Rare{function}, in, out, size);
  }
}

}  // namespace iosx::cpu
