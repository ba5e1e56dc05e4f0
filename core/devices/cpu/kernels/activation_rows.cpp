#include <algorithm>
#include <cmath>

#include "core/devices/cpu/kernels/exp.h"
#include "core/devices/cpu/kernels/rows.h"

namespace iosx::cpu {
namespace {

// Each computes apply() of core/model/graph/activation.h.
struct Relu {
  IOS_INLINE float operator()(float x) const { return x < 0 ? 0.0F : x; }
};
struct Sigmoid {
  IOS_INLINE float operator()(float x) const { return 1.0F / (1.0F + fast_exp(-x)); }
};
struct Swish {
  IOS_INLINE float operator()(float x) const { return x / (1.0F + fast_exp(-x)); }
};
struct Tanh {
  IOS_INLINE float operator()(float x) const {
    const float size = x < 0 ? -x : x;
    const float power = fast_expm1(size > 20.0F ? 40.0F : 2.0F * size);
    const float result = power / (power + 2.0F);
    return x < 0 ? -result : result;
  }
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
struct HardSwish {
  IOS_INLINE float operator()(float x) const { return x * Clip{0, 1}(x * (1.0F / 6.0F) + 0.5F); }
};

struct Gelu {
  IOS_INLINE float operator()(float x) const { return 0.5F * x * one_and_erf(x * 0.707106781F); }
};
// x · (1 + tanh y) / 2 = x · sigmoid(2 y).
struct GeluTanh {
  IOS_INLINE float operator()(float x) const {
    return x / (1.0F + fast_exp(-1.59576912F * (x + 0.044715F * x * x * x)));
  }
};
// tanh(ln(1 + e)) = w / (w + 2) with w = e (e + 2).
struct Mish {
  IOS_INLINE float operator()(float x) const {
    const float power = fast_exp(x > 20.0F ? 20.0F : x);
    const float w = power * (power + 2.0F);
    return x * (w / (w + 2.0F));
  }
};
struct Selu {
  float alpha;
  float beta;
  IOS_INLINE float operator()(float x) const {
    const float low = beta * alpha * fast_expm1(x);
    return x < 0 ? low : beta * x;
  }
};
struct Softplus {
  IOS_INLINE float operator()(float x) const {
    const float most = x < 0 ? 0.0F : x;
    return most + log_of_sum(fast_exp(x < 0 ? x : -x));
  }
};
struct Softsign {
  IOS_INLINE float operator()(float x) const { return x / (1.0F + std::fabs(x)); }
};
struct Erf {
  IOS_INLINE float operator()(float x) const { return fast_erf(x); }
};
struct Sqrt {
  IOS_INLINE float operator()(float x) const { return std::sqrt(x); }
};
struct Exp {
  IOS_INLINE float operator()(float x) const { return fast_exp(x); }
};
struct Log {
  IOS_INLINE float operator()(float x) const { return fast_log(x); }
};
struct Abs {
  IOS_INLINE float operator()(float x) const { return std::fabs(x); }
};
struct Neg {
  IOS_INLINE float operator()(float x) const { return -x; }
};
struct Reciprocal {
  IOS_INLINE float operator()(float x) const { return 1.0F / x; }
};
struct Floor {
  IOS_INLINE float operator()(float x) const { return std::floor(x); }
};
struct Ceil {
  IOS_INLINE float operator()(float x) const { return std::ceil(x); }
};
struct Round {
  IOS_INLINE float operator()(float x) const { return std::nearbyint(x); }
};
struct Truncate {
  IOS_INLINE float operator()(float x) const { return std::trunc(x) + 0.0F; }  // an integer has no -0
};
struct Sign {
  IOS_INLINE float operator()(float x) const { return x > 0 ? 1.0F : (x < 0 ? -1.0F : x); }
};
struct Not {
  IOS_INLINE float operator()(float x) const { return x == 0 ? 1.0F : 0.0F; }
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
    case ActivationKind::kRelu: return map(Relu{}, in, out, size);
    case ActivationKind::kSigmoid: return map(Sigmoid{}, in, out, size);
    case ActivationKind::kTanh: return map(Tanh{}, in, out, size);
    case ActivationKind::kLeakyRelu: return map(LeakyRelu{alpha}, in, out, size);
    case ActivationKind::kElu: return map(Elu{alpha}, in, out, size);
    case ActivationKind::kClip: return map(Clip{alpha, beta}, in, out, size);
    case ActivationKind::kHardSigmoid: return map(HardSigmoid{alpha, beta}, in, out, size);
    case ActivationKind::kHardSwish: return map(HardSwish{}, in, out, size);
    case ActivationKind::kSwish: return map(Swish{}, in, out, size);
    case ActivationKind::kGelu: return map(Gelu{}, in, out, size);
    case ActivationKind::kGeluTanh: return map(GeluTanh{}, in, out, size);
    case ActivationKind::kMish: return map(Mish{}, in, out, size);
    case ActivationKind::kSelu: return map(Selu{alpha, beta}, in, out, size);
    case ActivationKind::kSoftplus: return map(Softplus{}, in, out, size);
    case ActivationKind::kSoftsign: return map(Softsign{}, in, out, size);
    case ActivationKind::kErf: return map(Erf{}, in, out, size);
    case ActivationKind::kSqrt: return map(Sqrt{}, in, out, size);
    case ActivationKind::kExp: return map(Exp{}, in, out, size);
    case ActivationKind::kLog: return map(Log{}, in, out, size);
    case ActivationKind::kAbs: return map(Abs{}, in, out, size);
    case ActivationKind::kNeg: return map(Neg{}, in, out, size);
    case ActivationKind::kReciprocal: return map(Reciprocal{}, in, out, size);
    case ActivationKind::kFloor: return map(Floor{}, in, out, size);
    case ActivationKind::kCeil: return map(Ceil{}, in, out, size);
    case ActivationKind::kRound: return map(Round{}, in, out, size);
    case ActivationKind::kTruncate: return map(Truncate{}, in, out, size);
    case ActivationKind::kSign: return map(Sign{}, in, out, size);
    case ActivationKind::kNot: return map(Not{}, in, out, size);
    case ActivationKind::kCelu:
    case ActivationKind::kThresholdedRelu:
    case ActivationKind::kShrink:
    case ActivationKind::kSin:
    case ActivationKind::kCos:
    case ActivationKind::kTan:
    case ActivationKind::kAsin:
    case ActivationKind::kAcos:
    case ActivationKind::kAtan:
    case ActivationKind::kSinh:
    case ActivationKind::kCosh:
    case ActivationKind::kAsinh:
    case ActivationKind::kAcosh:
    case ActivationKind::kAtanh:
    case ActivationKind::kIsNan:
    case ActivationKind::kIsInf: return map(Rare{function}, in, out, size);
  }
}

}  // namespace iosx::cpu
