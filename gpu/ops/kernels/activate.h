#pragma once

#include <cmath>
#include <limits>

#include "core/graph/activation.h"
#include "gpu/ops/kernels/host_device.h"

namespace iosx::gpu::kernels {

// An Activation as kernels apply it: most are bounds on the value, which need no choice at run time.
class Activate {
 public:
  explicit Activate(const Activation& activation) : function_(activation) {
    switch (activation.kind) {
      case ActivationKind::kIdentity: bounds_only_ = true; break;
      case ActivationKind::kRelu:
        bounds_only_ = true;
        low_ = 0;
        break;
      case ActivationKind::kClip:
        bounds_only_ = true;
        low_ = activation.alpha;
        high_ = activation.beta;
        break;
      default: break;
    }
  }

  template <int kWidth>
  IOS_HD void operator()(float (&x)[kWidth]) const {
    if (bounds_only_) {
      IOS_UNROLL
      for (int i = 0; i < kWidth; ++i) x[i] = bounded(x[i], low_, high_);
      return;
    }
    // Each turn takes the first element and puts it back last: the code stands there once, and no register is indexed.
    IOS_NO_UNROLL
    for (int turn = 0; turn < kWidth; ++turn) {
      const float y = other(x[0]);
      IOS_UNROLL
      for (int i = 0; i + 1 < kWidth; ++i) x[i] = x[i + 1];
      x[kWidth - 1] = y;
    }
  }

 private:
  // Keeps a NaN.
  IOS_HD static float bounded(float x, float low, float high) {
    const float raised = x < low ? low : x;
    return high < raised ? high : raised;
  }

  IOS_HD float other(float x) const {
    const float alpha = function_.alpha;
    switch (function_.kind) {
      case ActivationKind::kSigmoid: return 1.0F / (1.0F + expf(-x));
      case ActivationKind::kTanh: return tanhf(x);
      case ActivationKind::kLeakyRelu: return x < 0 ? alpha * x : x;
      case ActivationKind::kElu: return x < 0 ? alpha * expm1f(x) : x;
      case ActivationKind::kHardSigmoid: return bounded(alpha * x + function_.beta, 0.0F, 1.0F);
      case ActivationKind::kHardSwish: return x * bounded(x / 6.0F + 0.5F, 0.0F, 1.0F);
      case ActivationKind::kSwish: return x / (1.0F + expf(-x));
      default: return x;
    }
  }

  Activation function_;
  bool bounds_only_ = false;
  float low_ = -std::numeric_limits<float>::infinity();
  float high_ = std::numeric_limits<float>::infinity();
};

}  // namespace iosx::gpu::kernels
