#include <algorithm>

#include "core/cpu/kernels/exp.h"
#include "core/cpu/kernels/rows.h"

namespace iosx::cpu {
namespace {

// Each as apply() of core/graph/activation.h defines it.
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
  }
}

}  // namespace iosx::cpu
