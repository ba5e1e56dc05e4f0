#include "core/graph/activation.h"

#include <algorithm>
#include <cmath>

namespace iosx {

std::string_view activation_name(Activation activation) {
  switch (activation.kind) {
    case ActivationKind::kIdentity: return "identity";
    case ActivationKind::kRelu: return "relu";
    case ActivationKind::kSigmoid: return "sigmoid";
    case ActivationKind::kTanh: return "tanh";
    case ActivationKind::kLeakyRelu: return "leaky relu";
    case ActivationKind::kElu: return "elu";
    case ActivationKind::kClip: return "clip";
    case ActivationKind::kHardSigmoid: return "hard sigmoid";
    case ActivationKind::kHardSwish: return "hard swish";
    case ActivationKind::kSwish: return "swish";
  }
  return "identity";
}

float apply(Activation activation, float x) {
  const auto [kind, alpha, beta] = activation;
  switch (kind) {
    case ActivationKind::kIdentity: return x;
    case ActivationKind::kRelu: return std::max(x, 0.0F);
    case ActivationKind::kSigmoid: return 1 / (1 + std::exp(-x));
    case ActivationKind::kTanh: return std::tanh(x);
    case ActivationKind::kLeakyRelu: return x < 0 ? alpha * x : x;
    case ActivationKind::kElu: return x < 0 ? alpha * std::expm1(x) : x;
    case ActivationKind::kClip: return std::min(std::max(x, alpha), beta);
    case ActivationKind::kHardSigmoid: return std::clamp(alpha * x + beta, 0.0F, 1.0F);
    case ActivationKind::kHardSwish: return x * std::clamp(x / 6 + 0.5F, 0.0F, 1.0F);
    case ActivationKind::kSwish: return x / (1 + std::exp(-x));
  }
  return x;
}

}  // namespace iosx
