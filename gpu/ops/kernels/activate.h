#pragma once

#include <cmath>
#include <limits>
#include <optional>

#include "core/model/graph/activation.h"
#include "gpu/ops/kernels/host_device.h"

namespace iosx::gpu::kernels {

// Bounds on a value. A NaN stays.
struct Bounds {
  float low = -std::numeric_limits<float>::infinity();
  float high = std::numeric_limits<float>::infinity();

  IOS_HD float operator()(float x) const {
    const float raised = x < low ? low : x;
    return high < raised ? high : raised;
  }
};

// Returns the function as bounds, if it is that.
inline std::optional<Bounds> bounds_of(const Activation& activation) {
  switch (activation.kind) {
    case ActivationKind::kIdentity: return Bounds{};
    case ActivationKind::kRelu: return Bounds{.low = 0};
    case ActivationKind::kClip: return Bounds{.low = activation.alpha, .high = activation.beta};
    default: return std::nullopt;
  }
}

// An Activation in the form that kernels apply: most are bounds on the value, which need no branch at run time.
class Activate {
 public:
  explicit Activate(const Activation& activation)
      : function_(activation),
        bounds_only_(bounds_of(activation).has_value()),
        bounds_(bounds_of(activation).value_or(Bounds{})) {}

  template <int kWidth>
  IOS_HD void operator()(float (&x)[kWidth]) const {
    if (bounds_only_) {
      IOS_UNROLL
      for (int i = 0; i < kWidth; ++i) x[i] = bounds_(x[i]);
      return;
    }
    // Each turn takes the first element and puts it back last: the code exists once, and no register is indexed.
    IOS_NO_UNROLL
    for (int turn = 0; turn < kWidth; ++turn) {
      const float y = other(x[0]);
      IOS_UNROLL
      for (int i = 0; i + 1 < kWidth; ++i) x[i] = x[i + 1];
      x[kWidth - 1] = y;
    }
  }

 private:
  // Returns the nearest number with so many binary digits behind the first, whose exponent is `least` or more; ties go
  // to the even one.
  IOS_HD static float with_digits(float x, int digits, int least) {
    if (x == 0 || !(fabsf(x) < std::numeric_limits<float>::infinity())) return x;
    const int exponent = ilogbf(x);
    const float step = ldexpf(1.0F, (exponent < least ? least : exponent) - digits);
    return rintf(x / step) * step;
  }
  IOS_HD float other(float x) const {
    const float alpha = function_.alpha;
    const float beta = function_.beta;
    switch (function_.kind) {
      case ActivationKind::kSigmoid: return 1.0F / (1.0F + expf(-x));
      case ActivationKind::kTanh: return tanhf(x);
      case ActivationKind::kLeakyRelu: return x < 0 ? alpha * x : x;
      case ActivationKind::kElu: return x < 0 ? alpha * expm1f(x) : x;
      case ActivationKind::kHardSigmoid: return Bounds{0, 1}(alpha * x + beta);
      case ActivationKind::kHardSwish: return x * Bounds{0, 1}(x / 6.0F + 0.5F);
      case ActivationKind::kSwish: return x / (1.0F + expf(-x));
      case ActivationKind::kGelu: return 0.5F * x * erfcf(x * -0.707106781F);
      case ActivationKind::kGeluTanh: return 0.5F * x * (1.0F + tanhf(0.797884561F * (x + 0.044715F * x * x * x)));
      case ActivationKind::kMish: {
        const float power = expf(x > 20.0F ? 20.0F : x);
        const float w = power * (power + 2.0F);
        return x * (w / (w + 2.0F));
      }
      case ActivationKind::kSelu: return beta * (x < 0 ? alpha * expm1f(x) : x);
      case ActivationKind::kCelu: return x < 0 ? alpha * expm1f(x / alpha) : x;
      case ActivationKind::kSoftplus: return (x > 0 ? x : 0.0F) + log1pf(expf(-fabsf(x)));
      case ActivationKind::kSoftsign: return x / (1.0F + fabsf(x));
      case ActivationKind::kThresholdedRelu: return x > alpha ? x : 0.0F;
      case ActivationKind::kShrink: return x < -alpha ? x + beta : x > alpha ? x - beta : 0.0F;
      case ActivationKind::kErf: return erff(x);
      case ActivationKind::kSqrt: return sqrtf(x);
      case ActivationKind::kExp: return expf(x);
      case ActivationKind::kLog: return logf(x);
      case ActivationKind::kAbs: return fabsf(x);
      case ActivationKind::kNeg: return -x;
      case ActivationKind::kReciprocal: return 1.0F / x;
      case ActivationKind::kFloor: return floorf(x);
      case ActivationKind::kCeil: return ceilf(x);
      case ActivationKind::kRound: return rintf(x);
      case ActivationKind::kTruncate: return truncf(x) + 0.0F;  // an integer has no -0
      case ActivationKind::kSign: return x > 0 ? 1.0F : x < 0 ? -1.0F : x;
      case ActivationKind::kSin: return sinf(x);
      case ActivationKind::kCos: return cosf(x);
      case ActivationKind::kTan: return tanf(x);
      case ActivationKind::kAsin: return asinf(x);
      case ActivationKind::kAcos: return acosf(x);
      case ActivationKind::kAtan: return atanf(x);
      case ActivationKind::kSinh: return sinhf(x);
      case ActivationKind::kCosh: return coshf(x);
      case ActivationKind::kAsinh: return asinhf(x);
      case ActivationKind::kAcosh: return acoshf(x);
      case ActivationKind::kAtanh: return atanhf(x);
      case ActivationKind::kNot: return x == 0 ? 1.0F : 0.0F;
      case ActivationKind::kIsNan: return x != x ? 1.0F : 0.0F;
      case ActivationKind::kIsInf:
        return fabsf(x) == std::numeric_limits<float>::infinity() && (x < 0 ? alpha : beta) != 0 ? 1.0F : 0.0F;
      case ActivationKind::kFloat16: {
        const float rounded = with_digits(x, 10, -14);
        const float infinity = std::numeric_limits<float>::infinity();
        return fabsf(rounded) > 65504.0F ? copysignf(infinity, x) : rounded;
      }
      case ActivationKind::kBfloat16: return with_digits(x, 7, -126);
      // Bounds, see above.
      case ActivationKind::kIdentity:
      case ActivationKind::kRelu:
      case ActivationKind::kClip: return x;
    }
    return x;
  }

  Activation function_;
  bool bounds_only_;
  Bounds bounds_;
};

}  // namespace iosx::gpu::kernels
